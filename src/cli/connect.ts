// Brings a command to a database that is ready: the PostgreSQL of DATABASE_URL or the embedded one, checked and
// migrated. The command then uses it.

import cluster from 'node:cluster';
import { type Config, readConfig } from '../config.ts';
import { loadConnectionRoom } from '../control/process/connection-room.ts';
import { openEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { isOperatorError, operatorError } from '../errors.ts';
import { hasCitus } from '../postgres/citus.ts';
import { withSslMode } from '../postgres/connection-url.ts';
import { type Connections, openConnections } from '../postgres/connections.ts';
import type { ConnectionOptions, Database, Queryable } from '../postgres/db.ts';
import { openDatabase } from '../postgres/open-server.ts';
import { checkServer, loadBehind, migrate } from '../workspaces/migrations.ts';
import { reasonOf } from './reason.ts';
import { ACCESS_CONNECTIONS, type ConnectionBudget, fitPool } from './service/connection-budget.ts';

export interface Connected extends Connections {
  /** A few connections for keys and rate windows: they must not wait behind requests. */
  readonly accessDb: Database;
  readonly connection: ConnectionOptions;
  /** True with Citus: workspaces are on several servers. */
  readonly hasPlaces: boolean;
  /** The schemas that were behind this release. */
  readonly migrated: readonly string[];
  /** Problems that the migration leaves, in sentences. */
  readonly notes: readonly string[];
  readonly config: Config;
  /** Close the pools, then let go of the embedded server. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** A service keeps the statement timeout of the settings; a command may take long. */
  readonly purpose: 'service' | 'command';
  /** True: a command that may make the data directory, as a service may. */
  readonly mayCreate?: boolean;
  /** True: a command that looks at a database of any release, and migrates nothing. */
  readonly asItIs?: boolean;
  readonly config?: Config;
  readonly onIdleError?: (error: Error) => void;
}

/** Open the database. An unreachable or unsuitable server is an operator error of one line. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const { purpose, config = readConfig(), onIdleError = () => undefined } = options;
  const server = await openServer(config, options);
  let prepared: PreparedDatabase;
  try {
    prepared = await prepareDatabase(server.connection, config, options);
  } catch (error) {
    await server.stop();
    throw isOperatorError(error) ? error : cannotUse(config, error);
  }
  const { connection } = server;
  const { hasPlaces, poolSize } = prepared;
  const shared = { connection, pooled: config.databasePooled, onIdleError };
  const accessDb = openDatabase({
    ...shared,
    poolSize: ACCESS_CONNECTIONS,
    keepsOpen: purpose === 'service',
    statementTimeout: config.statementTimeout,
  });
  const main = openConnections({
    ...shared,
    hasPlaces,
    // A change of a definition builds indexes outside its transaction, and monitors their progress.
    poolSize: purpose === 'service' ? poolSize : Math.max(3, poolSize),
    statementTimeout: purpose === 'service' ? config.statementTimeout : 0,
  });
  return {
    ...main,
    accessDb,
    connection,
    ...prepared,
    config: { ...config, poolSize },
    async close() {
      await Promise.all([main.close(), accessDb.close()]);
      await server.stop();
    },
  };
}

interface Server {
  readonly connection: ConnectionOptions;
  stop(): Promise<void>;
}

async function openServer(
  config: Config,
  { purpose, mayCreate = purpose === 'service' }: ConnectOptions,
): Promise<Server> {
  const { databaseUrl: connectionString, dataDirectory } = config;
  if (connectionString === undefined) {
    const embedded = await openEmbeddedPostgres({ dataDirectory, purpose, mayCreate });
    const { connection, stop } = embedded;
    return { connection: { ...connection, ssl: false }, stop };
  }
  if (!/^postgres(?:ql)?:\/\//.test(connectionString) || !URL.canParse(connectionString)) {
    throw operatorError('DATABASE_URL must be like postgres://user:password@host:5432/database.');
  }
  return {
    connection: { connectionString: withSslMode(connectionString) },
    stop: async () => undefined,
  };
}

interface PreparedDatabase extends Pick<Connected, 'hasPlaces' | 'migrated' | 'notes'> {
  readonly poolSize: number;
}

/** Prepares the database on a pool of its own: a migration may take longer than a statement of the service. */
async function prepareDatabase(
  connection: ConnectionOptions,
  config: Config,
  { purpose, asItIs = false }: ConnectOptions,
): Promise<PreparedDatabase> {
  const { allowUnsafeDatabase, databasePooled: pooled, migrate: mayMigrate } = config;
  const db = openDatabase({ connection, poolSize: 3, statementTimeout: 0, pooled });
  try {
    await checkServer(db, allowUnsafeDatabase);
    if (!mayMigrate && !asItIs) requireMigrated(await loadBehind(db));
    const notes: string[] = [];
    const migrated = asItIs ? [] : await migrate(db, (note) => notes.push(note));
    const { poolSize, note } =
      purpose === 'service' ? await budgetOf(db, config) : { poolSize: config.poolSize };
    if (note !== undefined) notes.push(note);
    return { hasPlaces: await hasCitus(db), migrated, notes, poolSize };
  } finally {
    await db.close();
  }
}

/** Behind a pooler its settings count. The first process decides for its workers. */
async function budgetOf(db: Queryable, config: Config): Promise<ConnectionBudget> {
  if (config.databasePooled || cluster.isWorker) return { poolSize: config.poolSize };
  return fitPool(config, await loadConnectionRoom(db));
}

function requireMigrated(behind: readonly string[]): void {
  if (behind.length === 0) return;
  const where = behind.length === 1 ? behind[0] : `${behind.length} schemas`;
  throw operatorError(
    `The database is older than this release in ${where}. Run "workspace-records migrate" first.`,
  );
}

function cannotUse(config: Config, error: unknown): Error {
  const place =
    config.databaseUrl === undefined
      ? `the embedded PostgreSQL in ${config.dataDirectory}`
      : `the PostgreSQL of DATABASE_URL (${placeOf(config.databaseUrl)})`;
  return operatorError(`Cannot use ${place}: ${reasonOf(error)}.`, error);
}

/** Host and database only: passwords hide in several parts of a URL. */
function placeOf(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `${host || searchParams.get('host') || 'localhost'}${pathname}`;
}
