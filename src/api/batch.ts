// Many writes in one transaction (specification §4.3): the operations are exactly those that
// flow/write-flow.ts takes.

import Type from 'typebox';
import { ApiError } from '../errors.ts';
import type { WriteResult } from '../flow/write-flow.ts';
import { LIMITS } from '../limits.ts';
import type { Caller } from '../model/access.ts';
import { versionToken } from '../plan/precondition.ts';
import type { WriteOperation } from '../plan/write-plan.ts';
import { defineRoute } from './context.ts';
import { presentCleared } from './present.ts';
import {
  AssociationId,
  ClearedReferences,
  ObjectType,
  RecordId,
  StatusId,
  WrittenFields,
} from './record-shapes.ts';
import { closed, responseOf } from './shapes.ts';
import { replyToWrite } from './write-reply.ts';

const id = RecordId;

/** The seven operations by `action`. */
const OPERATIONS = {
  create: { fields: WrittenFields },
  update: { id, fields: WrittenFields },
  status: { id, status_id: StatusId },
  delete: { id },
  upsert: {
    target: Type.String({
      minLength: 1,
      maxLength: 100,
      format: 'plain-text',
      description: 'The object type; for work items the slug of a type as well.',
    }),
    match: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'One to three keys of editable fields with the values a record is recognised by.',
      examples: [{ email: 'jo@acme.example' }],
    }),
    fields: Type.Optional(WrittenFields),
  },
  link: { id, association_id: AssociationId, target_id: RecordId },
  unlink: { id, association_id: AssociationId, target_id: RecordId },
} as const;

const Operation = Type.Unsafe<WriteOperation>({
  type: 'object',
  discriminator: { propertyName: 'action' },
  required: ['action'],
  oneOf: Object.entries(OPERATIONS).map(([action, properties]) =>
    Type.Object(
      { action: Type.Enum([action]), ...properties },
      { ...closed, $id: `${action.charAt(0).toUpperCase()}${action.slice(1)}Operation` },
    ),
  ),
});

const Result = Type.Object({
  action: Type.Enum(Object.keys(OPERATIONS)),
  id: Type.String({ description: 'The record that was written.' }),
  status: Type.Literal('succeeded'),
  version: Type.Optional(Type.String({ description: 'The version after it; not of a delete.' })),
  created: Type.Optional(Type.Boolean({ description: 'Of an upsert: made or updated.' })),
  cleared_references: Type.Optional(ClearedReferences),
});

export const batchRecords = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/batch',
  operationId: 'batchRecords',
  tag: 'Records',
  summary: 'Apply up to 100 operations, all or none',
  description: [
    'All operations are authorised before any is validated, then run in order in one transaction;',
    'if one fails none is applied, and the error tells the `operation_index` of everything found.',
    'A record may be in one operation only. `delete` needs the scope records:delete as well.',
  ].join(' '),
  scope: 'records:write',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      operations: Type.Array(Operation, { minItems: 1, maxItems: LIMITS.batchOperations }),
    },
    closed,
  ),
  bodyLimit: 'batch',
  idempotent: true,
  status: 200,
  result: responseOf(
    Type.Object({
      status: Type.Literal('completed'),
      object_type: Type.String(),
      count: Type.Integer(),
      atomic: Type.Literal(true),
      results: Type.Array(Result),
    }),
  ),
  errors: [
    'invalid_json',
    'validation_failed',
    'invalid_filter',
    'permission_denied',
    'write_not_supported',
    'object_not_available',
    'record_not_found',
    'conflict',
    'stale_record',
    'invalid_write',
  ],
  labelProblem(problem, body) {
    const index = /^operations\[(\d+)\]/.exec(problem.param ?? '')?.[1];
    if (index === undefined) return problem;
    const { operations } = body as { readonly operations: readonly unknown[] };
    const { action } = Object(operations[Number(index)]) as { readonly action?: unknown };
    const isKnown = typeof action === 'string' && Object.hasOwn(OPERATIONS, action);
    return { ...problem, operation_index: Number(index), ...(isKnown ? { action } : {}) };
  },
  async handle(request, context) {
    const { operations } = request.body;
    requireDeleteScope(request.caller, operations);
    return replyToWrite(request, context, {
      operations,
      batch: true,
      respond: ({ results }) => ({
        status: 200,
        body: {
          data: {
            status: 'completed',
            object_type: request.params.object_type,
            count: results.length,
            atomic: true,
            results: results.map(presentResult),
          },
        },
        fields: [],
      }),
    });
  },
});

function presentResult(result: WriteResult) {
  const { action, id: record, created, row } = result;
  return {
    action,
    id: record,
    status: 'succeeded',
    ...(row === undefined ? {} : { version: versionToken(row) }),
    ...(action === 'upsert' ? { created } : {}),
    ...presentCleared(result),
  };
}

/** The key may lack what only some of the operations need (specification §5). */
function requireDeleteScope({ scopes }: Caller, operations: readonly WriteOperation[]): void {
  const index = operations.findIndex(({ action }) => action === 'delete');
  if (index === -1 || scopes.has('records:delete')) return;
  throw new ApiError('insufficient_scope', {
    param: `operations[${index}]`,
    message: 'The API key lacks the scope records:delete.',
    details: { required_scope: 'records:delete' },
  });
}
