// The directory: people and teams as far as a caller may see them (D19). One function, one statement.

import { LIMITS } from '../../limits.ts';
import { NAME_LENGTH } from '../../model/definition/definition-words.ts';
import { type Caller, knowsDirectory } from '../../model/rights/access.ts';
import { WHOLE_ANSWER } from '../../plan/read/answer-size.ts';
import type { Queryable } from '../../postgres/db.ts';
import { type Measuring, measuredSql, withoutBytes } from '../../sql/read/measured-sql.ts';
import { containsSql } from '../../sql/read/where-sql.ts';
import { identifier, type Sql, sql, toStatement } from '../../sql/sql.ts';
import { selectTeams, type TeamRow, teamsOfSql } from './teams.ts';

/** A person as `/users` shows them (§2.8). */
export interface UserRow {
  readonly id: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly title: string | null;
  readonly active: boolean;
  readonly teams: readonly { readonly id: number; readonly name: string | null }[];
}

/** A person in an answer; the teams are null beyond the size of an answer. */
export interface ShownPerson extends Omit<UserRow, 'teams'> {
  readonly teams: UserRow['teams'] | null;
}

/** The part of the directory that the caller may see; null: everything. */
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
  /** Only these, agents and inactive people as well. */
  readonly ids: readonly number[] | undefined;
  readonly limit: number;
  /** Last row of the page before; a long name may be cut to `name_start`. */
  readonly after: { readonly id: number; readonly name_start: string | null } | undefined;
}

/**
 * People in the order of `/users`: name, nulls last, then id (D19); agents only by their ids. The teams of people beyond
 * the size of an answer are null.
 */
export async function loadUsers(
  db: Queryable,
  schema: string,
  view: DirectoryView,
  request: UserListRequest,
): Promise<readonly ShownPerson[]> {
  const { text, includeInactive, ids, limit, after } = request;
  const conditions = [
    ids === undefined ? sql`u.kind = 'user'` : sql`u.id = any(${ids}::bigint[])`,
    includeInactive || ids !== undefined ? undefined : sql`u.active`,
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

/** One person or agent, active or not. */
export async function loadUser(
  db: Queryable,
  schema: string,
  view: DirectoryView,
  id: number,
): Promise<UserRow | undefined> {
  const rows = await db.query(
    toStatement(sql`${selectUsers(schema, view)} where u.id = ${id}::bigint`),
  );
  return rows[0] as UserRow | undefined;
}

/**
 * People and agents with these ids, active or not, as far as the view has them. The teams of people beyond so many
 * bytes are null.
 */
export async function loadUsersById(
  db: Queryable,
  schema: string,
  view: DirectoryView,
  { ids, bytes }: { readonly ids: readonly number[]; readonly bytes: number },
): Promise<readonly ShownPerson[]> {
  const mine = view.user_id === null ? sql`true` : sql`u.id = ${view.user_id}`;
  const people = sql`${selectUsers(schema, view)}
      where ${mine} and u.id = any(${ids}::bigint[])`;
  if (ids.length * MOST_OF_PERSON <= bytes) {
    return (await db.query(toStatement(people))) as unknown as readonly ShownPerson[];
  }
  const order = sql` order by array_position(${ids}::bigint[], t.id::bigint)`;
  return loadMeasured(db, people, { order, size: { page: bytes, record: bytes } });
}

/** Bytes of a person in as many teams as one can be in, with the longest names. */
const MOST_OF_PERSON = LIMITS.teamsOfUser * 4 * (NAME_LENGTH + 10);

/** Loads people up to the size of an answer; a person in very many teams can fill it alone. */
async function loadMeasured(
  db: Queryable,
  people: Sql,
  measuring: Pick<Measuring, 'order' | 'size'>,
): Promise<readonly ShownPerson[]> {
  const names = ['id', 'name', 'email', 'title', 'active', 'teams'];
  const rows = await db.query(toStatement(measuredPeopleSql(people, { names, ...measuring })));
  return rows.map(withoutBytes) as unknown as readonly ShownPerson[];
}

/** Selects people in their order; the teams of people beyond the size of an answer are null. */
export function measuredPeopleSql(people: Sql, measuring: Omit<Measuring, 'long'>): Sql {
  return measuredSql(people, { long: [{ name: 'teams', measure: 'stored' }], ...measuring });
}

/** Teams by name. */
export async function loadTeams(
  db: Queryable,
  schema: string,
  view: DirectoryView,
): Promise<readonly TeamRow[]> {
  const rows = await db.query(
    toStatement(sql`${selectTeams(schema)} where ${isShownTeam(view)} order by t.name, t.id`),
  );
  return rows as unknown as readonly TeamRow[];
}

function selectUsers(schema: string, view: DirectoryView): Sql {
  return sql`
    select u.id, u.name, u.email, u.title, u.active, ${teamsOfSql(schema, isShownTeam(view))} as teams
    from ${identifier(schema, '_users')} u`;
}

function isShownTeam({ team_ids }: DirectoryView): Sql {
  return team_ids === null ? sql`true` : sql`t.id = any(${team_ids}::integer[])`;
}

export function matchSql(text: string): Sql {
  return sql`(${containsSql(sql`u.name`, text)} or ${containsSql(sql`u.email`, text)})`;
}

/**
 * Nulls come last. The cursor may hold only the start of a long name: the whole is looked up, and
 * when the person was renamed meanwhile the page starts at what the cursor has (D82).
 */
export function afterSql(
  schema: string,
  { id, name_start }: { readonly id: number; readonly name_start: string | null },
): Sql {
  if (name_start === null) return sql`u.name is null and u.id > ${id}::bigint`;
  const name = sql`coalesce((select b.name from ${identifier(schema, '_users')} b
    where b.id = ${id}::bigint and starts_with(b.name, ${name_start}::text)), ${name_start}::text)`;
  return sql`(u.name > ${name} or (u.name = ${name} and u.id > ${id}::bigint) or u.name is null)`;
}
