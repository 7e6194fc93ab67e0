// Databases that another release has left, as plain SQL that `pg_dump --inserts` wrote.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { openDatabase } from '../src/postgres/open-server.ts';
import type { OwnDatabase } from './own-database.ts';

/** Run a packed dump in an empty database, over a connection of its own: it changes the settings of its session. */
export async function restoreDump({ connection }: OwnDatabase, file: string): Promise<void> {
  const db = openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
  try {
    const text = gunzipSync(readFileSync(file)).toString('utf8');
    await db.query({ text, values: [] }, { prepare: false });
  } finally {
    await db.close();
  }
}
