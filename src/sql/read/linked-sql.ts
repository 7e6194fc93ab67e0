// The one statement of a page of linked records: rows of the other object, or a single row of nulls
// when there are none; no row at all when the caller cannot find the record itself. Pure text.

import type { LinkedPlan } from '../../plan/read/linked-plan.ts';
import { identifier, type Sql, sql } from '../sql.ts';
import { pageOrderSql, readSql } from './read-sql.ts';
import { allOf, selectionSql } from './where-sql.ts';

/** Select the page, joined to the record it belongs to. */
export function linkedSql({ source, page }: LinkedPlan): Sql {
  const table = identifier(source.schema, source.object.table);
  return sql`select t.* from (select t.id from ${table} t where ${allOf(selectionSql(source))}) s
    left join (${readSql(page)}) t on true${pageOrderSql(page)}`;
}
