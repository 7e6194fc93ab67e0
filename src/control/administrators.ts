// Who has the role of an administrator: who may import when nobody is named, and whether anybody is left.

import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { identifier, sql, toStatement } from '../sql/sql.ts';

/** The id of the first active user with one of these roles. */
export async function loadFirstWithRole(
  db: Queryable,
  schema: string,
  roles: readonly string[],
): Promise<number | undefined> {
  const rows = await db.query(
    toStatement(sql`select id from ${identifier(schema, '_users')}
      where active and roles && ${roles}::text[] order by id limit 1`),
  );
  return rows[0]?.id as number | undefined;
}

/** How many active people, and agents, have one of these roles. */
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

/** How many people and agents have each role, active or not. */
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
