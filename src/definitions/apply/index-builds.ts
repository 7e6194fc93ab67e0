// Indexes of large tables, made and dropped without stopping those who write: outside of the
// transaction that changes the definition, and by one process at a time. Which indexes there should be
// is in sql/index-sql.ts; apply-definition.ts says when.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, openLease } from '../../control/job-lease.ts';
import { appendJob, type Job } from '../../control/jobs.ts';
import {
  findWorkspaceById,
  listWithoutTextIndexes,
  loadModel,
  putTextIndexes,
  type WorkspaceRow,
} from '../../control/workspaces.ts';
import { operatorError } from '../../errors.ts';
import type { WorkspaceModel } from '../../model/model.ts';
import { isShard } from '../../postgres/citus.ts';
import {
  type Database,
  isDatabaseError,
  type Queryable,
  type Transaction,
} from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import {
  conceivableIndexes,
  createIndexSql,
  dropIndexConcurrentlySql,
  type FoundIndex,
  foundIndexesSql,
  indexesOf,
  indexStatisticsSql,
  isSameIndex,
  type TableIndex,
  TRIGRAMS_SQL,
} from '../../sql/index-sql.ts';
import { identifier, sql } from '../../sql/sql.ts';
import type { Change } from '../changes/change.ts';
import { kindOf } from '../changes/kinds/index.ts';
import { type Patience, runPatiently } from './patient-statement.ts';

/**
 * From 8 MB on (some 50,000 records) an index is made concurrently: below, writes wait for less than
 * half a second, and a build in the transaction leaves nothing behind. Bytes need no statistics.
 */
const LARGE_BYTES = 8 * 2 ** 20;
/** How long to wait for another change of the same definition. */
const TURN_MS = 600_000;
const TURN_POLL_MS = 200;
const ATTEMPTS = 3;

type ChangedWorkspace = Pick<WorkspaceRow, 'slug' | 'schema'>;

interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the turn. */
  readonly patience?: number | undefined;
}

/**
 * Run `work` in a transaction while nobody else changes this workspace. It may build indexes by
 * other connections meanwhile. These wait for all older snapshots, so nobody may wait for his turn
 * inside a statement, nor in a transaction that may have one: each try is a transaction of its own.
 */
export async function inTurn<Result>(
  db: Database,
  { slug, schema }: ChangedWorkspace,
  work: (tx: Transaction) => Promise<Result>,
  { signal, patience = TURN_MS }: TurnOptions = {},
): Promise<Result> {
  const key = `workspace-records definition of ${schema}`;
  const deadline = Date.now() + patience;
  for (;;) {
    signal?.throwIfAborted();
    const turn = await db.transaction(async (tx) =>
      (await isTurnOf(tx, key)) ? { result: await work(tx) } : undefined,
    );
    if (turn !== undefined) return turn.result;
    if (Date.now() > deadline) {
      throw operatorError(
        `The definition of "${slug}" is being changed by someone else for too long; ` +
          'nothing was changed. Try again.',
      );
    }
    await sleep(TURN_POLL_MS);
  }
}

/** Nobody else has the turn until the transaction ends; it may wait as long as it likes. */
async function isTurnOf(tx: Transaction, key: string): Promise<boolean> {
  await runOnce(tx, sql`set transaction isolation level read committed`);
  const [tried] = await runOnce(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as mine,
      set_config('idle_in_transaction_session_timeout', '0', true)`,
  );
  return tried?.mine === true;
}

/**
 * Before a build beside the transaction that has the turn. PostgreSQL keeps the snapshot of a query
 * until the next statement of its connection, and the build would wait for it; SET has none. Citus sends it on to the
 * servers that the transaction has asked; elsewhere its setting has no meaning.
 */
export async function releaseSnapshot(tx: Transaction): Promise<void> {
  await runOnce(tx, sql`set local citus.propagate_set_commands = 'local'`);
  await runOnce(tx, sql`set local statement_timeout = 0`);
}

/** The schema of pg_trgm; undefined when the server lacks it or it may not be used. */
export async function loadTrigrams(db: Queryable): Promise<string | undefined> {
  return (await runOnce(db, TRIGRAMS_SQL))[0]?.schema as string | undefined;
}

/** What has to happen to indexes around the transaction that makes the changes. */
export interface IndexPlan {
  readonly trigrams: string | undefined;
  /** Names of indexes that are broken or belong to no definition: leftovers of a killed process. */
  readonly strays: readonly string[];
  /** Of large tables and columns that are there: to build before. */
  readonly early: readonly EarlyIndex[];
  /** Names of indexes that are there or are built before: the transaction has nothing to do. */
  readonly ready: ReadonlySet<string>;
  /** Names of those to build after, because their column comes with the transaction. */
  readonly late: ReadonlySet<string>;
}

/** An index to build before the change that needs it. */
interface EarlyIndex {
  readonly index: TableIndex;
  readonly change: Change;
}

/** The models before and after, and what leads from one to the other. */
export interface Difference {
  readonly changes: readonly Change[];
  readonly before: WorkspaceModel;
  readonly after: WorkspaceModel;
}

export async function planIndexes(
  db: Queryable,
  schema: string,
  { changes, before, after }: Difference,
): Promise<IndexPlan> {
  const trigrams = await loadTrigrams(db);
  const found = await loadIndexes(db, schema);
  const isThere = (index: TableIndex) => isPresent(found, index);
  const wanted = [...wantedIndexes(before, trigrams), ...wantedIndexes(after, trigrams)];
  const large = new Set(
    [...found.values()].flatMap((one) => (one.table_bytes >= LARGE_BYTES ? [one.table] : [])),
  );
  const early = new Map<string, EarlyIndex>();
  for (const change of changes) {
    const index = kindOf(change).index?.(change);
    if (index === undefined || early.has(index.name)) continue;
    const isPossible = index.kind !== 'text' || trigrams !== undefined;
    const isLate = isThere(index) || hasNewColumn(index, changes);
    if (!isLate && isPossible && large.has(index.table)) early.set(index.name, { index, change });
  }
  const ready = new Set([...wanted.filter(isThere).map(({ name }) => name), ...early.keys()]);
  const late = wantedIndexes(after, trigrams).filter(
    // What is unique must be so from the first write on.
    ({ name, kind, table }) => !ready.has(name) && kind !== 'unique' && large.has(table),
  );
  return {
    trigrams,
    strays: straysAmong(found, wanted, [before, after]),
    early: [...early.values()],
    ready,
    late: new Set(late.map(({ name }) => name)),
  };
}

/** Whether the model has all its indexes, once those named `made` are made too. */
export function isComplete(
  model: WorkspaceModel,
  { trigrams, ready }: IndexPlan,
  made: readonly string[],
): boolean {
  const present = new Set([...ready, ...made]);
  return wantedIndexes(model, trigrams).every(({ name }) => present.has(name));
}

function hasNewColumn({ table, column }: TableIndex, changes: readonly Change[]): boolean {
  return changes.some((change) => {
    const added = kindOf(change).newColumn?.(change);
    return added?.table === table && added.column === column;
  });
}

function wantedIndexes(model: WorkspaceModel, trigrams: string | undefined): readonly TableIndex[] {
  const indexes = [...model.objects.values()].flatMap(indexesOf);
  return trigrams === undefined ? indexes.filter(({ kind }) => kind !== 'text') : indexes;
}

function isPresent(found: ReadonlyMap<string, FoundIndex>, index: TableIndex): boolean {
  const one = found.get(index.name);
  return one !== undefined && isSameIndex(index, one);
}

/** Only indexes that this service can have made are judged: others are the operator's. */
function straysAmong(
  found: ReadonlyMap<string, FoundIndex>,
  wanted: readonly TableIndex[],
  models: readonly WorkspaceModel[],
): readonly string[] {
  const good = new Set(wanted.filter((index) => isPresent(found, index)).map(({ name }) => name));
  const objects = models.flatMap((model) => [...model.objects.values()]);
  const ours = [...wanted, ...objects.flatMap(conceivableIndexes)].map(({ name }) => name);
  return [...new Set(ours)].filter((name) => found.has(name) && !good.has(name));
}

async function loadIndexes(
  db: Queryable,
  schema: string,
): Promise<ReadonlyMap<string, FoundIndex>> {
  const rows = await runOnce(db, foundIndexesSql(schema, await isShard(db, schema)));
  return new Map(rows.map((row) => [String(row.name), row as unknown as FoundIndex]));
}

/**
 * Bring the indexes to the definition in force: build what is missing, drop what is broken. Answers
 * when all is done, which takes some ten seconds for a million records.
 */
export async function completeIndexes(
  db: Database,
  workspace: WorkspaceRow,
  signal?: AbortSignal,
): Promise<void> {
  await inTurn(db, workspace, async (tx) => completeInTurn({ db, tx, signal }, workspace), {
    signal,
  });
}

interface Completion {
  readonly db: Database;
  readonly tx: Transaction;
  readonly signal: AbortSignal | undefined;
}

async function completeInTurn(
  { db, tx, signal }: Completion,
  { id, schema }: WorkspaceRow,
): Promise<void> {
  const model = await loadModel(tx, id);
  if (model === undefined) return;
  const [trigrams, found] = [await loadTrigrams(tx), await loadIndexes(tx, schema)];
  const wanted = wantedIndexes(model, trigrams);
  await releaseSnapshot(tx);
  for (const name of straysAmong(found, wanted, [model])) {
    await dropIndex(db, schema, name, { signal });
  }
  const missing = wanted.filter((index) => !isPresent(found, index));
  await buildEach(db, schema, missing, (index) =>
    buildIndex(db, schema, index, { trigrams, signal }),
  );
  if (trigrams !== undefined) await putTextIndexes(tx, id);
}

/** The kind of the jobs that bring indexes to the definition in force. */
export const INDEX_JOBS = 'indexes';

/**
 * Before the first index of a change is built: note that the indexes of this workspace have to be brought
 * to its definition. The process that builds keeps the lease; when it is gone, a service does it. Undefined
 * when another process is about to do it in any case.
 */
export async function beginBuilds(db: Database, { id }: WorkspaceRow): Promise<Lease | undefined> {
  const job = await appendJob(db, { kind: INDEX_JOBS, workspace_id: id });
  return job === undefined ? undefined : openLease(db, { kinds: [INDEX_JOBS], id: job });
}

/** What such a job does in a process that does not build by itself. */
export async function runIndexJob(db: Database, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await findWorkspaceById(db, Number(job.workspace_id));
  if (workspace !== undefined) await completeIndexes(db, workspace, signal);
}

/** Of workspaces that were made before pg_trgm was there: a service builds their indexes of texts when it has started. */
export async function requestTextIndexes(db: Database): Promise<void> {
  for (const id of await listWithoutTextIndexes(db)) {
    await appendJob(db, { kind: INDEX_JOBS, workspace_id: id, single: true });
  }
}

/** After a failure: drop the indexes that were built for a definition that did not come. */
export async function discardIndexes(
  db: Database,
  workspace: WorkspaceRow,
  names: readonly string[],
): Promise<void> {
  await inTurn(db, workspace, async (tx) => {
    const model = await loadModel(tx, workspace.id);
    const kept = new Set(
      [...(model?.objects.values() ?? [])].flatMap(indexesOf).map((i) => i.name),
    );
    const dropped = names.filter((name) => !kept.has(name));
    await releaseSnapshot(tx);
    for (const name of dropped) await dropIndex(db, workspace.schema, name);
  });
}

/** Build one after the other. Statistics of a table are made once, after the last of its indexes. */
export async function buildEach(
  db: Database,
  schema: string,
  indexes: readonly TableIndex[],
  build: (index: TableIndex) => Promise<void>,
): Promise<void> {
  const byTable = new Map<string, TableIndex[]>();
  for (const index of indexes) {
    byTable.set(index.table, [...(byTable.get(index.table) ?? []), index]);
  }
  for (const [table, own] of byTable) {
    for (const index of own) await build(index);
    // The planner chooses these indexes by their statistics: how many rows have a text, or are equal.
    if (own.some(({ kind }) => kind === 'text' || kind === 'equal'))
      await runOnce(db, sql`analyze ${identifier(schema, table)}`);
  }
}

export interface BuildOptions extends Patience {
  readonly trigrams: string | undefined;
}

/**
 * Build an index while others write. When that fails nothing stays, unless even that fails: the next
 * change of the definition drops it then.
 */
export async function buildIndex(
  db: Database,
  schema: string,
  index: TableIndex,
  { trigrams, patience, signal }: BuildOptions,
): Promise<void> {
  const statement = createIndexSql(schema, index, { trigrams, concurrently: true });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runPatiently(db, statement, { patience, signal });
      break;
    } catch (error) {
      await dropIndex(db, schema, index.name, { patience }).catch(() => undefined);
      // The server was still at it for a process that was killed.
      if (attempt < ATTEMPTS && isDatabaseError(error) && error.code === '42P07') continue;
      throw error;
    }
  }
  for (const wanted of indexStatisticsSql(schema, index)) await runOnce(db, wanted);
}

/** Drop an index while others read and write. */
export async function dropIndex(
  db: Database,
  schema: string,
  name: string,
  patience: Patience = {},
): Promise<void> {
  await runPatiently(db, dropIndexConcurrentlySql(schema, name), patience);
}
