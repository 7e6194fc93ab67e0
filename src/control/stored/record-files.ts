// The rows of files on records: reserved before their bytes arrive, complete afterwards, marked before their bytes are
// removed. One function, one statement; writes of records attach them (sql/write/file-sql.ts).

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, joinSql, literal, type Sql, sql, toStatement } from '../../sql/sql.ts';

export interface NewRecordFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Bytes, as far as they are known. */
  readonly size: number;
  readonly uploaded_by: number;
}

function filesOf(schema: string): Sql {
  return identifier(schema, '_files');
}

/** Bytes of all files of a workspace, those that arrive and those that wait for their removal among them. */
export async function loadRecordFileBytes(db: Queryable, schema: string): Promise<number> {
  const statement = sql`select coalesce(sum(size), 0) as bytes from ${filesOf(schema)}`;
  const [row] = await db.query(toStatement(statement));
  return Number(row?.bytes);
}

/** A file whose bytes arrive. Nobody can attach it yet. */
export async function appendArriving(
  db: Queryable,
  schema: string,
  { id, name, type, size, uploaded_by }: NewRecordFile,
): Promise<void> {
  const statement = sql`insert into ${filesOf(schema)} (id, name, type, size, uploaded_by)
    values (${id}::uuid, ${name}, ${type}, ${size}::bigint, ${uploaded_by}::integer)`;
  await db.query(toStatement(statement));
}

/** All bytes are there. False: it was given up meanwhile. */
export async function completeRecordFile(
  db: Queryable,
  schema: string,
  { id, size, sha256 }: { readonly id: string; readonly size: number; readonly sha256: Buffer },
): Promise<boolean> {
  const statement = sql`update ${filesOf(schema)}
    set size = ${size}::bigint, sha256 = ${sha256}::bytea, released_at = now()
    where id = ${id}::uuid and not is_going returning id`;
  return (await db.query(toStatement(statement))).length > 0;
}

/** Rows whose bytes are removed. */
export async function deleteFileRows(
  db: Queryable,
  schema: string,
  ids: readonly string[],
): Promise<void> {
  const statement = sql`delete from ${filesOf(schema)} where id = any(${ids}::uuid[])`;
  await db.query(toStatement(statement));
}

/** A column that has files. */
export interface FileColumn {
  readonly table: string;
  readonly column: string;
}

/**
 * The columns that have or had files; none for a workspace without files. Two statements, because Citus joins no table of
 * a workspace with the catalog.
 */
export async function loadFileColumns(
  db: Queryable,
  schema: string,
): Promise<readonly (FileColumn & { readonly isThere: boolean })[]> {
  const columnRows = await runOnce(
    db,
    sql`select distinct f.table_name, f.column_name from ${filesOf(schema)} f where f.table_name is not null`,
  );
  if (columnRows.length === 0) return [];
  const valuesOf = (name: 'table_name' | 'column_name') =>
    columnRows.map((row) => String(row[name]));
  const rows = await runOnce(
    db,
    sql`select f.table_name, f.column_name, exists (
        select from pg_catalog.pg_attribute a
        where a.attrelid = to_regclass(format('%I.%I', ${schema}::text, f.table_name))
          and a.attname = f.column_name and not a.attisdropped) as is_there
      from unnest(${valuesOf('table_name')}::text[], ${valuesOf('column_name')}::text[])
        as f (table_name, column_name)`,
  );
  return rows.map(({ table_name, column_name, is_there }) => ({
    ...{ table: String(table_name), column: String(column_name) },
    isThere: is_there === true,
  }));
}

/** True when a record, or one in the trash, has the file `f`. */
function isHeld(schema: string, { table, column }: FileColumn): Sql {
  const value = sql`jsonb_build_array(jsonb_build_object('id', f.id))`;
  return sql`(exists (select from ${identifier(schema, table)} r
      where r.id = f.record_id and r.${identifier(column)} @> ${value})
    or exists (select from ${identifier(schema, '_trash')} t
      where t.record_id = f.record_id and t.table_name = f.table_name
        and t.content -> ${literal(column)} @> ${value}))`;
}

/**
 * A condition without parameters: all bytes of the file `f` have arrived, and a record, or one in the trash, has it. One that was
 * released by mistake counts as well.
 */
export async function heldFilesSql(db: Queryable, schema: string): Promise<Sql> {
  const columns = (await loadFileColumns(db, schema)).filter(({ isThere }) => isThere);
  const places = columns.map(
    (
      place,
    ) => sql`(f.table_name = ${literal(place.table)} and f.column_name = ${literal(place.column)}
      and ${isHeld(schema, place)})`,
  );
  const isHeldAnywhere = joinSql([sql`f.released_at is null`, ...places], ' or ');
  return sql`f.sha256 is not null and not f.is_going and (${isHeldAnywhere})`;
}

/** Bytes of the files that records have. */
export async function loadHeldBytes(db: Queryable, schema: string): Promise<number> {
  const isHeldNow = await heldFilesSql(db, schema);
  const [row] = await runOnce(
    db,
    sql`select coalesce(sum(f.size), 0) as bytes from ${filesOf(schema)} f where ${isHeldNow}`,
  );
  return Number(row?.bytes);
}

/** Release files whose record is gone; answers how many. `isThere` false: of a column that is gone. */
export async function releaseLost(
  db: Queryable,
  schema: string,
  column: FileColumn & { readonly isThere: boolean },
  most: number,
): Promise<number> {
  const isLost = column.isThere ? sql`not ${isHeld(schema, column)}` : sql`true`;
  const rows = await runOnce(
    db,
    sql`update ${filesOf(schema)} set released_at = now() where id = any (array(
        select f.id from ${filesOf(schema)} f
        where f.table_name = ${column.table} and f.column_name = ${column.column}
          and f.released_at is null and ${isLost}
        limit ${most}::integer for update of f skip locked))
      returning id`,
  );
  return rows.length;
}

/** Attach files again that were released by mistake: a record has them. */
export async function keepHeld(db: Queryable, schema: string, column: FileColumn): Promise<void> {
  await runOnce(
    db,
    sql`update ${filesOf(schema)} f set released_at = null
      where f.table_name = ${column.table} and f.column_name = ${column.column}
        and f.released_at < now() - interval '12 hours' and not f.is_going and ${isHeld(schema, column)}`,
  );
}

/** Mark files that nothing has had for a day, and those that were marked before; answers their ids. */
export async function markGoing(
  db: Queryable,
  schema: string,
  most: number,
): Promise<readonly string[]> {
  return idsOf(
    await runOnce(
      db,
      sql`update ${filesOf(schema)} set is_going = true where id = any (array(
          select f.id from ${filesOf(schema)} f
          where f.released_at < now() - interval '24 hours' or f.is_going
          limit ${most}::integer for update of f skip locked))
        returning id`,
    ),
  );
}

/** The files that are marked. */
export async function loadGoing(db: Queryable, schema: string): Promise<readonly string[]> {
  return idsOf(await runOnce(db, sql`select id from ${filesOf(schema)} where is_going`));
}

function idsOf(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  return rows.map(({ id }) => String(id));
}
