// The files on records of a workspace whose bytes are there, for its export and restore.

import type { Queryable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { identifier, sql } from '../sql/sql.ts';

export interface StoredRecordFile {
  readonly id: string;
  readonly size: number;
  readonly sha256: Buffer;
}

/** The stored files by id. */
export async function loadStoredFiles(
  db: Queryable,
  schema: string,
): Promise<readonly StoredRecordFile[]> {
  const rows = await runOnce(
    db,
    sql`select id, size, sha256 from ${identifier(schema, '_files')}
      where sha256 is not null and not is_going order by id`,
  );
  return rows.map(({ id, size, sha256 }) => ({
    ...{ id: String(id), size: Number(size), sha256: sha256 as Buffer },
  }));
}
