// The rows of the control schema that may have values of records: files and rejected rows of imports and exports, and
// the requests of finished jobs. An erasure removes them for the whole workspace, because no index says which records a
// file has. One function, one statement.

import type { Queryable, Row } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import type { ErasedRecord, ErasedRows } from '../sql/erase-sql.ts';
import { countRowsSql, emptyRowsSql, eraseRowsSql } from '../sql/erase-sql.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../sql/sql.ts';
import { EXPORT_JOBS, IMPORT_JOBS, WORKSPACE_EXPORT_JOBS } from './job-kinds.ts';
import { keptArchivesOf } from './workspace-archives.ts';

const JOBS = identifier(CONTROL_SCHEMA, 'jobs');
const FILES = identifier(CONTROL_SCHEMA, 'files');
const REJECTS = identifier(CONTROL_SCHEMA, 'import_rejects');
const REFUSALS = identifier(CONTROL_SCHEMA, 'bulk_refusals');
const TRANSFERS = [IMPORT_JOBS, EXPORT_JOBS, WORKSPACE_EXPORT_JOBS];

/** Reasons why bulk changes have refused a record. */
export function refusalsOf({ model, id }: ErasedRecord): ErasedRows {
  const own = sql`select j.id from ${JOBS} j where j.workspace_id = ${model.workspace.id}::integer`;
  return { table: REFUSALS, where: sql`l.record_id = ${id}::uuid and l.job_id in (${own})` };
}

/** A place that keeps values of any records of a workspace. */
export interface WorkspacePlace {
  /** Its name in the report. */
  readonly key: string;
  count(db: Queryable, workspaceId: number): Promise<number>;
  erase(tx: Queryable, workspaceId: number): Promise<void>;
}

/** Files that no unfinished job needs. */
function filesOf(workspaceId: number): ErasedRows {
  return {
    table: FILES,
    where: sql`l.workspace_id = ${workspaceId}::integer and not exists (
      select from ${JOBS} j where j.workspace_id = l.workspace_id and j.state in ('queued', 'running')
        and (j.id = l.job_id or j.input -> 'files' @> jsonb_build_array(jsonb_build_object('file_id', l.id))))`,
  };
}

function rejectsOf(workspaceId: number): ErasedRows {
  return { table: REJECTS, where: sql`l.job_id in (${endedSql(workspaceId)})` };
}

function endedSql(workspaceId: number) {
  return sql`select j.id from ${JOBS} j where j.workspace_id = ${workspaceId}::integer and j.finished_at is not null`;
}

/** Conditions and values that a request has sent. No answer shows them when the job has ended. */
const REQUESTED = ['fields', 'where', 'filters', 'query'] as const;

function requestsOf(workspaceId: number): ErasedRows {
  return {
    table: JOBS,
    where: sql`l.workspace_id = ${workspaceId}::integer and l.finished_at is not null
      and (l.input ?| ${REQUESTED}::text[] or l.progress ? 'groups')`,
  };
}

function removed(key: string, rowsOf: (workspaceId: number) => ErasedRows): WorkspacePlace {
  return Object.freeze({
    key,
    count: (db: Queryable, workspaceId: number) => countOf(db, rowsOf(workspaceId)),
    async erase(tx: Queryable, workspaceId: number) {
      await runOnce(tx, eraseRowsSql(rowsOf(workspaceId)));
    },
  });
}

async function countOf(db: Queryable, rows: ErasedRows): Promise<number> {
  const [row] = await runOnce(db, countRowsSql(rows));
  return Number(row?.rows);
}

export const WORKSPACE_PLACES: readonly WorkspacePlace[] = Object.freeze([
  // The pieces of a file go with it. The bytes of an archive are removed afterwards.
  Object.freeze({
    key: 'files',
    async count(db: Queryable, workspaceId: number) {
      const files = await countOf(db, filesOf(workspaceId));
      return files + (await countOf(db, keptArchivesOf(workspaceId)));
    },
    async erase(tx: Queryable, workspaceId: number) {
      await runOnce(tx, eraseRowsSql(filesOf(workspaceId)));
      const set = sql`progress = l.progress || '{"is_erased": true}'`;
      await runOnce(tx, emptyRowsSql(keptArchivesOf(workspaceId), set));
    },
  }),
  removed('rejected_rows', rejectsOf),
  Object.freeze({
    ...removed('job_requests', requestsOf),
    async erase(tx: Queryable, workspaceId: number) {
      const set = sql`input = l.input - ${REQUESTED}::text[], progress = l.progress - 'groups'`;
      await runOnce(tx, emptyRowsSql(requestsOf(workspaceId), set));
    },
  }),
]);

/** The names of the files that would be removed, the oldest first. */
export async function loadErasedFiles(
  db: Queryable,
  workspaceId: number,
  limit: number,
): Promise<
  readonly { readonly name: string; readonly created_at: string; readonly made: boolean }[]
> {
  const [files, archives] = [filesOf(workspaceId), keptArchivesOf(workspaceId)];
  const rows = await runOnce(
    db,
    sql`select name, created_at, made from (
        select l.name, l.created_at, l.job_id is not null as made, l.id from ${files.table} l
          where ${files.where}
        union all select 'the workspace', l.created_at, true, l.id from ${archives.table} l
          where ${archives.where}) f
      order by created_at, id limit ${limit}::integer`,
  );
  return rows as readonly Row[] as never;
}

/** How many imports, exports and archives of the workspace that began before this job have not ended. */
export async function countTransfers(
  db: Queryable,
  { workspace_id, id }: { readonly workspace_id: number | null; readonly id: string },
): Promise<number> {
  return countOf(db, {
    table: JOBS,
    where: sql`l.workspace_id = ${workspace_id}::integer and l.kind = any(${TRANSFERS}::text[])
      and l.state in ('queued', 'running') and l.id < ${id}::uuid`,
  });
}
