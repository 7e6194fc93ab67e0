// A database of one's own on the server of the test run, for a test file or a single test.

import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { identifier, sql, toStatement } from '../src/sql/sql.ts';
import { type ConnectionOptions, type Database, openDatabase, type Row } from '../src/store/db.ts';

export interface OwnDatabase {
  readonly db: Database;
  readonly connection: ConnectionOptions;
  /** Run text with parameters. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Close the pool and remove the database. */
  drop(): Promise<void>;
}

/** An empty database in UTF8; nothing of the service is in it yet. */
export async function createOwnDatabase(): Promise<OwnDatabase> {
  const server = inject('postgres');
  const database = `test_${randomBytes(6).toString('hex')}`;
  const name = identifier(database);
  await runOnServer(toStatement(sql`create database ${name} template template0 encoding 'UTF8'`));
  const connection = { ...server, database };
  const db = openDatabase({ connection, poolSize: 8, statementTimeout: 0 });
  return {
    db,
    connection,
    rows: (text, values = []) => db.query({ text, values }, { prepare: false }),
    async drop() {
      await db.close();
      await runOnServer(toStatement(sql`drop database ${name} with (force)`));
    },
  };
}

async function runOnServer(statement: ReturnType<typeof toStatement>): Promise<void> {
  const db = openDatabase({ connection: inject('postgres'), poolSize: 1, statementTimeout: 0 });
  try {
    await db.query(statement, { prepare: false });
  } finally {
    await db.close();
  }
}
