// The limit of tasks that run at the same time in this process; the others wait in the order they came.

import { unavailable } from '../../errors.ts';

/** Runs a task once there is room for it. Errors: its own, `service_unavailable` when too many wait. */
export type ConcurrencyLimit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** At most `limit` tasks run at the same time, and at most `mostWaiting` wait. */
export function limitConcurrency(limit: number, mostWaiting = Infinity): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (task) => {
    if (free > 0) free -= 1;
    else if (waiting.length >= mostWaiting) throw unavailable(new Error('too many tasks wait'));
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The slot passes directly to the next task.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
