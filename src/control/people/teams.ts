// Statements that read and change the teams of a workspace and their members.

import type { TeamFields } from '../../plan/people/people-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, type Sql, sql } from '../../sql/sql.ts';

export interface TeamRow {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** Active people. */
  readonly member_ids: readonly number[];
}

/** Selects the ids that are teams. */
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

/** Replace the teams of a person by these, which exist. */
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
): Promise<TeamRow | undefined> {
  const rows = await runOnce(db, sql`${selectTeams(schema)} where t.id = ${id}`);
  return rows[0] as TeamRow | undefined;
}

/** Selects the columns of `TeamRow` from the table of teams, `t`. */
export function selectTeams(schema: string): Sql {
  return sql`
    select t.id, t.name, t.description, array(
      select m.user_id from ${identifier(schema, '_team_members')} m
        join ${identifier(schema, '_users')} u on u.id = m.user_id
      where m.team_id = t.id and u.active and u.kind = 'user' order by m.user_id
    ) as member_ids
    from ${identifier(schema, '_teams')} t`;
}

/** The shown teams `t` of the person `u`, as JSON. */
export function teamsOfSql(schema: string, isShown: Sql = sql`true`): Sql {
  return sql`coalesce((
      select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.name, t.id)
      from ${identifier(schema, '_team_members')} m
        join ${identifier(schema, '_teams')} t on t.id = m.team_id
      where m.user_id = u.id and ${isShown}), '[]')`;
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
  return rows[0]?.id as number;
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

/** Delete a team and its memberships; its members stay. */
export async function deleteTeam(
  tx: Queryable,
  schema: string,
  team: { readonly id: number } | { readonly name: string },
): Promise<void> {
  const isMeant = 'id' in team ? sql`id = ${team.id}` : sql`name = ${team.name}`;
  await runOnce(tx, sql`delete from ${identifier(schema, '_teams')} where ${isMeant}`);
}
