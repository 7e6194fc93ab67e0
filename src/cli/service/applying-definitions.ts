// The kind of the jobs that apply definitions, for the process that runs jobs.

import type { JobKind } from '../../control/jobs/job-lease.ts';
import { APPLY_JOBS, runApplyJob } from '../../definitions/apply/definition-job.ts';
import type { Database } from '../../postgres/db.ts';

/**
 * The job that applies definitions. `db` has no limit of time, because its statements may take as long as they need.
 */
export function applyingDefinitions(db: Database): JobKind {
  return {
    kind: APPLY_JOBS,
    run: (job, signal, report) => runApplyJob(db, job, signal, report),
  };
}
