// Requests that wait for a job: one query for the jobs of all of them, of all people and workspaces, twice a second
// while there are any (D415). It holds no connection between two queries.

import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type JobRow, loadJobStates } from '../../control/jobs/jobs.ts';
import type { CancelSignal } from '../../model/cancel-signal.ts';
import type { Queryable } from '../../postgres/db.ts';

export interface JobWait {
  /** The job at the start of the wait. */
  readonly job: Pick<JobRow, 'id' | 'state'>;
  readonly milliseconds: number;
  /** Each of them ends the wait. */
  readonly signals: readonly CancelSignal[];
  /** Fails when the caller no longer has the right: then the wait ends. */
  admitAgain(): unknown;
}

/** Resolves when the job is in another state, when the time is over, or when requests may not wait. */
export type WaitForJob = (wait: JobWait) => Promise<void>;

interface Waiter extends Pick<JobWait, 'job' | 'admitAgain'> {
  end(): void;
}

/** Milliseconds from the end of one look to the next. */
const LOOK_EVERY_MS = 500;
/** Waits that are judged before the event loop may do other work. */
const JUDGED_AT_ONCE = 200;

export function openJobWaits(db: Queryable): WaitForJob {
  const waiters = new Set<Waiter>();
  let isLooking = false;

  async function pollWhileWaiting(): Promise<void> {
    isLooking = true;
    while (waiters.size > 0) {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
      // Without a database all continue to wait: their answers report the problem.
      await look(db, waiters).catch(() => undefined);
    }
    isLooking = false;
  }

  return async ({ job, milliseconds, signals, admitAgain }) => {
    if (signals.some(({ aborted }) => aborted)) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        waiters.delete(waiter);
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener('abort', end);
        resolve();
      };
      const waiter = { job, admitAgain, end };
      const timer = setTimeout(end, milliseconds);
      for (const signal of signals) signal.addEventListener('abort', end);
      waiters.add(waiter);
      if (!isLooking) void pollWhileWaiting();
    });
  };
}

async function look(db: Queryable, waiters: ReadonlySet<Waiter>): Promise<void> {
  const waiting = [...waiters];
  if (waiting.length === 0) return;
  const states = await loadJobStates(db, [...new Set(waiting.map(({ job }) => job.id))]);
  for (const [index, waiter] of waiting.entries()) {
    if (states.get(waiter.job.id) !== waiter.job.state) waiter.end();
    else void endWithRights(waiter);
    if (index % JUDGED_AT_ONCE === JUDGED_AT_ONCE - 1) await yieldToEventLoop();
  }
}

async function endWithRights({ admitAgain, end }: Waiter): Promise<void> {
  try {
    await admitAgain();
  } catch {
    end();
  }
}
