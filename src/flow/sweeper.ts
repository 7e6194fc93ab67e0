// Forgets stored answers of Idempotency-Keys whose 24 hours are over, a few at a time: nobody waits for
// it, and several processes may do it at once.

import { forgetAnswersSql } from '../sql/idempotency-sql.ts';
import { toStatement } from '../sql/sql.ts';
import type { Database, Queryable } from '../store/db.ts';
import { listWorkspaces } from '../store/workspaces.ts';

/** Rows that one statement deletes: few enough to hold no lock for long. */
const MOST = 1000;
/** Milliseconds between two passes. */
const EVERY = 10 * 60_000;

/** Sweep now and then until `stop`. `onError` is told when a pass fails; the next one tries again. */
export function startSweeping(db: Database, onError: (error: unknown) => void): { stop(): void } {
  let stopped = false;
  const timer = setInterval(() => {
    sweep(db, () => stopped).catch((error: unknown) => {
      if (!stopped) onError(error);
    });
  }, EVERY).unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}

/** One pass over all workspaces; answers how many rows it has deleted. */
export async function sweep(
  db: Queryable,
  isStopped: () => boolean = () => false,
): Promise<number> {
  let total = 0;
  for (const { schema } of await listWorkspaces(db)) {
    for (let last = MOST; last === MOST && !isStopped(); total += last) {
      const statement = toStatement(forgetAnswersSql(schema, MOST));
      // Not prepared: with thousands of workspaces each text comes once in a pass.
      const [row] = await db.query(statement, { prepare: false });
      last = Number(row?.forgotten);
    }
  }
  return total;
}
