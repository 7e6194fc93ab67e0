// The earlier values of records, and their restore.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { ChangedValue, Endpoints, HistoryEntry } from './schema.ts';

type HistoryQuery = NonNullable<Endpoints['listHistory']['query']>;

/** The values that the fields had at a revision of the record. */
export interface EarlierValues {
  readonly revision: number;
  /** Keys of fields. */
  readonly fields: readonly string[];
}

interface RestoreOptions extends CallOptions {
  /** The version the record must still have, else the call fails with `stale_record`. */
  readonly version?: string | undefined;
}

export interface RecordHistory {
  /** One page, newest first, of what changes have replaced. */
  history(id: string, query?: HistoryQuery, options?: CallOptions): Promise<Page<HistoryEntry>>;
  historyAll(
    id: string,
    query?: HistoryQuery,
    options?: CallOptions,
  ): AsyncGenerator<HistoryEntry, void, undefined>;
  /** The values that a restore would change; it changes none. */
  restoreDryRun(
    id: string,
    values: EarlierValues,
    options?: RestoreOptions,
  ): Promise<readonly ChangedValue[]>;
}

type Restore = Endpoints['restoreRecordValues'];
type Restored = Extract<Restore['result']['data'], { readonly id: string }>;
type Rehearsal = Exclude<Restore['result']['data'], Restored>;

export function recordHistory(send: Send, object_type: string) {
  const history: RecordHistory['history'] = (record_id, query = {}, options) =>
    send('listHistory', { params: { object_type, record_id }, query }, options);
  const restore = async (
    record_id: string,
    body: Restore['body'],
    { version, ...options }: RestoreOptions = {},
  ) => {
    const ask = { params: { object_type, record_id }, body, version };
    return (await send('restoreRecordValues', ask, options)).data;
  };
  const bodyOf = ({ revision, fields }: EarlierValues) => ({ revision, fields: [...fields] });
  return {
    history,
    historyAll: (id: string, query: HistoryQuery = {}, options?: CallOptions) =>
      itemsFrom(query, (page) => history(id, page, options)),
    restore: (id: string, values: EarlierValues, options?: RestoreOptions) =>
      restore(id, bodyOf(values), options) as Promise<Restored>,
    async restoreDryRun(id: string, values: EarlierValues, options?: RestoreOptions) {
      const body = { ...bodyOf(values), dry_run: true };
      return ((await restore(id, body, options)) as Rehearsal).changes;
    },
  };
}
