// The connections of a process to one server: as many as the settings allow, or as many as the server has room for.

import pg from 'pg';
import { unavailable } from '../errors.ts';
import { type DatabaseOptions, unreachable } from './db.ts';
import { typeParser } from './wire-values.ts';

/** `too_many_connections`: of the server, of the database or of the role. */
const TOO_MANY = '53300';
/** Milliseconds after which a pool that found no room tries to grow to its size again. */
const SMALL_FOR = 10_000;
/**
 * Milliseconds after its timeout in which PostgreSQL must have ended a statement; otherwise the server counts as dead
 * and the connection is given up. With the wait in the queue every request is answered within 11 s.
 */
const SLACK = 1000;

/** Plans are short: to compile one takes up to a second, to run it some milliseconds. */
const WITHOUT_JIT = 'set jit = off';

/** The pool connects when it first lends a connection. */
export function openPool(options: DatabaseOptions): pg.Pool {
  const { connection, poolSize, pooled = false, statementTimeout, keepsOpen = false } = options;
  const pool = new pg.Pool({
    ...connection,
    max: poolSize,
    min: keepsOpen ? poolSize : 0,
    pipeline: true,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: 1800,
    application_name: 'workspace-records',
    types: { getTypeParser: typeParser },
    ...(statementTimeout > 0
      ? {
          ...(pooled ? {} : { statement_timeout: statementTimeout }),
          query_timeout: statementTimeout + SLACK,
        }
      : {}),
  } as pg.PoolConfig);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // The first statement does not wait for its answer. A pooler would give the setting to other clients.
    if (!pooled) client.query(WITHOUT_JIT).catch(() => undefined);
  });
  return pool;
}

/**
 * Lend a connection. Where the server has no room for another one, the pool shrinks to those that it has, and waits
 * for one of them. Errors: `service_unavailable`.
 */
export async function lendConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      if (!isTooMany(error)) throw unreachable(error);
      if (pool.totalCount === 0) throw unavailable(error);
      shrink(pool);
    }
  }
}

function isTooMany(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === TOO_MANY;
}

/** pg reads `max` each time it decides whether to connect. */
function shrink(pool: pg.Pool): void {
  const { options } = pool;
  const size = options.max;
  if (pool.totalCount >= size) return;
  options.max = pool.totalCount;
  setTimeout(() => {
    options.max = Math.max(options.max, size);
  }, SMALL_FOR).unref();
}
