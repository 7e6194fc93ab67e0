// Calls for deleted records, of objects that keep them for a while.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { DeletedRecord, Endpoints } from './schema.ts';

type DeletedQuery = Endpoints['listDeletedRecords']['query'];

export type RestoredRecord = Endpoints['restoreRecord']['result']['data'];

export interface DeletedRecords {
  /** One page of the deleted records that you can restore, the last deleted first. */
  deleted(query?: DeletedQuery, options?: CallOptions): Promise<Page<DeletedRecord>>;
  /** The deleted records of all pages. */
  allDeleted(
    query?: DeletedQuery,
    options?: CallOptions,
  ): AsyncGenerator<DeletedRecord, void, undefined>;
  /** The record with its comments and links; `not_restored` counts what could not come back. */
  restoreDeleted(id: string, options?: CallOptions): Promise<RestoredRecord>;
  /** Removes a deleted record, which can no longer be restored. */
  purge(id: string, options?: CallOptions): Promise<void>;
}

export function deletedRecords(send: Send, object_type: string): DeletedRecords {
  const paramsOf = (record_id: string) => ({ object_type, record_id });
  const deleted = (query: DeletedQuery = {}, options?: CallOptions) =>
    send('listDeletedRecords', { params: { object_type }, query }, options);
  return {
    deleted,
    allDeleted: (query = {}, options) => itemsFrom(query, (page) => deleted(page, options)),
    restoreDeleted: async (id, options) =>
      (await send('restoreRecord', { params: paramsOf(id) }, options)).data,
    purge: async (id, options) => {
      await send('purgeRecord', { params: paramsOf(id), once: true }, options);
    },
  };
}
