// The door to PostgreSQL: one pool per process, typed values, prepared statements, transactions.
// The only file that imports the driver for queries; it knows no table and no rule of the service.

import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { ApiError, unavailable } from '../errors.ts';
import type { Statement } from '../sql/sql.ts';
import { typeParser } from './wire-values.ts';

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
  /** Milliseconds a statement may run; 0 for commands that may take long. */
  readonly statementTimeout: number;
  /** Called with failures of idle connections, for the log. */
  readonly onIdleError?: (error: Error) => void;
}

export interface QueryOptions {
  /** False for text that will not come again (DDL). */
  readonly prepare?: boolean;
  /** When aborted, the statement is cancelled in PostgreSQL. */
  readonly signal?: AbortSignal;
}

/** Runs statements. */
export interface Queryable {
  query(statement: Statement, options?: QueryOptions): Promise<readonly Row[]>;
}

/** One transaction on one connection. Statements are sent at once and answered in order. */
export interface Transaction extends Queryable {
  /** Send the last statements together with COMMIT: one round trip. */
  finish(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]>;
}

export interface Database extends Queryable {
  /** Run `work` in a transaction; repeated up to three times on deadlock or serialisation failure. */
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Call `handler` with the payloads of NOTIFY until `close`; reconnects by itself. */
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  /** Statements sent since the start, for tests and logs. */
  statementCount(): number;
  /** How often something was sent on a connection that waited for no answer. */
  roundTripCount(): number;
  close(): Promise<void>;
}

/** About 20 kB each in the backend; enough for a statement in each of 1,000 workspaces. */
const NAMED_STATEMENTS_PER_CONNECTION = 1000;
const RETRIES = 3;
/** Serialisation failure, deadlock, and a plan that outlived its table (nothing ran yet). */
const RETRYABLE: ReadonlySet<unknown> = new Set(['40001', '40P01', '0A000']);

/** Open a pool; nothing is connected before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    ...options.connection,
    max: options.poolSize,
    pipeline: true,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1800,
    application_name: 'workspace-records',
    types: { getTypeParser: typeParser },
    ...(options.statementTimeout > 0
      ? {
          statement_timeout: options.statementTimeout,
          query_timeout: options.statementTimeout + 2000,
        }
      : {}),
  } as pg.PoolConfig);
  let closed = false;
  // The pool lets its connections go without waiting for them: what they say after that is no news.
  const report = (error: Error) => {
    if (!closed) options.onIdleError?.(error);
  };
  pool.on('error', report);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const counter: Counter = { statements: 0, roundTrips: 0 };
  const listeners: pg.Client[] = [];

  async function listenOnce(channel: string, handler: (payload: string) => void): Promise<void> {
    const client = new pg.Client({ ...options.connection, application_name: 'workspace-records' });
    client.on('notification', (message) => handler(message.payload ?? ''));
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`listen "${channel}"`);
    listeners.push(client);
    client.once('end', () => {
      listeners.splice(listeners.indexOf(client), 1);
      reconnect(channel, handler);
    });
  }

  function reconnect(channel: string, handler: (payload: string) => void): void {
    if (closed) return;
    const retry = () => listenOnce(channel, handler).catch(() => reconnect(channel, handler));
    setTimeout(retry, 500).unref();
  }

  return {
    query: (statement, { prepare = true, signal } = {}) =>
      withRetries(() =>
        withClient(pool, (client) =>
          cancelOnAbort(client, { connection: options.connection, signal }, () =>
            send(client, statement, { prepare, counter }),
          ),
        ),
      ),
    transaction: (work) => withRetries(() => runTransaction(pool, counter, work)),
    listen: listenOnce,
    statementCount: () => counter.statements,
    roundTripCount: () => counter.roundTrips,
    async close() {
      closed = true;
      await Promise.all([pool.end(), ...listeners.map((client) => client.end())]);
    },
  };
}

interface Counter {
  statements: number;
  roundTrips: number;
}

interface SendOptions {
  readonly prepare: boolean;
  readonly counter: Counter;
}

async function send(
  client: pg.PoolClient,
  statement: Statement,
  { prepare, counter }: SendOptions,
): Promise<readonly Row[]> {
  counter.statements += 1;
  const { text, values } = statement;
  const named = prepare ? nameStatement(client, text) : { text };
  return (await exchange(client, counter, { ...named, values: [...values] })).rows;
}

/** Queries without an answer yet, by connection. */
const unanswered = new WeakMap<pg.PoolClient, number>();

/** Send one message; what is sent while answers are awaited travels in the same round trip. */
async function exchange(
  client: pg.PoolClient,
  counter: Counter,
  query: string | pg.QueryConfig,
): Promise<pg.QueryResult> {
  const before = unanswered.get(client) ?? 0;
  if (before === 0) counter.roundTrips += 1;
  unanswered.set(client, before + 1);
  try {
    return await client.query(query);
  } finally {
    unanswered.set(client, (unanswered.get(client) ?? 1) - 1);
  }
}

interface Cancellation {
  readonly connection: ConnectionOptions;
  readonly signal: AbortSignal | undefined;
}

/** The connection is not given back before a cancellation is over: it must not hit what comes next. */
async function cancelOnAbort<Result>(
  client: pg.PoolClient,
  { connection, signal }: Cancellation,
  run: () => Promise<Result>,
): Promise<Result> {
  if (signal === undefined) return run();
  if (signal.aborted) throw unavailable(signal.reason);
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = cancelBackend(connection, client);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await run();
  } finally {
    signal.removeEventListener('abort', cancel);
    await cancelling;
  }
}

/** On a connection of its own: the pool may be exhausted by just what is to be cancelled. */
async function cancelBackend(connection: ConnectionOptions, busy: pg.PoolClient): Promise<void> {
  const { processID } = busy as unknown as { readonly processID: number };
  const client = new pg.Client({ ...connection, application_name: 'workspace-records' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_cancel_backend($1)', [processID]);
  } catch {
    // The statement timeout ends the statement in any case.
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface NamedText {
  readonly name: string;
  /** The same string each time: the driver keeps and compares it for each connection. */
  readonly text: string;
}

const namedTexts = new LRUCache<string, NamedText>({ max: 5000 });
const namesOfClient = new WeakMap<pg.PoolClient, Set<string>>();

/**
 * A stable name per text; none for a text that is new to the process, which may never come again,
 * and none once the connection holds its share of prepared statements.
 */
function nameStatement(client: pg.PoolClient, text: string): Partial<NamedText> & { text: string } {
  const named = namedTexts.get(text);
  if (named === undefined) {
    const name = `s${createHash('sha1').update(text).digest('base64url')}`;
    namedTexts.set(text, { name, text });
    return { text };
  }
  const names = namesOfClient.get(client) ?? new Set();
  namesOfClient.set(client, names);
  if (!names.has(named.name)) {
    if (names.size >= NAMED_STATEMENTS_PER_CONNECTION) return { text };
    names.add(named.name);
  }
  return named;
}

/** Connections that may be in a transaction still. */
const ruined = new WeakSet<pg.PoolClient>();

/** Lend a connection; one that failed in an unknown state is destroyed, not returned. */
async function withClient<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  let broken = false;
  try {
    return await work(client);
  } catch (error) {
    const isKnown = isDatabaseError(error) || error instanceof ApiError;
    broken = !isKnown || isStalePlan(error) || ruined.has(client);
    throw mapFailure(error);
  } finally {
    client.release(broken);
  }
}

async function runTransaction<Result>(
  pool: pg.Pool,
  counter: Counter,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return withClient(pool, async (client) => {
    let finished = false;
    let isOver = false;
    let refusal: unknown;
    const begin = exchange(client, counter, 'begin');
    // Nothing may run outside of the transaction, and a failure that nobody waits for yet is no crash.
    begin.catch((error: unknown) => {
      refusal = error;
    });
    const query: Queryable['query'] = async (statement, { prepare = true } = {}) => {
      if (refusal !== undefined) throw refusal;
      return send(client, statement, { prepare, counter });
    };
    async function commit(): Promise<void> {
      finished = true;
      const { command } = await exchange(client, counter, 'commit');
      isOver = true;
      if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}`);
    }
    try {
      const result = await work({
        query,
        async finish(statements) {
          await begin;
          const sent = statements.map((statement) => query(statement));
          const committed = commit();
          const settled = await Promise.allSettled([...sent, committed]);
          throwFirstFailure(settled);
          return Promise.all(sent);
        },
      });
      await begin;
      if (!finished) await commit();
      return result;
    } catch (error) {
      await begin.catch(() => undefined);
      if (!isOver) {
        await exchange(client, counter, 'rollback').catch(() => ruined.add(client));
      }
      throw error;
    }
  });
}

/** The first failure is the cause; those behind it only say the transaction is aborted. */
function throwFirstFailure(settled: readonly PromiseSettledResult<unknown>[]): void {
  const failure = settled.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw (failure as PromiseRejectedResult).reason;
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
