// Reading records over HTTP: list, search and retrieve (specification §4.3). Parsing and presenting only;
// what may be seen is decided in plan/, the way there is flow/records/read/read-flow.ts.

import Type from 'typebox';
import { ApiError, errorFromProblems, type Problems } from '../../errors.ts';
import { readPage, readRecord } from '../../flow/records/read/read-flow.ts';
import { LIMITS } from '../../limits.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import { requireObject } from '../../plan/read/read-plan.ts';
import { parseFields, parseRecordQuery } from '../../plan/read/record-query.ts';
import { versionToken } from '../../plan/write/precondition.ts';
import { defineRoute } from '../context.ts';
import { presentPage, presentRecord } from '../present.ts';
import {
  ExpandQuery,
  Filters,
  ObjectType,
  RecordId,
  RecordList,
  RecordResponse,
} from '../record-shapes.ts';
import { CursorQuery, closed, limitQuery, questionErrors } from '../shapes.ts';

const fields = Type.Optional(
  Type.String({
    maxLength: LIMITS.fieldsQueryLength,
    description: 'Comma-separated field keys, at most 20.',
    examples: ['name,close_value'],
  }),
);

export const listRecords = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records',
  operationId: 'listRecords',
  tag: 'Records',
  summary: 'List records',
  description: [
    'Lists the records the user may read, newest first unless `sort` says otherwise.',
    'Clients that cannot send brackets in a query string use `POST …/records/search`.',
  ].join(' '),
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.records),
      cursor: CursorQuery,
      q: Type.Optional(
        Type.String({
          maxLength: LIMITS.textQueryLength,
          description: 'Case-insensitive match on the display field.',
        }),
      ),
      fields,
      sort: Type.Optional(
        Type.String({
          maxLength: LIMITS.sortQueryLength,
          description: 'Comma-separated field keys, at most 3; `-` before a key sorts descending.',
          examples: ['-close_value,name'],
        }),
      ),
      expand: ExpandQuery,
    },
    closed,
  ),
  filters: true,
  status: 200,
  result: RecordList,
  errors: [
    'validation_failed',
    'invalid_filter',
    'invalid_cursor',
    'permission_denied',
    'search_not_supported',
    'object_not_available',
  ],
  async handle(request, { db }) {
    const { caller, model, params, query: sent, signal } = request;
    const { object, query } = parseRecordQuery(
      {
        text: sent.q,
        textParam: 'q',
        fields: sent.fields,
        sort: sent.sort,
        expand: sent.expand,
        filters: request.filters,
      },
      () => requireObject(model, caller, params.object_type),
    );
    const page = await readPage({ db, model, caller, signal }, object, {
      endpoint: 'list',
      query,
      limit: sent.limit ?? LIMITS.defaultPageSize.records,
      cursor: sent.cursor,
    });
    return { body: presentPage(page, caller) };
  },
});

const BodyText = Type.Optional(
  Type.String({
    maxLength: LIMITS.textQueryLength,
    description: 'Case-insensitive match on the display field.',
  }),
);

/** The common part of search and aggregate: the selection of rows. */
export const selectionBody = {
  query: BodyText,
  filters: Type.Optional(Filters),
} as const;

export const sortBody = Type.Optional(
  Type.Array(
    Type.Object(
      {
        field: Type.String(),
        direction: Type.Optional(Type.Enum(['asc', 'desc'], { default: 'asc' })),
      },
      closed,
    ),
    { maxItems: LIMITS.sortKeys },
  ),
);

export const searchRecords = defineRoute({
  method: 'POST',
  path: '/objects/{object_type}/records/search',
  operationId: 'searchRecords',
  tag: 'Records',
  summary: 'Search records',
  description: 'Lists records like the list endpoint, with filters in the body. Read-only.',
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType }, closed),
  query: Type.Object({}, closed),
  body: Type.Object(
    {
      ...selectionBody,
      fields: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: LIMITS.selectedFields,
          description: 'Field keys; identity properties only when left out.',
        }),
      ),
      sort: sortBody,
      limit: Type.Optional(limitQuery(LIMITS.defaultPageSize.records)),
      cursor: CursorQuery,
    },
    closed,
  ),
  bodyOptional: true,
  status: 200,
  result: RecordList,
  errors: questionErrors,
  async handle({ caller, model, params, body, signal }, { db }) {
    const { query: text, filters = {}, fields, sort } = body;
    const source = { text, textParam: 'query', filters, fields, sort };
    const { object, query } = parseRecordQuery(source, () => {
      const found = requireObject(model, caller, params.object_type);
      requireSearchable(found);
      return found;
    });
    const page = await readPage({ db, model, caller, signal }, object, {
      endpoint: 'search',
      query,
      limit: body.limit ?? LIMITS.defaultPageSize.records,
      cursor: body.cursor || undefined,
    });
    return { body: presentPage(page, caller) };
  },
});

/** Searching needs a text display field, whatever is searched for (D22). */
function requireSearchable(object: ObjectModel): void {
  if (!object.capabilities.search) throw new ApiError('search_not_supported');
}

export const getRecord = defineRoute({
  method: 'GET',
  path: '/objects/{object_type}/records/{record_id}',
  operationId: 'getRecord',
  tag: 'Records',
  summary: 'Retrieve a record',
  description:
    'Returns every readable field; `fields` narrows it. The `ETag` begins with the version.',
  scope: 'records:read',
  params: Type.Object({ object_type: ObjectType, record_id: RecordId }, closed),
  query: Type.Object({ fields }, closed),
  status: 200,
  result: RecordResponse,
  etag: true,
  errors: [
    'validation_failed',
    'invalid_filter',
    'permission_denied',
    'object_not_available',
    'record_not_found',
  ],
  async handle({ caller, model, params, query }, { db }) {
    const problems: Problems = [];
    const keys = parseFields(query.fields, problems);
    if (problems.length > 0) throw errorFromProblems(problems);
    const object = requireObject(model, caller, params.object_type);
    const request = { id: params.record_id, fields: keys };
    const { plan, row } = await readRecord({ db, model, caller }, object, request);
    return { body: { data: presentRecord(plan, row, caller) }, version: versionToken(row) };
  },
});
