// The reads of a build while clients write: records page by page, and which of them were written meanwhile; and the
// deletion in portions of data that is no longer needed. Pure text.

import { EMPTY, identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';

/** Columns of records. */
export interface RecordColumns {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The records behind the id `after` up to the id `last`. */
export interface RecordPage {
  readonly after: string | null;
  readonly last: string;
  readonly limit: number;
}

/** The highest id. */
export function lastRecordSql(schema: string, table: string): Sql {
  return sql`select id from ${identifier(schema, table)} order by id desc limit 1`;
}

/** A page of records by id. */
export function recordPageSql(schema: string, read: RecordColumns, page: RecordPage): Sql {
  const behind = page.after === null ? EMPTY : sql` and id > ${page.after}::uuid`;
  return sql`${selectSql(schema, read)} where id <= ${page.last}::uuid${behind}
    order by id limit ${page.limit}::integer`;
}

/** Selects the records with these ids. */
export function recordsByIdSql(schema: string, read: RecordColumns, ids: readonly string[]): Sql {
  return sql`${selectSql(schema, read)} where id = any(${ids}::uuid[])`;
}

function selectSql(schema: string, { table, columns }: RecordColumns): Sql {
  const names = joinSql(
    columns.map((name) => identifier(name)),
    ', ',
  );
  return sql`select ${names} from ${identifier(schema, table)}`;
}

/**
 * The records whose last changes a snapshot did not see; the audit has a row for each of them, or one for all when they
 * were loaded (D340). Rows of transactions that had ended before all that the snapshot missed are not read.
 */
export function changedRecordsSql(
  schema: string,
  { object_type, table }: { readonly object_type: string; readonly table: string },
  snapshot: string,
): Sql {
  const unseen = sql`from ${identifier(schema, '_audit')} a
    where a.transaction >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
      and not pg_visible_in_snapshot(a.transaction, ${snapshot}::pg_snapshot)`;
  return sql`select a.record_id as id ${unseen} and a.object_type = ${object_type}::text
    union select t.id from ${identifier(schema, table)} t where exists (select ${unseen}
      and a.subject_type = 'import' and a.action = 'load' and a.subject_id = ${object_type}::text)`;
}

/** The place of a value that no definition names. */
export interface SparePlace {
  readonly table_name: string;
  readonly name: string;
}

/** A column that was made for a definition that did not come. */
export function dropSpareSql(schema: string, { table_name, name }: SparePlace): Sql {
  return sql`alter table ${identifier(schema, table_name)} drop column if exists ${identifier(name)}`;
}

/**
 * Take a key out of `custom_fields` of some records behind the id `after`; one row with the `last` id that was looked
 * at, null at the end. Versions and times stay: no field has been changed.
 */
export function clearCustomSql(
  schema: string,
  { table_name, name }: SparePlace,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Sql {
  const table = identifier(schema, table_name);
  const behind = after === null ? EMPTY : sql` where id > ${after}::uuid`;
  return sql`with page as materialized (
      select id from ${table}${behind} order by id limit ${limit}::integer),
    held as materialized (
      select t.id from ${table} t where t.id in (select id from page) and t.custom_fields ? ${name}::text
      order by t.id for no key update of t),
    cleared as (
      update ${table} t set custom_fields = t.custom_fields - ${name}::text
      from held where t.id = held.id)
    select (select id from page order by id desc limit 1) as last`;
}

/**
 * Delete rows of the search index after the record `after` whose `source` begins with this name; one row with the
 * `last` record that was checked, null at the end. By record, because there is no index by source.
 */
export function clearSearchPageSql(
  schema: string,
  name: string,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Sql {
  const search = identifier(schema, '_search');
  const behind = after === null ? EMPTY : sql` where record_id > ${after}::uuid`;
  return sql`with page as materialized (
      select record_id from ${search}${behind} order by record_id limit ${limit}::integer),
    range as materialized (
      select (select record_id from page order by record_id limit 1) as first,
        (select record_id from page order by record_id desc limit 1) as last),
    gone as (
      delete from ${search} s using range r
      where s.record_id between r.first and r.last and split_part(s.source, '.', 1) = ${name}::text)
    select last from range`;
}
