// People and agents of a workspace: with all that authorisation needs, by role, and changed one at a time. One function,
// one statement; what others see of them is in directory.ts, how definition documents name them in document-people.ts.

import { operatorError } from '../../errors.ts';
import type { PersonFields } from '../../plan/people/people-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql, toStatement } from '../../sql/sql.ts';
import { teamsOfSql } from './teams.ts';

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

/** A person or agent with all that administrators see. */
export interface PersonRow extends PersonFields {
  readonly id: number;
  readonly kind: 'user' | 'agent';
  readonly teams: readonly { readonly id: number; readonly name: string | null }[];
}

export interface NewPerson extends PersonFields {
  readonly kind: 'user' | 'agent';
}

/**
 * Locks people, teams and the definition of the workspace until the transaction ends. Returns the revision in force;
 * undefined when there is no such workspace.
 */
export async function lockPeople(tx: Queryable, workspaceId: number): Promise<number | undefined> {
  const workspaces = identifier(CONTROL_SCHEMA, 'workspaces');
  const rows = await runOnce(
    tx,
    sql`select revision from ${workspaces} where id = ${workspaceId} for no key update`,
  );
  return rows[0]?.revision as number | undefined;
}

/**
 * Locks the things of which a person has a limited number: until the transaction ends no other one counts and adds
 * them.
 */
export async function lockLimitsOf(
  tx: Queryable,
  workspaceId: number,
  userId: number,
): Promise<void> {
  const space = `workspace-records limits in ${workspaceId}`;
  await runOnce(tx, sql`select pg_advisory_xact_lock(hashtext(${space}), ${userId}::integer)`);
}

/**
 * Note that people have changed, and end the sessions and links of people who are no longer active. Triggers do this on
 * a server that has them (migrations/control).
 */
export async function notePeople(tx: Queryable, schema: string): Promise<void> {
  await runOnce(tx, sql`select ${identifier(CONTROL_SCHEMA, 'note_people')}(${schema}::text)`);
}

export async function loadMember(
  db: Queryable,
  schema: string,
  userId: number,
): Promise<MemberRow | undefined> {
  // Not prepared: a text per workspace, rarely sent (D80).
  const rows = await runOnce(db, sql`${selectMembers(schema)} where u.id = ${userId}`);
  return rows[0] as MemberRow | undefined;
}

/** True for an active person, who is not deactivated until the transaction ends. */
export async function lockActive(tx: Queryable, schema: string, id: number): Promise<boolean> {
  const users = identifier(schema, '_users');
  const rows = await runOnce(tx, sql`select from ${users} where id = ${id} and active for share`);
  return rows.length > 0;
}

/** Loads the people with these ids in any order; ids without a person are left out. */
export async function loadMembersById(
  db: Queryable,
  schema: string,
  ids: readonly number[],
): Promise<readonly MemberRow[]> {
  const rows = await runOnce(db, sql`${selectMembers(schema)} where u.id = any(${ids}::integer[])`);
  return rows as unknown as readonly MemberRow[];
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

/** Loads a person for a command. Errors: an operator error when there is no such person. */
export async function requireMemberByEmail(
  db: Queryable,
  { schema, slug }: { readonly schema: string; readonly slug: string },
  email: string,
): Promise<MemberRow> {
  const member = await loadMemberByEmail(db, schema, email);
  if (member !== undefined) return member;
  throw operatorError(`There is no user "${email}" in the workspace "${slug}".`);
}

/**
 * The person with this address, without regard to the case of ASCII letters; two when it could be either. Other letters
 * are compared exactly: those that look or fold alike are another address.
 */
export async function loadMembersByAddress(
  db: Queryable,
  schema: string,
  email: string,
): Promise<readonly MemberRow[]> {
  const rows = await runOnce(
    db,
    sql`${selectMembers(schema)} where ${hasAddressSql(email)}
      order by u.email = ${email}::text desc, u.id limit 2`,
  );
  return rows as unknown as readonly MemberRow[];
}

/**
 * Loads a person for a sign-in. Without a match it reads another row and returns no person, because reading a row takes
 * time and a faster answer would show who has an account (D270).
 */
export async function findMemberOrNobody(
  db: Queryable,
  schema: string,
  email: string,
): Promise<MemberRow | undefined> {
  const users = identifier(schema, '_users');
  const isAsked = hasAddressSql(email);
  const rows = await runOnce(
    db,
    sql`select u.*, ${isAsked} as is_asked from (${selectMembers(schema)}) u where u.id = coalesce(
      (select u.id from ${users} u where ${isAsked} order by u.email = ${email}::text desc, u.id limit 1),
      (select min(u.id) from ${users} u))`,
  );
  const [found] = rows as unknown as readonly (MemberRow & { readonly is_asked: boolean })[];
  return found?.is_asked === true ? found : undefined;
}

function hasAddressSql(email: string): Sql {
  return sql`lower(u.email collate "C") = lower(${email}::text collate "C")`;
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

/** The users of the keys of a workspace, by id; all, or those of these ids. */
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

/** The first active person with one of these roles. */
export async function loadFirstWithRole(
  db: Queryable,
  schema: string,
  roles: readonly string[],
): Promise<MemberRow | undefined> {
  const rows = await runOnce(
    db,
    sql`${selectMembers(schema)} where u.active and u.roles && ${roles}::text[] order by u.id limit 1`,
  );
  return rows[0] as MemberRow | undefined;
}

/** Counts the active people, and agents, with one of these roles. */
export async function countWithRole(
  db: Queryable,
  schema: string,
  roles: readonly string[],
): Promise<{ readonly people: number; readonly agents: number }> {
  const rows = await runOnce(
    db,
    sql`select count(*) filter (where kind = 'user')::integer as people,
        count(*) filter (where kind = 'agent')::integer as agents
      from ${identifier(schema, '_users')} where active and roles && ${roles}::text[]`,
  );
  return rows[0] as { readonly people: number; readonly agents: number };
}

/** Counts the people and agents with each role, active or not. */
export async function loadRoleHolders(
  db: Queryable,
  schema: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await runOnce(
    db,
    sql`select role, count(*)::integer as people
      from ${identifier(schema, '_users')}, unnest(roles) role group by role`,
  );
  return new Map(rows.map(({ role, people }) => [role as string, people as number]));
}

export async function loadPerson(
  db: Queryable,
  schema: string,
  id: number,
): Promise<PersonRow | undefined> {
  const rows = await runOnce(
    db,
    sql`select u.id, u.email, u.name, u.title, u.kind, u.active, u.roles, ${teamsOfSql(schema)} as teams
      from ${identifier(schema, '_users')} u where u.id = ${id}`,
  );
  return rows[0] as unknown as PersonRow | undefined;
}

/** Add a person; answers the id. A taken address is SQLSTATE 23505. */
export async function appendPerson(
  tx: Queryable,
  schema: string,
  { email, name, title, kind, active, roles }: NewPerson,
): Promise<number> {
  const rows = await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_users')} (email, name, title, kind, active, roles)
      values (${email}, ${name}, ${title}, ${kind}, ${active}, ${roles}) returning id`,
  );
  return rows[0]?.id as number;
}

export async function putPerson(
  tx: Queryable,
  schema: string,
  id: number,
  { email, name, title, active, roles }: PersonFields,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_users')} set email = ${email}, name = ${name},
        title = ${title}, active = ${active}, roles = ${roles} where id = ${id}`,
  );
}

/** A condition: the person is active, and has the rights that were loaded. */
export function isUnchangedSql(
  schema: string,
  { id, roles, colleague_ids }: Pick<MemberRow, 'id' | 'roles' | 'colleague_ids'>,
): Sql {
  return sql`exists (select 1 from (${selectMembers(schema)}) p where p.id = ${id}::integer
    and p.active and p.roles = ${roles}::text[] and p.colleague_ids = ${colleague_ids}::integer[])`;
}

/** Rows as `MemberRow`, of people `u`. */
export function selectMembers(schema: string): Sql {
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
