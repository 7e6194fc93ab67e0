// A command that starts a job does it here, unless a service is faster; a service completes the job of a killed command.

import { setTimeout as sleep } from 'node:timers/promises';
import { type JobKind, type Lease, openLease } from '../control/jobs/job-lease.ts';
import { type JobRow, loadJobs, requestCancel } from '../control/jobs/jobs.ts';
import type { WorkspaceRow } from '../control/workspace/workspaces.ts';
import { operatorError } from '../errors.ts';
import type { Database } from '../postgres/db.ts';
import { stopOnSignals } from './service/ending.ts';

/** Milliseconds between two looks at a job that a service has taken. */
const LOOK_EVERY = 200;

/** Answers the job when it is over. */
export async function workOff(
  db: Database,
  { id: workspace_id }: WorkspaceRow,
  id: string,
  kind: JobKind,
): Promise<JobRow> {
  let lease: Lease | undefined;
  const forget = stopOnSignals(() => {
    lease?.end('cancelled');
    void requestCancel(db, id);
  });
  try {
    for (;;) {
      lease = await openLease(db, { kinds: [kind.kind], id });
      if (lease !== undefined) await attempt(lease, kind);
      const [row] = await loadJobs(db, { workspace_id, id }, { before: undefined, limit: 1 });
      if (row === undefined) throw operatorError('The job no longer exists.');
      if (row.finished_at !== null) return row;
      await sleep(LOOK_EVERY);
    }
  } finally {
    forget();
  }
}

async function attempt(lease: Lease, kind: JobKind): Promise<void> {
  try {
    await kind.run(lease.job, lease.signal, lease.report);
    await lease.finish();
  } catch (error) {
    await lease.fail(error, undefined);
  }
}

/** Errors: operator errors, when it has not ended well. */
export function requireDone({ state, error }: JobRow): void {
  if (state === 'failed') throw operatorError(String(error));
  if (state === 'cancelled') throw operatorError('Cancelled before the end.');
}
