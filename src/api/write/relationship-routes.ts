// Relationships over HTTP: which a record has, the records they lead to, linking and unlinking
// (specification §4.4).

import Type from 'typebox';
import { readLinked, readRecord } from '../../flow/records/read/read-flow.ts';
import type { WriteResult } from '../../flow/records/write-flow.ts';
import type { Reply } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { visibleRelationships } from '../../plan/read/linked-plan.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { parseExpansions } from '../../plan/read/record-query.ts';
import { parsePreconditions, versionToken } from '../../plan/write/precondition.ts';
import type { WriteOperation } from '../../plan/write/write-operation.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { presentLinkedPage, presentRelationship } from '../present.ts';
import {
  AssociationId,
  ExpandQuery,
  ObjectType,
  RecordId,
  RecordSchema,
  RelationshipShape,
} from '../record-shapes.ts';
import { CursorQuery, closed, limitQuery, listOf, Pagination, responseOf } from '../shapes.ts';
import { recordWriteErrors, replyToWrite, type WritingRequest } from './write-reply.ts';

const record = { object_type: ObjectType, record_id: RecordId };
const association = { ...record, association_id: AssociationId };

export const listRelationships = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}/relationships',
  operationId: 'listRelationships',
  tag: 'Relationships',
  summary: 'List the relationships of a record',
  description: 'References, associations and links whose other object the user may read.',
  scope: 'records:read',
  params: Type.Object(record, closed),
  query: Type.Object({}, closed),
  status: 200,
  result: listOf(RelationshipShape),
  errors: ['validation_failed', 'permission_denied', 'object_not_available', 'record_not_found'],
  malformedPathIsNotFound: true,
  async handle({ caller, model, params }, { db }) {
    const object = requireObject(model, caller, params.object_type);
    const request = { id: params.record_id, fields: [] };
    await readRecord({ db, model, caller }, object, request);
    const relationships = visibleRelationships(model, caller, object);
    return { body: { data: relationships.map((one) => presentRelationship(object, one)) } };
  },
});

export const listLinkedRecords = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}/relationships/{association_id}',
  operationId: 'listLinkedRecords',
  tag: 'Relationships',
  summary: 'List linked records',
  description: 'Newest first. Needs the right to read all records of the related object type.',
  scope: 'records:read',
  params: Type.Object(association, closed),
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.linkedRecords),
      cursor: CursorQuery,
      expand: ExpandQuery,
    },
    closed,
  ),
  status: 200,
  result: Type.Object({
    object_type: Type.String({ description: 'The related object type.' }),
    data: Type.Array(RecordSchema),
    pagination: Pagination,
  }),
  errors: [
    'validation_failed',
    'invalid_filter',
    'invalid_cursor',
    'permission_denied',
    'object_not_available',
    'record_not_found',
  ],
  async handle({ caller, model, params, query, signal }, { db }) {
    const expand = parseExpansions(query.expand);
    const object = requireObject(model, caller, params.object_type);
    const page = await readLinked({ db, model, caller, signal }, object, {
      id: params.record_id,
      association_id: params.association_id,
      expand,
      limit: query.limit ?? LIMITS.defaultPageSize.linkedRecords,
      cursor: query.cursor,
    });
    return { body: presentLinkedPage(page, caller) };
  },
});

const LinkResult = responseOf(
  Type.Object(
    {
      id: Type.String(),
      association_id: Type.String(),
      target_id: Type.String(),
      linked: Type.Boolean(),
      version: Type.String({ description: 'The version of the record after the request.' }),
    },
    { $id: 'LinkResult' },
  ),
);

export const linkRecord = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/{record_id}/relationships/{association_id}',
  operationId: 'linkRecord',
  tag: 'Relationships',
  summary: 'Link a record',
  description: [
    'Through a reference: sets the field, replacing the target it had. Through an association or a',
    'custom link: adds a link; linking again changes nothing.',
  ].join(' '),
  scope: 'records:write',
  params: Type.Object(association, closed),
  query: Type.Object({}, closed),
  body: Type.Object({ target_id: RecordId }, closed),
  preconditions: true,
  idempotent: true,
  status: 200,
  result: LinkResult,
  etag: true,
  errors: ['invalid_json', ...recordWriteErrors, 'conflict'],
  handle(request, context) {
    const precondition = parsePreconditions(request);
    const { record_id: id, association_id } = request.params;
    const { target_id } = request.body;
    const operation = { action: 'link', id, association_id, target_id, precondition } as const;
    return replyWithLink(request, context, operation);
  },
});

export const unlinkRecord = defineRoute({
  method: 'DELETE',
  path: '/objects/{object_type}/records/{record_id}/relationships/{association_id}/{target_id}',
  operationId: 'unlinkRecord',
  tag: 'Relationships',
  summary: 'Unlink a record',
  description: [
    'Clears a reference that still points to the target, else 412. Removes a link of any other',
    'kind; when there is none, nothing changes.',
  ].join(' '),
  scope: 'records:write',
  params: Type.Object({ ...association, target_id: RecordId }, closed),
  query: Type.Object({}, closed),
  preconditions: true,
  status: 200,
  result: LinkResult,
  etag: true,
  errors: [...recordWriteErrors, 'conflict'],
  handle(request, context) {
    const precondition = parsePreconditions(request);
    const { record_id: id, association_id, target_id } = request.params;
    const operation = { action: 'unlink', id, association_id, target_id, precondition } as const;
    return replyWithLink(request, context, operation);
  },
});

function replyWithLink(
  request: WritingRequest,
  context: ApiContext,
  operation: Extract<WriteOperation, { readonly action: 'link' | 'unlink' }>,
): Promise<Reply> {
  const { action, association_id } = operation;
  const target_id = parseRecordId(operation.target_id);
  return replyToWrite(request, context, {
    operations: [operation],
    respond({ results }) {
      const [{ id, row }] = results as readonly [WriteResult];
      if (row === undefined) throw new Error('linking returned no record');
      const version = versionToken(row);
      const linked = action === 'link';
      return {
        status: 200,
        body: { data: { id, association_id, target_id, linked, version } },
        version,
        fields: [],
      };
    },
  });
}
