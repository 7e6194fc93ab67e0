// The collations of the control schema, by which sorts have texts in the order of a language (D377).

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, sql } from '../../sql/sql.ts';

/** Makes it when it is not there; null needs none. An index that is built by another connection needs it committed. */
export async function makeCollation(db: Queryable, collation: string | null): Promise<void> {
  if (collation === null) return;
  await runOnce(
    db,
    sql`select ${identifier(CONTROL_SCHEMA, 'make_collation')}(${collation}::text)`,
  );
}

/** Problems of the existing collations for the operator, a sentence each. */
export async function describeCollations(db: Queryable): Promise<readonly string[]> {
  const [collationRow] = await runOnce(
    db,
    sql`select bool_or(c.collprovider <> 'i') as plain,
        array_agg(c.collname::text order by c.collname) filter (
          where c.collversion is distinct from pg_collation_actual_version(c.oid)) as changed
      from pg_catalog.pg_collation c
      where c.collnamespace = to_regnamespace(${CONTROL_SCHEMA})`,
  );
  const changed = (collationRow?.changed ?? []) as readonly string[];
  return [
    ...(collationRow?.plain === true
      ? ['The PostgreSQL server has no ICU. Lists sort texts by code points in every language.']
      : []),
    ...changed.map(
      (name) =>
        `The ICU library of the server has changed and may sort texts differently: reindex the database ` +
        `and run ALTER COLLATION ${CONTROL_SCHEMA}."${name}" REFRESH VERSION (docs/operations.md).`,
    ),
  ];
}
