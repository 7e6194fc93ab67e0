// Rows of views and of the order each person has them in (D290): one function, one statement. plan/read/view-plan.ts
// decides what a person may see and change.

import { LISTED_ANSWER } from '../../plan/read/answer-size.ts';
import type { KeyedView, ViewFields, ViewKind, ViewRow } from '../../plan/read/view-plan.ts';
import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { type Measuring, measuredSql } from '../../sql/read/measured-sql.ts';
import { EMPTY, identifier, joinSql, jsonOrNull, type Sql, sql } from '../../sql/sql.ts';

/** The reader: sees their own views, those of people who share a team with them, and those for everybody. */
export interface ViewReader {
  readonly user_id: number;
  readonly colleague_ids: readonly number[];
  /** Views of other objects are not there. */
  readonly object_types: readonly string[];
}

export interface ViewPage {
  readonly after: string | undefined;
  readonly limit: number;
  /** Only the reader's favorites. */
  readonly isFavorite?: boolean;
  /** Only views of this kind. */
  readonly kind?: ViewKind | undefined;
}

/** A person's order of the views of one object. */
export interface ViewOrder {
  readonly object_type: string;
  readonly view_ids: readonly string[];
  readonly default_view_id: string | null;
  /** Undefined: those that the person has already. */
  readonly favorite_view_ids?: readonly string[] | undefined;
}

/** A view and its place: text that sorts by object type, then the reader's order, then age. */
export interface PlacedView extends ViewRow {
  readonly place: string;
  readonly is_default: boolean;
  readonly is_favorite: boolean;
}

/** At most `limit` views after a place, in the reader's order; measured. */
export async function loadViews(
  db: Queryable,
  schema: string,
  reader: ViewReader,
  { after, limit, isFavorite = false, kind }: ViewPage,
): Promise<readonly PlacedView[]> {
  const conditions = [
    ...(after === undefined ? [] : [sql`p.place > ${after}::text`]),
    ...(isFavorite ? [sql`p.is_favorite`] : []),
    ...(kind === undefined ? [] : [sql`p.kind = ${kind}::text`]),
  ];
  const where = conditions.length === 0 ? EMPTY : sql` where ${joinSql(conditions, ' and ')}`;
  const found = sql`select p.* from (${placedSql(schema, reader)}) p${where}
      order by p.place limit ${limit}::integer`;
  const rows = await runOnce(db, measuredSql(found, MEASURING));
  return rows as unknown as readonly PlacedView[];
}

const MEASURING: Measuring = {
  names: [
    ...[
      'id',
      'object_type',
      'owner_user_id',
      'name',
      'kind',
      'shared',
      'query',
      'columns',
      'group_by',
    ],
    ...[
      'metrics',
      'chart',
      'version',
      'created_at',
      'updated_at',
      'is_default',
      'is_favorite',
      'place',
    ],
  ],
  long: [
    { name: 'query', measure: 'stored' },
    { name: 'columns', measure: 'stored' },
  ],
  order: sql` order by t.place`,
  size: LISTED_ANSWER,
};

/** One of those that the reader sees. */
export function loadView(
  db: Queryable,
  schema: string,
  reader: ViewReader,
  id: string,
): Promise<PlacedView | undefined> {
  return oneView(db, oneSql(schema, reader, id));
}

/** Loads the views with these ids that the reader sees, in no order. */
export async function loadViewsById(
  db: Queryable,
  schema: string,
  reader: ViewReader,
  ids: readonly string[],
): Promise<readonly PlacedView[]> {
  const rows = await runOnce(db, sql`${placedSql(schema, reader)} and v.id = any(${ids}::uuid[])`);
  return rows as unknown as readonly PlacedView[];
}

/** Loads a view, whose row stays locked until the transaction ends. */
export function lockView(
  tx: Queryable,
  schema: string,
  reader: ViewReader,
  id: string,
): Promise<PlacedView | undefined> {
  return oneView(tx, sql`${oneSql(schema, reader, id)} for update of v`);
}

/** Selects the ids of views of the object that the reader sees. */
export async function loadViewIds(
  db: Queryable,
  schema: string,
  reader: ViewReader,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await runOnce(
    db,
    sql`select v.id from ${identifier(schema, '_views')} v
      where ${seenSql(reader)} and v.id = any(${ids}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => String(id)));
}

/** Counts a person's views of an object. */
export async function countViews(
  db: Queryable,
  schema: string,
  userId: number,
  objectType: string,
): Promise<number> {
  const rows = await runOnce(
    db,
    sql`select count(*)::integer as views from ${identifier(schema, '_views')}
      where owner_user_id = ${userId}::integer and object_type = ${objectType}::text`,
  );
  return rows[0]?.views as number;
}

export async function appendView(
  tx: Queryable,
  schema: string,
  id: string,
  view: ViewFields & Pick<ViewRow, 'object_type' | 'owner_user_id'>,
): Promise<void> {
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_views')}
        (id, object_type, owner_user_id, name, kind, shared, query, columns, group_by, metrics, chart)
      values (${id}::uuid, ${view.object_type}, ${view.owner_user_id}, ${view.name}, ${view.kind},
        ${view.shared}, ${JSON.stringify(view.query)}, ${JSON.stringify(view.columns)},
        ${view.group_by}, ${jsonOrNull(view.metrics)}, ${view.chart})`,
  );
}

export async function putView(
  tx: Queryable,
  schema: string,
  id: string,
  view: ViewFields,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_views')} set name = ${view.name}, kind = ${view.kind},
        shared = ${view.shared}, query = ${JSON.stringify(view.query)},
        columns = ${JSON.stringify(view.columns)}, group_by = ${view.group_by},
        metrics = ${jsonOrNull(view.metrics)}, chart = ${view.chart},
        version = version + 1, updated_at = greatest(now(), updated_at)
      where id = ${id}::uuid`,
  );
}

export async function deleteViewById(tx: Queryable, schema: string, id: string): Promise<void> {
  await runOnce(tx, sql`delete from ${identifier(schema, '_views')} where id = ${id}::uuid`);
}

/** Deletes the views of a removed object. */
export async function deleteViewsOf(
  tx: Queryable,
  schema: string,
  objectType: string,
): Promise<void> {
  for (const table of ['_views', '_view_orders'] as const) {
    await runOnce(
      tx,
      sql`delete from ${identifier(schema, table)} where object_type = ${objectType}::text`,
    );
  }
}

export async function putViewOrder(
  tx: Queryable,
  schema: string,
  userId: number,
  { object_type, view_ids, default_view_id, favorite_view_ids }: ViewOrder,
): Promise<void> {
  const favorites = favorite_view_ids ?? null;
  await runOnce(
    tx,
    sql`insert into ${identifier(schema, '_view_orders')} as o
        (user_id, object_type, view_ids, default_view_id, favorite_view_ids)
      values (${userId}, ${object_type}, ${view_ids}::uuid[], ${default_view_id}::uuid,
        coalesce(${favorites}::uuid[], '{}'))
      on conflict (user_id, object_type) do update
        set view_ids = excluded.view_ids, default_view_id = excluded.default_view_id,
          favorite_view_ids = coalesce(${favorites}::uuid[], o.favorite_view_ids)`,
  );
}

/** Views that the order does not name come after those it names. */
const LAST = 9_999_999;

function oneSql(schema: string, reader: ViewReader, id: string): Sql {
  return sql`${placedSql(schema, reader)} and v.id = ${id}::uuid`;
}

async function oneView(db: Queryable, query: Sql): Promise<PlacedView | undefined> {
  const rows = await runOnce(db, query);
  return rows[0] as unknown as PlacedView | undefined;
}

function placedSql(schema: string, reader: ViewReader): Sql {
  return sql`select v.id, v.object_type, v.owner_user_id, v.name, v.kind, v.shared, v.query, v.columns,
      v.group_by, v.metrics, v.chart, v.version, v.created_at, v.updated_at,
      coalesce(o.default_view_id = v.id, false) as is_default,
      coalesce(v.id = any(o.favorite_view_ids), false) as is_favorite,
      (v.object_type || ' ' || lpad(coalesce(array_position(o.view_ids, v.id), ${LAST}::integer)::text, 7, '0')
        || ' ' || v.id) collate "C" as place
    from ${identifier(schema, '_views')} v
    left join ${identifier(schema, '_view_orders')} o
      on o.user_id = ${reader.user_id}::integer and o.object_type = v.object_type
    where ${seenSql(reader)}`;
}

function seenSql(reader: ViewReader): Sql {
  return sql`v.object_type = any(${reader.object_types}::text[]) and ${sharedSql(reader)}`;
}

/** The condition that a view or dashboard `v` is the reader's own or shared with them. */
export function sharedSql({
  user_id,
  colleague_ids,
}: Pick<ViewReader, 'user_id' | 'colleague_ids'>): Sql {
  return sql`(v.owner_user_id = ${user_id}::integer or v.shared = 'workspace'
      or (v.shared = 'team' and v.owner_user_id = any(${colleague_ids}::integer[])))`;
}

/** All views of a workspace, for a definition that renames keys in them. */
export async function loadKeyedViews(
  tx: Queryable,
  schema: string,
): Promise<readonly (KeyedView & Pick<ViewRow, 'id'>)[]> {
  const rows = await runOnce(
    tx,
    sql`select id, object_type, query, columns, group_by, metrics from ${identifier(schema, '_views')}
      order by id for update`,
  );
  return rows as unknown as readonly (KeyedView & Pick<ViewRow, 'id'>)[];
}

/** Stores the question with renamed keys; for readers of the view its version stays. */
export async function putViewKeys(
  tx: Queryable,
  schema: string,
  { id, object_type, query, columns, group_by, metrics }: KeyedView & Pick<ViewRow, 'id'>,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_views')} set object_type = ${object_type},
        query = ${JSON.stringify(query)}, columns = ${JSON.stringify(columns)}, group_by = ${group_by},
        metrics = ${jsonOrNull(metrics)}
      where id = ${id}::uuid`,
  );
}

/** Orders of the views of an object type are those of its new key. */
export async function renameViewOrders(
  tx: Queryable,
  schema: string,
  from: string,
  to: string,
): Promise<void> {
  await runOnce(
    tx,
    sql`update ${identifier(schema, '_view_orders')} set object_type = ${to}::text
      where object_type = ${from}::text`,
  );
}
