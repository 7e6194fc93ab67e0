// The statements of files in the transactions that write records: looked up with a lock, attached, released. Pure text.

import type { AttachedFile } from '../../plan/write/file-values.ts';
import { identifier, type Sql, sql } from '../sql.ts';

/** The arrived files with these ids that are not being deleted, locked until the write ends. */
export function lockFilesSql(schema: string, ids: readonly string[]): Sql {
  return sql`select id, name, type, size, uploaded_by, table_name, record_id, column_name, released_at
    from ${identifier(schema, '_files')}
    where id = any(${ids}::uuid[]) and sha256 is not null and not is_going
    order by id for update`;
}

/** The files among these that a record has, or had last. */
export function heldFilesSql(
  schema: string,
  { table, id }: { readonly table: string; readonly id: string },
  ids: readonly string[],
): Sql {
  return sql`select id from ${identifier(schema, '_files')} where id = any(${ids}::uuid[])
    and table_name = ${table}::text and record_id = ${id}::uuid and not is_going`;
}

/** Give files to the fields of records. */
export function attachFilesSql(schema: string, files: readonly AttachedFile[]): Sql {
  return sql`update ${identifier(schema, '_files')} f
    set table_name = a.table_name, record_id = a.record_id, column_name = a.column_name, released_at = null
    from unnest(${files.map(({ id }) => id)}::uuid[], ${files.map(({ table }) => table)}::text[],
      ${files.map(({ record_id }) => record_id)}::uuid[], ${files.map(({ column }) => column)}::text[])
      as a(id, table_name, record_id, column_name)
    where f.id = a.id`;
}

/** Releases files that records no longer have; the sweeper removes them after a day. */
export function releaseFilesSql(schema: string, ids: readonly string[]): Sql {
  return sql`update ${identifier(schema, '_files')} set released_at = now()
    where id = any(${ids}::uuid[]) and released_at is null`;
}
