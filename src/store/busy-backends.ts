// Which backends of PostgreSQL work on behalf of which workspace, and whether they do work: one that only
// waits for a lock of somebody else may do so for long (D172).

import type pg from 'pg';
import { sql } from '../sql/sql.ts';
import type { Queryable } from './db.ts';
import { runOnce } from './run-once.ts';

/** What connections come from. */
export type Lender = Pick<pg.Pool, 'connect'>;

export interface BusyBackends {
  /** The pool, whose connections count as the workspace's until they are given back. */
  lenderFor(workspace: number): Lender;
  /** True when some of them, or of all, do not wait for a lock. Behind a pooler: when anything answers. */
  isServed(db: Queryable, workspace: number | undefined): Promise<boolean>;
}

export function watchBackends(pool: pg.Pool, pooled: boolean): BusyBackends {
  const busy = new Map<pg.PoolClient, number>();
  pool.on('release', (_, client) => busy.delete(client));
  return {
    lenderFor: (workspace) => ({
      async connect() {
        const client = await pool.connect();
        busy.set(client, workspace);
        return client;
      },
    }),
    async isServed(db, workspace) {
      const pids: number[] = [];
      for (const [client, owner] of busy) {
        if (workspace === undefined || owner === workspace) pids.push(pidOf(client));
      }
      const [row] = await runOnce(
        db,
        sql`select exists (select from pg_stat_activity
          where pid = any(${pids}::integer[]) and wait_event_type is distinct from 'Lock') as served`,
      );
      return pooled || row?.served === true;
    },
  };
}

function pidOf(client: pg.PoolClient): number {
  return (client as unknown as { readonly processID: number }).processID;
}
