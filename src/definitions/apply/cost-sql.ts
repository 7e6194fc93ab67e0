// Counts the records that a change of the definition concerns. Pure.

import type { Field } from '../../model/definition/model.ts';
import { identifier, joinSql, literal, type Sql, sql } from '../../sql/sql.ts';

/** One row: `records` of the table, and of each field, by its place in the list, those with a value. */
export function recordsSql(schema: string, table: string, fields: readonly Field[]): Sql {
  const counts = fields.map((field, at) => {
    const filled =
      field.storage === 'physical'
        ? sql`${identifier(field.column)} is not null`
        : sql`custom_fields ? ${literal(field.custom_key)}`;
    return sql`count(*) filter (where ${filled}) as ${identifier(String(at))}`;
  });
  return sql`select ${joinSql([sql`count(*) as records`, ...counts], ', ')} from ${identifier(schema, table)}`;
}

/** One row: how many deleted records of the object with this table there are. */
export function trashedSql(schema: string, table: string): Sql {
  return sql`select count(*) as records from ${identifier(schema, '_trash')}
    where table_name = ${table}::text`;
}

/** One row: how many links of this relationship there are. */
export function linksSql(schema: string, relationship: string): Sql {
  return sql`select count(*) as records from ${identifier(schema, '_links')}
    where relationship = ${relationship}::text`;
}
