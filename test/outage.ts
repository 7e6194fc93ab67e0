// A database that is away for a while.

import pg from 'pg';
import { inject } from 'vitest';
import type { OwnDatabase } from './own-database.ts';

/** Ends the connections of the database and refuses new ones until `work` is over. */
export async function duringOutage<T>(
  { connection }: OwnDatabase,
  work: () => Promise<T>,
): Promise<T> {
  const { database } = connection;
  const server = new pg.Client(inject('postgres') as pg.ClientConfig);
  await server.connect();
  try {
    await server.query(`alter database ${database} allow_connections false`);
    await server.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1',
      [database],
    );
    return await work();
  } finally {
    await server.query(`alter database ${database} allow_connections true`);
    await server.end();
  }
}
