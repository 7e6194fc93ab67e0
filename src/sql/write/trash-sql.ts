// The statements of deleted records that are kept: putting them into `_trash` as they are deleted, a page of them, one
// of them, and removing them for good (docs/design/trash.md). Pure text.

import type { ObjectModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import type { CursorValue } from '../../plan/read/cursor.ts';
import type { ReachPredicate, ReadPlan } from '../../plan/read/read-plan.ts';
import { AUTHOR_KEY } from '../../plan/write/write-fields.ts';
import { selectedColumns } from '../read/read-sql.ts';
import { allOf, textSql } from '../read/where-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';
import { typeSql } from '../type-sql.ts';
import type { Attached, Deleted } from './deleted-records.ts';
import { insertMadeSql } from './insert-sql.ts';
import { linksOfSql } from './link-sql.ts';

/** A record of an object, in the table of the object or in the trash. */
export interface RecordPlace {
  readonly table: string;
  readonly id: string;
}

const ATTACHED = [
  ...['content', 'revision', 'reach_user_id', 'deleted_by_user_id', 'deleted_at', 'kept_until'],
  ...['comments', 'follows', 'links', 'cleared'],
] as const;

const ATTACHED_COLUMNS = joinSql(
  ATTACHED.map((name) => identifier(name)),
  ', ',
);

/** A record with the id of one that is in the trash takes its place there. */
const REPLACED = joinSql(
  ATTACHED.map((name) => sql`${identifier(name)} = excluded.${identifier(name)}`),
  ', ',
);

/**
 * Keep records with what their delete takes away. It comes before the other statements of the delete. `t.*` is the row
 * also where a column has the name `t`.
 */
export function trashSql(schema: string, deleted: Deleted, attached: Attached, days: number): Sql {
  const { object, ids, actor } = deleted;
  const { cleared, linked } = attached;
  const rows = sql`select ${object.table}::text, t.id, to_jsonb(t.*), t.version + 1, t.${identifier(reachColumn(object))},
      ${actor.user_id}::integer, now(), now() + make_interval(days => ${days}::integer),
      ${attachedSql(schema, '_comments', object)},
      ${attachedSql(schema, '_follows', object)},
      ${linked ? linksSql(schema, object) : sql`null::jsonb`},
      ${cleared.length > 0 ? clearedSql(schema, deleted, cleared) : sql`null::jsonb`}
    from ${identifier(schema, object.table)} t where t.id = any(${ids}::uuid[])`;
  const columns = sql`table_name, record_id, ${ATTACHED_COLUMNS}`;
  const conflict = sql`on conflict (record_id, table_name) do update set ${REPLACED}`;
  return insertMadeSql({ schema, table: '_trash', columns, rows, conflict });
}

function attachedSql(schema: string, table: string, { object_type }: ObjectModel): Sql {
  return sql`(select jsonb_agg(to_jsonb(a.*)) from ${identifier(schema, table)} a
        where a.record_id = t.id and a.object_type = ${object_type}::text)`;
}

function linksSql(schema: string, object: ObjectModel): Sql {
  return sql`(select jsonb_agg(to_jsonb(l.*)) from ${identifier(schema, '_links')} l
        where ${linksOfSql(object, (id) => sql`${id} = t.id`)})`;
}

/** The references that the delete makes null, without those of records that it deletes as well. */
function clearedSql(schema: string, { object, ids }: Deleted, cleared: Attached['cleared']): Sql {
  const referring = cleared.map((referrer) => {
    const { table } = referrer.object;
    const { column } = referrer.field;
    const others = referrer.object === object ? sql` and not r.id = any(${ids}::uuid[])` : EMPTY;
    return sql`select jsonb_build_array(${table}::text, r.id, ${column}::text) as place
          from ${identifier(schema, table)} r where r.${identifier(column)} = t.id${others}`;
  });
  return sql`(select jsonb_agg(r.place) from (${joinSql(referring, ' union all ')}) r)`;
}

/** One page of the deleted records of an object, newest first. */
export interface TrashPage {
  /** How the records are shown. */
  readonly shown: ReadPlan;
  readonly reaches: readonly ReachPredicate[];
  readonly text: ReadPlan['text'];
  readonly deleted_by: number | undefined;
  /** `deleted_at` and id after which the page starts. */
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number;
}

/** One row more than the page, when another page follows. */
export function trashPageSql({ shown, reaches, after, limit, ...asked }: TrashPage): Sql {
  const { object, schema } = shown;
  const { text, deleted_by } = asked;
  const [at, id] = after ?? [];
  const names = new Set([
    ...selectedColumns(shown),
    ...(text === undefined ? [] : [text.field.column]),
  ]);
  const conditions = [
    ...keptSql(object, reaches),
    ...(text === undefined ? [] : [textSql(text)]),
    ...(deleted_by === undefined ? [] : [sql`d.deleted_by_user_id = ${deleted_by}::integer`]),
    ...(after === undefined
      ? []
      : [sql`(d.deleted_at, d.record_id) < (${at}::timestamptz, ${id}::uuid)`]),
  ];
  return sql`select t.*, d.deleted_at as _deleted_at, d.deleted_by_user_id as _deleted_by,
      d.kept_until as _kept_until
    from ${identifier(schema, '_trash')} d
    cross join lateral jsonb_to_record(d.content) as t(${shapeSql(object, names)})
    where ${allOf(conditions)} order by d.deleted_at desc, d.record_id desc limit ${limit + 1}::integer`;
}

/**
 * Lock one of them, with every column that the object has now. Names with an underscore are none of a field. The row is
 * locked before its content is taken apart: a restore of another record may have changed it meanwhile, and PostgreSQL
 * reads only the locked table again.
 */
export function lockTrashedSql(
  schema: string,
  object: ObjectModel,
  { id, reaches }: { readonly id: string; readonly reaches: readonly ReachPredicate[] },
): Sql {
  const conditions = [sql`d.record_id = ${id}::uuid`, ...keptSql(object, reaches)];
  return sql`with d as materialized (
      select d.content, d.revision, coalesce(d.comments, d.follows) is not null as commented,
        d.links, d.cleared
      from ${identifier(schema, '_trash')} d where ${allOf(conditions)} for update)
    select t.*, d.revision as _revision, d.commented as _commented, d.links as _links,
      d.cleared as _cleared
    from d cross join lateral jsonb_to_record(d.content) as t(${shapeSql(object, columnsOf(object).keys())})`;
}

/** The sweeper may come late: records whose time is over are found no longer. */
function keptSql({ table }: ObjectModel, reaches: readonly ReachPredicate[]): readonly Sql[] {
  return [
    sql`d.table_name = ${table}::text`,
    sql`d.kept_until > now()`,
    ...reaches.flatMap(({ user_ids }) =>
      user_ids === undefined ? [] : [sql`d.reach_user_id = any(${user_ids}::integer[])`],
    ),
  ];
}

/** Lock the records that are in the trash. */
export function otherTrashedSql(schema: string, places: readonly RecordPlace[]): Sql {
  return sql`select d.table_name, d.record_id from ${identifier(schema, '_trash')} d
    join unnest(${places.map(({ table }) => table)}::text[], ${places.map(({ id }) => id)}::uuid[])
      as p(table_name, record_id) on p.record_id = d.record_id and p.table_name = d.table_name
    where d.kept_until > now() order by d.record_id for update of d`;
}

/** Take one out of the trash: it is restored, or removed for good. */
export function untrashSql(schema: string, { table }: ObjectModel, id: string): Sql {
  return sql`delete from ${identifier(schema, '_trash')}
    where record_id = ${id}::uuid and table_name = ${table}::text`;
}

function shapeSql(object: ObjectModel, names: Iterable<string>): Sql {
  const types = columnsOf(object);
  return joinSql(
    [...names].map((name) => sql`${identifier(name)} ${typeSql(types.get(name) as string)}`),
    ', ',
  );
}

/** The columns of the table of an object, with their types. */
function columnsOf(object: ObjectModel): ReadonlyMap<string, string> {
  const columns = new Map([
    ['id', 'uuid'],
    ['version', 'integer'],
    [AUTHOR_KEY, 'integer'],
  ]);
  for (const { column, storage, cast_type } of object.fields.values()) {
    columns.set(column, storage === 'jsonb' ? 'jsonb' : cast_type);
  }
  return columns;
}
