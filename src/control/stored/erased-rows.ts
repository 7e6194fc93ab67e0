// The rows without a record that may have values of records: files and rejected rows of imports and exports, the
// requests of finished jobs, and stored answers that name such files. An erasure removes them for the whole workspace,
// because no index says which records a file has. One function, one statement.

import type { Queryable, Row } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../../sql/sql.ts';
import type { ErasedRecord, ErasedRows } from '../../sql/write/erase-sql.ts';
import {
  answersWithFiles,
  countRowsSql,
  EMPTY_ANSWER,
  emptyRowsSql,
  eraseRowsSql,
  sameAs,
} from '../../sql/write/erase-sql.ts';
import { PEOPLE_JOBS, VALUE_JOBS } from '../jobs/job-kinds.ts';
import { keptArchivesOf } from '../jobs/workspace-archives.ts';

const JOBS = identifier(CONTROL_SCHEMA, 'jobs');
const FILES = identifier(CONTROL_SCHEMA, 'files');
const REJECTS = identifier(CONTROL_SCHEMA, 'import_rejects');
const REFUSALS = identifier(CONTROL_SCHEMA, 'bulk_refusals');

/** Reasons why bulk changes have refused a record. */
export function refusalsOf(record: ErasedRecord): ErasedRows {
  const workspaceId = record.model.workspace.id;
  const jobs = sql`select j.id from ${JOBS} j where j.workspace_id = ${workspaceId}::integer`;
  const where = sql`l.record_id in (${sameAs(record)}) and l.job_id in (${jobs})`;
  return { table: REFUSALS, where };
}

/** A workspace by the names that the control schema and its own tables know. */
export interface NamedWorkspace {
  readonly id: number;
  readonly schema: string;
}

/** A place that keeps values of any records of a workspace. */
export interface WorkspacePlace {
  /** The name of the place in the report. */
  readonly key: string;
  count(db: Queryable, workspace: NamedWorkspace): Promise<number>;
  erase(tx: Queryable, workspace: NamedWorkspace): Promise<void>;
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

/**
 * The parts of a request that have ids, keys of the definition, numbers and codes. All others may have values of
 * records: conditions, fields, mappings, names of files.
 */
const WITHOUT_VALUES = [
  ...['object_type', 'relationship', 'comments_on', 'links_of', 'file_id', 'file_count', 'format'],
  ...['action', 'status_id', 'expected_count', 'webhook_id', 'since', 'until', 'states'],
  ...['records', 'record_id', 'record_count', 'dry_run', 'only_new', 'no_status', 'raw', 'gates'],
  ...[
    'bom',
    'names',
    'user_ids',
    'changes_cursor',
    'scopes',
    'api_key_id',
    'api_key_prefix',
    'session_id',
  ],
  'request_id',
] as const;

/** The parts of the progress that are no numbers and are needed after the end. */
const NEEDED_PROGRESS = ['archive_id', 'changes_cursor'] as const;

const REASON_ERASED = 'An erasure has removed the reason why the job failed.';

/** Notes, reasons and layouts may quote a file. */
const STRIPPED = {
  input: partsSql(sql`l.input`, sql`e.key = any(${WITHOUT_VALUES}::text[])`),
  progress: sql`${partsSql(
    sql`l.progress`,
    sql`jsonb_typeof(e.value) in ('number', 'boolean') or e.key = any(${NEEDED_PROGRESS}::text[])`,
  )} || case when l.progress ? 'reason' then jsonb_build_object('reason', ${REASON_ERASED}::text)
      else '{}' end`,
  error: sql`case when l.error is not null then ${REASON_ERASED}::text end`,
};

function partsSql(object: Sql, condition: Sql): Sql {
  return sql`(select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(${object}) e
      where ${condition})`;
}

function requestsOf(workspaceId: number): ErasedRows {
  const { input, progress, error } = STRIPPED;
  return {
    table: JOBS,
    where: sql`l.workspace_id = ${workspaceId}::integer and l.finished_at is not null
      and l.kind = any(${PEOPLE_JOBS}::text[])
      and (l.input, l.progress, l.error) is distinct from (${input}, ${progress}, ${error})`,
  };
}

async function countOf(db: Queryable, rows: ErasedRows): Promise<number> {
  const [row] = await runOnce(db, countRowsSql(rows));
  return Number(row?.rows);
}

export const WORKSPACE_PLACES: readonly WorkspacePlace[] = Object.freeze([
  // The pieces of a file go with it. The bytes of an archive are removed afterwards.
  Object.freeze({
    key: 'files',
    async count(db: Queryable, { id }: NamedWorkspace) {
      const files = await countOf(db, filesOf(id));
      return files + (await countOf(db, keptArchivesOf(id)));
    },
    async erase(tx: Queryable, { id }: NamedWorkspace) {
      await runOnce(tx, eraseRowsSql(filesOf(id)));
      const set = sql`progress = l.progress || '{"is_erased": true}'`;
      await runOnce(tx, emptyRowsSql(keptArchivesOf(id), set));
    },
  }),
  Object.freeze({
    key: 'rejected_rows',
    count: (db: Queryable, { id }: NamedWorkspace) => countOf(db, rejectsOf(id)),
    async erase(tx: Queryable, { id }: NamedWorkspace) {
      await runOnce(tx, eraseRowsSql(rejectsOf(id)));
    },
  }),
  Object.freeze({
    key: 'job_requests',
    count: (db: Queryable, { id }: NamedWorkspace) => countOf(db, requestsOf(id)),
    async erase(tx: Queryable, { id }: NamedWorkspace) {
      const { input, progress, error } = STRIPPED;
      const set = sql`input = ${input}, progress = ${progress}, error = ${error}`;
      await runOnce(tx, emptyRowsSql(requestsOf(id), set));
    },
  }),
  Object.freeze({
    key: 'stored_answers',
    count: (db: Queryable, { schema }: NamedWorkspace) => countOf(db, answersWithFiles(schema)),
    async erase(tx: Queryable, { schema }: NamedWorkspace) {
      await runOnce(tx, emptyRowsSql(answersWithFiles(schema), EMPTY_ANSWER));
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

/**
 * How many imports, exports, archives and bulk changes of the workspace have not ended that were requested before this job,
 * or began before this time.
 */
export async function countHolders(
  db: Queryable,
  { workspace_id, id }: { readonly workspace_id: number | null; readonly id: string },
  time: string,
): Promise<number> {
  return countOf(db, {
    table: JOBS,
    where: sql`l.workspace_id = ${workspace_id}::integer and l.kind = any(${VALUE_JOBS}::text[])
      and l.state in ('queued', 'running')
      and (l.id < ${id}::uuid or l.state = 'running' and l.started_at <= ${time}::timestamptz)`,
  });
}
