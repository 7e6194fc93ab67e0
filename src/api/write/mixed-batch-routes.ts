// Many writes of several objects in one transaction (D283). An operation is one of the batch of an object with
// its object type, may name the record of an earlier one, and may be a comment.

import Type from 'typebox';
import { ApiError, errorFromProblems, messageOf, type Problem } from '../../errors.ts';
import { auditedDryRun } from '../../flow/records/checked-moves.ts';
import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import { requireCommentable } from '../../plan/events/comment-plan.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { combinePreconditions } from '../../plan/write/precondition.ts';
import type { WriteOperation } from '../../plan/write/write-operation.ts';
import { rollbackOnly } from '../../postgres/rollback-only.ts';
import { defineRoute } from '../context.ts';
import { closed, responseOf } from '../shapes.ts';
import {
  labelOperation,
  ObjectOperationResult,
  ObjectOperations,
  presentResult,
  requireScopes,
} from './batch-shapes.ts';
import { recordWriteErrors, replyToWrites } from './write-reply.ts';

/** An operation as clients send it: versions as text, and the target of an upsert only where it differs. */
type ObjectOperation = WriteOperation & {
  readonly object_type: string;
  readonly expected_version?: string;
  readonly target?: string;
};

export const batchObjects = defineRoute({
  method: 'POST',
  path: '/batch',
  operationId: 'batchObjects',
  tag: 'Records',
  summary: 'Apply up to 100 operations on records of any objects, all or none',
  description: [
    'Like the batch of one object: all operations are authorised before any is validated, then run in',
    'order in one transaction. `{"$op": 0}` in place of an id or a reference is the record of an earlier',
    'operation. Only one operation can change a record, apart from those that name it by `$op`.',
    '`delete` also needs the scope records:delete, and `comment` the scope comments:write. With `dry_run` the',
    'same checks are made in a transaction that is rolled back.',
  ].join(' '),
  scope: 'records:write',
  params: Type.Object({}, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      operations: ObjectOperations<ObjectOperation>(),
      dry_run: Type.Optional(
        Type.Boolean({
          description: 'True: only check; no record changes, and no answer is stored.',
        }),
      ),
    },
    closed,
  ),
  bodyLimit: 'batch',
  idempotent: true,
  status: 200,
  result: responseOf(
    Type.Object({
      status: Type.Literal('completed'),
      count: Type.Integer(),
      atomic: Type.Literal(true),
      dry_run: Type.Optional(
        Type.Literal(true, {
          description: 'True: nothing was written, and ids of new records are of no use.',
        }),
      ),
      results: Type.Array(ObjectOperationResult),
    }),
  ),
  errors: [
    'invalid_json',
    'invalid_filter',
    ...recordWriteErrors,
    'comments_not_supported',
    'conflict',
  ],
  labelProblem: labelOperation,
  async handle(request, context) {
    const { caller, model, body } = request;
    const { operations, dry_run: dryRun = false } = body;
    requireScopes(caller, operations);
    const objects = requireObjects(model, caller, operations);
    // The key of a dry run claims nothing: the request that follows may have the same one.
    const writing = dryRun ? { ...request, claim: undefined } : request;
    const within = dryRun ? { ...context, db: rollbackOnly(context.db) } : context;
    const planned = operations.map(operationOf);
    const reply = () =>
      replyToWrites(writing, within, objects, {
        operations: planned,
        batch: true,
        refers: true,
        respond: ({ results }) => ({
          status: 200,
          body: {
            data: {
              status: 'completed',
              count: results.length,
              atomic: true,
              ...(dryRun ? { dry_run: true } : {}),
              results: results.map(({ object, comment, ...result }) => ({
                ...presentResult({ object, comment, ...result }),
                object_type: object.object_type,
                ...(comment === undefined ? {} : { comment_id: comment.id }),
              })),
            },
          },
          fields: [],
        }),
      });
    if (!dryRun) return reply();
    const checked = planned.map((operation, index) => ({
      operation,
      object: objects[index] as ObjectModel,
    }));
    return auditedDryRun({ ...request, db: context.db }, checked, reply);
  },
});

/** The object of each operation. Errors: `object_not_available`, `comments_not_supported`. */
function requireObjects(
  model: WorkspaceModel,
  caller: Caller,
  operations: readonly ObjectOperation[],
): readonly ObjectModel[] {
  const problems: Problem[] = [];
  const objects = operations.flatMap(({ action, object_type }, operation_index) => {
    try {
      const require = action === 'comment' ? requireCommentable : requireObject;
      return [require(model, caller, object_type)];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, translatable: message = messageOf(code) } = error;
      const param = `operations[${operation_index}].object_type`;
      problems.push({ param, code, message, operation_index, action });
      return [];
    }
  });
  if (problems.length > 0) throw errorFromProblems(problems);
  return objects;
}

function operationOf(sent: ObjectOperation): WriteOperation {
  const { object_type, expected_version, ...operation } = sent;
  if (operation.action === 'create' || operation.action === 'comment') return operation;
  if (operation.action === 'upsert') return { ...operation, target: sent.target ?? object_type };
  return { ...operation, precondition: combinePreconditions(undefined, expected_version) };
}
