// The files on records of a workspace whose bytes are there, for its export and restore.

import type { Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { identifier, type Sql, sql } from '../../sql/sql.ts';

export interface StoredRecordFile {
  readonly id: string;
  readonly size: number;
  readonly sha256: Buffer;
}

/** By id; `condition` selects files `f`. */
export async function loadStoredFiles(
  db: Queryable,
  schema: string,
  condition: Sql = sql`f.sha256 is not null and not f.is_going`,
): Promise<readonly StoredRecordFile[]> {
  const rows = await runOnce(
    db,
    sql`select f.id, f.size, f.sha256 from ${identifier(schema, '_files')} f
      where ${condition} order by f.id`,
  );
  return rows.map(({ id, size, sha256 }) => ({
    ...{ id: String(id), size: Number(size), sha256: sha256 as Buffer },
  }));
}
