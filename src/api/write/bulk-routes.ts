// One change of many records (D286): how many they are, or a job that changes them. The selection is that of
// questions; the work is flow/jobs/bulk-request.ts and flow/jobs/bulk-job.ts.

import Type from 'typebox';
import { errorFromProblems } from '../../errors.ts';
import {
  type BulkChange,
  type BulkRequest,
  rehearseBulk,
  requestBulk,
} from '../../flow/jobs/bulk-request.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { parseQuestion } from '../../plan/read/question.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { defineRoute } from '../context.ts';
import { answerWithJob, JobSummary } from '../jobs/job-shapes.ts';
import { presentRecord } from '../present.ts';
import { TimeZone, Where } from '../read/question-shapes.ts';
import { ObjectType, RecordSchema, StatusId, WrittenFields } from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';
import { requireScope } from './batch-shapes.ts';
import { replyOf, writeErrors } from './write-reply.ts';

const selecting = {
  where: Where,
  timezone: Type.Optional(TimeZone),
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.bulkRecords,
      description: 'How many records it must be; only a dry run can do without.',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({ description: 'True: says how many records it is about, and changes none.' }),
  ),
} as const;

/** The parts of each change besides the selection. */
const CHANGES = {
  update: { fields: WrittenFields },
  status: { status_id: StatusId },
  delete: {},
} as const;

interface BulkBody extends BulkChange {
  readonly where: unknown;
  readonly timezone?: string;
  readonly expected_count?: number;
  readonly dry_run?: boolean;
}

const Body = Type.Unsafe<BulkBody>({
  type: 'object',
  discriminator: { propertyName: 'action' },
  required: ['action'],
  oneOf: Object.entries(CHANGES).map(([action, properties]) =>
    Type.Object(
      { action: Type.Enum([action]), ...properties, ...selecting },
      { ...closed, $id: `Bulk${action.charAt(0).toUpperCase()}${action.slice(1)}` },
    ),
  ),
});

export const bulkRecords = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/bulk',
  operationId: 'bulkRecords',
  tag: 'Records',
  summary: 'Change all records that a condition finds',
  description: [
    'Changes all records that match `where` among those the user may read. `dry_run` returns their number',
    'and the first ones. Without it a job changes exactly the records that match now, if their number is',
    '`expected_count`. Each change follows the rules and rights of a request and has an audit row of the',
    'source `bulk`. The job lists the records that are refused and changes the others. Needs the scope',
    'records:read too, and `delete` the scope records:delete.',
  ].join(' '),
  scope: 'records:write',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  body: Body,
  idempotent: true,
  status: 200,
  result: responseOf(
    Type.Object({
      dry_run: Type.Literal(true),
      count: Type.Integer(),
      records: Type.Array(RecordSchema, { description: 'The newest of the records that match.' }),
    }),
  ),
  accepted: responseOf(JobSummary),
  errors: ['invalid_json', 'invalid_filter', ...writeErrors, 'conflict'],
  async handle({ caller, model, params, body, claim, requestId, now }, { db }) {
    const { where, timezone, expected_count, dry_run = false, ...change } = body;
    // The condition, the number and the first records say what records have.
    requireScope(caller, 'records:read', 'where');
    if (change.action === 'delete') requireScope(caller, 'records:delete', 'action');
    const selection = { where, ...(timezone === undefined ? {} : { timezone }) };
    const { object, query } = parseQuestion(selection, '', () =>
      requireObject(model, caller, params.object_type),
    );
    const request = { object, query, change, request_id: requestId, now };
    if (dry_run) {
      const { plan, count, rows } = await rehearseBulk({ db, model, caller }, request);
      const records = rows.map((row) => presentRecord(plan, row, caller));
      return { body: { data: { dry_run, count, records } } };
    }
    const asked: BulkRequest = { ...request, expected_count: requireExpected(expected_count) };
    return replyOf(await requestBulk({ db, model, caller, claim }, asked, answerWithJob));
  },
});

/** Errors: `validation_failed`. */
function requireExpected(count: number | undefined): number {
  if (count !== undefined) return count;
  const message = say('bulk_count_missing');
  throw errorFromProblems([{ param: 'expected_count', code: 'validation_failed', message }]);
}
