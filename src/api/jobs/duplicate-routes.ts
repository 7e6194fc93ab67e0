// Records that may be the same thing, over HTTP: a job that finds them, and its groups (docs/design/merge.md).

import Type from 'typebox';
import { loadGroups } from '../../control/jobs/duplicate-rows.ts';
import { DUPLICATE_JOBS } from '../../control/jobs/job-kinds.ts';
import { requestDuplicates } from '../../flow/jobs/duplicates-job.ts';
import { readByIds } from '../../flow/records/read/read-by-ids.ts';
import { LIMITS } from '../../limits.ts';
import { canReadField } from '../../model/rights/access.ts';
import { LISTED_ANSWER } from '../../plan/read/answer-size.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { defineRoute } from '../context.ts';
import { loadPage } from '../listed-pages.ts';
import { presentRecord } from '../present.ts';
import { ObjectType, RecordSchema } from '../record-shapes.ts';
import { CursorQuery, closed, emptyBody, limitQuery, pageOf, responseOf } from '../shapes.ts';
import { replyOf } from '../write/write-reply.ts';
import { JobParams, noJob, requireJob } from './job-routes.ts';
import { answerWithJob, JobSummary } from './job-shapes.ts';

export const startDuplicates = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/duplicates',
  operationId: 'startDuplicates',
  tag: 'Merge',
  summary: 'Find duplicates',
  description: [
    'Starts a job that groups the records that the user may read by equal e-mail addresses, telephone numbers, hosts of',
    'addresses, and names but for case, accents, punctuation and legal forms. It compares the newest 200,000 records and',
    'finds up to 1,000 groups; `GET /jobs/{job_id}/duplicates` has them.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  ...emptyBody,
  idempotent: true,
  status: 202,
  result: responseOf(JobSummary),
  errors: [
    'invalid_json',
    'validation_failed',
    'object_not_available',
    'search_not_supported',
    'permission_denied',
    'conflict',
  ],
  async handle({ caller, model, params, requestId, claim }, { db }) {
    const object = requireObject(model, caller, params.object_type);
    const asking = { db, model, caller, claim };
    return replyOf(await requestDuplicates(asking, object, requestId, answerWithJob));
  },
});

const Duplicates = Type.Object(
  {
    fields: Type.Array(Type.String(), { description: 'Keys of the fields that are equal.' }),
    records: Type.Array(RecordSchema),
  },
  { $id: 'Duplicates' },
);

export const listDuplicates = defineRoute({
  method: 'GET',
  path: '/jobs/{job_id}/duplicates',
  operationId: 'listDuplicates',
  tag: 'Merge',
  summary: 'List the duplicates that a job has found',
  description: [
    'Groups with more equal fields come first. The records are those that the user may read now, without those that are',
    'deleted or merged since; a group of which fewer than two are left is not shown, so a page can have fewer than `limit`.',
    'Only for the person who started the job.',
  ].join(' '),
  scope: 'records:read',
  params: JobParams,
  query: Type.Object(
    { limit: limitQuery(LIMITS.defaultPageSize.records), cursor: CursorQuery },
    closed,
  ),
  status: 200,
  result: pageOf(Duplicates),
  errors: ['validation_failed', 'invalid_cursor', 'object_not_available', 'record_not_found'],
  async handle({ caller, model, params, query, signal }, { db }) {
    const own = { workspace_id: model.workspace.id, asked_by_user_id: caller.user.id };
    const job = await requireJob(db, { ...own, kind: DUPLICATE_JOBS }, params.job_id);
    if (job.kind !== DUPLICATE_JOBS) throw noJob();
    const object = requireObject(model, caller, String(job.input.object_type));
    const { limit, cursor } = query;
    const binding = JSON.stringify(['duplicates', caller.user.id, job.id]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (before: number | undefined, most) => loadGroups(db, job.id, { before, limit: most }),
        idOf: ({ number }) => number,
      },
    );
    const ids = [...new Set(rows.flatMap(({ record_ids }) => record_ids))];
    const context = { db, model, caller, signal };
    const readable = await readByIds(context, object, { ids, fields: [], size: LISTED_ANSWER });
    const byId = new Map(readable.rows.map((row) => [String(row.id), row] as const));
    const data = rows.flatMap(({ fields, record_ids }) => {
      const records = record_ids.map((id) => byId.get(id)).filter((row) => row !== undefined);
      const keys = fields.filter(isReadable);
      if (records.length < 2 || keys.length === 0) return [];
      return [
        { fields: keys, records: records.map((row) => presentRecord(readable.plan, row, caller)) },
      ];
    });
    return { body: { data, pagination } };

    function isReadable(key: string): boolean {
      const field = object.fields.get(key);
      return field !== undefined && canReadField(caller, object, field);
    }
  },
});
