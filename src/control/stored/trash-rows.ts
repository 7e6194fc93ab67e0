// Deleted records whose time in the trash is over (docs/design/trash.md).

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, sql } from '../../sql/sql.ts';

/**
 * Remove at most so many of them for good, with their history; rows that others have locked stay for the next time.
 * Answers how many.
 */
export async function deleteOldTrash(db: Queryable, schema: string, most: number): Promise<number> {
  const table = identifier(schema, '_trash');
  const [row] = await runOnce(
    db,
    sql`with old as (
        select record_id, table_name from ${table} where kept_until <= now()
        order by kept_until limit ${most}::integer for update skip locked
      ), gone as (
        delete from ${table} d using old
        where d.record_id = old.record_id and d.table_name = old.table_name
        returning 1
      ), forgotten as (
        delete from ${identifier(schema, '_history')} h using old
        where h.record_id = old.record_id and h.table_name = old.table_name
      )
      select count(*) as gone from gone`,
  );
  return Number(row?.gone);
}
