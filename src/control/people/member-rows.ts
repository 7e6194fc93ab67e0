// People and agents as administrators list them: with their roles and teams, from the schema of the workspace, and how
// they sign in, from the control schema, which may be on another server. One function, one statement.

import { WHOLE_ANSWER } from '../../plan/read/answer-size.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { withoutBytes } from '../../sql/read/measured-sql.ts';
import { allOf } from '../../sql/read/where-sql.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../../sql/sql.ts';
import { afterSql, matchSql, measuredPeopleSql } from './directory.ts';
import type { PersonRow } from './people.ts';
import { teamsOfSql } from './teams.ts';

/** Selects people and agents; undefined is no condition. */
export interface MemberFilter {
  /** Text to find in name or email; not yet escaped. */
  readonly text?: string | undefined;
  readonly kind?: 'user' | 'agent' | undefined;
  readonly active?: boolean | undefined;
  readonly role?: string | undefined;
  readonly team_id?: number | undefined;
}

export interface MemberPage {
  readonly limit: number;
  /** Last row of the page before; a long name may be cut to `name_start`. */
  readonly after: { readonly id: number; readonly name_start: string | null } | undefined;
}

/** The ways in which a person signs in, and the last times, as far as the service keeps them. */
export interface SignInFacts {
  readonly password: boolean;
  /** True: a second factor is set up or begun, or its one sign-in of grace is used. */
  readonly second_factor: boolean;
  readonly identities: readonly { readonly issuer: string; readonly created_at: string }[];
  /** Null: not within the sessions that are kept. */
  readonly last_sign_in_at: string | null;
  readonly last_seen_at: string | null;
}

export const NEVER_SIGNED_IN: SignInFacts = Object.freeze({
  password: false,
  second_factor: false,
  identities: [],
  last_sign_in_at: null,
  last_seen_at: null,
});

/** A row of a list; the teams are null beyond the size of an answer. */
export interface MemberListRow extends Omit<PersonRow, 'teams'> {
  readonly teams: PersonRow['teams'] | null;
}

const LISTED = ['id', 'email', 'name', 'title', 'kind', 'active', 'roles', 'teams'];

/** The members by name, nulls last, then by id. */
export async function loadMemberList(
  db: Queryable,
  schema: string,
  filter: MemberFilter,
  { limit, after }: MemberPage,
): Promise<readonly MemberListRow[]> {
  const conditions = [
    ...conditionsSql(schema, filter),
    ...(after === undefined ? [] : [afterSql(schema, after)]),
  ];
  const people = sql`
    select u.id, u.email, u.name, u.title, u.kind, u.active, u.roles, ${teamsOfSql(schema)} as teams
    from ${identifier(schema, '_users')} u where ${allOf(conditions)}
    order by u.name nulls last, u.id limit ${limit}::integer`;
  const order = sql` order by t.name nulls last, t.id`;
  const measured = measuredPeopleSql(people, { names: LISTED, order, size: WHOLE_ANSWER });
  const rows = await runOnce(db, measured);
  return rows.map(withoutBytes) as unknown as readonly MemberListRow[];
}

function conditionsSql(
  schema: string,
  { text, kind, active, role, team_id }: MemberFilter,
): readonly Sql[] {
  const members = identifier(schema, '_team_members');
  return [
    ...(text === undefined ? [] : [matchSql(text)]),
    ...(kind === undefined ? [] : [sql`u.kind = ${kind}::text`]),
    ...(active === undefined ? [] : [sql`u.active = ${active}::boolean`]),
    ...(role === undefined ? [] : [sql`${role}::text = any(u.roles)`]),
    ...(team_id === undefined
      ? []
      : [
          sql`exists (select from ${members} m
            where m.user_id = u.id and m.team_id = ${team_id}::integer)`,
        ]),
  ];
}

/** The sign-in facts by the id of the person; people who never signed in and have no password are left out. */
export async function loadSignInFacts(
  db: Queryable,
  workspaceId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, SignInFacts>> {
  const tables = ['passwords', 'oidc_identities', 'sessions', 'second_factors'];
  const [passwords, identities, sessions, factors] = tables.map((table) =>
    identifier(CONTROL_SCHEMA, table),
  ) as [Sql, Sql, Sql, Sql];
  const createdSql = sql`to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const rows = await runOnce(
    db,
    sql`select asked.id,
        exists (select from ${passwords} p
          where p.workspace_id = ${workspaceId}::integer and p.user_id = asked.id) as password,
        exists (select from ${factors} f
          where f.workspace_id = ${workspaceId}::integer and f.user_id = asked.id) as second_factor,
        coalesce((select json_agg(json_build_object('issuer', i.issuer, 'created_at', ${createdSql})
              order by i.issuer) from ${identities} i
          where i.workspace_id = ${workspaceId}::integer and i.user_id = asked.id), '[]') as identities,
        s.last_sign_in_at, s.last_seen_at
      from unnest(${ids}::integer[]) as asked (id)
      left join lateral (select max(created_at) as last_sign_in_at, max(last_used_at) as last_seen_at
        from ${sessions} where workspace_id = ${workspaceId}::integer and user_id = asked.id) s on true`,
  );
  return new Map(rows.map(({ id, ...facts }) => [id as number, facts as unknown as SignInFacts]));
}
