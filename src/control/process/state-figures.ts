// Figures about the state of a service for its metrics: jobs, webhooks, files and backups. One function, one statement;
// no names of workspaces.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';

const JOBS = identifier(CONTROL_SCHEMA, 'jobs');
const BACKUPS = identifier(CONTROL_SCHEMA, 'backups');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');

/** Numbers by state. */
export type CountsByState = Readonly<Record<string, number>>;

/** Jobs that are there: those that have ended stay for a week. */
export async function countJobs(db: Queryable): Promise<CountsByState> {
  const rows = await runOnce(
    db,
    sql`select state, count(*)::integer as count from ${JOBS} group by state`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [String(state), Number(count)]));
}

/** Note that the file of a workspace is written. */
export async function putBackup(db: Queryable, workspaceId: number): Promise<void> {
  await runOnce(
    db,
    sql`insert into ${BACKUPS} (workspace_id, written_at) values (${workspaceId}, now())
      on conflict (workspace_id) do update set written_at = excluded.written_at`,
  );
}

/**
 * Seconds since the newest backup of the workspace that has gone longest without one, a new workspace since it was made;
 * undefined when no workspace was ever exported.
 */
export async function loadBackupAge(db: Queryable): Promise<number | undefined> {
  const [row] = await runOnce(
    db,
    sql`select extract(epoch from now() - min(coalesce(b.written_at, w.created_at))) as age,
        count(b.workspace_id) as backups
      from ${WORKSPACES} w left join ${BACKUPS} b on b.workspace_id = w.id`,
  );
  return Number(row?.backups) === 0 ? undefined : Number(row?.age);
}

export interface WorkspaceFigures {
  readonly webhooks: CountsByState;
  /** Bytes of all files that count against the quota. */
  readonly file_bytes: number;
}

export async function loadWorkspaceFigures(
  db: Queryable,
  schema: string,
): Promise<WorkspaceFigures> {
  const [row] = await runOnce(
    db,
    sql`select (select coalesce(jsonb_object_agg(state, count), '{}') from (
          select state, count(*) from ${identifier(schema, '_webhooks')} group by state) s) as webhooks,
        (select coalesce(sum(size), 0) from ${identifier(schema, '_files')}) as file_bytes`,
  );
  return { webhooks: row?.webhooks as CountsByState, file_bytes: Number(row?.file_bytes) };
}
