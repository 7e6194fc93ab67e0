// Merging records over HTTP (docs/design/merge.md). Parsing and presenting only; the way there is
// flow/records/merge/merge-flow.ts.

import Type from 'typebox';
import { mergedValues, mergeRecords, rehearseMerge } from '../../flow/records/merge/merge-flow.ts';
import { undoMerge } from '../../flow/records/merge/unmerge-flow.ts';
import { LIMITS } from '../../limits.ts';
import type { Caller } from '../../model/rights/access.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import type { MergeRequest } from '../../plan/write/merge/merge-plan.ts';
import { parsePreconditions } from '../../plan/write/precondition.ts';
import { requireTrash } from '../../plan/write/trash-plan.ts';
import { defineRoute } from '../context.ts';
import { ChangedValue } from '../read/history-routes.ts';
import { answerOfRecord, NotRestored } from '../read/trash-routes.ts';
import { ObjectType, RecordId, RecordSchema } from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';
import { requireScope } from './batch-shapes.ts';
import { recordWriteErrors, replyAgain, replyOf } from './write-reply.ts';

const recordParams = Type.Object({ object_type: ObjectType, record_id: RecordId }, closed);
const noQuery = Type.Object({}, closed);

const References = Type.Record(Type.String(), Type.Integer(), {
  description:
    'Records whose references lead to the record then, by object type, as far as the user may read them.',
});

export const mergeRecord = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/{record_id}/merge',
  operationId: 'mergeRecords',
  tag: 'Merge',
  summary: 'Merge records into another one',
  description: [
    'The records in `from` become the record of the path. References, links, comments, files, followers and requests',
    'for moves go over; of the values only those that `take` names. The others are deleted, into the trash where the',
    'object has one. `dry_run` returns the values that would change, after all checks, and writes nothing. Needs the',
    'scopes records:read and records:delete too.',
  ].join(' '),
  scope: 'records:write',
  params: recordParams,
  query: noQuery,
  body: Type.Object(
    {
      from: Type.Array(
        Type.Object(
          {
            id: RecordId,
            expected_version: Type.String({
              minLength: 1,
              maxLength: LIMITS.versionLength,
              description: 'The version that the record must still have.',
            }),
          },
          closed,
        ),
        { minItems: 1, maxItems: LIMITS.mergedRecords },
      ),
      take: Type.Optional(
        Type.Record(Type.String(), RecordId, {
          maxProperties: LIMITS.fieldsPerWrite,
          description: 'Keys of fields, each with the id of the record whose value it gets.',
        }),
      ),
      dry_run: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  preconditions: true,
  idempotent: true,
  status: 200,
  result: Type.Union([
    responseOf(
      Type.Object({
        record: RecordSchema,
        merge: Type.String({ description: 'The id of the merge, the `batch_id` of its events.' }),
        merged: Type.Array(Type.String(), { description: 'The ids of the others.' }),
        references: References,
      }),
    ),
    responseOf(
      Type.Object({
        dry_run: Type.Literal(true),
        changes: Type.Array(ChangedValue),
        references: References,
      }),
    ),
  ]),
  etag: true,
  errors: ['invalid_json', 'invalid_filter', ...recordWriteErrors, 'conflict'],
  async handle(request, { db, ...rest }) {
    const { caller, model, params, body, requestId, claim } = request;
    requireMergeScopes(caller);
    const { from, take = {}, dry_run } = body;
    const object = requireObject(model, caller, params.object_type);
    const precondition = parsePreconditions(request);
    const merge: MergeRequest = { id: params.record_id, precondition, from, take };
    const context = { db, model, caller, requestId };
    if (dry_run === true) {
      const { change, references } = await rehearseMerge(context, object, merge);
      const changes = mergedValues(change, caller, object).map(({ field, old, now }) => {
        return { field: field.key, old, new: now };
      });
      return { body: { data: { dry_run: true, changes, references } } };
    }
    try {
      return replyOf(
        await mergeRecords(context, object, merge, {
          claim,
          respond: ({ shown, row, ...rest }) => answerOfRecord({ shown, row }, caller, rest),
        }),
      );
    } catch (error) {
      // The service may have answered the key before the rights of the caller changed.
      return replyAgain(request, { db, ...rest }, object, error);
    }
  },
});

export const unmergeRecord = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/{record_id}/unmerge',
  operationId: 'unmergeRecord',
  tag: 'Merge',
  summary: 'Undo the last merge into a record',
  description: [
    'For as long as the trash of the object keeps the merged records: they come back, with what belonged to them, and',
    'the record gets the values that it had before. A value that was changed since the merge is a `conflict` with its',
    'field in `details.changed_fields`. `not_restored` counts what could not come back, as for a restore of a deleted',
    'record. Needs the scopes records:read and records:delete too.',
  ].join(' '),
  scope: 'records:write',
  params: recordParams,
  query: noQuery,
  body: Type.Object(
    {
      merge: Type.Optional(
        Type.String({
          ...{ minLength: 1, maxLength: LIMITS.idLength },
          description: 'The id of the merge; a `conflict` when it is not the last one.',
        }),
      ),
    },
    closed,
  ),
  bodyOptional: true,
  preconditions: true,
  idempotent: true,
  status: 200,
  result: responseOf(
    Type.Object({
      record: RecordSchema,
      restored: Type.Array(Type.String()),
      not_restored: NotRestored,
    }),
  ),
  etag: true,
  errors: ['invalid_json', ...recordWriteErrors, 'conflict'],
  async handle(request, { db }) {
    const { caller, model, params, body, requestId, claim } = request;
    requireMergeScopes(caller);
    const scope = requireTrash(model, caller, params.object_type);
    const precondition = parsePreconditions(request);
    const context = { db, model, caller, requestId };
    return replyOf(
      await undoMerge(context, {
        ...{ scope, id: params.record_id, merge: body.merge, precondition, claim },
        respond: ({ notRestored: not_restored, restored, ...record }) =>
          answerOfRecord(record, caller, { restored, not_restored }),
      }),
    );
  },
});

/** The values of a record go to another one, and the record is deleted. */
function requireMergeScopes(caller: Caller): void {
  requireScope(caller, 'records:read', 'from');
  requireScope(caller, 'records:delete', 'from');
}
