// One connection outside of the pools, for what lasts as long as a session: advisory locks.

import pg from 'pg';
import type { ConnectionOptions, Row } from './db.ts';

export interface Session {
  query(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Call `handler` once when the connection has ended, for whatever reason. */
  onEnd(handler: () => void): void;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** The name that others read in `pg_stat_activity.application_name`. */
  readonly name: string;
  /** Milliseconds to connect, and for an answer. */
  readonly timeout: number;
  /** Milliseconds to wait for a lock. */
  readonly lockTimeout: number;
}

/** Connects. Errors: those of the driver, with their SQLSTATE or the code of the socket in `code`. */
export async function openSession(
  connection: ConnectionOptions,
  { name, timeout, lockTimeout }: SessionOptions,
): Promise<Session> {
  const client = new pg.Client({
    ...connection,
    application_name: name,
    connectionTimeoutMillis: timeout,
    query_timeout: timeout,
    lock_timeout: lockTimeout,
  });
  client.on('error', () => undefined); // "end" follows
  try {
    await client.connect();
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
  return {
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
    onEnd: (handler) => void client.once('end', handler),
    close: () => client.end(),
  };
}
