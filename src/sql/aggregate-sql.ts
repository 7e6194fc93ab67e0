// The one statement of an aggregate plan: group, then page through the groups by keyset. Pure text.

import { type AggregatePlan, type MetricColumn, orderAlias } from '../plan/aggregate-plan.ts';
import type { LongText } from '../plan/cursor.ts';
import type { OrderKey } from '../plan/read-plan.ts';
import { afterSql, digestSql, orderSql } from './keyset-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';
import { allOf, selectionSql } from './where-sql.ts';

/** Select groups in order, one more than the page; without group keys exactly one row. */
export function aggregateSql(plan: AggregatePlan): Sql {
  const { groups, metrics, order } = plan;
  const columns = [
    ...groups.map(({ alias, field }) => sql`t.${identifier(field.column)} as ${identifier(alias)}`),
    ...metrics.map((metric) => sql`${metricSql(metric)} as ${identifier(metric.alias)}`),
  ];
  const keys = groups.map(({ field }) => sql`t.${identifier(field.column)}`);
  const grouping = keys.length === 0 ? EMPTY : sql` group by ${joinSql(keys, ', ')}`;
  const grouped = sql`select ${joinSql(columns, ', ')}
    from ${identifier(plan.schema, plan.object.table)} t
    where ${allOf(selectionSql(plan))}${grouping}`;
  const exact = order.map(
    ({ field }, index) =>
      sql`, t.${identifier(field.column)}::text as ${identifier(orderAlias(index))}`,
  );
  const after =
    plan.after === undefined
      ? EMPTY
      : sql` where ${afterSql(order, plan.after, (key, text) => groupAnchorSql(plan, key, text))}`;
  return sql`select t.*${joinSql(exact, ' ')} from (${grouped}) t${after}${orderSql(order)}
    limit ${plan.limit + 1}`;
}

function metricSql({ op, field }: MetricColumn): Sql {
  if (field === undefined) return sql`count(*)`;
  const name = sql`t.${identifier(field.column)}`;
  switch (op) {
    case 'count':
      return sql`count(${name})`;
    case 'count_distinct':
      return sql`count(distinct ${name})`;
    case 'sum':
      return sql`sum(${name})::numeric`;
    case 'avg':
      return sql`avg(${name})::double precision`;
    case 'min':
      return sql`min(${name})`;
    case 'max':
      return sql`max(${name})`;
  }
}

/** A long group key is looked up among the selected values that share its prefix. */
function groupAnchorSql(plan: AggregatePlan, { field }: OrderKey, text: LongText): Sql {
  const source = [...plan.groups, ...plan.metrics].find(({ alias }) => alias === field.column);
  const name = sql`t.${identifier(source?.field?.column ?? '')}`;
  const found = [
    sql`starts_with(${name}, ${text.prefix}::text)`,
    sql`${digestSql(name)} = ${text.digest}`,
  ];
  return sql`(select ${name} from ${identifier(plan.schema, plan.object.table)} t
    where ${allOf([...selectionSql(plan), ...found])} limit 1)`;
}
