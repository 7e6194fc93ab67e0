// Whether backends of PostgreSQL do work: one that only waits for a lock of somebody else may do so for
// long (D172).

import { sql } from '../sql/sql.ts';
import type { Queryable } from './db.ts';
import { runOnce } from './run-once.ts';

/** True when some of these backends do not wait for a lock. */
export async function isAnyWorking(db: Queryable, pids: readonly number[]): Promise<boolean> {
  const [row] = await runOnce(
    db,
    sql`select exists (select from pg_stat_activity
      where pid = any(${pids}::integer[]) and wait_event_type is distinct from 'Lock') as working`,
  );
  return row?.working === true;
}
