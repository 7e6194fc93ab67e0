// A database of one's own on the server of the test run, for a test file or a single test: empty, or a
// copy of one that is made once in a run, because copying takes a tenth of what making it does. On a cluster of Citus
// it is copied on all servers, which then are a cluster for it.

import { createHash, randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connectionUrl } from '../src/postgres/connection-url.ts';
import { type Connections, openConnections } from '../src/postgres/connections.ts';
import type { ConnectionOptions, Database, Row, Sharing } from '../src/postgres/db.ts';
import { openDatabase } from '../src/postgres/open-server.ts';
import { identifier, type Sql, sql, toStatement } from '../src/sql/sql.ts';
import { migrate } from '../src/workspaces/migrations.ts';

export interface OwnDatabase extends Omit<Connections, 'close'> {
  readonly connection: ConnectionOptions;
  /** True on a cluster of Citus. */
  readonly hasPlaces: boolean;
  /** The settings of a process that uses the database, whatever the server of the tests may lose. */
  readonly environment: Readonly<
    Record<'DATABASE_URL' | 'UNSAFE_DATABASE' | 'SECRETS_KEY' | 'DRAIN_SECONDS', string>
  >;
  /** Run text with parameters. */
  rows(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The same on the server that has the tables of this schema. */
  rowsNear(schema: string, text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The database on the server that has the tables of this schema. */
  connectionNear(schema: string): Promise<ConnectionOptions>;
  /** Close the pool; the database stays, to be copied. */
  leave(): Promise<void>;
  /** Close the pool and remove the database. */
  drop(): Promise<void>;
}

/**
 * For `test.skipIf`, with a feature that a cluster of Citus lacks: triggers that note changes made in SQL, locks that
 * are seen from the coordinator, plans, roles that a transaction takes on (docs/operations.md).
 */
export function lacks(_what: 'triggers' | 'locks' | 'plans' | 'roles'): boolean {
  return inject('workers').length > 0;
}

/** So that a service makes no file for its key. */
const KEY_OF_TESTS = Buffer.alloc(32, 'key').toString('base64');

/** `npm run test:sharing` sets it: answers must not depend on how requests share statements. */
const SHARING = (process.env.SHARING ?? 'by chance') as Sharing;

/** An empty database in UTF8, or a copy of one without connections. */
export async function createOwnDatabase(copyOf?: string): Promise<OwnDatabase> {
  return createDatabase(copyOf ?? (await emptyTemplate()));
}

async function createDatabase(copyOf: string): Promise<OwnDatabase> {
  const server = inject('postgres');
  const database = `test_${randomBytes(6).toString('hex')}`;
  const name = identifier(database);
  const template = identifier(copyOf);
  // The files as they are: through the log it takes twice as much of the processor, and dropping it thrice.
  await freeOfCitus(copyOf);
  await runOnServers(
    sql`create database ${name} template ${template} encoding 'UTF8' strategy file_copy`,
  );
  const connection = { ...server, database };
  const hasPlaces = inject('workers').length > 0;
  const options = { connection, hasPlaces, poolSize: 8, statementTimeout: 0, sharing: SHARING };
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
    hasPlaces,
    environment: {
      DATABASE_URL: connectionUrl(connection),
      UNSAFE_DATABASE: 'allow',
      SECRETS_KEY: KEY_OF_TESTS,
      DRAIN_SECONDS: '0',
    },
    rows: (text, values = []) => db.query({ text, values }, { prepare: false }),
    rowsNear: (schema, text, values = []) =>
      db.near(schema).query({ text, values }, { prepare: false }),
    async connectionNear(schema) {
      if (!hasPlaces) return connection;
      const [place] = await db.query(
        toStatement(sql`select nodename as host, nodeport as port from citus_shards
          where table_name::text like ${`${schema}.%`} limit 1`),
      );
      return { ...connection, ...place };
    },
    leave,
    async drop() {
      await leave();
      await runOnServers(sql`drop database ${name} with (force)`);
    },
  };
}

/** A copy of the database that has the control schema and no workspace. */
export function createMigratedDatabase(): Promise<OwnDatabase> {
  return createCopy('migrated', ({ db }) => migrate(db));
}

/**
 * A copy of an empty database after `make`, or of the one that `start` returns. The first test of the run that needs
 * one of this name makes it; so the name must include everything that the content depends on (`contentName`).
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
      await closeAsTemplate(String(own.connection.database), template);
    } catch (error) {
      await own.drop();
      throw error;
    }
  });
}

/** The template of an empty database: on Citus one whose servers are connected. */
async function emptyTemplate(): Promise<string> {
  if (inject('workers').length === 0) return 'template0';
  const template = `${inject('templatePrefix')}empty`;
  await requireTemplate(template, joinServers, () => createDatabase('template0'));
  return template;
}

/** Make the databases of this name on all servers a cluster. */
async function joinServers({ rows, connection: { database } }: OwnDatabase): Promise<void> {
  const { host, port } = inject('postgres');
  for (const server of allServers()) {
    const connection = { ...server, database: String(database) };
    const db = openDatabase({ connection, poolSize: 1, statementTimeout: 0 });
    for (const name of ['citus', 'pg_trgm']) {
      await db.query(toStatement(sql`create extension ${identifier(name)}`), { prepare: false });
    }
    await db.close();
  }
  await rows('select citus_set_coordinator_host($1, $2)', [host, port]);
  for (const worker of inject('workers')) {
    await rows('select citus_add_node($1, $2)', [worker.host, worker.port]);
  }
}

/** Rename it when it is complete. */
async function closeAsTemplate(database: string, template: string): Promise<void> {
  await freeOfCitus(database);
  await runOnServers(sql`alter database ${identifier(database)} rename to ${identifier(template)}`);
}

/** Background workers of Citus in a database would prevent it from being copied or renamed. */
async function freeOfCitus(database: string): Promise<void> {
  if (inject('workers').length === 0 || database === 'template0') return;
  await runOnServers(sql`alter database ${identifier(database)} with allow_connections false`);
  await runOnServers(
    sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${database}`,
  );
}

async function runOnServers(text: Sql): Promise<void> {
  for (const one of serversOpen()) await one.query(toStatement(text), { prepare: false });
}

const allServers = () => [inject('postgres'), ...inject('workers')];

let servers: readonly Database[] | undefined;

/** Connections that make and remove databases; they end with the process of the tests. */
function serversOpen(): readonly Database[] {
  servers ??= allServers().map((connection) =>
    openDatabase({ connection, poolSize: 4, statementTimeout: 0 }),
  );
  return servers;
}

function onServer(): Database {
  return serversOpen()[0] as Database;
}
