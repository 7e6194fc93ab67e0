// Values of a field, rebuilt in a second column (D264): the expression that makes them, the statements that
// fill their place for some records, and those that put it in place of the old one. Pure text.

import { labelledTexts } from '../../model/definition/fitting.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { EMPTY, identifier, joinSql, literal, type Sql, sql, writtenSql } from '../../sql/sql.ts';
import type { TableIndex } from '../../sql/write/index-sql.ts';
import type { RecordPage } from './build-sql.ts';
import type { RenamedStatus } from './change-kind.ts';
import { columnType, dropColumnSql, type Phased } from './column-sql.ts';
import { forgetValues, renameTrashedStatuses } from './trash-content-sql.ts';
import type { ValueBuild } from './value-build.ts';

/** New values, and the name of their column or of their key in `custom_fields`: that of statuses until they are in force. */
export interface BuiltValue {
  readonly build: ValueBuild;
  readonly name: string;
  /** The indexes of the new column. */
  readonly indexes: readonly TableIndex[];
}

/**
 * The new column, empty. A status is never null: rows that clients write meanwhile have the default until their
 * record is rebuilt, so that the end needs no check of all rows.
 */
export function addColumnSql(schema: string, { build, name }: BuiltValue): Sql {
  const table = identifier(schema, build.object.table);
  const type =
    build.statuses.length > 0 ? sql`text collate "C" not null default ''` : columnType(build.field);
  return sql`alter table ${table} add column if not exists ${identifier(name)} ${type}`;
}

/**
 * Fill the place of the records of a page that have a value; one row with the `last` record of the page, null when it
 * has none. They are locked in the order of their ids, as by those who write. Versions and times stay.
 */
export function fillPageSql(schema: string, built: BuiltValue, page: RecordPage): Sql {
  const { object, from } = built.build;
  const behind = page.after === null ? EMPTY : sql` and id > ${page.after}::uuid`;
  const filled = from.storage === 'physical' ? identifier(from.column) : jsonOf(from.custom_key);
  return sql`with page as materialized (
      select id from ${identifier(schema, object.table)} where id <= ${page.last}::uuid${behind}
      order by id limit ${page.limit}::integer),
    held as materialized (
      select id, ${madeSql(built)} as made from ${identifier(schema, object.table)}
      where id in (select id from page) and ${filled} is not null order by id for no key update),
    filled as (${updateSql(schema, built)})
    select (select id from page order by id desc limit 1) as last`;
}

/** Fill the place of these records, whatever is in it. */
export function fillSql(schema: string, built: BuiltValue, ids: readonly string[]): Sql {
  return sql`with held as materialized (
      select id, ${madeSql(built)} as made from ${identifier(schema, built.build.object.table)}
      where id = any(${ids}::uuid[]) order by id for no key update)
    ${updateSql(schema, built)}`;
}

/**
 * The new value, or an object with its key. It is made where the record is locked, because Citus evaluates in an
 * update only expressions without dependencies.
 */
function madeSql({ build, name }: BuiltValue): Sql {
  const value = valueSql(build);
  if (build.field.storage === 'physical') return value;
  return sql`case when ${value} is not null then jsonb_build_object(${literal(name)}, ${value}) end`;
}

function updateSql(schema: string, { build, name }: BuiltValue): Sql {
  const assignment =
    build.field.storage === 'physical'
      ? sql`${identifier(name)} = held.made`
      : sql`custom_fields = case when held.made is null then t.custom_fields - ${literal(name)}
          else t.custom_fields || held.made end`;
  return sql`update ${identifier(schema, build.object.table)} t set ${assignment} from held where t.id = held.id`;
}

/** The new value of a record: of the type of the column, or as JSON. */
function valueSql({ from, field, statuses }: ValueBuild): Sql {
  if (statuses.length > 0) return statusSql(statuses);
  const [old, now] = [FIELD_TYPE_TRAITS[from.type], FIELD_TYPE_TRAITS[field.type]];
  const conversion = from.type === field.type ? undefined : old.becomes[field.type];
  const texts = labelledTexts(from, field);
  if (from.storage === 'physical') {
    const column = labelledSql(texts, identifier(from.column));
    const isCast = from.type !== field.type && conversion?.column === undefined;
    const cast = isCast ? sql`${column}::${columnType(field)}` : column;
    const value = conversion?.column ? writtenSql(conversion.column, () => column) : cast;
    return field.storage === 'physical' ? value : writtenSql(now.toJson, () => sql`(${value})`);
  }
  const stored = jsonOf(from.custom_key);
  const text = sql`(custom_fields ->> ${literal(from.custom_key)})`;
  const json = conversion?.json
    ? sql`to_jsonb(${writtenSql(conversion.json, () => text)})`
    : texts.size > 0
      ? sql`to_jsonb(${labelledSql(texts, text)})`
      : stored;
  if (field.storage === 'jsonb') return json;
  const newText = sql`(${json} #>> '{}')`;
  if (now.fromJson === undefined) return sql`${newText}::${columnType(field)}`;
  return writtenSql(now.fromJson, (place) => (place === 'json' ? json : newText));
}

/** The label of an option, or the option of a label. */
function labelledSql(texts: ReadonlyMap<unknown, string>, value: Sql): Sql {
  if (texts.size === 0) return value;
  const words = JSON.stringify(Object.fromEntries(texts));
  return sql`coalesce(${literal(words)}::jsonb ->> ${value}, ${value})`;
}

function jsonOf(key: string): Sql {
  return sql`(custom_fields -> ${literal(key)})`;
}

function statusSql(statuses: readonly RenamedStatus[]): Sql {
  const arms = statuses.map(({ old_key, new_key, types }) => {
    const ofTypes =
      types === undefined
        ? EMPTY
        : sql` and work_item_type_id in (${joinSql(types.map(literal), ', ')})`;
    return sql`when status = ${literal(old_key)}${ofTypes} then ${literal(new_key)}`;
  });
  return sql`case ${joinSql(arms, ' ')} else status end`;
}

/**
 * The old column goes. A status keeps the name of its column, which all requests know. Records in the trash are not
 * rebuilt but for their status.
 */
export function swapSql(schema: string, { build, name }: BuiltValue): readonly Phased[] {
  const { object, from, statuses } = build;
  const old = from.storage === 'physical' ? [dropColumnSql(schema, object.table, from.column)] : [];
  const table = identifier(schema, object.table);
  const column = identifier(from.column);
  const renamed =
    statuses.length === 0
      ? []
      : [
          sql`alter table ${table} rename column ${identifier(name)} to ${column}`,
          sql`alter table ${table} alter column ${column} drop default`,
        ];
  const trashed =
    statuses.length === 0
      ? forgetValues(schema, object, from)
      : renameTrashedStatuses(schema, object, statuses);
  return [
    ...[...old, ...renamed].map((statement): Phased => ({ phase: 'columns', statement })),
    ...trashed,
  ];
}
