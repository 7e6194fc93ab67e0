// A database of one's own on the server of the test run, for a test file or a single test.

import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { identifier, sql, toStatement } from '../src/sql/sql.ts';
import { connectionUrl } from '../src/store/connection-url.ts';
import { type ConnectionOptions, type Database, openDatabase, type Row } from '../src/store/db.ts';

export interface OwnDatabase {
  readonly db: Database;
  readonly connection: ConnectionOptions;
  /** The settings of a process that uses the database, whatever the server of the tests may lose. */
  readonly environment: { readonly DATABASE_URL: string; readonly UNSAFE_DATABASE: string };
  /** Run text with parameters. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Close the pool; the database stays, to be copied. */
  leave(): Promise<void>;
  /** Close the pool and remove the database. */
  drop(): Promise<void>;
}

/** An empty database in UTF8, or a copy of one that nobody is connected to. */
export async function createOwnDatabase(copyOf = 'template0'): Promise<OwnDatabase> {
  const server = inject('postgres');
  const database = `test_${randomBytes(6).toString('hex')}`;
  const name = identifier(database);
  const template = identifier(copyOf);
  await runOnServer(toStatement(sql`create database ${name} template ${template} encoding 'UTF8'`));
  const connection = { ...server, database };
  const db = openDatabase({ connection, poolSize: 8, statementTimeout: 0 });
  let left = false;
  async function leave(): Promise<void> {
    if (!left) await db.close();
    left = true;
  }
  return {
    db,
    connection,
    environment: { DATABASE_URL: connectionUrl(connection), UNSAFE_DATABASE: 'allow' },
    rows: (text, values = []) => db.query({ text, values }, { prepare: false }),
    leave,
    async drop() {
      await leave();
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
