// Views: questions that people keep, share and put in an order of their own (docs/decisions.md, D290). Parsing and
// presenting only; the way there is flow/views/view-flow.ts.

import Type from 'typebox';
import {
  copyView as addCopy,
  createView as addView,
  changeView,
  orderViews as putOrder,
  getView as readView,
  listViews as readViews,
  deleteView as removeView,
} from '../../flow/views/view-flow.ts';
import { LIMITS } from '../../limits.ts';
import { VIEW_KINDS } from '../../plan/read/view-plan.ts';
import { parsePreconditions } from '../../plan/write/precondition.ts';
import { defineRoute } from '../context.ts';
import { loadPage } from '../listed-pages.ts';
import { NameText, noParams, noQuery } from '../people/administration-shapes.ts';
import { CursorQuery, closed, limitQuery, nullable, pageOf, responseOf } from '../shapes.ts';
import { requireScope } from '../write/batch-shapes.ts';
import { presentView, viewQuestion } from './present-view.ts';
import {
  Chart,
  Columns,
  ExpectedVersion,
  GroupBy,
  Kind,
  Metrics,
  ObjectType,
  Question,
  Shared,
  View,
  ViewOrderShape,
  viewParams,
} from './view-shapes.ts';

/** The common part of all routes of one view. */
const ofOneView = {
  tag: 'Views',
  params: viewParams,
  query: noQuery,
  malformedPathIsNotFound: true,
} as const;

/** The properties of a view in a body. */
const given = {
  kind: Type.Optional(Kind),
  shared: Type.Optional(Shared),
  query: Type.Optional(Question),
  columns: Type.Optional(Columns),
  group_by: Type.Optional(GroupBy),
  metrics: Type.Optional(Metrics),
  chart: Type.Optional(Chart),
};

/** Errors of a question that is kept. */
const ofQuestion = [
  'validation_failed',
  'invalid_filter',
  'permission_denied',
  'search_not_supported',
] as const;

export const listViews = defineRoute({
  method: 'GET',
  path: '/views',
  operationId: 'listViews',
  tag: 'Views',
  summary: 'List views',
  description: 'Your own and those shared with you, by object type and in your own order.',
  scope: 'records:read',
  params: noParams,
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.views),
      cursor: CursorQuery,
      object_type: Type.Optional(ObjectType),
      favorite: Type.Optional(
        Type.Enum(['true', 'false'], { description: '`true`: only your favorites.' }),
      ),
      kind: Type.Optional(
        Type.Enum([...VIEW_KINDS], { description: 'Only views that are shown in this way.' }),
      ),
    },
    closed,
  ),
  status: 200,
  result: pageOf(View),
  errors: ['validation_failed', 'invalid_cursor', 'object_not_available'],
  async handle(request, context) {
    const { model, caller, query } = request;
    const { limit, cursor, object_type, kind } = query;
    const isFavorite = query.favorite === 'true';
    const binding = JSON.stringify([
      'views',
      model.workspace.id,
      caller.user.id,
      object_type ?? null,
      ...(isFavorite ? ['favorites'] : []),
      ...(kind === undefined ? [] : [`kind ${kind}`]),
    ]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (after: string | undefined, most) =>
          readViews(viewQuestion(request, context), object_type, {
            after,
            limit: most,
            isFavorite,
            kind,
          }),
        idOf: ({ place }) => place,
      },
    );
    return { body: { data: rows.map((view) => presentView(request, view)), pagination } };
  },
});

export const getView = defineRoute({
  ...ofOneView,
  method: 'GET',
  path: '/views/{view_id}',
  operationId: 'getView',
  summary: 'Get a view',
  description: 'Your own, or one that is shared with you.',
  scope: 'records:read',
  status: 200,
  result: responseOf(View),
  errors: ['record_not_found'],
  async handle(request, context) {
    const view = await readView(viewQuestion(request, context), request.params.view_id);
    return { body: { data: presentView(request, view) } };
  },
});

export const createView = defineRoute({
  method: 'POST',
  path: '/views',
  operationId: 'createView',
  tag: 'Views',
  summary: 'Create a view',
  description: [
    'A view stores a query, not its results: each person sees the records that they may read. The query must',
    'be one that you could run now.',
  ].join(' '),
  scope: 'records:write',
  params: noParams,
  query: noQuery,
  body: Type.Object(
    {
      object_type: ObjectType,
      name: NameText,
      ...given,
      query: Question,
    },
    closed,
  ),
  status: 201,
  result: responseOf(View),
  errors: [...ofQuestion, 'object_not_available', 'conflict'],
  async handle(request, context) {
    const view = await addView(viewQuestion(request, context), request.body);
    return { body: { data: presentView(request, view) } };
  },
});

export const copyView = defineRoute({
  ...ofOneView,
  method: 'POST',
  path: '/views/{view_id}/copy',
  operationId: 'copyView',
  summary: 'Copy a view',
  description: [
    'Creates a private view of your own without the conditions, groups, metrics, sort keys and columns of',
    'fields that you cannot see. A group of conditions that becomes empty is removed. A board with columns',
    'of such a field becomes a table. Needs the scope records:read too.',
  ].join(' '),
  scope: 'records:write',
  body: Type.Object({ name: Type.Optional(NameText) }, closed),
  status: 201,
  result: responseOf(View),
  errors: [...ofQuestion, 'record_not_found', 'conflict'],
  async handle(request, context) {
    const { caller, params, body } = request;
    requireScope(caller, 'records:read', 'view_id');
    const view = await addCopy(viewQuestion(request, context), params.view_id, body.name);
    return { body: { data: presentView(request, view) } };
  },
});

export const updateView = defineRoute({
  ...ofOneView,
  method: 'PATCH',
  path: '/views/{view_id}',
  operationId: 'updateView',
  summary: 'Change a view',
  description: 'The owner may change it; for views that are shared with them administrators too.',
  scope: 'records:write',
  body: Type.Object(
    {
      name: Type.Optional(NameText),
      ...given,
      expected_version: Type.Optional(ExpectedVersion),
    },
    closed,
  ),
  preconditions: true,
  status: 200,
  result: responseOf(View),
  errors: [...ofQuestion, 'record_not_found', 'stale_record'],
  async handle(request, context) {
    const { expected_version, ...patch } = request.body;
    const precondition = parsePreconditions(request, expected_version);
    const { view_id } = request.params;
    const view = await changeView(viewQuestion(request, context), view_id, patch, precondition);
    return { body: { data: presentView(request, view) } };
  },
});

export const deleteView = defineRoute({
  ...ofOneView,
  method: 'DELETE',
  path: '/views/{view_id}',
  operationId: 'deleteView',
  summary: 'Delete a view',
  description: 'The owner may delete it; for views that are shared with them administrators too.',
  scope: 'records:write',
  status: 200,
  result: responseOf(Type.Object({ id: Type.String(), deleted: Type.Literal(true) })),
  errors: ['permission_denied', 'record_not_found'],
  async handle(request, context) {
    const id = await removeView(viewQuestion(request, context), request.params.view_id);
    return { body: { data: { id, deleted: true } } };
  },
});

export const orderViews = defineRoute({
  method: 'PUT',
  path: '/views/order',
  operationId: 'orderViews',
  tag: 'Views',
  summary: 'Put the views of an object in your own order',
  description:
    'These settings are your own. `default_view_id` is the view that opens first for you; ' +
    '`favorite_view_ids` are your favorites.',
  scope: 'records:write',
  params: noParams,
  query: noQuery,
  body: ViewOrderShape,
  status: 200,
  result: responseOf(
    Type.Object({
      object_type: Type.String(),
      view_ids: Type.Array(Type.String()),
      default_view_id: nullable(Type.String()),
    }),
  ),
  errors: ['validation_failed', 'object_not_available', 'invalid_write'],
  async handle(request, context) {
    const { default_view_id = null, ...order } = request.body;
    const data = await putOrder(viewQuestion(request, context), { ...order, default_view_id });
    return { body: { data } };
  },
});
