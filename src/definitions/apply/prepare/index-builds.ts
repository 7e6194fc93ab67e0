// Indexes of large tables, built and dropped while clients write: outside of the transaction that changes the
// definition, and by one process at a time. index-plan.ts decides which.

import { type Lease, openLease } from '../../../control/jobs/job-lease.ts';
import { appendJob, type Job } from '../../../control/jobs/jobs.ts';
import {
  findWorkspaceById,
  listWithoutTextIndexes,
  loadModel,
  putTextIndexes,
  type WorkspaceRow,
} from '../../../control/workspace/workspaces.ts';
import { type Database, isDatabaseError, type Transaction } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import { identifier, sql } from '../../../sql/sql.ts';
import {
  createIndexSql,
  dropIndexConcurrentlySql,
  indexesOf,
  indexStatisticsSql,
  type TableIndex,
} from '../../../sql/write/index-sql.ts';
import { inTurn, releaseSnapshot } from '../definition-turn.ts';
import { findFaults } from './index-plan.ts';
import { type Patience, runPatiently } from './patient-statement.ts';

/** Times that an index is built when a killed process was building it. */
const ATTEMPTS = 3;

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
  const { trigrams, strays, missing } = await findFaults(tx, model);
  await releaseSnapshot(tx);
  for (const name of strays) await dropIndex(db, schema, name, { signal });
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

/** Runs such a job in a process that does not build by itself. */
export async function runIndexJob(db: Database, job: Job, signal: AbortSignal): Promise<void> {
  const workspace = await findWorkspaceById(db, Number(job.workspace_id));
  if (workspace !== undefined) await completeIndexes(db, workspace, signal);
}

/** Starts jobs for workspaces created before pg_trgm was there. A service calls it after its start. */
export async function requestTextIndexes(db: Database): Promise<void> {
  for (const id of await listWithoutTextIndexes(db)) {
    await appendJob(db, { kind: INDEX_JOBS, workspace_id: id, single: true });
  }
}

/** Drops the indexes that were built for a definition that failed. */
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
