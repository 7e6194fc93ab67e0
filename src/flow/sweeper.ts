// Forgets stored answers of Idempotency-Keys whose 24 hours are over, a few at a time: nobody waits for
// it, and several processes may do it at once.

import { forgetAnswersSql } from '../sql/idempotency-sql.ts';
import { type Database, isDatabaseError, type Queryable } from '../store/db.ts';
import { runOnce } from '../store/run-once.ts';
import { listWorkspaces } from '../store/workspaces.ts';

/** Rows that one statement deletes: few enough to hold no lock for long. */
const MOST = 1000;
/** Unknown table, unknown schema. */
const GONE: ReadonlySet<unknown> = new Set(['42P01', '3F000']);
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
      last = await forget(db, schema);
    }
  }
  return total;
}

async function forget(db: Queryable, schema: string): Promise<number> {
  try {
    const [row] = await runOnce(db, forgetAnswersSql(schema, MOST));
    return Number(row?.forgotten);
  } catch (error) {
    // The workspace has been deleted since it was listed.
    if (isDatabaseError(error) && GONE.has(error.code)) return 0;
    throw error;
  }
}
