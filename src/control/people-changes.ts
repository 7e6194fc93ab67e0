// Rows of users and teams, changed one at a time and by id: one function, one statement. Definition
// documents change them by address and name (people-rows.ts). Who may do so is decided elsewhere.

import type { PersonFields, TeamFields } from '../plan/people-plan.ts';
import type { Queryable, Row } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../sql/sql.ts';

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
 * Until the transaction ends nobody else changes people, teams or the definition of the workspace. Answers
 * the revision in force; undefined when there is no such workspace.
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
 * Note that people have changed, and end the sessions and links of who is not active any more: what triggers do on a
 * server that has them (migrations/control).
 */
export async function notePeople(tx: Queryable, schema: string): Promise<void> {
  await runOnce(tx, sql`select ${identifier(CONTROL_SCHEMA, 'note_people')}(${schema}::text)`);
}

export async function loadPerson(
  db: Queryable,
  schema: string,
  id: number,
): Promise<PersonRow | undefined> {
  const rows = await runOnce(
    db,
    sql`select u.id, u.email, u.name, u.title, u.kind, u.active, u.roles, coalesce((
        select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.name, t.id)
        from ${identifier(schema, '_team_members')} m
          join ${identifier(schema, '_teams')} t on t.id = m.team_id
        where m.user_id = u.id), '[]') as teams
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
  return idOf(rows);
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

/** Which of these ids are teams. */
export async function loadTeamIds(
  db: Queryable,
  schema: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await runOnce(
    db,
    sql`select id from ${identifier(schema, '_teams')} where id = any(${ids}::integer[])`,
  );
  return new Set(rows.map(({ id }) => id as number));
}

/** Make the teams of a person exactly these, which exist. */
export async function putTeamsOfPerson(
  tx: Queryable,
  schema: string,
  id: number,
  teamIds: readonly number[],
): Promise<void> {
  const members = identifier(schema, '_team_members');
  await runOnce(
    tx,
    sql`delete from ${members} where user_id = ${id} and team_id <> all(${teamIds}::integer[])`,
  );
  await runOnce(
    tx,
    sql`insert into ${members} (team_id, user_id)
      select team_id, ${id} from unnest(${teamIds}::integer[]) team_id on conflict do nothing`,
  );
}

export async function loadTeam(
  db: Queryable,
  schema: string,
  id: number,
): Promise<(TeamFields & { readonly id: number; readonly member_ids: number[] }) | undefined> {
  const rows = await runOnce(
    db,
    sql`select t.id, t.name, t.description, ${activeMembersSql(schema)} as member_ids
      from ${identifier(schema, '_teams')} t where t.id = ${id}`,
  );
  return rows[0] as unknown as Awaited<ReturnType<typeof loadTeam>>;
}

function activeMembersSql(schema: string): Sql {
  return sql`array(select m.user_id from ${identifier(schema, '_team_members')} m
    join ${identifier(schema, '_users')} u on u.id = m.user_id
    where m.team_id = t.id and u.active and u.kind = 'user' order by m.user_id)`;
}

/** Add a team; answers the id. A taken name is SQLSTATE 23505. */
export async function appendTeam(
  tx: Queryable,
  schema: string,
  { name, description }: TeamFields,
): Promise<number> {
  const rows = await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_teams')} (name, description)
      values (${name}, ${description}) returning id`,
  );
  return idOf(rows);
}

export async function putTeam(
  tx: Queryable,
  schema: string,
  id: number,
  { name, description }: TeamFields,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_teams')} set name = ${name}, description = ${description}
      where id = ${id}`,
  );
}

/** Delete a team; its members stay. */
export async function deleteTeamById(tx: Queryable, schema: string, id: number): Promise<void> {
  await runOnce(tx, sql`delete from ${identifier(schema, '_teams')} where id = ${id}`);
}

function idOf(rows: readonly Row[]): number {
  return rows[0]?.id as number;
}
