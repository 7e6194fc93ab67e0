// The one statement of a read plan: explicit columns, one page, no count. Pure text.

import { LIMITS } from '../../limits.ts';
import { PUBLIC_ID_KEY, TYPE_KEY } from '../../model/definition/model.ts';
import { longColumns } from '../../plan/read/answer-size.ts';
import { orderColumn, type ReadPlan } from '../../plan/read/read-plan.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';
import { orderSql, type Stretch, stretchesSql } from './keyset-sql.ts';
import { measuredSql } from './measured-sql.ts';
import { allOf, column, fieldsOf, selectionSql, sourceSql } from './where-sql.ts';

/** Select the plan's rows, one more than the page to show whether another follows. */
export function readSql(plan: ReadPlan): Sql {
  const { size, order, ids } = plan;
  if (size === undefined) return rowsSql(plan);
  const behind = order.flatMap((key, place) =>
    key.field.join === undefined ? [] : [orderColumn(key, place)],
  );
  const inOrder = ids === undefined ? pageOrderSql(plan) : placeSql(ids);
  const names = [...selectedColumns(plan), ...behind];
  return measuredSql(rowsSql(plan), { names, long: longColumns(plan), order: inOrder, size });
}

/** The order of the ids in the request. */
function placeSql(ids: readonly string[]): Sql {
  return sql` order by array_position(${ids}::uuid[], t.id)`;
}

function rowsSql(plan: ReadPlan): Sql {
  const columns = joinSql([columnsSql(plan), ...joinedOrderSql(plan)], ', ');
  const source = pageSourceSql(plan);
  const limit = plan.limit === undefined ? EMPTY : sql` limit ${plan.limit + 1}`;
  const [first, second] = stretchesSql(plan) as [Stretch, Stretch | undefined];
  const stretch = ({ where, order }: Stretch) =>
    sql`select ${columns} from ${source} where ${where}${order}${limit}`;
  if (second === undefined || plan.limit === undefined) return stretch(first);
  // Evaluated before the second range is read: a filter that few of its many rows
  // pass would read them all behind a page that is full already.
  const isShort = sql`(select count(*) from page) <= ${plan.limit}`;
  const remainder = stretch({ ...second, where: sql`${isShort} and ${second.where}` });
  return sql`with page as (${stretch(first)})
    select * from (select * from page union all (${remainder})) t${pageOrderSql(plan)}${limit}`;
}

/** Rows with the number of all that are selected; without any, one row of nulls with the number. */
export function countedSql(plan: ReadPlan, most: number = LIMITS.exactCount): Sql {
  const source = sourceSql(plan, fieldsOf(plan.where));
  const selected = sql`select from ${source} where ${allOf(selectionSql(plan))}
    limit ${most + 1}`;
  return sql`select t.*, c.${identifier(COUNT_COLUMN)}
    from (select count(*)::integer as ${identifier(COUNT_COLUMN)} from (${selected}) m) c
    left join (${readSql(plan)}) t on true${pageOrderSql(plan)}`;
}

/** The ids of the selected records, at most so many. */
export function selectedIdsSql(plan: ReadPlan, most: number): Sql {
  const source = sourceSql(plan, fieldsOf(plan.where));
  return sql`select t.id from ${source} where ${allOf(selectionSql(plan))} limit ${most}::integer`;
}

/** The column with the number of selected rows, as far as they are counted. */
export const COUNT_COLUMN = '_count';

function pageSourceSql(plan: ReadPlan): Sql {
  return sourceSql(plan, [...fieldsOf(plan.where), ...plan.order.map(({ field }) => field)]);
}

/** Order values from behind references, under names that no field has. */
function joinedOrderSql({ order }: ReadPlan): readonly Sql[] {
  return order.flatMap((key, place) =>
    key.field.join === undefined
      ? []
      : [sql`${column(key.field)} as ${identifier(orderColumn(key, place))}`],
  );
}

/** The order of rows that were read. Values of rows beyond the size of an answer are null, and come last. */
export function pageOrderSql({ order }: Pick<ReadPlan, 'order'>): Sql {
  return orderSql(
    order.map((key, place) => {
      const { join: _, ...field } = key.field;
      return { ...key, field: { ...field, nullable: true, column: orderColumn(key, place) } };
    }),
  );
}

/** The column with the page that a row of `pagesSql` belongs to. No field has such a key. */
export const PAGE_COLUMN = '_page';

/**
 * Pages of a plain walk (`isPlainWalk`) in one statement, with one row more of each; `starts` has where
 * they start, and they are counted from 1 in its order.
 */
export function pagesSql(plan: ReadPlan, starts: readonly ReadPlan['after'][]): Sql {
  const page = identifier(PAGE_COLUMN);
  const times = starts.map((after) => after?.[0] ?? 'infinity');
  const ids = starts.map((after) => after?.[1] ?? LAST_ID);
  const where = allOf([...selectionSql(plan), sql`(t.created_at, t.id) < (s.created_at, s.id)`]);
  const order = orderSql(plan.order);
  return sql`select s.${page}, t.*
    from unnest(${times}::timestamptz[], ${ids}::uuid[])
      with ordinality as s(created_at, id, ${page})
    cross join lateral (select ${columnsSql(plan)}
      from ${identifier(plan.schema, plan.object.table)} t
      where ${where}${order} limit ${(plan.limit ?? 0) + 1}) t
    order by s.${page}, t.created_at desc, t.id desc`;
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The selected columns of the table `t`. */
export function columnsSql(plan: ReadPlan): Sql {
  return joinSql(
    selectedColumns(plan).map((name) => sql`t.${identifier(name)}`),
    ', ',
  );
}

/** Columns every record answer needs, then those of the display, the fields, the order and the expanded records. */
export function selectedColumns(
  plan: Pick<ReadPlan, 'object' | 'display' | 'fields' | 'order' | 'expand'>,
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
      ...plan.order
        .filter(({ field }) => field.join === undefined)
        .map(({ field }) => field.column),
      ...(plan.expand ?? []).map(({ column: reference }) => reference),
    ]),
  ];
}
