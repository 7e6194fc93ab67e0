// The one statement of a read plan: explicit columns, one page, no count. Pure text.

import { PUBLIC_ID_KEY, TYPE_KEY } from '../model/model.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import { orderSql, type Stretch, stretchesSql } from './keyset-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';

/** Select the plan's rows, one more than the page to tell whether another follows. */
export function readSql(plan: ReadPlan): Sql {
  const columns = columnsSql(plan);
  const table = identifier(plan.schema, plan.object.table);
  const limit = plan.limit === undefined ? EMPTY : sql` limit ${plan.limit + 1}`;
  const [first, second] = stretchesSql(plan) as [Stretch, Stretch | undefined];
  const stretch = ({ where, order }: Stretch) =>
    sql`select ${columns} from ${table} t where ${where}${order}${limit}`;
  if (second === undefined || plan.limit === undefined) return stretch(first);
  // Known before the rows of the second stretch are looked for: a filter that few of its many rows
  // pass would read them all behind a page that is full already.
  const isShort = sql`(select count(*) from page) <= ${plan.limit}`;
  const remainder = stretch({ ...second, where: sql`${isShort} and ${second.where}` });
  return sql`with page as (${stretch(first)})
    select * from (select * from page union all (${remainder})) t${orderSql(plan.order)}${limit}`;
}

/** Those columns of the table `t`. */
export function columnsSql(plan: ReadPlan): Sql {
  return joinSql(
    selectedColumns(plan).map((name) => sql`t.${identifier(name)}`),
    ', ',
  );
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
      ...[TYPE_KEY, PUBLIC_ID_KEY].filter((key) => object.fields.has(key)),
      ...(plan.display === undefined ? [] : [plan.display.column]),
      ...(plan.fields ?? []).map((field) => field.column),
      ...plan.order.map((key) => key.field.column),
    ]),
  ];
}
