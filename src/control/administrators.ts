// Who may import when nobody is named.

import type { Queryable } from '../postgres/db.ts';
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
