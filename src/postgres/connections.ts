// All that a process of the service has of one server: a database, its tenants, its notifications, and
// how much was sent. A command that only runs statements needs the database alone (db.ts).

import type { Database, QueryStats } from './db.ts';
import { type Listeners, openListeners } from './listen.ts';
import { openDatabases, type PlacesOptions } from './places.ts';
import { openTenants, type Tenants } from './tenants.ts';

export interface Connections {
  /** The database for the statements of the service itself. */
  readonly db: Database;
  /** The databases for the statements of requests. */
  readonly tenants: Tenants;
  readonly listeners: Listeners;
  /** Since the start, of all tenants. */
  readonly stats: Readonly<QueryStats>;
  close(): Promise<void>;
}

/** The pools connect with the first statement. */
export function openConnections(options: PlacesOptions): Connections {
  const stats: QueryStats = { statements: 0, roundTrips: 0 };
  const db = openDatabases({ ...options, stats });
  const listeners = openListeners(options);
  return {
    db,
    tenants: openTenants(db, options),
    listeners,
    stats,
    async close() {
      await Promise.all([db.close(), listeners.close()]);
    },
  };
}
