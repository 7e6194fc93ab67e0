// The jobs of a workspace over HTTP: administrators see all of them, others their own (D247). Parsing and presenting;
// the rows are those of control/jobs/jobs.ts.

import Type from 'typebox';
import { loadRefused } from '../../control/jobs/bulk-rows.ts';
import { loadFirstRejects } from '../../control/jobs/import-rows.ts';
import { BULK_JOBS, ERASURE_JOBS, IMPORT_JOBS } from '../../control/jobs/job-kinds.ts';
import { type JobFilter, type JobRow, loadJobs, loadMappings } from '../../control/jobs/jobs.ts';
import { ApiError } from '../../errors.ts';
import { cancelJob as endJob } from '../../flow/jobs/job-requests.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, mayReadRecords } from '../../model/rights/access.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import type { Queryable } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { loadPage } from '../listed-pages.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import { JobDetails, JobSummary, presentJob, presentJobDetails } from './job-shapes.ts';

const nothing = Type.Object({}, closed);
export const JobParams = Type.Object(
  { job_id: Type.String({ minLength: 1, maxLength: LIMITS.idLength }) },
  closed,
);

export const listJobs = defineRoute({
  method: 'GET',
  path: '/jobs',
  operationId: 'listJobs',
  tag: 'Administration',
  summary: 'List jobs',
  description: 'Newest first. Administrators see those of the workspace, others their own.',
  scope: 'workspace:read',
  params: nothing,
  query: Type.Object(
    {
      kind: Type.Optional(Type.String({ pattern: '^[a-z_]{1,50}$' })),
      state: Type.Optional(Type.Enum(['queued', 'running', 'done', 'failed', 'cancelled'])),
      limit: limitQuery(LIMITS.defaultPageSize.jobs),
      cursor: CursorQuery,
    },
    closed,
  ),
  status: 200,
  result: pageOf(JobSummary),
  errors: ['validation_failed', 'invalid_cursor'],
  async handle({ caller, model, query }, { db }) {
    const { limit, cursor, ...given } = query;
    const filter = { ...visibleTo(caller, model), ...given };
    const binding = JSON.stringify(['jobs', caller.user.id, filter]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (before: string | undefined, most) => loadJobs(db, filter, { before, limit: most }),
        idOf: ({ id }) => id,
      },
    );
    const mayRead = mayReadRecords(caller);
    return { body: { data: rows.map((row) => presentJob(row, mayRead)), pagination } };
  },
});

export const getJob = defineRoute({
  method: 'GET',
  path: '/jobs/{job_id}',
  operationId: 'getJob',
  tag: 'Administration',
  summary: 'Retrieve a job',
  description: [
    'With the scope `records:read` it includes problems with rows of an import or records of a bulk change, the name',
    'of the file, notes and the reason of a failure.',
    'With `wait` the answer comes when the state of the job changes, at the latest after so many seconds; such a',
    'request counts as an open stream.',
  ].join(' '),
  scope: 'workspace:read',
  params: JobParams,
  query: Type.Object(
    {
      wait: Type.Integer({
        minimum: 0,
        maximum: LIMITS.jobWaitSeconds,
        default: 0,
        description: 'Seconds to wait. A job that has ended is answered at once.',
      }),
    },
    closed,
  ),
  status: 200,
  result: responseOf(JobDetails),
  errors: ['validation_failed', 'record_not_found', 'too_many_streams'],
  async handle(request, { db, waitForJob }) {
    const { caller, model, params, query, admitAgain } = request;
    const job = await requireJob(db, visibleTo(caller, model), params.job_id);
    if (query.wait === 0 || job.finished_at !== null) {
      return { body: { data: await detailsOf(db, job, caller) } };
    }
    const [left, milliseconds] = [request.signal(), query.wait * 1000];
    return {
      wait: (closing) => waitForJob({ job, milliseconds, signals: [left, closing], admitAgain }),
      async answer() {
        const now = await admitAgain();
        const row = await requireJob(db, visibleTo(now.caller, now.model), params.job_id);
        return { body: { data: await detailsOf(db, row, now.caller) } };
      },
    };
  },
});

export const cancelJob = defineRoute({
  method: 'POST',
  path: '/jobs/{job_id}/cancel',
  operationId: 'cancelJob',
  tag: 'Administration',
  summary: 'Cancel a job',
  description: [
    'For the person who started the job, and for administrators. Changes that an import or a bulk change has',
    'already written remain. A job that has ended does not change.',
  ].join(' '),
  scope: ['workspace:write', 'records:write'],
  params: JobParams,
  query: nothing,
  status: 200,
  result: responseOf(JobDetails),
  errors: ['record_not_found', 'conflict'],
  async handle({ caller, model, params, requestId }, { db }) {
    const visible = visibleTo(caller, model);
    const row = await requireJob(db, visible, params.job_id);
    if (row.asked_by_user_id === null) {
      throw new ApiError('conflict', { message: say('job_of_service') });
    }
    await endJob({ db, model, caller, requestId }, row.id);
    return { body: { data: await detailsOf(db, await requireJob(db, visible, row.id), caller) } };
  },
});

/** The jobs that a caller may know of. */
export function visibleTo({ access, user }: Caller, { workspace }: WorkspaceModel): JobFilter {
  const own = access.administrator ? {} : { asked_by_user_id: user.id };
  return { workspace_id: workspace.id, ...own };
}

/** Errors: `record_not_found`. */
export async function requireJob(
  db: Queryable,
  filter: JobFilter,
  sentId: string,
): Promise<JobRow> {
  const id = parseRecordId(sentId);
  const [row] =
    id === undefined ? [] : await loadJobs(db, { ...filter, id }, { before: undefined, limit: 1 });
  if (row !== undefined) return row;
  throw noJob();
}

export function noJob(): ApiError {
  return new ApiError('record_not_found', { param: 'job_id', message: say('job_not_found') });
}

/** Problems of rows and records quote their values, so only callers who may read records get them. */
async function detailsOf(db: Queryable, row: JobRow, caller: Caller) {
  const mayRead = mayReadRecords(caller);
  const most = mayRead ? LIMITS.problemsShown : 0;
  const rejects =
    row.kind === BULK_JOBS || row.kind === ERASURE_JOBS
      ? await loadRefused(db, row.id, most + 1)
      : await loadFirstRejects(db, row.id, most + 1);
  const isOwn = mayRead && row.asked_by_user_id === caller.user.id;
  // A mapping may have megabytes, and unfinished jobs are queried often.
  const isEnded = row.kind === IMPORT_JOBS && row.finished_at !== null;
  const mappings = isOwn && isEnded ? await loadMappings(db, row.id) : [];
  const found = { rejects, most, mappings };
  return presentJobDetails(row, found, mayRead ? caller.user.id : undefined);
}
