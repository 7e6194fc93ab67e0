// The one statement of a read plan: explicit columns, one page, no count. Pure text.

import type { OrderKey, ReadPlan } from '../plan/read-plan.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';
import { whereSql } from './where-sql.ts';

/** Select the plan's rows, one more than the page to tell whether another follows. */
export function readSql(plan: ReadPlan): Sql {
  const columns = joinSql(
    selectedColumns(plan).map((name) => sql`t.${identifier(name)}`),
    ', ',
  );
  const table = identifier(plan.schema, plan.object.table);
  const limit = plan.limit === undefined ? EMPTY : sql` limit ${plan.limit + 1}`;
  return sql`select ${columns} from ${table} t where ${whereSql(plan)}${orderSql(plan.order)}${limit}`;
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

/** Nulls last in both directions (D29). */
export function orderSql(order: readonly OrderKey[]): Sql {
  if (order.length === 0) return EMPTY;
  const keys = order.map(({ field, direction }) => {
    const name = identifier(field.column);
    if (direction === 'asc') return sql`t.${name} asc`;
    return field.nullable ? sql`t.${name} desc nulls last` : sql`t.${name} desc`;
  });
  return sql` order by ${joinSql(keys, ', ')}`;
}
