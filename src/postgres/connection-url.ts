// The same database for a process that is told of it by DATABASE_URL only. Pure.

import type { ConnectionOptions } from './db.ts';

export function connectionUrl(connection: ConnectionOptions): string {
  const { connectionString, host = '', port, user = '', password = '', database } = connection;
  if (connectionString !== undefined) return connectionString;
  const account = [user, password].map(encodeURIComponent).join(':');
  const parameters = new URLSearchParams({
    host,
    ...(connection.ssl === false ? { sslmode: 'disable' } : {}),
  });
  return `postgres://${account}@localhost:${port}/${database}?${parameters}`;
}
