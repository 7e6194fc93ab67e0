// The statement of rollups: the records that refer to those of a page, found by the index of the reference, are
// summarized by each of its ids. Pure text.

import { MOST_CHARACTERS } from '../../model/formulas/formula-tree.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { PlannedRollup } from '../../plan/read/read-plan.ts';
import { identifier, joinSql, type Sql, sql } from '../sql.ts';
import { typeSql } from '../type-sql.ts';
import { sortedSql } from './keyset-sql.ts';
import { column, sourceSql, whereSql } from './where-sql.ts';

/** Texts that have the order of the times. */
const CREATED = sql`to_char(t.created_at at time zone 'UTC', 'YYYYMMDDHH24MISSUS')`;

/** One row for each id that records refer to, with a column for each rollup; all of one reference. */
export function rollupsSql(
  rollups: readonly [PlannedRollup, ...PlannedRollup[]],
  ids: readonly string[],
): Sql {
  const [{ source, reference }] = rollups;
  const columns = rollups.map(
    (planned) => sql`${rollupSql(planned)} as ${identifier(planned.rollup.column)}`,
  );
  return sql`select ${column(reference)} as id, ${joinSql(columns, ', ')}
    from ${sourceSql(source, [])}
    where ${column(reference)} = any(${ids}::uuid[])
    group by 1`;
}

function rollupSql({ rollup: { rollup }, source, value }: PlannedRollup): Sql {
  const meeting =
    rollup.where === undefined ? sql`` : sql` filter (where ${whereSql(source.where)})`;
  if (value === undefined) return sql`count(*)${meeting}::integer`;
  const isText = FIELD_TYPE_TRAITS[value.type].formula?.kind === 'text';
  const shortText = (expression: Sql) =>
    isText ? sql`left(${expression}, ${MOST_CHARACTERS}::integer)` : expression;
  switch (rollup.op) {
    case 'sum':
      return sql`(sum(${column(value)})${meeting})::numeric`;
    case 'min':
      return shortText(sql`min(${sortedSql(value)})${meeting}`);
    case 'max':
      return shortText(sql`max(${sortedSql(value)})${meeting}`);
    default: {
      // An aggregate with an order keeps all values of a group in memory; the largest array is one (D938).
      const newest = sql`array[${CREATED}, t.id::text, ${shortText(column(value))}::text] collate "C"`;
      return sql`(max(${newest})${meeting})[3]::${typeSql(value.cast_type)}`;
    }
  }
}
