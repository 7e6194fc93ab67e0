// Many writes of one object in one transaction (specification §4.3): the operations are exactly those that
// flow/records/write-flow.ts takes.

import Type from 'typebox';
import type { WriteOperation } from '../../plan/write/write-operation.ts';
import { defineRoute } from '../context.ts';
import { ObjectType } from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';
import {
  labelOperation,
  OperationResult,
  Operations,
  presentResult,
  requireScopes,
} from './batch-shapes.ts';
import { recordWriteErrors, replyToWrite } from './write-reply.ts';

export const batchRecords = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/batch',
  operationId: 'batchRecords',
  tag: 'Records',
  summary: 'Apply up to 100 operations, all or none',
  description: [
    'All operations are authorised before any is validated, then run in order in one transaction;',
    'if one fails, none is applied, and the error names the `operation_index` of each problem.',
    'A record may be in one operation only. `delete` needs the scope records:delete as well.',
  ].join(' '),
  scope: 'records:write',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      operations: Operations<WriteOperation>(),
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
      results: Type.Array(OperationResult),
    }),
  ),
  errors: ['invalid_json', 'invalid_filter', ...recordWriteErrors, 'conflict'],
  labelProblem: labelOperation,
  async handle(request, context) {
    const { operations } = request.body;
    requireScopes(request.caller, operations);
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
