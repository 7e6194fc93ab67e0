// The person as whom an administrator views the workspace, stored with the session (D536): at most one at a time. One
// function, one statement.

import { LIMITS } from '../../limits.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';

/** A viewing that is under way, with what authentication needs of its workspace. */
export interface ViewingRow {
  readonly workspace_id: number;
  readonly schema_name: string;
  readonly revision: number;
  /** The id of the person as whom the administrator reads. */
  readonly user_id: number;
  readonly until: string;
  /** Milliseconds since 1970. */
  readonly ends_at: number;
}

const SESSIONS = identifier(CONTROL_SCHEMA, 'sessions');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');
const MINUTES = sql`make_interval(mins => ${LIMITS.viewingMinutes}::integer)`;

/** Undefined: the session views as nobody, or no longer. */
export async function loadViewing(
  db: Queryable,
  sessionId: string,
): Promise<ViewingRow | undefined> {
  const rows = await runOnce(
    db,
    sql`select s.workspace_id, w.schema_name, w.revision, s.viewed_user_id as user_id,
        s.viewed_until as until, extract(epoch from s.viewed_until)::float8 * 1000 as ends_at
      from ${SESSIONS} s join ${WORKSPACES} w on w.id = s.workspace_id
      where s.id = ${sessionId}::uuid and s.ended_at is null and s.viewed_until > now()`,
  );
  return rows[0] as unknown as ViewingRow | undefined;
}

/** Begin one; answers its end, and as whom the session viewed until now. */
export async function putViewing(
  tx: Queryable,
  sessionId: string,
  userId: number,
): Promise<{ readonly until: string; readonly before: number | null }> {
  const rows = await runOnce(
    tx,
    sql`with former as (
        select id, case when viewed_until > now() then viewed_user_id end as user_id
        from ${SESSIONS} where id = ${sessionId}::uuid for update)
      update ${SESSIONS} s set viewed_user_id = ${userId}::integer, viewed_until = now() + ${MINUTES}
      from former where s.id = former.id
      returning s.viewed_until as until, former.user_id as before`,
  );
  return rows[0] as unknown as { readonly until: string; readonly before: number | null };
}

/** End the viewing in progress; returns the id of the viewed person, null when there was none. */
export async function endViewing(tx: Queryable, sessionId: string): Promise<number | null> {
  const rows = await runOnce(
    tx,
    sql`with former as (
        select id, viewed_user_id as user_id from ${SESSIONS}
        where id = ${sessionId}::uuid and viewed_until > now() for update)
      update ${SESSIONS} s set viewed_user_id = null, viewed_until = null
      from former where s.id = former.id returning former.user_id`,
  );
  return (rows[0]?.user_id as number | undefined) ?? null;
}
