// Sessions in the control schema: begun, found by the hash of their token, listed, ended. Whether a session
// may be used is decided in flow/people/credentials.ts.

import type {
  SecondFactorState,
  SessionIdentity,
  SignInMethod,
} from '../../model/rights/principal.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql, toStatement } from '../../sql/sql.ts';
import { deleteSome } from '../process/delete-some.ts';

export interface ListedSession extends SessionIdentity {
  readonly user_id: number;
  readonly method: SignInMethod;
  /** The browser's own name; empty when it did not send one. */
  readonly user_agent: string;
}

/** A session together with what authentication needs of its workspace. */
export interface SessionRow extends Omit<ListedSession, 'user_agent'> {
  readonly workspace_id: number;
  readonly second_factor: SecondFactorState;
  readonly schema_name: string;
  /** Revision of the definition in force; a model with a lower one is out of date. */
  readonly revision: number;
  readonly ended: boolean;
  /** The time at which an unused session ends, in milliseconds since 1970. */
  readonly ends_at: number;
}

export interface NewSession {
  readonly id: string;
  readonly workspace_id: number;
  readonly user_id: number;
  readonly token_hash: Buffer;
  readonly method: SignInMethod;
  readonly second_factor: SecondFactorState;
  readonly user_agent: string;
}

const SESSIONS = identifier(CONTROL_SCHEMA, 'sessions');
const WORKSPACES = identifier(CONTROL_SCHEMA, 'workspaces');
const LISTED = sql`id, user_id, method, user_agent, created_at, last_used_at, expires_at`;
/** Unused for so long, or as old as that, a session is over (D213). */
const IDLE = sql`interval '14 days'`;
const LIFETIME = sql`interval '90 days'`;
const IN_FORCE = sql`ended_at is null and expires_at > now() and last_used_at > now() - ${IDLE}`;

// Noted at most once a minute, and by the statement that is needed anyway: a session is looked up at least
// once a minute while it is used. Rows that another process notes at this moment are left out.
const BY_HASH = toStatement(sql`
  with used as (
    update ${SESSIONS} set last_used_at = now() where id in (
      select id from ${SESSIONS} where token_hash = any(${[]}::bytea[]) and ${IN_FORCE}
        and last_used_at < now() - interval '1 minute'
      for no key update skip locked)
    returning id, last_used_at
  )
  select session.token_hash, session.id, session.workspace_id, session.user_id, session.method,
    session.second_factor, session.created_at, coalesce(used.last_used_at, session.last_used_at) as last_used_at,
    session.expires_at, session.ended, workspace.schema_name, workspace.revision,
    extract(epoch from least(session.expires_at,
      coalesce(used.last_used_at, session.last_used_at) + ${IDLE}))::float8 * 1000 as ends_at
  from (select *, not (${IN_FORCE}) as ended from ${SESSIONS}
    where token_hash = any(${[]}::bytea[])) as session
  join ${WORKSPACES} as workspace on workspace.id = session.workspace_id
  left join used on used.id = session.id
`);

/** The sessions with these hashes, each at the place of its hash; undefined where there is none. */
export async function loadSessions(
  db: Queryable,
  hashes: readonly Buffer[],
): Promise<readonly (SessionRow | undefined)[]> {
  const rows = await db.query({ text: BY_HASH.text, values: [hashes, hashes] });
  const byHash = new Map(rows.map((row) => [(row.token_hash as Buffer).toString('hex'), row]));
  return hashes.map((hash) => byHash.get(hash.toString('hex')) as SessionRow | undefined);
}

export async function appendSession(tx: Queryable, session: NewSession): Promise<ListedSession> {
  const { id, workspace_id, user_id, token_hash, method, second_factor, user_agent } = session;
  const [row] = await tx.query(
    toStatement(sql`
      insert into ${SESSIONS}
        (id, workspace_id, user_id, token_hash, method, second_factor, user_agent, expires_at)
      values (${id}, ${workspace_id}, ${user_id}, ${token_hash}, ${method}, ${second_factor},
        ${user_agent}, now() + ${LIFETIME})
      returning ${LISTED}`),
  );
  return row as unknown as ListedSession;
}

/** The person has proved a second factor in this session. */
export async function noteFactorGiven(tx: Queryable, id: string): Promise<void> {
  await runOnce(tx, sql`update ${SESSIONS} set second_factor = 'given' where id = ${id}::uuid`);
}

/** The sessions in force of a workspace, or of one person there, the last used first. */
export async function loadSessionsOf(
  db: Queryable,
  workspaceId: number,
  userId: number | undefined,
): Promise<readonly ListedSession[]> {
  const whose = userId === undefined ? sql`` : sql`and user_id = ${userId}::bigint`;
  const rows = await runOnce(
    db,
    sql`select ${LISTED} from ${SESSIONS}
      where workspace_id = ${workspaceId} and ${IN_FORCE} ${whose}
      order by last_used_at desc, id`,
  );
  return rows as unknown as readonly ListedSession[];
}

/** Selects the sessions of a workspace to end. */
export interface Ending {
  readonly workspace_id: number;
  /** Ends only sessions of this person. */
  readonly user_id?: number | undefined;
  readonly id?: string | undefined;
  /** All but this one. */
  readonly except?: string | undefined;
  /** Ends only sessions with these hashes of tokens. */
  readonly hashes?: readonly Buffer[] | undefined;
}

/** End sessions that are in force; answers them. */
export async function endSessions(
  tx: Queryable,
  { workspace_id, user_id, id, except, hashes }: Ending,
): Promise<readonly ListedSession[]> {
  const conditions = [
    ...(user_id === undefined ? [] : [sql`and user_id = ${user_id}::integer`]),
    ...(id === undefined ? [] : [sql`and id = ${id}::uuid`]),
    ...(except === undefined ? [] : [sql`and id <> ${except}::uuid`]),
    ...(hashes === undefined ? [] : [sql`and token_hash = any(${hashes}::bytea[])`]),
  ].reduce((all, one) => sql`${all} ${one}`, sql``);
  const rows = await runOnce(
    tx,
    sql`update ${SESSIONS} set ended_at = now()
      where workspace_id = ${workspace_id} and ${IN_FORCE} ${conditions}
      returning ${LISTED}`,
  );
  return rows as unknown as readonly ListedSession[];
}

/** Delete sessions that were over a week ago; answers how many. */
export function deleteOldSessions(db: Queryable, most: number): Promise<number> {
  const where = sql`least(t.ended_at, t.expires_at, t.last_used_at + ${IDLE})
    < now() - interval '7 days'`;
  const order = sql`t.last_used_at`;
  return deleteSome(db, { table: SESSIONS, key: identifier('id'), where, order }, most);
}
