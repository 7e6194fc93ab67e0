// Writing records over HTTP: create, update, delete, change status (specification §4.3). Every route
// makes a list of one operation; everything else happens in flow/write-flow.ts.

import Type from 'typebox';
import { type WriteResult, type Written, writeRecords } from '../flow/write-flow.ts';
import type { Reply, RouteRequest } from '../http/route.ts';
import { LIMITS } from '../limits.ts';
import type { Caller } from '../model/access.ts';
import { combinePreconditions, parseIfMatch } from '../plan/precondition.ts';
import { requireObject } from '../plan/read-plan.ts';
import type { WriteOperation } from '../plan/write-plan.ts';
import { type ApiContext, defineRoute } from './context.ts';
import { etagOf, presentRecord } from './present.ts';
import { ObjectType, RecordId, RecordResponse } from './record-shapes.ts';
import { closed, responseOf } from './shapes.ts';

const Fields = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Field key → value; fields of storage `jsonb` under `custom_fields`.',
  examples: [{ name: 'Acme Corporation' }],
});

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
  body: Type.Object({ fields: Fields }, closed),
  status: 201,
  result: RecordResponse,
  etag: true,
  errors: [
    'invalid_json',
    'validation_failed',
    'invalid_filter',
    'permission_denied',
    'write_not_supported',
    'object_not_available',
    'conflict',
    'invalid_write',
  ],
  handle: (request, context) =>
    writeOne(request, context, { action: 'create', fields: request.body.fields }),
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
      fields: Fields,
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
  status: 200,
  result: RecordResponse,
  etag: true,
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
  handle(request, context) {
    const { fields, expected_version } = request.body;
    const precondition = combinePreconditions(parseIfMatch(request.ifMatch), expected_version);
    const id = request.params.record_id;
    return writeOne(request, context, { action: 'update', id, fields, precondition });
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
  body: Type.Object(
    { status_id: Type.String({ minLength: 1, maxLength: 200, format: 'plain-text' }) },
    closed,
  ),
  preconditions: true,
  status: 200,
  result: RecordResponse,
  etag: true,
  errors: [
    'invalid_json',
    'validation_failed',
    'permission_denied',
    'write_not_supported',
    'object_not_available',
    'record_not_found',
    'stale_record',
    'invalid_write',
  ],
  handle(request, context) {
    const precondition = parseIfMatch(request.ifMatch);
    const { status_id } = request.body;
    const id = request.params.record_id;
    return writeOne(request, context, { action: 'status', id, status_id, precondition });
  },
});

export const deleteRecord = defineRoute({
  method: 'DELETE',
  path: '/objects/{object_type}/records/{record_id}',
  operationId: 'deleteRecord',
  tag: 'Records',
  summary: 'Delete a record',
  description: 'Permanent. Optional references to the record become null.',
  scope: 'records:delete',
  params: recordParams,
  query: noQuery,
  preconditions: true,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(
    Type.Object({ id: Type.String(), object_type: Type.String(), deleted: Type.Literal(true) }),
  ),
  errors: [
    'validation_failed',
    'permission_denied',
    'write_not_supported',
    'object_not_available',
    'record_not_found',
    'conflict',
    'stale_record',
    'invalid_write',
  ],
  async handle(request, context) {
    const precondition = parseIfMatch(request.ifMatch);
    const id = request.params.record_id;
    const operation: WriteOperation = { action: 'delete', id, precondition };
    const { result } = await write(request, context, operation);
    const { object_type } = request.params;
    return { body: { data: { id: result.id, object_type, deleted: true } } };
  },
});

type ObjectRequest = Pick<
  RouteRequest<{ readonly object_type: string }, unknown, unknown>,
  'caller' | 'model' | 'params' | 'requestId'
>;

/** A single write is a batch of one. */
async function write(
  { caller, model, params, requestId }: ObjectRequest,
  { db }: ApiContext,
  operation: WriteOperation,
): Promise<{ readonly written: Written; readonly result: WriteResult }> {
  const object = requireObject(model, caller, params.object_type);
  const written = await writeRecords({ db, model, caller, requestId }, object, {
    operations: [operation],
    source: 'api',
    batch: false,
  });
  return { written, result: written.results[0] as WriteResult };
}

async function writeOne(
  request: ObjectRequest,
  context: ApiContext,
  operation: WriteOperation,
): Promise<Reply> {
  const { written, result } = await write(request, context, operation);
  return replyWithRecord(written, result, request.caller);
}

function replyWithRecord({ plan }: Written, { row }: WriteResult, caller: Caller): Reply {
  if (row === undefined) throw new Error('the write returned no record');
  return { body: { data: presentRecord(plan, row, caller) }, headers: { ETag: etagOf(row) } };
}
