// Reading records over HTTP: list, search and retrieve (specification §4.3). Parsing and presenting only;
// what may be seen is decided in plan/, the way there is flow/read-flow.ts.

import Type from 'typebox';
import { ApiError, errorFromProblems } from '../errors.ts';
import { readPage, readRecord } from '../flow/read-flow.ts';
import { LIMITS } from '../limits.ts';
import type { ObjectModel } from '../model/model.ts';
import {
  type Problems,
  parseBodyFilters,
  parseQueryFilters,
  parseTextQuery,
} from '../plan/filter.ts';
import { versionToken } from '../plan/precondition.ts';
import { requireObject, type SelectionRequest, type SortInput } from '../plan/read-plan.ts';
import { defineRoute } from './context.ts';
import { presentPage, presentRecord } from './present.ts';
import { Filters, ObjectType, RecordId, RecordList, RecordResponse } from './record-shapes.ts';
import { CursorQuery, closed, limitQuery } from './shapes.ts';

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
    const { caller, model, params, query, signal } = request;
    const problems: Problems = [];
    const list = {
      endpoint: 'list',
      text: parseTextQuery(query.q, 'q', problems),
      textParam: 'q',
      fields: parseFieldList(query.fields, problems),
      sort: parseSort(query.sort, problems),
      limit: query.limit ?? LIMITS.defaultPageSize.records,
      cursor: query.cursor,
    };
    if (problems.length > 0) throw errorFromProblems(problems);
    const object = requireObject(model, caller, params.object_type);
    const filters = parseQueryFilters(request.filters, problems);
    if (problems.length > 0) throw errorFromProblems(problems);
    const page = await readPage({ db, model, caller, signal }, object, { ...list, filters });
    return { body: presentPage(page, caller) };
  },
});

const BodyText = Type.Optional(
  Type.String({
    maxLength: LIMITS.textQueryLength,
    description: 'Case-insensitive match on the display field.',
  }),
);

/** What search and aggregate have in common: which rows. */
export const selectionBody = {
  query: BodyText,
  filters: Type.Optional(Filters),
} as const;

/** Filters and text of a body; throws what is wrong with their form. */
export function parseSelection(
  body: { readonly query?: string; readonly filters?: Readonly<Record<string, unknown>> },
  requireReadable: () => ObjectModel,
): { readonly object: ObjectModel; readonly selection: SelectionRequest } {
  const problems: Problems = [];
  const text = parseTextQuery(body.query, 'query', problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  const object = requireReadable();
  const filters = parseBodyFilters(body.filters ?? {}, problems);
  if (problems.length > 0) throw errorFromProblems(problems);
  return { object, selection: { filters, text, textParam: 'query' } };
}

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
      sort: Type.Optional(
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
      ),
      limit: Type.Optional(limitQuery(LIMITS.defaultPageSize.records)),
      cursor: CursorQuery,
    },
    closed,
  ),
  bodyOptional: true,
  status: 200,
  result: RecordList,
  errors: [
    'invalid_json',
    'validation_failed',
    'invalid_filter',
    'invalid_cursor',
    'permission_denied',
    'search_not_supported',
    'object_not_available',
  ],
  async handle({ caller, model, params, body, signal }, { db }) {
    const sort = parseSortList(body.sort ?? []);
    const { object, selection } = parseSelection(body, () => {
      const found = requireObject(model, caller, params.object_type);
      requireSearchable(found);
      return found;
    });
    const page = await readPage({ db, model, caller, signal }, object, {
      ...selection,
      endpoint: 'search',
      fields: body.fields,
      sort,
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

function parseSortList(
  sort: readonly { readonly field: string; readonly direction?: 'asc' | 'desc' }[],
): readonly SortInput[] {
  return sort.map(({ field: key, direction = 'asc' }, index) => {
    if (sort.findIndex((other) => other.field === key) !== index) {
      const message = 'The field is repeated.';
      throw new ApiError('validation_failed', { param: `sort[${index}].field`, message });
    }
    return { param: `sort[${index}].field`, key, direction };
  });
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
    const keys = parseFieldList(query.fields, problems);
    if (problems.length > 0) throw errorFromProblems(problems);
    const object = requireObject(model, caller, params.object_type);
    const request = { id: params.record_id, fields: keys };
    const { plan, row } = await readRecord({ db, model, caller }, object, request);
    return { body: { data: presentRecord(plan, row, caller) }, version: versionToken(row) };
  },
});

/** Split `fields`; empty means omitted, more than 20 different keys are too many. */
function parseFieldList(
  text: string | undefined,
  problems: Problems,
): readonly string[] | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const keys = [...new Set(text.split(',').map((key) => key.trim()))];
  if (keys.length > LIMITS.selectedFields || keys.includes('')) {
    const message = `Name 1 to ${LIMITS.selectedFields} field keys, separated by commas.`;
    problems.push({ param: 'fields', code: 'validation_failed', message });
  }
  return keys;
}

/** Split `sort` into keys and directions; no key may be empty or repeated. */
export function parseSort(text: string | undefined, problems: Problems): readonly SortInput[] {
  if (text === undefined) return [];
  const sort = text.split(',').map((item): SortInput => {
    const descending = item.startsWith('-');
    const key = descending ? item.slice(1) : item;
    return { param: 'sort', key, direction: descending ? 'desc' : 'asc' };
  });
  const keys = new Set(sort.map(({ key }) => key));
  const wellFormed = sort.every(({ key }) => key !== '' && !key.startsWith('-'));
  if (!wellFormed || keys.size !== sort.length || sort.length > LIMITS.sortKeys) {
    const message = `Name 1 to ${LIMITS.sortKeys} different field keys, "-" before one descends.`;
    problems.push({ param: 'sort', code: 'validation_failed', message });
  }
  return sort;
}
