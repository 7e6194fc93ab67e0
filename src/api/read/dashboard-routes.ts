// Dashboards: reports on one page (docs/design/reports.md). Parsing and presenting only; the way there is
// flow/views/dashboard-flow.ts.

import Type from 'typebox';
import {
  createDashboard as addDashboard,
  changeDashboard,
  type FilledDashboard,
  getDashboard as readDashboard,
  listDashboards as readDashboards,
  deleteDashboard as removeDashboard,
} from '../../flow/views/dashboard-flow.ts';
import { LIMITS } from '../../limits.ts';
import type { DashboardRow } from '../../plan/read/dashboard-plan.ts';
import { canChangeView } from '../../plan/read/view-plan.ts';
import { parsePreconditions, versionToken } from '../../plan/write/precondition.ts';
import { defineRoute } from '../context.ts';
import { loadPage } from '../listed-pages.ts';
import { NameText, noParams, noQuery } from '../people/administration-shapes.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import { presentView, viewQuestion } from './present-view.ts';
import { ExpectedVersion, Shared, View } from './view-shapes.ts';

const Id = Type.String({ minLength: 1, maxLength: LIMITS.idLength });

const ofOneDashboard = {
  tag: 'Views',
  params: Type.Object({ dashboard_id: Id }, closed),
  query: noQuery,
  malformedPathIsNotFound: true,
} as const;

const Tiles = Type.Array(
  Type.Object(
    {
      view_id: Id,
      width: Type.Integer({
        minimum: 1,
        maximum: LIMITS.dashboardColumns,
        description: 'Columns of the page, which has four.',
      }),
    },
    closed,
  ),
  {
    maxItems: LIMITS.tilesOfDashboard,
    description: 'Views of the kind `report`, in their order on the page.',
  },
);

const listed = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  shared: Shared,
  owner_user_id: Type.Integer(),
  tiles: Tiles,
  can_change: Type.Boolean(),
  version: Type.String({
    description: 'Opaque; send it back as `If-Match` or `expected_version`.',
  }),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
};

const Dashboard = Type.Object(listed, { $id: 'Dashboard' });

const Filled = Type.Object(
  {
    ...listed,
    views: Type.Array(View, {
      description: 'The views that you see; a tile without one has a deleted or private view.',
    }),
  },
  { $id: 'FilledDashboard' },
);

export const listDashboards = defineRoute({
  method: 'GET',
  path: '/dashboards',
  operationId: 'listDashboards',
  tag: 'Views',
  summary: 'List dashboards',
  description: 'Your own and those shared with you, newest first.',
  scope: 'records:read',
  params: noParams,
  query: Type.Object(
    { limit: limitQuery(LIMITS.defaultPageSize.dashboards), cursor: CursorQuery },
    closed,
  ),
  status: 200,
  result: pageOf(Dashboard),
  errors: ['validation_failed', 'invalid_cursor'],
  async handle(request, context) {
    const { model, caller } = request;
    const { limit, cursor } = request.query;
    const binding = JSON.stringify(['dashboards', model.workspace.id, caller.user.id]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (before: string | undefined, most) =>
          readDashboards(viewQuestion(request, context), { before, limit: most }),
        idOf: ({ id }) => id,
      },
    );
    return { body: { data: rows.map((row) => presentDashboard(request, row)), pagination } };
  },
});

export const getDashboard = defineRoute({
  ...ofOneDashboard,
  method: 'GET',
  path: '/dashboards/{dashboard_id}',
  operationId: 'getDashboard',
  summary: 'Get a dashboard',
  description: 'Your own, or one that is shared with you, with its views.',
  scope: 'records:read',
  status: 200,
  result: responseOf(Filled),
  errors: ['record_not_found'],
  async handle(request, context) {
    const asked = viewQuestion(request, context);
    const found = await readDashboard(asked, request.params.dashboard_id);
    return { body: { data: presentFilled(request, found) } };
  },
});

export const createDashboard = defineRoute({
  method: 'POST',
  path: '/dashboards',
  operationId: 'createDashboard',
  tag: 'Views',
  summary: 'Create a dashboard',
  description: 'People who see a dashboard see those of its views that are shared with them.',
  scope: 'records:write',
  params: noParams,
  query: noQuery,
  body: Type.Object(
    { name: NameText, shared: Type.Optional(Shared), tiles: Type.Optional(Tiles) },
    closed,
  ),
  status: 201,
  result: responseOf(Filled),
  errors: ['validation_failed', 'invalid_write', 'conflict'],
  async handle(request, context) {
    const made = await addDashboard(viewQuestion(request, context), request.body);
    return { body: { data: presentFilled(request, made) } };
  },
});

export const updateDashboard = defineRoute({
  ...ofOneDashboard,
  method: 'PATCH',
  path: '/dashboards/{dashboard_id}',
  operationId: 'updateDashboard',
  summary: 'Change a dashboard',
  description:
    'The owner may change it; for dashboards that are shared with them administrators too.',
  scope: 'records:write',
  body: Type.Object(
    {
      name: Type.Optional(NameText),
      shared: Type.Optional(Shared),
      tiles: Type.Optional(Tiles),
      expected_version: Type.Optional(ExpectedVersion),
    },
    closed,
  ),
  preconditions: true,
  status: 200,
  result: responseOf(Filled),
  errors: [
    ...(['validation_failed', 'invalid_write', 'permission_denied'] as const),
    ...(['record_not_found', 'stale_record'] as const),
  ],
  async handle(request, context) {
    const { expected_version, ...patch } = request.body;
    const precondition = parsePreconditions(request, expected_version);
    const asked = viewQuestion(request, context);
    const { dashboard_id } = request.params;
    const changed = await changeDashboard(asked, dashboard_id, patch, precondition);
    return { body: { data: presentFilled(request, changed) } };
  },
});

export const deleteDashboard = defineRoute({
  ...ofOneDashboard,
  method: 'DELETE',
  path: '/dashboards/{dashboard_id}',
  operationId: 'deleteDashboard',
  summary: 'Delete a dashboard',
  description:
    'The owner may delete it; for dashboards that are shared with them administrators too. Its views stay.',
  scope: 'records:write',
  status: 200,
  result: responseOf(Type.Object({ id: Type.String(), deleted: Type.Literal(true) })),
  errors: ['permission_denied', 'record_not_found'],
  async handle(request, context) {
    const asked = viewQuestion(request, context);
    const id = await removeDashboard(asked, request.params.dashboard_id);
    return { body: { data: { id, deleted: true } } };
  },
});

type Request = Parameters<typeof presentView>[0];

function presentDashboard({ caller }: Request, row: DashboardRow) {
  const { id, name, shared, owner_user_id, tiles, created_at, updated_at } = row;
  return {
    ...{ id, name, shared, owner_user_id, tiles: [...tiles] },
    can_change: canChangeView(caller, row),
    version: versionToken({ ...row }),
    ...{ created_at, updated_at },
  };
}

function presentFilled(request: Request, { dashboard, reports }: FilledDashboard) {
  const views = reports.map((view) => presentView(request, view));
  return { ...presentDashboard(request, dashboard), views };
}
