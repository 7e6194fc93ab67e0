// Opens the pool of a process: typed values, prepared statements, transactions. It depends on no table and no rule of
// the service.

import pg from 'pg';
import { ApiError, unavailable } from '../errors.ts';
import type { CancelSignal } from '../model/cancel-signal.ts';
import {
  type Account,
  type ConnectionOptions,
  type DatabaseOptions,
  isDatabaseError,
  isStalePlan,
  mapFailure,
  type QueryOptions,
  type Server,
} from './db.ts';
import { type SendOptions, send, sendAll } from './exchange.ts';
import { lendConnection, openPool } from './pool.ts';
import { isRuined, isUndone, runCopying, runTransaction } from './transaction.ts';

const RETRIES = 3;
/** Serialisation failure, deadlock, and a plan that outlived its table (no statement ran yet). */
const RETRYABLE: ReadonlySet<unknown> = new Set(['40001', '40P01', '0A000']);

/** Open a pool; it connects with the first statement. */
export function openDatabase(options: DatabaseOptions): Server {
  const { pooled = false, stats: total, onIdleError } = options;
  const pool = openPool(options);
  let closed = false;
  // The pool drops its connections without waiting for them: later errors of theirs do not matter.
  pool.on('error', (error) => {
    if (!closed) onIdleError?.(error);
  });
  const directConnection = pooled ? undefined : options.connection;
  const sendingFor = ({ stats }: Account, prepare = true): SendOptions => ({
    counted: [total, stats].filter((one) => one !== undefined),
    prepare: prepare && !pooled,
  });
  function ask<Answer>(
    options: QueryOptions & Account,
    sendOn: (client: pg.PoolClient, sending: SendOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const sending = sendingFor(options, options.prepare);
    const cancellation = { connection: directConnection, signal: options.signal };
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
  /** Undefined: behind a pooler the backend is unknown. */
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

/** Milliseconds that a cancellation may take: a server that is away holds its connection no longer. */
const CANCEL_MS = 2000;

/** Cancels on a connection of its own: the statements to cancel may have exhausted the pool. */
async function cancelBackend(connection: ConnectionOptions, busy: pg.PoolClient): Promise<void> {
  const limits = { connectionTimeoutMillis: CANCEL_MS, query_timeout: CANCEL_MS };
  const client = new pg.Client({
    ...{ ...connection, ...limits },
    application_name: 'workspace-records',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_cancel_backend($1::integer)', [pidOf(busy)]);
  } catch {
    // The statement timeout ends the statement in any case.
  } finally {
    // Not waited for: it waits for the server.
    client.end().catch(() => undefined);
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
    const isKnown = isDatabaseError(error) || error instanceof ApiError || isUndone(error);
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
