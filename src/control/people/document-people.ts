// People and teams as definition documents have them: by e-mail address and by name, many at a time. One function, one
// statement.

import type {
  DefinitionDocument,
  TeamDefinition,
  UserDefinition,
} from '../../model/definition/definition.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, sql } from '../../sql/sql.ts';

/** Users by their e-mail addresses and teams by their names, in the form of a document. */
export interface DocumentPeople {
  readonly users: NonNullable<DefinitionDocument['users']>;
  readonly teams: NonNullable<DefinitionDocument['teams']>;
}

/** All users, and the teams of these names, or all, with the addresses of their members. */
export async function loadDocumentPeople(
  db: Queryable,
  schema: string,
  names: readonly string[] | null = null,
): Promise<DocumentPeople> {
  const [users, members] = [identifier(schema, '_users'), identifier(schema, '_team_members')];
  const [row] = await runOnce(
    db,
    sql`select u.users, t.teams
      from (select coalesce(json_agg(json_build_object('email', email, 'name', name, 'title', title,
            'kind', kind, 'active', active, 'roles', roles) order by id), '[]') as users
        from ${users}) u
      cross join (select coalesce(json_agg(json_build_object('name', t.name, 'description', t.description,
            'members', array(select u.email from ${members} m join ${users} u on u.id = m.user_id
              where m.team_id = t.id order by u.id)) order by t.id), '[]') as teams
        from ${identifier(schema, '_teams')} t
        where ${names}::text[] is null or t.name = any(${names}::text[])) t`,
  );
  const found = row as unknown as FoundPeople;
  return {
    users: Object.fromEntries(found.users.map(({ email, ...user }) => [email, user])),
    teams: Object.fromEntries(found.teams.map(({ name, ...team }) => [name, team])),
  };
}

interface FoundPeople {
  readonly users: readonly (UserDefinition & { readonly email: string })[];
  readonly teams: readonly (TeamDefinition & { readonly name: string })[];
}

/** Add users, or change those whose address exists. */
export async function putUsers(
  tx: Queryable,
  schema: string,
  users: readonly (UserDefinition & { readonly email: string })[],
): Promise<void> {
  const rows = users.map((user) => ({ kind: 'user', active: true, ...user }));
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_users')} (email, name, title, kind, active, roles)
      select email, name, title, kind, active, roles from jsonb_to_recordset(${JSON.stringify(rows)})
        as u (email text, name text, title text, kind text, active boolean, roles text[])
      on conflict (email) do update set name = excluded.name, title = excluded.title,
        kind = excluded.kind, active = excluded.active, roles = excluded.roles`,
  );
}

/** Add teams, or change those whose name exists. */
export async function putTeams(
  tx: Queryable,
  schema: string,
  teams: readonly (TeamDefinition & { readonly name: string })[],
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_teams')} (name, description)
      select name, description from jsonb_to_recordset(${JSON.stringify(teams)})
        as t (name text, description text)
      on conflict (name) do update set description = excluded.description`,
  );
}

/** Replace the members of teams by these; the teams and the users exist. */
export async function putTeamMembers(
  tx: Queryable,
  schema: string,
  teams: readonly (TeamDefinition & { readonly name: string })[],
): Promise<void> {
  const members = identifier(schema, '_team_members');
  const [teamRows, users] = [identifier(schema, '_teams'), identifier(schema, '_users')];
  await runOnce(
    tx,
    sql`with wanted as materialized (
        select t.id as team_id, u.id as user_id
        from jsonb_to_recordset(${JSON.stringify(teams)}) as w (name text, members text[])
        join ${teamRows} t on t.name = w.name
        join ${users} u on u.email = any(w.members)
      ), removed as (
        delete from ${members} m using ${teamRows} t
        where t.id = m.team_id and t.name = any(${teams.map(({ name }) => name)}::text[])
          and not exists (
            select from wanted w where w.team_id = m.team_id and w.user_id = m.user_id)
      )
      insert into ${members} (team_id, user_id)
      select team_id, user_id from wanted on conflict do nothing`,
  );
}
