// Batches: up to 100 operations at once, and any number in parts.

import { type BatchResult, isRecordsError } from './errors.ts';
import type { Changes, ObjectFields, StatusOf } from './fields.ts';
import type { CallOptions, Send } from './request.ts';
import {
  BATCH_OPERATIONS,
  type BulkUpdate,
  type CreateOperation,
  type DeleteOperation,
  type EarlierRecord,
  type Endpoints,
  type JobSummary,
  type LinkOperation,
  type StatusOperation,
  type UnlinkOperation,
  type UpdateOperation,
  type UpsertOperation,
} from './schema.ts';

export type BatchOperation<Fields extends ObjectFields> =
  | (Omit<CreateOperation, 'fields'> & { readonly fields: Fields['write'] })
  | (Omit<UpdateOperation, 'fields'> & { readonly fields: Changes<Fields> })
  | (Omit<StatusOperation, 'status_id'> & { readonly status_id: StatusOf<Fields> })
  | (Omit<UpsertOperation, 'fields' | 'match'> & {
      readonly match: Partial<Fields['read']>;
      readonly fields?: Changes<Fields>;
    })
  | DeleteOperation
  | LinkOperation
  | UnlinkOperation;

export interface BatchOptions extends CallOptions {
  /** Operations of a part: 1 to 100, which is the default. */
  readonly size?: number | undefined;
}

type Operations = Endpoints['batchRecords']['body']['operations'];

/** Operations on records of any objects. */
export type ObjectOperations = Endpoints['batchObjects']['body']['operations'];

/** A result of one of them. */
export type ObjectBatchResult = Endpoints['batchObjects']['result']['data']['results'][number];

/** The record of an earlier operation, by its index: an id, or the value of a reference. */
export function earlier(index: number): EarlierRecord {
  return { $op: index };
}

/** Up to 100 operations on records of any objects, all or none; with `dryRun` they are only checked. */
export function objectBatches(send: Send, dryRun = false) {
  return async (
    operations: ObjectOperations,
    options?: CallOptions,
  ): Promise<ObjectBatchResult[]> => {
    const body = { operations, ...(dryRun ? { dry_run: true } : {}) };
    return (await send('batchObjects', { body }, options)).data.results;
  };
}

export function batches(send: Send, object_type: string) {
  async function batch(operations: Operations, options?: CallOptions): Promise<BatchResult[]> {
    const ask = { params: { object_type }, body: { operations } };
    return (await send('batchRecords', ask, options)).data.results;
  }
  return {
    batch,
    async batchAll(
      operations: Operations,
      { size = BATCH_OPERATIONS, idempotencyKey, ...options }: BatchOptions = {},
    ): Promise<BatchResult[]> {
      requireSize(size);
      const completed: BatchResult[] = [];
      for (let start = 0; start < operations.length; start += size) {
        const part = operations.slice(start, start + size);
        // A call that is made again under its key finds the parts that were applied by their own.
        const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}:${start}`;
        try {
          completed.push(...(await batch(part, { ...options, idempotencyKey: key })));
        } catch (error) {
          throw isRecordsError(error) ? Object.assign(error, { completed }) : error;
        }
      }
      return completed;
    },
  };
}

type Bulk = Endpoints['bulkRecords'];

/** One change of all records that `where` finds; `expected_count` says how many it must be. */
export type BulkChange = Bulk['body'];

/** The number of records that a change would affect, and the newest of them. */
export type BulkRehearsal = Extract<Bulk['result']['data'], { readonly dry_run: true }>;

export function bulkChanges(send: Send, object_type: string) {
  const params = { object_type };
  return {
    /** A job that changes them; `jobs.get` returns its progress. */
    async bulk(change: BulkChange, options?: CallOptions): Promise<JobSummary> {
      const body = bodyOf(change, false);
      return (await send('bulkRecords', { params, body }, options)).data as JobSummary;
    },
    async bulkDryRun(change: BulkChange, options?: CallOptions): Promise<BulkRehearsal> {
      const body = bodyOf(change, true);
      return (await send('bulkRecords', { params, body }, options)).data as BulkRehearsal;
    },
  };
}

/** One of the three bodies is cast for all: the compiler would check each of them apart. */
function bodyOf(change: BulkChange, dry_run: boolean): BulkUpdate {
  return { ...change, dry_run } as BulkUpdate;
}

function requireSize(size: number): void {
  if (Number.isInteger(size) && size >= 1 && size <= BATCH_OPERATIONS) return;
  throw new RangeError(`size must be a whole number from 1 to ${BATCH_OPERATIONS}`);
}
