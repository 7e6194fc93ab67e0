// The kind of the jobs that apply definitions, for the process that runs jobs.

import { ApiError, isOperatorError } from '../errors.ts';
import type { JobKind } from '../flow/job-runner.ts';
import type { Database } from '../postgres/db.ts';
import { APPLY_JOBS, runApplyJob } from '../provision/definition-job.ts';

/** Its statements may take as long as they need: `db` has no limit of time. */
export function applyingDefinitions(db: Database): JobKind {
  return {
    kind: APPLY_JOBS,
    isFinal: (error) =>
      isOperatorError(error) || (error instanceof ApiError && error.code !== 'service_unavailable'),
    run: (job, signal, report) => runApplyJob(db, job, signal, report),
  };
}
