// People and teams of a workspace: one function, one statement. Who may see whom is decided by the
// caller's rights before these functions are called.

import { LIMITS } from '../limits.ts';
import { type Caller, knowsDirectory } from '../model/access.ts';
import { NAME_LENGTH } from '../model/definition.ts';
import { WHOLE_ANSWER } from '../plan/answer-size.ts';
import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { type Measuring, measuredSql, withoutBytes } from '../sql/measured-sql.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql, toStatement } from '../sql/sql.ts';

/** A person with all that authorisation needs to know. */
export interface MemberRow {
  readonly id: number;
  readonly name: string | null;
  readonly email: string;
  readonly title: string | null;
  readonly kind: 'user' | 'agent';
  readonly active: boolean;
  readonly roles: readonly string[];
  readonly team_ids: readonly number[];
  /** Everyone who shares a team with the person, and the person. */
  readonly colleague_ids: readonly number[];
}

/** A person as `/users` shows them (§2.8). */
export interface UserRow {
  readonly id: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly title: string | null;
  readonly active: boolean;
  readonly teams: readonly { readonly id: number; readonly name: string | null }[];
}

/** A person as others refer to them. */
export interface ShownPerson extends Omit<UserRow, 'teams'> {
  readonly teams: UserRow['teams'] | null;
}

export interface TeamRow {
  readonly id: number;
  readonly name: string | null;
  readonly description: string | null;
  readonly member_ids: readonly number[];
}

/** Whom and what the caller may see of the directory; null: everything. */
export interface DirectoryView {
  readonly user_id: number | null;
  readonly team_ids: readonly number[] | null;
}

/** The directory right shows everybody, without it people see themselves and their own teams (D19). */
export function directoryView(caller: Caller): DirectoryView {
  const { user, team_ids } = caller;
  return knowsDirectory(caller)
    ? { user_id: null, team_ids: null }
    : { user_id: user.id, team_ids };
}

export interface UserListRequest {
  /** Text to find in name or email; not yet escaped. */
  readonly text: string | undefined;
  readonly includeInactive: boolean;
  readonly limit: number;
  /** Last row of the page before; a long name may be cut to `name_start`. */
  readonly after: { readonly id: number; readonly name_start: string | null } | undefined;
}

export async function loadMember(
  db: Queryable,
  schema: string,
  userId: number,
): Promise<MemberRow | undefined> {
  // Not prepared: a text per workspace, rarely asked (D80).
  const rows = await runOnce(db, sql`${selectMembers(schema)} where u.id = ${userId}`);
  return rows[0] as MemberRow | undefined;
}

export async function loadMemberByEmail(
  db: Queryable,
  schema: string,
  email: string,
): Promise<MemberRow | undefined> {
  const folded = identifier(CONTROL_SCHEMA, 'folded');
  const rows = await db.query(
    toStatement(sql`${selectMembers(schema)} where ${folded}(u.email) = ${folded}(${email}::text)`),
  );
  return rows[0] as MemberRow | undefined;
}

/**
 * Whoever has this address, however its ASCII letters are written; two when it could be either. Letters beyond
 * ASCII are compared exactly: others that look or fold alike are another address.
 */
export async function loadMembersByAddress(
  db: Queryable,
  schema: string,
  email: string,
): Promise<readonly MemberRow[]> {
  const rows = await runOnce(
    db,
    sql`${selectMembers(schema)}
      where lower(u.email collate "C") = lower(${email}::text collate "C")
      order by u.email = ${email}::text desc, u.id limit 2`,
  );
  return rows as unknown as readonly MemberRow[];
}

/**
 * The same for a sign-in: without anybody it reads the row of somebody else and answers nobody, because a
 * row takes time and that would tell who has an account (D270).
 */
export async function findMemberOrNobody(
  db: Queryable,
  schema: string,
  email: string,
): Promise<MemberRow | undefined> {
  const users = identifier(schema, '_users');
  const isAsked = sql`lower(u.email collate "C") = lower(${email}::text collate "C")`;
  const rows = await runOnce(
    db,
    sql`select u.*, ${isAsked} as is_asked from (${selectMembers(schema)}) u where u.id = coalesce(
      (select u.id from ${users} u where ${isAsked} order by u.email = ${email}::text desc, u.id limit 1),
      (select min(u.id) from ${users} u))`,
  );
  const [found] = rows as unknown as readonly (MemberRow & { readonly is_asked: boolean })[];
  return found?.is_asked === true ? found : undefined;
}

/** People and agents of these ids, as far as there are any, active or not: rows as `MemberRow`. */
export function membersSql(schema: string, ids: readonly number[]): Sql {
  return sql`${selectMembers(schema)} where u.id = any(${ids}::bigint[])`;
}

/** Emails of people by id. */
export async function loadEmails(
  db: Queryable,
  schema: string,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query(
    toStatement(sql`select id, email from ${identifier(schema, '_users')}`),
  );
  return new Map(rows.map((row) => [row.id as number, row.email as string]));
}

/** The user that a key acts as. */
export type KeyUser = Pick<MemberRow, 'id' | 'name' | 'email' | 'kind' | 'active'>;

/** Who the keys of a workspace act as, by id; all, or those of these ids. */
export async function loadKeyUsers(
  db: Queryable,
  schema: string,
  ids?: readonly number[],
): Promise<ReadonlyMap<number, KeyUser>> {
  const rows = await runOnce(
    db,
    sql`select id, name, email, kind, active from ${identifier(schema, '_users')}
      where ${ids ?? null}::integer[] is null or id = any(${ids ?? null}::integer[])`,
  );
  const users = rows as unknown as readonly KeyUser[];
  return new Map(users.map((user) => [user.id, user]));
}

/**
 * People (never agents) in the order of `/users`: name, nulls last, then id (D19). Those behind what an answer may have
 * are without their teams.
 */
export async function loadUsers(
  db: Queryable,
  schema: string,
  view: DirectoryView,
  request: UserListRequest,
): Promise<readonly ShownPerson[]> {
  const { text, includeInactive, limit, after } = request;
  const conditions = [
    sql`u.kind = 'user'`,
    includeInactive ? undefined : sql`u.active`,
    view.user_id === null ? undefined : sql`u.id = ${view.user_id}`,
    text === undefined ? undefined : matchSql(text),
    after === undefined ? undefined : afterSql(schema, after),
  ].filter((condition) => condition !== undefined);
  const where = conditions.reduce((all, one) => sql`${all} and ${one}`);
  const people = sql`${selectUsers(schema, view)} where ${where}
      order by u.name nulls last, u.id limit ${limit}`;
  const order = sql` order by t.name nulls last, t.id`;
  return loadMeasured(db, people, { order, size: WHOLE_ANSWER });
}

/** One person, active or not; undefined for agents. */
export async function loadUser(
  db: Queryable,
  schema: string,
  view: DirectoryView,
  id: number,
): Promise<UserRow | undefined> {
  const rows = await db.query(
    toStatement(sql`${selectUsers(schema, view)} where u.kind = 'user' and u.id = ${id}::bigint`),
  );
  return rows[0] as UserRow | undefined;
}

/**
 * People of these ids, active or not, as far as the view has them; behind so many bytes without their teams, which
 * are null then.
 */
export async function loadUsersById(
  db: Queryable,
  schema: string,
  view: DirectoryView,
  { ids, bytes }: { readonly ids: readonly number[]; readonly bytes: number },
): Promise<readonly ShownPerson[]> {
  const mine = view.user_id === null ? sql`true` : sql`u.id = ${view.user_id}`;
  const people = sql`${selectUsers(schema, view)}
      where u.kind = 'user' and ${mine} and u.id = any(${ids}::bigint[])`;
  if (ids.length * MOST_OF_PERSON <= bytes) {
    return (await db.query(toStatement(people))) as unknown as readonly ShownPerson[];
  }
  const order = sql` order by array_position(${ids}::bigint[], t.id::bigint)`;
  return loadMeasured(db, people, { order, size: { page: bytes, record: bytes } });
}

/** Bytes of a person in as many teams as one can be in, with the longest names. */
const MOST_OF_PERSON = LIMITS.teamsOfUser * 4 * (NAME_LENGTH + 10);

/** Those who are in so many teams that they fill an answer end it. */
async function loadMeasured(
  db: Queryable,
  people: Sql,
  measuring: Pick<Measuring, 'order' | 'size'>,
): Promise<readonly ShownPerson[]> {
  const names = ['id', 'name', 'email', 'title', 'active', 'teams'];
  const long = [{ name: 'teams', measure: 'stored' }] as const;
  const rows = await db.query(toStatement(measuredSql(people, { names, long, ...measuring })));
  return rows.map(withoutBytes) as unknown as readonly ShownPerson[];
}

/** Teams by name; members are active people. */
export async function loadTeams(
  db: Queryable,
  schema: string,
  view: DirectoryView,
): Promise<readonly TeamRow[]> {
  const rows = await db.query(
    toStatement(sql`
      select t.id, t.name, t.description, array(
        select m.user_id from ${identifier(schema, '_team_members')} m
          join ${identifier(schema, '_users')} u on u.id = m.user_id
        where m.team_id = t.id and u.active and u.kind = 'user' order by m.user_id
      ) as member_ids
      from ${identifier(schema, '_teams')} t
      where ${visibleTeam(view)} order by t.name, t.id`),
  );
  return rows as unknown as readonly TeamRow[];
}

/** A condition: the person is active, and has the rights that were loaded. */
export function isUnchangedSql(
  schema: string,
  { id, roles, colleague_ids }: Pick<MemberRow, 'id' | 'roles' | 'colleague_ids'>,
): Sql {
  return sql`exists (select 1 from (${selectMembers(schema)}) p where p.id = ${id}::integer
    and p.active and p.roles = ${roles}::text[] and p.colleague_ids = ${colleague_ids}::integer[])`;
}

function selectMembers(schema: string): Sql {
  const members = identifier(schema, '_team_members');
  return sql`
    select u.id, u.name, u.email, u.title, u.kind, u.active, u.roles,
      array(select m.team_id from ${members} m where m.user_id = u.id order by 1) as team_ids,
      array(
        select c.user_id from ${members} m join ${members} c on c.team_id = m.team_id
          where m.user_id = u.id
        union select u.id order by 1
      ) as colleague_ids
    from ${identifier(schema, '_users')} u`;
}

function selectUsers(schema: string, view: DirectoryView): Sql {
  return sql`
    select u.id, u.name, u.email, u.title, u.active, coalesce((
      select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.name, t.id)
      from ${identifier(schema, '_team_members')} m
        join ${identifier(schema, '_teams')} t on t.id = m.team_id
      where m.user_id = u.id and ${visibleTeam(view)}), '[]') as teams
    from ${identifier(schema, '_users')} u`;
}

function visibleTeam({ team_ids }: DirectoryView): Sql {
  return team_ids === null ? sql`true` : sql`t.id = any(${team_ids}::integer[])`;
}

function matchSql(text: string): Sql {
  const folded = identifier(CONTROL_SCHEMA, 'folded');
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql`(${folded}(u.name) like ${folded}(${pattern}::text)
    or ${folded}(u.email) like ${folded}(${pattern}::text))`;
}

/**
 * Nulls come last. The cursor may hold only the start of a long name: the whole is looked up, and
 * when the person was renamed meanwhile the page starts at what the cursor has (D82).
 */
function afterSql(
  schema: string,
  { id, name_start }: { readonly id: number; readonly name_start: string | null },
): Sql {
  if (name_start === null) return sql`u.name is null and u.id > ${id}::bigint`;
  const name = sql`coalesce((select b.name from ${identifier(schema, '_users')} b
    where b.id = ${id}::bigint and starts_with(b.name, ${name_start}::text)), ${name_start}::text)`;
  return sql`(u.name > ${name} or (u.name = ${name} and u.id > ${id}::bigint) or u.name is null)`;
}
