// Gives the whole test run one PostgreSQL: the server of TEST_DATABASE_URL (a superuser), with the workers when it is
// a coordinator of Citus, or a throw-away embedded one that is removed afterwards. It makes no databases: each test
// file does, by copies of templates, which the first user of each makes (own-database.ts).
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Connection, openEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser connection; `inject('postgres')` in a test. */
    postgres: Connection;
    /** The other servers of a cluster of Citus; none of any other server. */
    workers: readonly Connection[];
    /** Begins the names of the databases that the tests of this run copy. */
    templatePrefix: string;
  }
}

const MEMORY = '/dev/shm';
/** Bytes: data and logs of a run are a third of it at most. */
const ROOM = 4 * 2 ** 30;

interface Server {
  readonly connection: Connection;
  readonly workers: readonly Connection[];
  readonly templatePrefix: string;
  stop(): Promise<void>;
}

// Each project of a run loads this file as a module of its own, and all of them share one server.
const shared = globalThis as {
  postgresForTests?: { readonly server: Promise<Server>; users: number };
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.postgresForTests ??= { server: openServer(), users: 0 };
  const use = shared.postgresForTests;
  use.users += 1;
  const { connection, workers, templatePrefix, stop } = await use.server;
  project.provide('postgres', connection);
  project.provide('workers', workers);
  project.provide('templatePrefix', templatePrefix);
  return async () => {
    use.users -= 1;
    if (use.users > 0) return;
    delete shared.postgresForTests;
    await stop();
  };
}

async function openServer(): Promise<Server> {
  const templatePrefix = `template_${randomBytes(4).toString('hex')}_`;
  const url = process.env.TEST_DATABASE_URL;
  if (url) {
    const connection = connectionOf(url);
    const workers = await workersOf(connection);
    return {
      ...{ connection, workers, templatePrefix },
      async stop() {
        for (const one of [connection, ...workers]) await dropTemplates(one, templatePrefix);
      },
    };
  }
  const parent = mkdtempSync(join(folderInMemory() ?? tmpdir(), 'records-tests-'));
  chmodSync(parent, 0o711); // another user has to pass where root cannot run PostgreSQL
  const postgres = await openEmbeddedPostgres({
    dataDirectory: join(parent, 'data'),
    purpose: 'service',
    durable: false,
  });
  return {
    connection: postgres.connection,
    workers: [],
    templatePrefix,
    async stop() {
      await postgres.stop();
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/**
 * Where files are memory, if there is room: a run makes and removes a hundred thousand files, and ext4
 * looks long for numbers of new ones after others were removed: up to a tenth of the processor time (D186).
 */
function folderInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM ? MEMORY : undefined;
  } catch {
    return undefined;
  }
}

async function workersOf(connection: Connection): Promise<readonly Connection[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows: found } = await client.query("select 1 from pg_extension where extname = 'citus'");
  const { rows } = found.length
    ? await client.query('select nodename, nodeport from pg_dist_node where groupid <> 0')
    : { rows: [] };
  await client.end();
  return rows.map(({ nodename, nodeport }) => ({ ...connection, host: nodename, port: nodeport }));
}

async function dropTemplates(connection: Connection, prefix: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const text = 'select datname as name from pg_database where starts_with(datname, $1)';
  const { rows } = await client.query(text, [prefix]);
  for (const { name } of rows) {
    await client.query(`drop database ${client.escapeIdentifier(name)} with (force)`);
  }
  await client.end();
}

function connectionOf(url: string): Connection {
  const { host, port, user = 'postgres', database = user, password } = new pg.Client(url);
  const connection = { host, port, user, database };
  return password === undefined || password === null ? connection : { ...connection, password };
}
