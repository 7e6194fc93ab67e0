// The archives of workspaces that jobs have made (docs/design/workspaces.md, D628): the progress of a job has the id of
// its file in the store until the file is removed. One function, one statement.

import type { Queryable, Row } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, type Sql, sql } from '../../sql/sql.ts';
import type { ErasedRows } from '../../sql/write/erase-sql.ts';
import { WORKSPACE_EXPORT_JOBS } from './job-kinds.ts';

/** A file in the store, and its job. */
export interface WorkspaceArchive {
  readonly job_id: string;
  readonly workspace_id: number;
  readonly archive_id: string;
}

const JOBS = identifier(CONTROL_SCHEMA, 'jobs');
const COLUMNS = sql`l.id as job_id, l.workspace_id, l.progress ->> 'archive_id' as archive_id`;
const HAS_FILE = sql`l.kind = ${WORKSPACE_EXPORT_JOBS} and l.progress ? 'archive_id'`;
/** The condition that the archive can be downloaded: for 24 hours, like the file of an export of records. */
const IS_KEPT = sql`l.state = 'done' and l.finished_at > now() - interval '24 hours'
  and not l.progress ? 'is_erased'`;

/** The archive of a job while it can be downloaded, and its bytes. */
export async function loadKeptArchive(
  db: Queryable,
  jobId: string,
): Promise<(WorkspaceArchive & { readonly bytes: number }) | undefined> {
  const [row] = await runOnce(
    db,
    sql`select ${COLUMNS}, (l.progress ->> 'bytes')::bigint as bytes from ${JOBS} l
      where l.id = ${jobId}::uuid and ${HAS_FILE} and ${IS_KEPT}`,
  );
  return row as unknown as (WorkspaceArchive & { readonly bytes: number }) | undefined;
}

/** Archives of the workspace that other jobs have left. */
export function loadOtherArchives(
  db: Queryable,
  workspaceId: number,
  jobId: string,
): Promise<readonly WorkspaceArchive[]> {
  const where = sql`l.workspace_id = ${workspaceId}::integer and l.id <> ${jobId}::uuid`;
  return load(db, where, EMPTY);
}

/** Some archives whose job has ended and that are kept no longer; of one workspace, or of all. */
export function loadExpiredArchives(
  db: Queryable,
  most: number,
  workspaceId?: number,
): Promise<readonly WorkspaceArchive[]> {
  const of = workspaceId === undefined ? sql`true` : sql`l.workspace_id = ${workspaceId}::integer`;
  const where = sql`l.finished_at is not null and not (${IS_KEPT}) and ${of}`;
  return load(db, where, sql` limit ${most}::integer`);
}

/** The file of the archive is gone. */
export async function forgetArchive(db: Queryable, jobId: string): Promise<void> {
  await runOnce(
    db,
    sql`update ${JOBS} set progress = progress - 'archive_id' where id = ${jobId}::uuid`,
  );
}

/** Archives that an erasure removes. */
export function keptArchivesOf(workspaceId: number): ErasedRows {
  return {
    table: JOBS,
    where: sql`l.workspace_id = ${workspaceId}::integer and ${HAS_FILE} and ${IS_KEPT}`,
  };
}

async function load(db: Queryable, where: Sql, limit: Sql): Promise<readonly WorkspaceArchive[]> {
  const rows = await runOnce(
    db,
    sql`select ${COLUMNS} from ${JOBS} l where ${HAS_FILE} and ${where}${limit}`,
  );
  return rows as readonly Row[] as never;
}
