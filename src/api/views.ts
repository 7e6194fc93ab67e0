// Views: questions that people keep, share and put in an order of their own (docs/decisions.md, D290). Parsing and
// presenting only; the way there is flow/view-flow.ts.

import Type from 'typebox';
import type { PlacedView } from '../control/view-rows.ts';
import type { Problem } from '../errors.ts';
import {
  createView as addView,
  changeView,
  orderViews as putOrder,
  getView as readView,
  listViews as readViews,
  deleteView as removeView,
  type ViewQuestion,
} from '../flow/view-flow.ts';
import type { RouteRequest } from '../http/route.ts';
import { compileShape } from '../http/validate.ts';
import { LIMITS } from '../limits.ts';
import { parsePreconditions, versionToken } from '../plan/precondition.ts';
import {
  canChangeView,
  VIEW_KINDS,
  VIEW_METRICS,
  VIEW_SHARES,
  type ViewKind,
  type ViewQuery,
  viewProblems,
} from '../plan/view-plan.ts';
import { NameText, noParams, noQuery } from './administration-shapes.ts';
import { type ApiContext, defineRoute } from './context.ts';
import { loadPage } from './listed-pages.ts';
import { groupedBody, questionBody } from './question-shapes.ts';
import { CursorQuery, closed, limitQuery, nullable, pageOf, responseOf } from './shapes.ts';

const ObjectType = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
const ViewId = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
const viewParams = Type.Object({ view_id: ViewId }, closed);

const FieldPath = Type.String({ minLength: 1, maxLength: LIMITS.fieldPathLength });
const Kind = Type.Enum([...VIEW_KINDS], {
  description: 'How it is shown. The question of a report is one for an aggregate.',
});
const Shared = Type.Enum([...VIEW_SHARES], {
  description: 'Who sees it: its owner, whoever shares a team with them, or everybody.',
});
const Column = Type.Object(
  {
    field: FieldPath,
    width: Type.Optional(
      Type.Integer({
        minimum: LIMITS.columnWidth.minimum,
        maximum: LIMITS.columnWidth.maximum,
        description: 'Pixels.',
      }),
    ),
  },
  closed,
);
const Columns = Type.Array(Column, {
  maxItems: LIMITS.columnsOfView,
  description: 'The fields shown, in this order; a field through a reference as `company_id.name`.',
});
const GroupBy = nullable(
  Type.String({
    minLength: 1,
    maxLength: LIMITS.fieldPathLength,
    description: 'The field whose values are the columns of a board, or the groups of a table.',
  }),
);
const Metrics = nullable(
  Type.Array(Type.Object({ op: Type.Enum([...VIEW_METRICS]), field: FieldPath }, closed), {
    maxItems: LIMITS.metricsOfView,
    description:
      'What is computed of each column of a board, or group of a table; null leaves it to whoever shows it.',
  }),
);
/** Its shape depends on the kind, which a change need not name. */
const Question = Type.Record(Type.String(), Type.Unknown(), {
  description: [
    'What `POST …/records/query` takes, for a report what `POST …/records/aggregate/query` takes; without',
    '`limit` and `cursor`.',
  ].join(' '),
});

const View = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    object_type: Type.String(),
    name: Type.String(),
    kind: Kind,
    shared: Shared,
    owner_user_id: Type.Integer(),
    query: Question,
    columns: Type.Array(
      Type.Object({ field: Type.String(), width: Type.Optional(Type.Integer()) }),
    ),
    group_by: nullable(Type.String()),
    metrics: nullable(
      Type.Array(Type.Object({ op: Type.Enum([...VIEW_METRICS]), field: Type.String() })),
    ),
    is_default: Type.Boolean({ description: 'It is the one that opens first for you.' }),
    can_change: Type.Boolean(),
    problems: Type.Array(
      Type.Object({ param: Type.String(), code: Type.String(), message: Type.String() }),
      {
        description:
          'What of it you cannot be answered: a field that is gone, or that you may not read.',
      },
    ),
    version: Type.String({
      description: 'Opaque; send it back as `If-Match` or `expected_version`.',
    }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'View' },
);

const ViewOrderShape = Type.Object(
  {
    object_type: ObjectType,
    view_ids: Type.Array(ViewId, {
      maxItems: LIMITS.viewsInOrder,
      uniqueItems: true,
      description: 'Views that are not named come after them.',
    }),
    default_view_id: Type.Optional(nullable(ViewId)),
  },
  closed,
);

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
    },
    closed,
  ),
  status: 200,
  result: pageOf(View),
  errors: ['validation_failed', 'invalid_cursor', 'object_not_available'],
  async handle(request, context) {
    const { model, caller, query } = request;
    const { limit, cursor, object_type } = query;
    const binding = JSON.stringify([
      'views',
      model.workspace.id,
      caller.user.id,
      object_type ?? null,
    ]);
    const { shown, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (after: string | undefined, most) =>
          readViews(asked(request, context), object_type, { after, limit: most }),
        idOf: ({ place }) => place,
      },
    );
    return { body: { data: shown.map((view) => presentView(request, view)), pagination } };
  },
});

export const getView = defineRoute({
  method: 'GET',
  path: '/views/{view_id}',
  operationId: 'getView',
  tag: 'Views',
  summary: 'Get a view',
  description: 'Your own, or one that is shared with you.',
  scope: 'records:read',
  params: viewParams,
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(View),
  errors: ['record_not_found'],
  async handle(request, context) {
    const view = await readView(asked(request, context), request.params.view_id);
    return { body: { data: presentView(request, view) } };
  },
});

export const createView = defineRoute({
  method: 'POST',
  path: '/views',
  operationId: 'createView',
  tag: 'Views',
  summary: 'Keep a question as a view',
  description: [
    'A view holds a question and never an answer: who opens it sees what they may. The question has to be one',
    'that you could ask now.',
  ].join(' '),
  scope: 'records:write',
  params: noParams,
  query: noQuery,
  body: Type.Object(
    {
      object_type: ObjectType,
      name: NameText,
      kind: Type.Optional(Kind),
      shared: Type.Optional(Shared),
      query: Question,
      columns: Type.Optional(Columns),
      group_by: Type.Optional(GroupBy),
      metrics: Type.Optional(Metrics),
    },
    closed,
  ),
  status: 201,
  result: responseOf(View),
  errors: [
    'validation_failed',
    'invalid_filter',
    'permission_denied',
    'object_not_available',
    'search_not_supported',
    'conflict',
  ],
  async handle(request, context) {
    const view = await addView(asked(request, context), request.body);
    return { body: { data: presentView(request, view) } };
  },
});

export const updateView = defineRoute({
  method: 'PATCH',
  path: '/views/{view_id}',
  operationId: 'updateView',
  tag: 'Views',
  summary: 'Change a view',
  description: 'Its owner may; for views that are shared with them administrators too.',
  scope: 'records:write',
  params: viewParams,
  query: noQuery,
  body: Type.Object(
    {
      name: Type.Optional(NameText),
      kind: Type.Optional(Kind),
      shared: Type.Optional(Shared),
      query: Type.Optional(Question),
      columns: Type.Optional(Columns),
      group_by: Type.Optional(GroupBy),
      metrics: Type.Optional(Metrics),
      expected_version: Type.Optional(
        Type.String({
          maxLength: LIMITS.versionLength,
          description: 'The version the view must still have; an alternative to `If-Match`.',
        }),
      ),
    },
    closed,
  ),
  malformedPathIsNotFound: true,
  preconditions: true,
  status: 200,
  result: responseOf(View),
  errors: [
    'validation_failed',
    'invalid_filter',
    'permission_denied',
    'record_not_found',
    'search_not_supported',
    'stale_record',
  ],
  async handle(request, context) {
    const { expected_version, ...patch } = request.body;
    const precondition = parsePreconditions(request, expected_version);
    const { view_id } = request.params;
    const view = await changeView(asked(request, context), view_id, patch, precondition);
    return { body: { data: presentView(request, view) } };
  },
});

export const deleteView = defineRoute({
  method: 'DELETE',
  path: '/views/{view_id}',
  operationId: 'deleteView',
  tag: 'Views',
  summary: 'Delete a view',
  description: 'Its owner may; for views that are shared with them administrators too.',
  scope: 'records:write',
  params: viewParams,
  query: noQuery,
  malformedPathIsNotFound: true,
  status: 200,
  result: responseOf(Type.Object({ id: Type.String(), deleted: Type.Literal(true) })),
  errors: ['permission_denied', 'record_not_found'],
  async handle(request, context) {
    const id = await removeView(asked(request, context), request.params.view_id);
    return { body: { data: { id, deleted: true } } };
  },
});

export const orderViews = defineRoute({
  method: 'PUT',
  path: '/views/order',
  operationId: 'orderViews',
  tag: 'Views',
  summary: 'Put the views of an object in your own order',
  description: 'Nobody else notices. `default_view_id` is the view that opens first for you.',
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
    const data = await putOrder(asked(request, context), { ...order, default_view_id });
    return { body: { data } };
  },
});

const { limit: _limit, cursor: _cursor, ...listed } = questionBody;
const { limit: _groups, cursor: _next, ...grouped } = groupedBody;
const ofTable = compileShape(Type.Object(listed, closed), { subject: 'The question' });
const ofReport = compileShape(Type.Object(grouped, closed), { subject: 'The question' });

function checkShape(kind: ViewKind, query: ViewQuery): readonly Problem[] {
  return kind === 'report' ? ofReport(query) : ofTable(query);
}

type Request = Pick<RouteRequest<unknown, unknown, unknown>, 'model' | 'caller' | 'requestId'>;

function asked({ model, caller, requestId }: Request, { db }: ApiContext): ViewQuestion {
  return { db, model, caller, requestId, checkShape };
}

function presentView({ model, caller }: Request, view: PlacedView) {
  const { id, object_type, name, kind, shared, owner_user_id, query, columns } = view;
  return {
    id,
    object_type,
    name,
    kind,
    shared,
    owner_user_id,
    query,
    columns,
    group_by: view.group_by,
    metrics: view.metrics,
    is_default: view.is_default,
    can_change: canChangeView(caller, view),
    problems: viewProblems({ model, caller, checkShape }, view),
    version: versionToken({ ...view }),
    created_at: view.created_at,
    updated_at: view.updated_at,
  };
}
