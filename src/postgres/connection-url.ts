// The URL of a database: as settings have it, and for a process that gets it only by DATABASE_URL. Pure.

import type { ConnectionOptions } from './db.ts';

/** Words of `sslmode` that the driver takes for `verify-full`, with a warning of seven lines. */
const VERIFYING: ReadonlySet<string | null> = new Set(['prefer', 'require', 'verify-ca']);

/** The URL with the TLS mode that the driver in fact uses (docs/operations.md). */
export function withSslMode(url: string): string {
  const parsed = new URL(url);
  const { searchParams } = parsed;
  const isLibpq = searchParams.get('uselibpqcompat') === 'true';
  if (isLibpq || !VERIFYING.has(searchParams.get('sslmode'))) return url;
  searchParams.set('sslmode', 'verify-full');
  return parsed.href;
}

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
