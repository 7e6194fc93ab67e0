// A database of one's own on the server of the test run, for a test file or a single test: empty, or a
// copy of one that is made once in a run, because copying takes a tenth of what making it does.

import { createHash, randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connectionUrl } from '../src/postgres/connection-url.ts';
import { type Connections, openConnections } from '../src/postgres/connections.ts';
import {
  type ConnectionOptions,
  type Database,
  openDatabase,
  type Row,
  type Sharing,
} from '../src/postgres/db.ts';
import { migrate } from '../src/provision/migrations.ts';
import { identifier, type Sql, sql, toStatement } from '../src/sql/sql.ts';

export interface OwnDatabase extends Omit<Connections, 'close'> {
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

/** `npm run test:sharing` sets it: answers must not depend on who shares statements with whom. */
const SHARING = (process.env.SHARING ?? 'by chance') as Sharing;

/** An empty database in UTF8, or a copy of one that nobody is connected to. */
export async function createOwnDatabase(copyOf = 'template0'): Promise<OwnDatabase> {
  const server = inject('postgres');
  const database = `test_${randomBytes(6).toString('hex')}`;
  const name = identifier(database);
  const template = identifier(copyOf);
  // The files as they are: through the log it takes twice as much of the processor, and dropping it thrice.
  await runOnServer(
    sql`create database ${name} template ${template} encoding 'UTF8' strategy file_copy`,
  );
  const connection = { ...server, database };
  const options = { connection, poolSize: 8, statementTimeout: 0, sharing: SHARING };
  const { close, ...connections } = openConnections(options);
  const { db } = connections;
  let left = false;
  async function leave(): Promise<void> {
    if (!left) await close();
    left = true;
  }
  return {
    ...connections,
    connection,
    environment: { DATABASE_URL: connectionUrl(connection), UNSAFE_DATABASE: 'allow' },
    rows: (text, values = []) => db.query({ text, values }, { prepare: false }),
    leave,
    async drop() {
      await leave();
      await runOnServer(sql`drop database ${name} with (force)`);
    },
  };
}

/** A copy of the database that has the control schema and no workspace. */
export function createMigratedDatabase(): Promise<OwnDatabase> {
  return createCopy('migrated', ({ db }) => migrate(db));
}

/**
 * A copy of what `make` makes of an empty database, or of what `start` gives it. Whoever of the run first
 * wants one of this name makes it; a name therefore says all that the content depends on (`contentName`).
 */
export async function createCopy(
  name: string,
  make: (own: OwnDatabase) => Promise<unknown>,
  start: () => Promise<OwnDatabase> = createOwnDatabase,
): Promise<OwnDatabase> {
  const template = `${inject('templatePrefix')}${name}`;
  const ready = templates.get(template) ?? requireTemplate(template, make, start);
  templates.set(template, ready);
  await ready;
  return createOwnDatabase(template);
}

/** The name of a template that is made of a document. */
export function contentName(kind: string, document: unknown): string {
  return `${kind}_${createHash('sha256').update(JSON.stringify(document)).digest('hex').slice(0, 12)}`;
}

const templates = new Map<string, Promise<void>>();

/** Other processes of the run wait for the one that makes it; it has its name when it is complete. */
function requireTemplate(
  template: string,
  make: (own: OwnDatabase) => Promise<unknown>,
  start: () => Promise<OwnDatabase>,
): Promise<void> {
  return onServer().transaction(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock(hashtext($1))', values: [template] });
    const text = 'select 1 as found from pg_database where datname = $1';
    const [known] = await tx.query({ text, values: [template] });
    if (known !== undefined) return;
    const own = await start();
    try {
      await make(own);
      await own.leave();
      const made = identifier(String(own.connection.database));
      await runOnServer(sql`alter database ${made} rename to ${identifier(template)}`);
    } catch (error) {
      await own.drop();
      throw error;
    }
  });
}

async function runOnServer(text: Sql): Promise<void> {
  await onServer().query(toStatement(text), { prepare: false });
}

let server: Database | undefined;

/** Connections that make and remove databases; they end with the process of the tests. */
function onServer(): Database {
  server ??= openDatabase({ connection: inject('postgres'), poolSize: 4, statementTimeout: 0 });
  return server;
}
