// Deletes stored data that no definition in force names, in portions while clients write (D261): what was
// replaced or dropped, and what was built for a definition that did not come. A job does it.

import { appendJob, type Job, loadJobStates } from '../../control/jobs/jobs.ts';
import {
  deleteLeftover,
  type Leftover,
  loadLeftovers,
  lockLeftover,
  putBuild,
} from '../../control/stored/leftover-rows.ts';
import { findWorkspaceById, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { isOperatorError } from '../../errors.ts';
import { type Database, isDatabaseError, type Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, sql } from '../../sql/sql.ts';
import { clearCustomSql, clearSearchPageSql, dropSpareSql } from '../changes/build-sql.ts';
import { inTurn } from './definition-turn.ts';
import { lockTable } from './lock-tables.ts';

/** The kind of these jobs. */
export const LEFTOVER_JOBS = 'leftovers';

/** Rows that are looked at in one transaction: who writes one of them waits for no longer. */
const PORTION = 500;
/** Milliseconds until no process reads by the definition before (D80), as good as all. */
const FAREWELL_MS = 3000;
/** Milliseconds until a build that somebody is at is looked at again. */
const AGAIN_MS = 30_000;
const UNKNOWN_TABLE = '42P01';

type SweptWorkspace = Pick<WorkspaceRow, 'id' | 'slug' | 'schema'>;

/** See to it that what is left over is deleted; with the transaction that leaves it, both or neither. */
export async function appendSweep(
  db: Queryable,
  workspace_id: number,
  delay = FAREWELL_MS,
): Promise<void> {
  await appendJob(db, { kind: LEFTOVER_JOBS, workspace_id, delay });
}

/** Runs such a job. */
export async function runLeftoverJob(db: Database, job: Job, signal: AbortSignal): Promise<void> {
  if (job.workspace_id === null) return;
  const workspace = await findWorkspaceById(db, job.workspace_id);
  if (workspace === undefined) return;
  const rest = await sweepLeftovers(db, workspace, signal);
  if (rest > 0) await appendSweep(db, workspace.id, AGAIN_MS);
}

/** Delete what nobody needs; answers how much is left, because it is being built. */
export async function sweepLeftovers(
  db: Database,
  workspace: SweptWorkspace,
  signal?: AbortSignal,
): Promise<number> {
  await abandonBuilds(db, workspace, signal);
  for (const leftover of await loadLeftovers(db, workspace.schema)) {
    if (leftover.build === null) await deleteData(db, workspace.schema, leftover, signal);
  }
  return (await loadLeftovers(db, workspace.schema)).length;
}

/** The process that builds has the turn, or a job that continues its work. */
async function abandonBuilds(
  db: Database,
  workspace: SweptWorkspace,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { schema } = workspace;
  const builds = (await loadLeftovers(db, schema)).filter(({ build }) => build !== null);
  if (builds.length === 0) return;
  await inTurn(db, workspace, (tx) => abandonInTurn(tx, schema), { signal, patience: 0 }).catch(
    (error: unknown) => {
      if (!isOperatorError(error)) throw error;
    },
  );
}

async function abandonInTurn(tx: Queryable, schema: string): Promise<void> {
  const builds = (await loadLeftovers(tx, schema)).filter(({ build }) => build !== null);
  const jobIds = builds.flatMap(({ job_id }) => job_id ?? []);
  const states = await loadJobStates(tx, jobIds);
  const isActive = (jobId: string | null) =>
    ['queued', 'running'].includes(states.get(jobId ?? '') ?? '');
  const abandoned = builds.filter(({ job_id }) => !isActive(job_id));
  for (const { id } of abandoned) await putBuild(tx, schema, id, null);
}

async function deleteData(
  db: Database,
  schema: string,
  leftover: Leftover,
  signal: AbortSignal | undefined,
): Promise<void> {
  let after: string | null | undefined = null;
  while (after !== undefined) {
    signal?.throwIfAborted();
    const place: string | null = after;
    after = await db
      .transaction((tx) => deletePortion(tx, schema, leftover, place))
      .catch((error: unknown) => {
        // Its table has just been dropped.
        if (isDatabaseError(error) && error.code === UNKNOWN_TABLE) return undefined;
        throw error;
      });
  }
}

/** Answers where the next portion begins; undefined when there is none. */
async function deletePortion(
  tx: Queryable,
  schema: string,
  { id, kind, name, table_name }: Leftover,
  after: string | null,
): Promise<string | undefined> {
  // Before the row, as a change that drops the table does.
  if (kind === 'column') await lockTable(tx, schema, table_name as string);
  else if (table_name !== null) {
    await runOnce(tx, sql`lock table ${identifier(schema, table_name)} in row exclusive mode`);
  }
  const held = await lockLeftover(tx, schema, id);
  if (held === undefined) return undefined;
  const page = { after, limit: PORTION };
  const statement =
    table_name === null
      ? clearSearchPageSql(schema, name, page)
      : kind === 'column'
        ? dropSpareSql(schema, { table_name, name })
        : clearCustomSql(schema, { table_name, name }, page);
  const [row] = await runOnce(tx, statement);
  const last = (row?.last ?? undefined) as string | undefined;
  if (last === undefined) await deleteLeftover(tx, schema, id);
  return last;
}
