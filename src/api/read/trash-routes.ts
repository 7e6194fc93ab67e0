// Deleted records over HTTP: listing, restoring and removing them for good (docs/design/trash.md). Parsing and
// presenting only; the way there is flow/records/read/trash-flow.ts and restore-flow.ts.

import Type from 'typebox';
import { purgeDeleted, readDeleted } from '../../flow/records/read/trash-flow.ts';
import { type Restored, restoreDeleted } from '../../flow/records/restore-flow.ts';
import { LIMITS } from '../../limits.ts';
import type { Caller } from '../../model/rights/access.ts';
import { versionToken } from '../../plan/write/precondition.ts';
import { requireTrash, type TrashPagePlan } from '../../plan/write/trash-plan.ts';
import type { Row } from '../../postgres/db.ts';
import { defineRoute } from '../context.ts';
import { presentPagination, presentRecord, presentUnread } from '../present.ts';
import { ObjectType, RecordId, RecordSchema } from '../record-shapes.ts';
import {
  CursorQuery,
  closed,
  emptyBody,
  limitQuery,
  nullable,
  pageOf,
  responseOf,
} from '../shapes.ts';
import { requireScope } from '../write/batch-shapes.ts';
import { replyOf } from '../write/write-reply.ts';

const objectParams = Type.Object({ object_type: ObjectType }, closed);
const recordParams = Type.Object({ object_type: ObjectType, record_id: RecordId }, closed);
const noQuery = Type.Object({}, closed);

const DeletedRecord = Type.Object(
  {
    object_type: Type.String(),
    id: Type.String(),
    public_id: Type.Optional(
      Type.String({
        description: 'The name that people use, a prefix and a number; work items only.',
      }),
    ),
    display: nullable(Type.String()),
    owner_user_id: nullable(Type.Integer()),
    deleted_at: Type.String({ format: 'date-time' }),
    deleted_by_user_id: Type.Integer(),
    restorable_until: Type.String({ format: 'date-time' }),
  },
  { $id: 'DeletedRecord' },
);

export const NotRestored = Type.Object(
  {
    links: Type.Integer({
      description: 'Links whose other record is gone, in the trash, or linked otherwise.',
    }),
    references: Type.Integer({
      description: 'Other records that referred to this one and refer to another one now.',
    }),
    fields: Type.Array(Type.String(), {
      description: 'Fields whose value no longer exists: a record, an option or a status.',
    }),
  },
  { $id: 'NotRestored' },
);

/** Errors of every request about the trash of an object. */
const trashErrors = [
  'validation_failed',
  'permission_denied',
  'write_not_supported',
  'object_not_available',
] as const;

export const listDeleted = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/deleted',
  operationId: 'listDeletedRecords',
  tag: 'Deleted records',
  summary: 'List deleted records',
  description: [
    'The records that can be restored, the last deleted first. They are kept by objects whose definition has',
    '`trash`, for people who may delete and read records of their last owner. Needs the scope records:read too.',
  ].join(' '),
  scope: 'records:delete',
  params: objectParams,
  query: Type.Object(
    {
      q: Type.Optional(
        Type.String({
          maxLength: LIMITS.textQueryLength,
          format: 'plain-text',
          description: 'Text in the display field.',
        }),
      ),
      deleted_by: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Id of a user.' }),
      ),
      limit: limitQuery(LIMITS.defaultPageSize.records),
      cursor: CursorQuery,
    },
    closed,
  ),
  status: 200,
  result: pageOf(DeletedRecord),
  errors: [...trashErrors, 'invalid_cursor', 'search_not_supported'],
  async handle({ caller, model, params, query, signal }, { db }) {
    requireScope(caller, 'records:read', 'object_type');
    const scope = requireTrash(model, caller, params.object_type);
    const { q, deleted_by, limit, cursor } = query;
    const request = { q, deleted_by, limit, cursor };
    const page = await readDeleted({ db, model, caller, signal }, scope, request);
    return {
      body: {
        data: page.rows.map((row) => presentDeleted(page.plan, row, caller)),
        pagination: presentPagination(limit, page.next_cursor),
      },
    };
  },
});

export const restoreRecord = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/deleted/{record_id}/restore',
  operationId: 'restoreRecord',
  tag: 'Deleted records',
  summary: 'Restore a deleted record',
  description: [
    'The record comes back under its id, with its comments, links and the references of others to it.',
    '`not_restored` counts values and links that could not come back, as far as the user may read them. A link',
    'whose other record is deleted as well comes back with that one. A unique value that another record has now is a',
    '`conflict`. A key without the scope records:read gets the id and the version of the record, and no values.',
  ].join(' '),
  scope: 'records:delete',
  params: recordParams,
  query: noQuery,
  ...emptyBody,
  idempotent: true,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ record: RecordSchema, not_restored: NotRestored })),
  etag: true,
  errors: ['invalid_json', ...trashErrors, 'record_not_found', 'conflict', 'invalid_write'],
  async handle({ caller, model, params, requestId, claim }, { db }) {
    const scope = requireTrash(model, caller, params.object_type);
    const context = { db, model, caller, requestId };
    const respond = ({ notRestored: not_restored, ...restored }: Restored) =>
      answerOfRecord(restored, caller, { not_restored });
    const request = { scope, id: params.record_id, claim, respond };
    return replyOf(await restoreDeleted(context, request));
  },
});

export const purgeRecord = defineRoute({
  method: 'DELETE',
  path: '/objects/{object_type}/deleted/{record_id}',
  operationId: 'purgeRecord',
  tag: 'Deleted records',
  summary: 'Remove a deleted record for good',
  description: 'The record, its comments and links can no longer be restored.',
  scope: 'records:delete',
  params: recordParams,
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(
    Type.Object({ id: Type.String(), object_type: Type.String(), purged: Type.Literal(true) }),
  ),
  errors: [...trashErrors, 'record_not_found'],
  async handle({ caller, model, params, requestId }, { db }) {
    const scope = requireTrash(model, caller, params.object_type);
    const { object_type, record_id } = params;
    await purgeDeleted({ db, model, caller, requestId }, scope, record_id);
    return { body: { data: { id: record_id.toLowerCase(), object_type, purged: true } } };
  },
});

/** A record in the trash. */
export function presentDeleted({ shown }: TrashPagePlan, row: Row, caller: Caller) {
  const { object_type, id, public_id, display, owner_user_id } = presentRecord(shown, row, caller);
  return {
    ...{ object_type, id },
    ...(public_id === undefined ? {} : { public_id }),
    ...{ display, owner_user_id, deleted_at: row._deleted_at },
    ...{ deleted_by_user_id: row._deleted_by, restorable_until: row._kept_until },
  };
}

/** The answer to a write with the record after it, which is stored under an `Idempotency-Key`. */
export function answerOfRecord(
  { shown, row }: Pick<Restored, 'shown' | 'row'>,
  caller: Caller,
  rest: Readonly<Record<string, unknown>>,
) {
  const isRead = caller.scopes.has('records:read');
  const record = isRead ? presentRecord(shown, row, caller) : presentUnread(shown.object, row);
  const read = isRead ? [shown.display, ...(shown.fields ?? [])] : [];
  return {
    status: 200,
    body: { data: { record, ...rest } },
    version: versionToken(row),
    fields: [...new Set(read.flatMap((field) => field?.key ?? []))],
  };
}
