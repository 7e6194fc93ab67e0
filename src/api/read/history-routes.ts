// The history of a record over HTTP: its earlier values, and their restore (docs/design/history.md). Parsing and
// presenting only; the way there is flow/records/read/history-flow.ts.

import Type from 'typebox';
import {
  type HistoryRow,
  type RestoreRequest,
  readHistory,
  restoreValues,
} from '../../flow/records/read/history-flow.ts';
import { rehearseUpdate } from '../../flow/records/rehearse-writes.ts';
import { LIMITS } from '../../limits.ts';
import { EVENT_SOURCES } from '../../plan/events/event-plan.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { requireReadable } from '../../plan/read/resolve-field.ts';
import { parsePreconditions, versionToken } from '../../plan/write/precondition.ts';
import { defineRoute } from '../context.ts';
import { presentPagination } from '../present.ts';
import { ObjectType, RecordId, RecordResponse } from '../record-shapes.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import { requireScope } from '../write/batch-shapes.ts';
import { recordWriteErrors, replyAgain, replyWithRecord } from '../write/write-reply.ts';

const recordParams = Type.Object({ object_type: ObjectType, record_id: RecordId }, closed);

const FieldKey = Type.String({ minLength: 1, maxLength: LIMITS.nameShown });

export const ChangedValue = Type.Object(
  {
    field: Type.String({ description: 'The present key of the field.' }),
    old: Type.Unknown({ description: 'The value before, as a record has it; null: none.' }),
    new: Type.Unknown(),
  },
  { $id: 'ChangedValue' },
);

export const HistoryEntry = Type.Object(
  {
    revision: Type.Integer({ description: 'The counter of the record after the change.' }),
    version: Type.String({ description: 'The version that belongs to `revision`.' }),
    at: Type.String({ format: 'date-time' }),
    user_id: Type.Integer(),
    source: Type.String({ description: `One of ${EVENT_SOURCES.join(', ')}; more may come.` }),
    action: Type.String({ description: '`update`, `status`, `link`, `unlink` or `restore`.' }),
    changes: Type.Array(ChangedValue),
  },
  { $id: 'HistoryEntry' },
);

export const listHistory = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}/history',
  operationId: 'listHistory',
  tag: 'History',
  summary: 'List the earlier values of a record',
  description: [
    'The changes of a record with the values before and after, newest first, as far as the definition of the',
    'object keeps them (`history`). The user reads the fields that they may read now; changes of other fields',
    'only are left out. A field that had another type or was another one before begins with that change.',
  ].join(' '),
  scope: 'records:read',
  params: recordParams,
  query: Type.Object(
    {
      field: Type.Optional(FieldKey),
      limit: limitQuery(LIMITS.defaultPageSize.history),
      cursor: CursorQuery,
    },
    closed,
  ),
  status: 200,
  result: pageOf(HistoryEntry),
  errors: [
    'validation_failed',
    'invalid_filter',
    'invalid_cursor',
    'permission_denied',
    'object_not_available',
    'history_not_supported',
    'record_not_found',
  ],
  async handle({ caller, model, params, query, signal }, { db }) {
    const object = requireObject(model, caller, params.object_type);
    const { limit, cursor } = query;
    const { field: name } = query;
    const field = name === undefined ? undefined : requireReadable(caller, object, name).key;
    const asked = { id: params.record_id, field, limit, cursor };
    const page = await readHistory({ db, model, caller, signal }, object, asked);
    return {
      body: {
        data: page.rows.map((row) => presentEntry(page.id, row)),
        pagination: presentPagination(limit, page.next_cursor),
      },
    };
  },
});

/** `id`: of the record. */
export function presentEntry(id: string, row: HistoryRow) {
  const { revision, at, user_id, source, action, changes } = row;
  const version = versionToken({ id, version: revision });
  return { revision, version, at, user_id, source, action, changes };
}

export const restoreRecordValues = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/{record_id}/restore',
  operationId: 'restoreRecordValues',
  tag: 'History',
  summary: 'Restore earlier values of a record',
  description: [
    'Writes the values that the named fields had at a revision, as an update of the record. The user needs the',
    'rights of an update. A status is not restored. `dry_run` returns the values that would change, after all',
    'checks of the update, and writes nothing; it needs the scope records:read too.',
  ].join(' '),
  scope: 'records:write',
  params: recordParams,
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      revision: Type.Integer({
        minimum: 1,
        maximum: LIMITS.smallId,
        description: 'The values are those after this revision, and before the next one.',
      }),
      fields: Type.Array(FieldKey, {
        minItems: 1,
        maxItems: LIMITS.fieldsPerWrite,
        description: 'Keys of fields.',
      }),
      dry_run: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  preconditions: true,
  idempotent: true,
  status: 200,
  result: Type.Union([
    RecordResponse,
    responseOf(Type.Object({ dry_run: Type.Literal(true), changes: Type.Array(ChangedValue) })),
  ]),
  etag: true,
  errors: ['invalid_json', ...recordWriteErrors, 'history_not_supported', 'conflict'],
  async handle(request, context) {
    const { caller, model, params, body, requestId } = request;
    if (body.dry_run === true) requireScope(caller, 'records:read', 'dry_run');
    const precondition = parsePreconditions(request);
    const object = requireObject(model, caller, params.object_type);
    const reading = { db: context.db, model, caller };
    const { revision, fields } = body;
    const restore: RestoreRequest = { id: params.record_id, revision, fields, precondition };
    if (body.dry_run === true) {
      const values = await restoreValues(reading, object, restore, (operation) =>
        rehearseUpdate({ ...reading, requestId }, object, operation),
      );
      const changes = values.map(({ field, old, now }) => ({ field: field.key, old, new: now }));
      return { body: { data: { dry_run: true, changes } } };
    }
    try {
      return await restoreValues(reading, object, restore, (operation) =>
        replyWithRecord(request, context, operation),
      );
    } catch (error) {
      // The service may have answered the key before the values were swept.
      return replyAgain(request, context, object, error);
    }
  },
});
