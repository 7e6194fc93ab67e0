// The one statement of an aggregate plan: group, then page through the groups by keyset. Pure text.

import {
  type AggregatePlan,
  type GroupColumn,
  longGroupColumns,
  type MetricColumn,
  orderAlias,
} from '../../plan/read/aggregate-plan.ts';
import type { LongText } from '../../plan/read/cursor.ts';
import type { OrderKey } from '../../plan/read/read-plan.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';
import { afterSql, digestSql, orderSql, sortedSql } from './keyset-sql.ts';
import { measuredSql } from './measured-sql.ts';
import { periodSql } from './relative-sql.ts';
import { allOf, column, fieldsOf, selectionSql, sourceSql } from './where-sql.ts';

/** Select groups in order, one more than the page; without group keys exactly one row. */
export function aggregateSql(plan: AggregatePlan): Sql {
  const { groups, metrics, order, size } = plan;
  if (size === undefined) return groupsSql(plan);
  const names = [...groups, ...metrics].map(({ alias }) => alias);
  const exact = order.map((_, index) => orderAlias(index));
  return measuredSql(groupsSql(plan), {
    names: [...names, ...exact],
    long: longGroupColumns(plan),
    order: orderSql(order),
    size,
  });
}

function groupsSql(plan: AggregatePlan): Sql {
  const { groups, metrics, order } = plan;
  const columns = [
    ...groups.map((group) => sql`${groupSql(group)} as ${identifier(group.alias)}`),
    ...metrics.map((metric) => sql`${metricSql(metric)} as ${identifier(metric.alias)}`),
  ];
  // By their place: parameters would make an expression that is repeated another one.
  const keys = groups.map(({ field, period }, index) =>
    period === undefined ? sortedSql(field) : (PLACES[index] as Sql),
  );
  const grouping = keys.length === 0 ? EMPTY : sql` group by ${joinSql(keys, ', ')}`;
  const grouped = sql`select ${joinSql(columns, ', ')}
    from ${groupSourceSql(plan)}
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

const PLACES = [sql`1`, sql`2`, sql`3`];

function groupSql({ field, period }: GroupColumn): Sql {
  // The order in which groups come, which an index may have.
  if (period === undefined) return sortedSql(field);
  return periodSql(column(field), period.by, period.timezone);
}

function groupSourceSql(plan: AggregatePlan): Sql {
  const shown = [...plan.groups, ...plan.metrics].flatMap(({ field = [] }) => field);
  return sourceSql(plan, [...fieldsOf(plan.where), ...shown]);
}

function metricSql({ op, field }: MetricColumn): Sql {
  if (field === undefined) return sql`count(*)`;
  const name = column(field);
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
      return sql`min(${sortedSql(field)})`;
    case 'max':
      return sql`max(${sortedSql(field)})`;
  }
}

/** A long group key is looked up among the selected values that share its prefix. */
function groupAnchorSql(plan: AggregatePlan, { field }: OrderKey, text: LongText): Sql {
  const source = [...plan.groups, ...plan.metrics].find(({ alias }) => alias === field.column);
  if (source?.field === undefined) throw new Error('a long text of no group');
  const name = column(source.field);
  const conditions = [
    sql`starts_with(${name}, ${text.prefix}::text)`,
    sql`${digestSql(name)} = ${text.digest}`,
  ];
  return sql`(select ${name} from ${groupSourceSql(plan)}
    where ${allOf([...selectionSql(plan), ...conditions])} limit 1)`;
}
