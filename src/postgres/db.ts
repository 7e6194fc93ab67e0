// PostgreSQL for all other files: one pool per process, typed values, prepared statements, transactions.
// The only file that imports the driver for queries; it knows no table and no rule of the service.

import pg from 'pg';
import { ApiError, unavailable } from '../errors.ts';
import type { CancelSignal } from '../model/cancel-signal.ts';
import type { Statement } from '../sql/sql.ts';
import type { Copying } from './copy.ts';
import { type SendOptions, send, sendAll } from './exchange.ts';
import { lendConnection, openPool } from './pool.ts';
import { isRuined, runCopying, runTransaction } from './transaction.ts';

export type Row = Readonly<Record<string, unknown>>;

export interface ConnectionOptions {
  readonly connectionString?: string;
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
  readonly password?: string;
  /** False on a local socket, whatever PGSSLMODE says. */
  readonly ssl?: false;
}

export interface DatabaseOptions {
  readonly connection: ConnectionOptions;
  readonly poolSize: number;
  /** True: connections that were opened stay, so that none has to be found when the server is full. */
  readonly keepsOpen?: boolean;
  /** Milliseconds a statement may run; 0 for commands that may take long. */
  readonly statementTimeout: number;
  /**
   * True behind a pooler that lends a connection for a transaction only, such as PgBouncer: nothing is
   * left in a session. The statement timeout of the server is that of its role then.
   */
  readonly pooled?: boolean;
  readonly sharing?: Sharing;
  /** Counts everything that is sent. */
  readonly stats?: QueryStats;
  /** Called with failures of idle connections, for the log. */
  readonly onIdleError?: (error: Error) => void;
}

export interface QueryOptions {
  /** False for text that will not come again (DDL). */
  readonly prepare?: boolean | undefined;
  /** When aborted, the statement is cancelled in PostgreSQL. */
  readonly signal?: CancelSignal | undefined;
  /** For a statement that only reads, and of tables only those of this schema (shards.ts). */
  readonly reads?: string | undefined;
}

/** Statements sent, and how often something was sent on a connection that waited for no answer. */
export interface QueryStats {
  statements: number;
  roundTrips: number;
}

/** On whose account something is sent. */
export interface Account {
  /** Counts it beside the statistics of the database. */
  readonly stats?: QueryStats | undefined;
  /** Told the process id of the backend that executes it, and undefined when that is over. */
  readonly onBackend?: ((pid: number | undefined) => void) | undefined;
  /** For several principals: it takes a connection of the share of none of them. */
  readonly isShared?: boolean | undefined;
}

/** Runs statements. */
export interface Queryable {
  query(statement: Statement, options?: QueryOptions): Promise<readonly Row[]>;
}

/** Whether requests share statements: when they meet by chance, or in tests always or never. */
export type Sharing = 'by chance' | 'always' | 'never';

/** A pool, as requests that share statements know it. */
export interface Shareable extends Queryable {
  query(statement: Statement, options?: QueryOptions & Account): Promise<readonly Row[]>;
  /** The same object for everything that goes through one pool. */
  readonly origin: { readonly sharing: Sharing };
  /**
   * For statements and transactions that name tables of this schema only: the database on the server that has them.
   * It is this one itself unless workspaces are on several servers.
   */
  near(schema: string): Database;
}

/** One transaction on one connection. BEGIN travels with the first statements. */
export interface Transaction extends Queryable {
  /** Send statements in one round trip; when one fails, none behind it runs. */
  queryAll(
    statements: readonly Statement[],
    options?: QueryOptions,
  ): Promise<readonly (readonly Row[])[]>;
  /** Send the last statements together with COMMIT: one round trip. */
  finish(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
}

/** A transaction, and on whose account it is. */
export interface TransactionOptions extends Account {
  /** For one whose statements name tables of this schema only (shards.ts). */
  readonly writes?: string | undefined;
}

export interface Database extends Shareable {
  /** Run `work` in a transaction; repeated up to three times on deadlock or serialisation failure. */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Run `work` in a transaction, once: what was read from a stream cannot be read again. */
  copying<Result>(work: (tx: Transaction & Copying) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** The connections to one server. */
export interface Server extends Database {
  /** With `opening`, which travels with BEGIN and counts as little as that. */
  transaction<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions & { readonly opening?: Statement },
  ): Promise<Result>;
  /** Send a statement, and what is asked about it behind it, as one message; they count as one. */
  queryAll(
    statements: readonly Statement[],
    options?: QueryOptions & Account,
  ): Promise<readonly (readonly Row[])[]>;
}

const RETRIES = 3;
/** Serialisation failure, deadlock, and a plan that outlived its table (nothing ran yet). */
const RETRYABLE: ReadonlySet<unknown> = new Set(['40001', '40P01', '0A000']);

/** Open a pool; nothing is connected before the first statement. */
export function openDatabase(options: DatabaseOptions): Server {
  const { pooled = false, stats: total, onIdleError } = options;
  const pool = openPool(options);
  let closed = false;
  // The pool lets its connections go without waiting for them: what they say after that is no news.
  pool.on('error', (error) => {
    if (!closed) onIdleError?.(error);
  });
  const known = pooled ? undefined : options.connection;
  const sendingFor = ({ stats }: Account, prepare = true): SendOptions => ({
    counted: [total, stats].filter((one) => one !== undefined),
    prepare: prepare && !pooled,
  });
  function ask<Answer>(
    options: QueryOptions & Account,
    sendOn: (client: pg.PoolClient, sending: SendOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const sending = sendingFor(options, options.prepare);
    const cancellation = { connection: known, signal: options.signal };
    return onClient({ pool, account: options }, (client) =>
      cancelOnAbort(client, cancellation, () => sendOn(client, sending)),
    );
  }
  const database: Server = {
    origin: { sharing: options.sharing ?? 'by chance' },
    near: () => database,
    query: (statement, options = {}) =>
      ask(options, (client, sending) => send(client, statement, sending)),
    queryAll: (statements, options = {}) =>
      ask(options, async (client, sending) => {
        for (const stats of sending.counted) stats.statements += 1;
        const results = await sendAll(client, statements, sending);
        return results.map(({ rows }) => rows);
      }),
    transaction: (work, { opening, ...account } = {}) =>
      onClient({ pool, account }, (client) =>
        runTransaction(client, { ...sendingFor(account), opening }, work),
      ),
    copying: (work) =>
      withClient({ pool, account: {} }, (client) => runCopying(client, sendingFor({}), work)),
    async close() {
      closed = true;
      await pool.end();
    },
  };
  return database;
}

/** The same database with some of it done otherwise, on each of its servers. */
export function wrapDatabase(
  db: Database,
  otherwise: (server: Database) => Partial<Omit<Database, 'near'>>,
): Database {
  const own: Database = {
    ...db,
    ...otherwise(db),
    near(schema) {
      const server = db.near(schema);
      return server === db ? own : wrapDatabase(server, otherwise);
    },
  };
  return own;
}

/** Where connections come from, and for whom. */
interface Source {
  readonly pool: pg.Pool;
  readonly account: Account;
}

function onClient<Result>(
  source: Source,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return withRetries(() => withClient(source, work));
}

interface Cancellation {
  /** Undefined: behind a pooler nobody knows which backend it is. */
  readonly connection: ConnectionOptions | undefined;
  readonly signal: CancelSignal | undefined;
}

/** The connection is not given back before a cancellation is over: it must not hit what comes next. */
async function cancelOnAbort<Result>(
  client: pg.PoolClient,
  { connection, signal }: Cancellation,
  run: () => Promise<Result>,
): Promise<Result> {
  if (signal?.aborted === true) throw unavailable(signal.reason);
  if (signal === undefined || connection === undefined) return run();
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = cancelBackend(connection, client);
  };
  signal.addEventListener('abort', cancel);
  try {
    return await run();
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelling;
  }
}

/** On a connection of its own: the pool may be exhausted by just what is to be cancelled. */
async function cancelBackend(connection: ConnectionOptions, busy: pg.PoolClient): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'workspace-records' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_cancel_backend($1::integer)', [pidOf(busy)]);
  } catch {
    // The statement timeout ends the statement in any case.
  } finally {
    await client.end().catch(() => undefined);
  }
}

function pidOf(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}

/** Lend a connection; one that failed in an unknown state is destroyed, not returned. */
async function withClient<Result>(
  { pool, account: { onBackend } }: Source,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await lendConnection(pool);
  onBackend?.(pidOf(client));
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    const isKnown = isDatabaseError(error) || error instanceof ApiError;
    broken = !isKnown || isStalePlan(error) || isRuined(client);
    throw mapFailure(error);
  } finally {
    onBackend?.(undefined);
    client.release(broken);
  }
}

async function withRetries<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries > RETRIES || !isDatabaseError(error) || !RETRYABLE.has(error.code)) throw error;
    }
  }
}

/** An error that PostgreSQL itself reported, with its SQLSTATE in `code`. */
export function isDatabaseError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** Classes of SQLSTATEs: wrong data, broken constraints, rows that are too long. */
const REFUSED = /^(?:22|23|54)/;

/** True when PostgreSQL has refused values, whoever sends them and however often. */
export function isRefusedByDatabase(error: unknown): error is pg.DatabaseError {
  return isDatabaseError(error) && REFUSED.test(error.code ?? '');
}

/** SQLSTATEs of a server that goes down or comes up. */
const GOING = /^57P0[1-3]$/;

/** True for the failure to reach a server at all; false when it is there and only slow. */
export function isAway(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error;
  if (isDatabaseError(cause)) return GOING.test(cause.code ?? '');
  if (!(cause instanceof Error)) return false;
  return 'code' in cause || cause.message.startsWith('Connection terminated unexpectedly');
}

/**
 * True for a statement that was ended because it took longer than its time; false where a server says so in another
 * language than English.
 */
export function isOverTime(error: unknown): boolean {
  const cause = error instanceof ApiError ? error.cause : error;
  return (
    isDatabaseError(cause) && cause.code === '57014' && / statement timeout$/.test(cause.message)
  );
}

/** A prepared statement outlived a change of its table; a fresh connection has none. */
function isStalePlan(error: unknown): boolean {
  return isDatabaseError(error) && error.code === '0A000';
}

/** SQLSTATEs and classes that mean "not now": cancelled, out of resources, going down, gone. */
const UNAVAILABLE = /^(?:57014|55P03|57P0[0-5]|53...|08...|58030|XX000|25P0[34])$/;

function mapFailure(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (isDatabaseError(error)) {
    return UNAVAILABLE.test(error.code ?? '') ? unavailable(error) : error;
  }
  return isConnectionFailure(error) ? unavailable(error) : error;
}

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && /^(?:E[A-Z]+)$/.test(String(error.code))) return true;
  return /^(?:Connection terminated|Query read timeout|Client has encountered|timeout exceeded)/.test(
    error.message,
  );
}
