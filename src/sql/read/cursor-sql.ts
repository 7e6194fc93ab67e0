// A read plan as a cursor of the server: all of its rows, a thousand at a time, in one snapshot. Pure
// text.

import type { ReadPlan } from '../../plan/read/read-plan.ts';
import { type Sql, sql } from '../sql.ts';
import { readSql } from './read-sql.ts';
import { allOf, fieldsOf, selectionSql, sourceSql } from './where-sql.ts';

/** Open the cursor of a transaction that has only this one. */
export function declareCursorSql(plan: ReadPlan): Sql {
  return sql`declare rows_of_plan no scroll cursor for ${readSql({ ...plan, limit: undefined })}`;
}

/** The next rows; none at the end. Twice as many were no faster and took more memory. */
export const FETCH_SQL: Sql = sql`fetch 1000 from rows_of_plan`;

/** Counts the rows that the cursor will answer. */
export function countRowsSql(plan: ReadPlan): Sql {
  return sql`select count(*) as rows from ${sourceSql(plan, fieldsOf(plan.where))}
    where ${allOf(selectionSql(plan))}`;
}
