// Imports over HTTP (D248 to D252): asking for one, and the rows that were not imported, to be mended and imported
// again. The work is a job, import/import-job.ts.

import Type from 'typebox';
import { loadSentFile, prolongFile } from '../control/files.ts';
import { loadRejects } from '../control/import-rows.ts';
import { IMPORT_JOBS, type ImportInput } from '../control/job-kinds.ts';
import type { JobRow } from '../control/jobs.ts';
import { ApiError } from '../errors.ts';
import { askedBy, requestJob } from '../flow/jobs/job-requests.ts';
import { LIMITS } from '../limits.ts';
import { type Caller, hasOneScope, lacksScope, requireAdministrator } from '../model/access.ts';
import { ImportMapping } from '../model/mapping-shape.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { parseRecordId } from '../model/record-id.ts';
import { type RejectLayout, rejectHeader, rejectLine } from '../model/reject-text.ts';
import { requireObject } from '../plan/read-plan.ts';
import type { Queryable } from '../postgres/db.ts';
import { defineRoute } from './context.ts';
import { fileReply, MEDIA_TYPES } from './file-routes.ts';
import { JobParams, requireJob } from './job-routes.ts';
import { answerWithJob, JobSummary } from './job-shapes.ts';
import { closed, responseOf } from './shapes.ts';
import { replyOf } from './write-reply.ts';

const flag = (description: string) => Type.Boolean({ default: false, description });

export const startImport = defineRoute({
  method: 'POST',
  path: '/imports',
  operationId: 'startImport',
  tag: 'Imports',
  summary: 'Import a file',
  description: [
    'Starts a job with the rights of the user, who must be and remain an administrator.',
    '`GET /jobs/{job_id}` reports the progress. Each row is imported once, even if the process crashes.',
    '`mapping` says how the columns of the file become fields.',
  ].join(' '),
  scope: ['records:write', 'comments:write'],
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      file_id: Type.String({ minLength: 1, maxLength: LIMITS.idLength }),
      mapping: ImportMapping,
      dry_run: flag('Check everything, but write nothing.'),
      raw: flag('CSV: keep an apostrophe before text that looks like a formula.'),
      only_new: flag('Do not change existing records.'),
      no_status: flag('Ignore the status: new records get the initial one.'),
    },
    closed,
  ),
  idempotent: true,
  status: 202,
  result: responseOf(JobSummary),
  errors: [
    'validation_failed',
    'permission_denied',
    'object_not_available',
    'comments_not_supported',
    'record_not_found',
    'conflict',
  ],
  async handle({ caller, model, body, claim, requestId }, { db }) {
    requireAdministrator(caller);
    const subject = requireSubject(model, caller, body.mapping);
    const asked = Object.entries(body).flatMap(([key, value]) => (value === false ? [] : [key]));
    const prepare = async (tx: Queryable) => {
      const { id, name } = await requireFile(tx, { model, caller }, body.file_id);
      await prolongFile(tx, id);
      const file = { file_id: id, file_name: name };
      const input: ImportInput = { ...askedBy(caller, requestId), ...body, ...file, ...subject };
      return { kind: IMPORT_JOBS, input, asked } as const;
    };
    return replyOf(await requestJob({ db, model, caller, claim }, prepare, answerWithJob));
  },
});

type Subject = Pick<ImportInput, (typeof SUBJECTS)[number]>;
const SUBJECTS = ['object_type', 'comments_on', 'links_of'] as const;

/** What the rows are; the scope for it, and for what it is looked up in. */
function requireSubject(model: WorkspaceModel, caller: Caller, mapping: Subject): Subject {
  const [key = 'object_type', other] = SUBJECTS.filter((one) => mapping[one] !== undefined);
  const name = mapping[key];
  if (name === undefined || other !== undefined) {
    const message = `Send one of ${SUBJECTS.join(', ')}.`;
    throw new ApiError('validation_failed', { param: 'mapping.object_type', message });
  }
  const writes = key === 'comments_on' ? 'comments:write' : 'records:write';
  for (const needed of ['records:read', writes] as const) {
    if (!hasOneScope(caller, [needed])) throw lacksScope([needed]);
  }
  const param = `mapping.${key}`;
  const object = model.objects.get(name);
  if (object === undefined) throw new ApiError('object_not_available', { param });
  requireObject(model, caller, object.object_type);
  if (key === 'comments_on' && !object.commentable) {
    throw new ApiError('comments_not_supported', { param });
  }
  return { [key]: name };
}

interface Owner {
  readonly model: WorkspaceModel;
  readonly caller: Caller;
}

/** The file that the caller has sent. */
async function requireFile(db: Queryable, { model, caller }: Owner, sentId: string) {
  const owner = { workspace_id: model.workspace.id, user_id: caller.user.id };
  const id = parseRecordId(sentId);
  const file = id === undefined ? undefined : await loadSentFile(db, owner, id);
  if (file !== undefined) return file;
  const message = 'You have not sent this file, or it has expired.';
  throw new ApiError('record_not_found', { param: 'file_id', message });
}

export const getRejects = defineRoute({
  method: 'GET',
  path: '/imports/{job_id}/rejects',
  operationId: 'getRejects',
  tag: 'Imports',
  summary: 'Download the rows that were not imported',
  description: [
    'The file has the format of the import, and is only for the person who started it, until a day after',
    'its end. The columns `_line`, `_field` and `_reason` give the problem of each row. Imports ignore them,',
    'so you can correct the file and import it again without `raw`.',
  ].join(' '),
  scope: ['records:write', 'comments:write'],
  params: JobParams,
  query: Type.Object({}, closed),
  status: 200,
  result: Type.String(),
  givesFile: [MEDIA_TYPES.csv, MEDIA_TYPES.jsonl],
  errors: ['permission_denied', 'record_not_found'],
  async handle({ caller, model, params }, { db }) {
    requireAdministrator(caller);
    const own = { workspace_id: model.workspace.id, asked_by_user_id: caller.user.id };
    const row = await requireJob(db, { ...own, kind: IMPORT_JOBS }, params.job_id);
    const layout = layoutOf(row);
    const format = layout.kind === 'csv' ? 'csv' : 'jsonl';
    return fileReply({
      name: `rejects-${row.id}.${format}`,
      type: MEDIA_TYPES[format],
      bytes: undefined,
      pieces: () => rejectPieces(db, row.id, layout),
    });
  },
});

/** Rows that are read and written at once. */
const PAGE = 500;
const KEPT_MS = 24 * 3600_000;

function layoutOf({ progress, finished_at }: JobRow): RejectLayout {
  const { layout } = progress as { readonly layout?: RejectLayout };
  const isKept = finished_at === null || Date.parse(finished_at) > Date.now() - KEPT_MS;
  if (layout !== undefined && isKept) return layout;
  const message = 'There are no rows yet, or they have expired.';
  throw new ApiError('record_not_found', { param: 'job_id', message });
}

async function* rejectPieces(
  db: Queryable,
  jobId: string,
  layout: RejectLayout,
): AsyncGenerator<string> {
  yield rejectHeader(layout);
  for (let after = 0; ; ) {
    const rows = await loadRejects(db, jobId, { after, limit: PAGE });
    yield rows.map((row) => rejectLine(layout, row)).join('');
    if (rows.length < PAGE) return;
    after = rows[rows.length - 1]?.line ?? after;
  }
}
