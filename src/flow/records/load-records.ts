// New records of an object that no other transaction writes, many at a time (D340): planned and validated as every
// write, then stored by COPY with their search rows. The caller writes the audit rows.

import { LIMITS } from '../../limits.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { searchRowsOf } from '../../plan/search/search-rows.ts';
import { validateWrites } from '../../plan/write/validate-write.ts';
import { numberPrefixes, placedItemsOf } from '../../plan/write/work-items.ts';
import type { WriteOperation, WritePlan } from '../../plan/write/write-operation.ts';
import { planWrites } from '../../plan/write/write-plan.ts';
import {
  type Change,
  type LookupResults,
  NO_LOOKUP_RESULTS,
} from '../../plan/write/write-validation.ts';
import type { Copying } from '../../postgres/copy.ts';
import {
  isDatabaseError,
  isRefusedByDatabase,
  type Row,
  type Transaction,
} from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { withSavepoint } from '../../postgres/savepoints.ts';
import { requireInForceSql } from '../../sql/events/audit-sql.ts';
import { identifier, type Statement, sql, toStatement } from '../../sql/sql.ts';
import { copyWriter } from '../../sql/write/copy-sql.ts';
import { requireTreeSql, TREE_REFUSED } from '../../sql/write/work-item-sql.ts';
import { bufferOf, copyRows } from './copy-rows.ts';
import { insertedColumns } from './effects.ts';
import { type Lookup, peopleLookups, referenceLookups, treeLookups } from './lookups.ts';
import { type PreparedSearch, prepareSearch, type SearchLoad } from './read/load-search.ts';
import { lookupResultsOf, numberItems, runLookups } from './run-lookups.ts';
import { explainFailure } from './write-failure.ts';
import type { WriteContext } from './write-group.ts';

/**
 * The start of a load: the definition stays in force until its transaction ends. Errors: one when it is not in force.
 */
export async function beginLoad(
  tx: Transaction,
  { schema, revision }: WorkspaceModel,
  { table }: ObjectModel,
): Promise<{ readonly now: string; readonly isEmpty: boolean }> {
  await runOnce(tx, requireInForceSql({ schema, revision }));
  const records = identifier(schema, table);
  const [row] = await runOnce(
    tx,
    sql`select now()::timestamptz(3)::text as now, not exists (select from ${records}) as is_empty`,
  );
  return { now: String(row?.now), isEmpty: row?.is_empty === true };
}

export interface Load {
  /** Write one record an operation, all or none; answers the id of each. Errors: those of other writes. */
  write(operations: readonly WriteOperation[]): Promise<readonly string[]>;
  /** Have all records that were written found by the search: before other ways write the object, and in the end. */
  place(): Promise<void>;
  /** Keys of all fields that were written. */
  readonly keys: ReadonlySet<string>;
}

export interface LoadRequest {
  /** `db` is one within the transaction. */
  readonly context: WriteContext;
  readonly object: ObjectModel;
  /** When the transaction began. */
  readonly now: string;
  readonly search: SearchLoad;
}

export function openLoad(request: LoadRequest): Load {
  const { context, search } = request;
  const loading: Loading = { ...request, keys: new Set() };
  return {
    place: () => context.db.copying((tx) => search.place(tx)),
    keys: loading.keys,
    async write(operations) {
      const { db } = context;
      const planned = { operations, plan: planOf(loading, operations) };
      const { plan } = planned;
      const lookups = planNewLookups(plan);
      const isNumbered = numberPrefixes(plan, NO_LOOKUP_RESULTS).size > 0;
      const lookedUp =
        lookups.length > 0 || isNumbered
          ? await db.copying((tx) => lookUp(tx, plan, lookups))
          : NO_LOOKUP_RESULTS;
      // While PostgreSQL stores the records before.
      const prepared = prepare(loading, planned, lookedUp);
      return db.copying((tx) => storeAll(tx, loading, prepared));
    },
  };
}

interface Loading extends LoadRequest {
  readonly keys: Set<string>;
}

/** Records that may be stored. */
interface PreparedLoad {
  readonly operations: readonly WriteOperation[];
  readonly plan: WritePlan;
  readonly ids: readonly string[];
  readonly records: PreparedRecords;
  readonly search: PreparedSearch;
  readonly checks: readonly Statement[];
}

/** Records as COPY reads them. */
interface PreparedRecords {
  readonly columns: readonly string[];
  readonly rows: Buffer;
}

function planOf(
  { context: { model, caller }, object }: Loading,
  operations: readonly WriteOperation[],
): WritePlan {
  const batch = operations.length > 1;
  const request = { operations: batch ? operations.map(asCreate) : operations, batch };
  return planWrites(model, caller, object, { ...request, source: 'import', answered: [] });
}

/** Upserts are compared with all before them, so only a single one gets its own error. */
function asCreate(operation: WriteOperation): WriteOperation {
  if (operation.action !== 'upsert') return operation;
  return { action: 'create', fields: { ...operation.fields, ...operation.match } };
}

/** No other transaction writes the object, so that no match exists. */
function planNewLookups(plan: WritePlan): readonly Lookup[] {
  return [...treeLookups(plan), ...referenceLookups(plan), ...peopleLookups(plan)];
}

async function lookUp(
  tx: Transaction,
  plan: WritePlan,
  lookups: readonly Lookup[],
): Promise<LookupResults> {
  const [answers = []] = await runLookups(tx, [lookups]);
  return numberItems(tx, plan, lookupResultsOf({ lookups, answers }));
}

type Insert = Extract<Change, { readonly kind: 'insert' }>;

function prepare(
  loading: Loading,
  planned: Pick<PreparedLoad, 'operations' | 'plan'>,
  lookedUp: LookupResults,
): PreparedLoad {
  const { plan } = planned;
  const { context, object, keys, now } = loading;
  const { schema } = context.model;
  // There are no matches, so that every change is an insert.
  const changes = validateWrites(plan, lookedUp) as readonly Insert[];
  for (const change of changes) for (const key of change.keys) keys.add(key);
  const records = changes.map(({ columns }) => columns);
  const placed = placedItemsOf(plan, changes);
  return {
    ...planned,
    ids: changes.map(({ id }) => id),
    records: prepareRecords(loading, records),
    search: prepareSearch(records, searchRowsOf(object, records), now),
    checks:
      placed.length === 0
        ? []
        : [toStatement(requireTreeSql(schema, placed, LIMITS.workItemLevels))],
  };
}

function prepareRecords({ object, now }: Loading, records: readonly Row[]): PreparedRecords {
  const types = insertedColumns(object, records);
  const columns = [...types.keys()];
  // The values that an insert uses when a row lacks them.
  const absent: Readonly<Record<string, unknown>> = {
    ...{ created_at: now, updated_at: now, custom_fields: {} },
  };
  const writers = columns.map((name) => {
    const write = copyWriter(types.get(name) as string);
    const without = write(absent[name]);
    return (record: Row) => (record[name] == null ? without : write(record[name]));
  });
  const lines = records.map((record) => writers.map((write) => write(record)).join('\t'));
  return { columns, rows: bufferOf(lines) };
}

function isRefused(error: unknown): error is Error {
  return isRefusedByDatabase(error) || (isDatabaseError(error) && error.code === TREE_REFUSED);
}

/** Store all records, or none. Errors: `ApiError`s of what the database refuses, when there is one for it. */
async function storeAll(
  tx: Transaction & Copying,
  loading: Loading,
  prepared: PreparedLoad,
): Promise<readonly string[]> {
  try {
    await withSavepoint(tx, () => store(tx, loading, prepared));
  } catch (error) {
    throw isRefused(error) ? await explainFailure(tx, prepared.plan, error) : error;
  }
  loading.search.remember(prepared.search.words);
  return prepared.ids;
}

async function store(
  tx: Transaction & Copying,
  { context: { model }, object, search }: Loading,
  prepared: PreparedLoad,
): Promise<void> {
  const { columns, rows } = prepared.records;
  await copyRows(tx, { schema: model.schema, name: object.table, columns }, rows);
  await search.store(tx, prepared.search);
  for (const check of prepared.checks) await tx.query(check);
}
