// The records of one object: every call of the service about them, with the types of its fields where
// they are known.

import {
  type BatchOperation,
  type BatchOptions,
  type BulkChange,
  type BulkRehearsal,
  batches,
  bulkChanges,
} from './batches.ts';
import { type BatchResult, isRecordsError } from './errors.ts';
import type {
  Changes,
  FieldKey,
  Filters,
  ListedRecord,
  ObjectFields,
  PhysicalKey,
  RecordWith,
  SingleRecord,
  StatusOf,
} from './fields.ts';
import { type ListQuery, type SearchQuery, searches } from './lists.ts';
import { type Merges, merges } from './merges.ts';
import { itemsFrom, type Page } from './pages.ts';
import { type Questions, questions } from './questions.ts';
import { type EarlierValues, type RecordHistory, recordHistory } from './record-history.ts';
import { type RecordParts, recordParts } from './record-parts.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, Group, JobSummary, StatusRequest } from './schema.ts';
import { type DeletedRecords, deletedRecords } from './trash.ts';

export interface WriteOptions extends CallOptions {
  /** The version the record must still have, else the call fails with `stale_record`. */
  readonly version?: string | undefined;
}

type AggregateBody = Endpoints['aggregateRecords']['body'];

export interface AggregateQuery<Fields extends ObjectFields>
  extends Omit<AggregateBody, 'filters' | 'group_by'> {
  readonly filters?: Filters<Fields> | undefined;
  readonly group_by?: readonly PhysicalKey<Fields>[] | undefined;
}

type Deleted = Endpoints['deleteRecord']['result']['data'];
type Listed<Fields extends ObjectFields, Key extends string> = ListedRecord<Fields, Key>;

export interface Records<Fields extends ObjectFields>
  extends RecordParts,
    RecordHistory,
    Questions,
    Merges,
    DeletedRecords {
  /** One page. Without `fields` records have no fields, only what identifies them. */
  list<const Key extends FieldKey<Fields> = never>(
    query?: ListQuery<Fields, Key>,
    options?: CallOptions,
  ): Promise<Page<Listed<Fields, Key>>>;
  /** The records of all pages. */
  all<const Key extends FieldKey<Fields> = never>(
    query?: ListQuery<Fields, Key>,
    options?: CallOptions,
  ): AsyncGenerator<Listed<Fields, Key>, void, undefined>;
  /** All pages. */
  pages<const Key extends FieldKey<Fields> = never>(
    query?: ListQuery<Fields, Key>,
    options?: CallOptions,
  ): AsyncGenerator<Page<Listed<Fields, Key>>, void, undefined>;
  /** Lists records like `list`, with the query of the search endpoint. */
  search<const Key extends FieldKey<Fields> = never>(
    body?: SearchQuery<Fields, Key>,
    options?: CallOptions,
  ): Promise<Page<Listed<Fields, Key>>>;
  searchAll<const Key extends FieldKey<Fields> = never>(
    body?: SearchQuery<Fields, Key>,
    options?: CallOptions,
  ): AsyncGenerator<Listed<Fields, Key>, void, undefined>;
  /** One page of groups. */
  aggregate(body: AggregateQuery<Fields>, options?: CallOptions): Promise<Page<Group>>;
  aggregateAll(
    body: AggregateQuery<Fields>,
    options?: CallOptions,
  ): AsyncGenerator<Group, void, undefined>;
  /** A record with every field the key may read, or with some. */
  get<const Key extends FieldKey<Fields> = never>(
    id: string,
    query?: { readonly fields?: readonly Key[] | undefined },
    options?: CallOptions,
  ): Promise<SingleRecord<Fields, Key>>;
  create(fields: Fields['write'], options?: CallOptions): Promise<RecordWith<Fields['read']>>;
  /** Only the fields that are given change. */
  update(
    id: string,
    fields: Changes<Fields>,
    options?: WriteOptions,
  ): Promise<RecordWith<Fields['read']>>;
  /**
   * A delete whose answer was lost is made again; that the record no longer exists then counts as
   * its success.
   */
  delete(id: string, options?: WriteOptions): Promise<Deleted>;
  status(
    id: string,
    statusId: StatusOf<Fields>,
    options?: WriteOptions,
  ): Promise<RecordWith<Fields['read']>>;
  /** Writes the values that fields had at a revision, as an update. */
  restore(
    id: string,
    values: EarlierValues,
    options?: WriteOptions,
  ): Promise<RecordWith<Fields['read']>>;
  /** Ask for a move that needs approval; `statusRequests` has the requests. */
  requestStatus(
    id: string,
    statusId: StatusOf<Fields>,
    options?: CallOptions & { readonly comment?: string | undefined },
  ): Promise<StatusRequest>;
  /** All of up to 100 operations, or none. */
  batch(
    operations: readonly BatchOperation<Fields>[],
    options?: CallOptions,
  ): Promise<BatchResult[]>;
  /**
   * Any number of operations, in parts of up to 100, one after another. Each part is applied as a whole
   * or not at all; **the parts before one that fails stay applied**: `completed` of the error has their
   * results.
   */
  batchAll(
    operations: readonly BatchOperation<Fields>[],
    options?: BatchOptions,
  ): Promise<BatchResult[]>;
  /**
   * One change of all records that `where` finds, when they are `expected_count`: a job, which `jobs.get`
   * follows.
   */
  bulk(change: BulkChange, options?: CallOptions): Promise<JobSummary>;
  /** The number of records it would change, and the newest of them; it changes none. */
  bulkDryRun(change: BulkChange, options?: CallOptions): Promise<BulkRehearsal>;
}

/** The records of an object type. The caller gives the types of its fields. */
export function openRecords<Fields extends ObjectFields>(
  send: Send,
  object_type: string,
): Records<Fields> {
  const calls = {
    ...searches(send, object_type),
    ...singles(send, object_type),
    ...batches(send, object_type),
    ...bulkChanges(send, object_type),
    ...recordParts(send, object_type),
    ...recordHistory(send, object_type),
    ...aggregates(send, object_type),
    ...questions(send, object_type),
    ...merges(send, object_type),
    ...deletedRecords(send, object_type),
  };
  // Fields are names and values on the wire, whatever their types are here.
  return Object.freeze(calls) as unknown as Records<Fields>;
}

function aggregates(send: Send, object_type: string) {
  const aggregate = async (body: AggregateBody, options?: CallOptions) =>
    send('aggregateRecords', { params: { object_type }, body }, options);
  return {
    aggregate,
    aggregateAll: (body: AggregateBody, options?: CallOptions) =>
      itemsFrom(body, (query) => aggregate(query, options)),
  };
}

type Values = Endpoints['createRecord']['body']['fields'];

function singles(send: Send, object_type: string) {
  const paramsOf = (record_id: string) => ({ object_type, record_id });
  return {
    async get(
      id: string,
      { fields }: { readonly fields?: readonly string[] } = {},
      options?: CallOptions,
    ) {
      const ask = { params: paramsOf(id), query: { fields: fields?.join(',') } };
      return (await send('getRecord', ask, options)).data;
    },
    async create(fields: Values, options?: CallOptions) {
      const ask = { params: { object_type }, body: { fields } };
      return (await send('createRecord', ask, options)).data;
    },
    async update(id: string, fields: Values, { version, ...options }: WriteOptions = {}) {
      const ask = { params: paramsOf(id), body: { fields }, version };
      return (await send('updateRecord', ask, options)).data;
    },
    async status(id: string, status_id: string, { version, ...options }: WriteOptions = {}) {
      const ask = { params: paramsOf(id), body: { status_id }, version };
      return (await send('changeStatus', ask, options)).data;
    },
    async requestStatus(
      id: string,
      status_id: string,
      { comment, ...options }: CallOptions & { readonly comment?: string | undefined } = {},
    ) {
      const body = { status_id, ...(comment === undefined ? {} : { comment }) };
      return (await send('createStatusRequest', { params: paramsOf(id), body }, options)).data;
    },
    async delete(id: string, { version, ...options }: WriteOptions = {}): Promise<Deleted> {
      try {
        return (await send('deleteRecord', { params: paramsOf(id), version }, options)).data;
      } catch (error) {
        const isGone = isRecordsError(error, 'record_not_found') && error.outcomeUnknown;
        if (isGone) return { id, object_type, deleted: true };
        throw error;
      }
    },
  };
}
