// Notifications of PostgreSQL on connections of their own, which come back by themselves.

import pg from 'pg';
import type { DatabaseOptions } from './db.ts';

export interface Listeners {
  /** Call `handler` with the payloads of NOTIFY until `close`; reconnects by itself. Not if pooled. */
  listen(channel: string, handler: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds before a lost connection is made again, and for making it. */
const PAUSE = 500;
const CONNECT_MS = 5000;

export function openListeners({
  connection,
  pooled = false,
}: Pick<DatabaseOptions, 'connection' | 'pooled'>): Listeners {
  const clients = new Set<pg.Client>();
  let closed = false;

  async function listen(channel: string, handler: (payload: string) => void): Promise<void> {
    const client = new pg.Client({
      ...{ ...connection, keepAlive: true, connectionTimeoutMillis: CONNECT_MS },
      application_name: 'workspace-records',
    });
    client.on('notification', (message) => handler(message.payload ?? ''));
    client.on('error', () => undefined);
    await client.connect();
    clients.add(client);
    try {
      if (closed) throw new Error('the listeners were closed while this one connected');
      await client.query(`listen "${channel}"`);
    } catch (error) {
      clients.delete(client);
      await client.end();
      throw error;
    }
    client.once('end', () => {
      clients.delete(client);
      listenAgain(channel, handler);
    });
  }

  function listenAgain(channel: string, handler: (payload: string) => void): void {
    if (closed) return;
    const retry = () => listen(channel, handler).catch(() => listenAgain(channel, handler));
    setTimeout(retry, PAUSE).unref();
  }

  return {
    listen: pooled ? async () => undefined : listen,
    async close() {
      closed = true;
      await Promise.all([...clients].map((client) => client.end()));
    },
  };
}
