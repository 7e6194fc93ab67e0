// The locks that a change of the definition takes: at once, and before the data is checked, so that no row is written
// between the check and the change.

import { setTimeout as sleep } from 'node:timers/promises';
import { lockRevision, type WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { isShard } from '../../postgres/citus.ts';
import { isDatabaseError, type Queryable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { closeShardSql } from '../../sql/read/place-sql.ts';
import { identifier, joinSql, type Sql, sql } from '../../sql/sql.ts';
import type { Change } from '../changes/change.ts';
import { kindOf } from '../changes/kinds/index.ts';

/** A workspace that is closed to writers. */
type Closed = Pick<WorkspaceRow, 'id' | 'schema'>;

/** Tables that get another shape are closed; those that only get other rows are closed to writers. */
export async function lockTables(
  tx: Queryable,
  schema: string,
  changes: readonly Change[],
  closed?: Closed,
): Promise<void> {
  const taken = changes.map((change) => kindOf(change).locks(change));
  const changed = new Set(taken.flatMap(({ reshaped = [] }) => reshaped));
  const written = new Set(taken.flatMap(({ rewritten = [] }) => rewritten));
  const judged = changes.flatMap(({ requirements }) =>
    requirements.map(({ object }) => object.table),
  );
  const rewritten = [...written].filter((table) => !changed.has(table));
  const readTables = [...new Set(judged)].filter(
    (table) => !changed.has(table) && !written.has(table),
  );
  const locks = [
    ...lockSql(schema, [...changed], sql`access exclusive`),
    // No transaction may hold a row of it while it waits to write it.
    ...lockSql(schema, rewritten, sql`exclusive`),
    ...lockSql(schema, readTables, sql`share row exclusive`),
  ];
  if (locks.length === 0 && closed === undefined) return;
  await endMaintenance(tx, schema, [...changed, ...rewritten, ...readTables]);
  await lockPatiently(tx, { schema, locks, closed });
}

/** Close one table, so that it gets another shape. */
export async function lockTable(tx: Queryable, schema: string, table: string): Promise<void> {
  await endMaintenance(tx, schema, [table]);
  await lockPatiently(tx, { schema, locks: lockSql(schema, [table], sql`access exclusive`) });
}

/** Only this transaction writes the table until it ends; all others can read it. */
export async function closeToWriters(tx: Queryable, schema: string, table: string): Promise<void> {
  await endMaintenance(tx, schema, [table]);
  await lockPatiently(tx, { schema, locks: lockSql(schema, [table], sql`share row exclusive`) });
  await waitAtMost(tx, 0);
}

/** Milliseconds to wait for maintenance of the tables. */
const MAINTENANCE_MS = 6000;

/**
 * Wait until nothing vacuums the tables or builds indexes of them, and keep it so, while clients read and write.
 * PostgreSQL cancels a vacuum that it has begun by itself when others wait for `deadlock_timeout`, a second, which is
 * longer than clients may be delayed.
 */
async function endMaintenance(
  tx: Queryable,
  schema: string,
  tables: readonly string[],
): Promise<void> {
  const locks = lockSql(schema, tables, sql`share update exclusive`);
  if (locks.length > 0) await waitAtMost(tx, MAINTENANCE_MS);
  for (const lock of locks) await runOnce(tx, lock);
}

async function waitAtMost(tx: Queryable, milliseconds: number): Promise<void> {
  await runOnce(tx, sql`select set_config('lock_timeout', ${String(milliseconds)}, true)`);
}

function lockSql(schema: string, tables: readonly string[], mode: Sql): readonly Sql[] {
  if (tables.length === 0) return [];
  const names = [...tables].sort().map((table) => identifier(schema, table));
  return [sql`lock table ${joinSql(names, ', ')} in ${mode} mode`];
}

/**
 * Milliseconds to wait for the locks at a time: all statements that need the tables queue behind. In between they are
 * let through, behind the transaction that delays the locks.
 */
const WAIT_MS = 400;
const PAUSE_MS = 200;
const ATTEMPTS = 10;
/**
 * Milliseconds to wait afterwards, while the tables are closed: longer than `deadlock_timeout`, for a new foreign key
 * needs the table that it leads to, and that may be vacuumed as well.
 */
const WAIT_CLOSED_MS = 1500;

interface LockRequest {
  readonly schema: string;
  readonly locks: readonly Sql[];
  readonly closed?: Closed | undefined;
}

/**
 * All locks or none. A lock of a table of Citus does not block writes to the table of the shard itself: these are
 * blocked all together. Errors: 55P03 when the tables are in use for too long.
 */
async function lockPatiently(tx: Queryable, { schema, locks, closed }: LockRequest): Promise<void> {
  const gates = (await isShard(tx, schema)) ? [closeShardSql(schema)] : [];
  await waitAtMost(tx, WAIT_MS);
  for (let attempt = 1; ; attempt += 1) {
    await runOnce(tx, sql`savepoint unlocked`);
    try {
      for (const lock of [...gates, ...locks]) await runOnce(tx, lock);
      if (closed !== undefined) await lockRevision(tx, closed);
      break;
    } catch (error) {
      if (attempt === ATTEMPTS || !isDatabaseError(error) || error.code !== '55P03') throw error;
      await runOnce(tx, sql`rollback to savepoint unlocked`);
      await sleep(PAUSE_MS);
    }
  }
  await runOnce(tx, sql`release savepoint unlocked`);
  await waitAtMost(tx, WAIT_CLOSED_MS);
}
