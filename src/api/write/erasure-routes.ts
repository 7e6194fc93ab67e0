// Erasures over HTTP (docs/design/erasure.md): a request starts a job, whose counts are the report. Parsing only; the
// work is flow/jobs/erasure-job.ts.

import Type from 'typebox';
import { requestErasure } from '../../flow/jobs/erasure-request.ts';
import { LIMITS } from '../../limits.ts';
import { defineRoute } from '../context.ts';
import { answerWithJob, JobSummary } from '../jobs/job-shapes.ts';
import { ObjectType, RecordId } from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';
import { replyOf } from './write-reply.ts';

export const startErasure = defineRoute({
  method: 'POST',
  path: '/erasures',
  operationId: 'startErasure',
  tag: 'Administration',
  summary: 'Erase records for good',
  description: [
    'For administrators, and needs the scope records:delete too. A job deletes the records and removes everything',
    'that the service has of them: history, trash, comments, links, stored responses, files of imports and exports,',
    'excerpts of deliveries. It works for records that exist, that are in the trash, and that are gone. `counts` of',
    'the job says how much of each; with `dry_run` it only counts. Records that others require are refused and listed.',
    'Readers of events get `record.erased`. The audit keeps ids.',
  ].join(' '),
  scope: 'workspace:write',
  fresh: true,
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      records: Type.Array(Type.Object({ object_type: ObjectType, id: RecordId }, closed), {
        minItems: 1,
        maxItems: LIMITS.erasedRecords,
      }),
      dry_run: Type.Boolean({ default: false, description: 'Count only; change nothing.' }),
    },
    closed,
  ),
  idempotent: true,
  status: 202,
  result: responseOf(JobSummary),
  errors: ['validation_failed', 'permission_denied', 'object_not_available', 'conflict'],
  async handle({ caller, model, body, claim, requestId }, { db }) {
    const request = { ...body, request_id: requestId };
    return replyOf(await requestErasure({ db, model, caller, claim }, request, answerWithJob));
  },
});
