// Writing records over HTTP: create, update, delete, change status (specification §4.3). Every route
// makes a list of one operation; everything else happens in flow/records/write-flow.ts.

import Type from 'typebox';
import { LIMITS } from '../../limits.ts';
import { parsePreconditions } from '../../plan/write/precondition.ts';
import { defineRoute } from '../context.ts';
import { presentCleared } from '../present.ts';
import {
  ClearedReferences,
  ObjectType,
  RecordId,
  RecordResponse,
  StatusId,
  WrittenFields,
} from '../record-shapes.ts';
import { closed, responseOf } from '../shapes.ts';
import { recordWriteErrors, replyToWrite, replyWithRecord, writeErrors } from './write-reply.ts';

const recordParams = Type.Object({ object_type: ObjectType, record_id: RecordId }, closed);

const noQuery = Type.Object({}, closed);

export const createRecord = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records',
  operationId: 'createRecord',
  tag: 'Records',
  summary: 'Create a record',
  description: 'The status is the initial one of the workflow; the owner defaults to the user.',
  scope: 'records:write',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: noQuery,
  body: Type.Object({ fields: WrittenFields }, closed),
  status: 201,
  result: RecordResponse,
  etag: true,
  errors: ['invalid_json', 'invalid_filter', ...writeErrors, 'conflict'],
  idempotent: true,
  handle: (request, context) =>
    replyWithRecord(request, context, { action: 'create', fields: request.body.fields }, 201),
});

export const updateRecord = defineRoute({
  method: 'PATCH',
  path: '/objects/{object_type}/records/{record_id}',
  operationId: 'updateRecord',
  tag: 'Records',
  summary: 'Update a record',
  description: 'Only the fields sent change. Without a version the last write wins.',
  scope: 'records:write',
  params: recordParams,
  query: noQuery,
  body: Type.Object(
    {
      fields: WrittenFields,
      expected_version: Type.Optional(
        Type.String({
          maxLength: LIMITS.versionLength,
          description: 'The version the record must still have; an alternative to `If-Match`.',
        }),
      ),
    },
    closed,
  ),
  preconditions: true,
  idempotent: true,
  status: 200,
  result: RecordResponse,
  etag: true,
  errors: ['invalid_json', 'invalid_filter', ...recordWriteErrors, 'conflict'],
  handle(request, context) {
    const { fields, expected_version } = request.body;
    const precondition = parsePreconditions(request, expected_version);
    const id = request.params.record_id;
    return replyWithRecord(request, context, { action: 'update', id, fields, precondition });
  },
});

export const changeStatus = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/{record_id}/status',
  operationId: 'changeStatus',
  tag: 'Records',
  summary: 'Change the status of a record',
  description: 'Moves the record to a status that its workflow allows from the present one.',
  scope: 'records:write',
  params: recordParams,
  query: noQuery,
  body: Type.Object({ status_id: StatusId }, closed),
  preconditions: true,
  idempotent: true,
  status: 200,
  result: RecordResponse,
  etag: true,
  errors: ['invalid_json', ...recordWriteErrors],
  handle(request, context) {
    const precondition = parsePreconditions(request);
    const { status_id } = request.body;
    const id = request.params.record_id;
    return replyWithRecord(request, context, { action: 'status', id, status_id, precondition });
  },
});

export const deleteRecord = defineRoute({
  method: 'DELETE',
  path: '/objects/{object_type}/records/{record_id}',
  operationId: 'deleteRecord',
  tag: 'Records',
  summary: 'Delete a record',
  description: [
    'Permanent, unless the object has a `trash`: then the record can be restored for the time that the definition',
    'says. References to the record become null, each a change of the record that has it, or keep the record from',
    'being deleted, if they are required or `restrict`.',
  ].join(' '),
  scope: 'records:delete',
  params: recordParams,
  query: noQuery,
  preconditions: true,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(
    Type.Object({
      id: Type.String(),
      object_type: Type.String(),
      deleted: Type.Literal(true),
      cleared_references: Type.Optional(ClearedReferences),
    }),
  ),
  errors: [...recordWriteErrors, 'conflict'],
  handle(request, context) {
    const precondition = parsePreconditions(request);
    const { object_type, record_id: id } = request.params;
    return replyToWrite(request, context, {
      operations: [{ action: 'delete', id, precondition }],
      respond: ({ results }) => ({
        status: 200,
        body: {
          data: { id: results[0]?.id, object_type, deleted: true, ...presentCleared(results[0]) },
        },
        fields: [],
      }),
    });
  },
});
