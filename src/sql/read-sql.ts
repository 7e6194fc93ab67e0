// The one statement of a read plan: explicit columns, one page, no count. Pure text.

import type { ReadPlan } from '../plan/read-plan.ts';
import { orderSql, stretchesSql } from './keyset-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';

/** Select the plan's rows, one more than the page to tell whether another follows. */
export function readSql(plan: ReadPlan): Sql {
  const columns = joinSql(
    selectedColumns(plan).map((name) => sql`t.${identifier(name)}`),
    ', ',
  );
  const table = identifier(plan.schema, plan.object.table);
  const limit = plan.limit === undefined ? EMPTY : sql` limit ${plan.limit + 1}`;
  const [only, second] = stretchesSql(plan).map(
    ({ where, order }) => sql`select ${columns} from ${table} t where ${where}${order}${limit}`,
  ) as [Sql, Sql | undefined];
  if (second === undefined) return only;
  return sql`select * from ((${only}) union all (${second})) t${orderSql(plan.order)}${limit}`;
}

/** Columns every record answer needs, then those of the display, the fields and the order. */
export function selectedColumns(
  plan: Pick<ReadPlan, 'object' | 'display' | 'fields' | 'order'>,
): readonly string[] {
  const { object } = plan;
  return [
    ...new Set([
      'id',
      'version',
      'created_at',
      'updated_at',
      ...(object.fields.has('status') ? ['status'] : []),
      ...(object.owned ? ['owner_user_id'] : []),
      ...(object.fields.has('work_item_type_id') ? ['work_item_type_id'] : []),
      ...(plan.display === undefined ? [] : [plan.display.column]),
      ...(plan.fields ?? []).map((field) => field.column),
      ...plan.order.map((key) => key.field.column),
    ]),
  ];
}
