// The key itself, and the people and teams of the workspace (specification §4.1). Callers with the directory right
// see everybody; others see themselves and their own teams (D19).

import Type from 'typebox';
import {
  directoryView,
  loadTeams,
  loadUser,
  loadUsers,
  type ShownPerson,
  type UserListRequest,
} from '../../control/people/directory.ts';
import { loadChangesMoment } from '../../control/process/moments.ts';
import { ApiError } from '../../errors.ts';
import { listDashboards } from '../../flow/views/dashboard-flow.ts';
import { listViews } from '../../flow/views/view-flow.ts';
import { LIMITS } from '../../limits.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import type { Caller } from '../../model/rights/access.ts';
import { type SessionPrincipal, sendingSession, viewingOf } from '../../model/rights/principal.ts';
import { eventIdAt } from '../../plan/events/event-id.ts';
import {
  type CursorValue,
  decodeCursor,
  encodeCursor,
  isLongText,
} from '../../plan/read/cursor.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { presentSession } from '../present.ts';
import { viewQuestion } from '../read/present-view.ts';
import {
  CursorQuery,
  closed,
  KeyIdentity,
  limitQuery,
  listOf,
  pageOf,
  responseOf,
  SessionIdentityShape,
  Team,
  User,
} from '../shapes.ts';

const nothing = Type.Object({}, closed);

/** Up to a hundred ids of users with commas between them. */
const IDS = `^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${LIMITS.pageSize.maximum - 1}}$`;

export const getMe = defineRoute({
  method: 'GET',
  path: '/me',
  operationId: 'getMe',
  tag: 'Workspace',
  summary: 'Identify the API key or session',
  description:
    'The user the key acts as, its workspace, its scopes and its rate limit. For a session `api_key` is null, and ' +
    '`last_event_id` is there too: a stream of events from it on has every change after this response.',
  scope: null,
  duringSetUp: true,
  params: nothing,
  query: Type.Object(
    {
      include: Type.Optional(
        Type.Enum(['favorite_views', 'links'], {
          description:
            'favorite_views: also answer the favorite views of the user, for a session. ' +
            'links: also those, and the newest 100 dashboards.',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  result: responseOf(Type.Union([KeyIdentity, SessionIdentityShape])),
  errors: ['validation_failed'],
  async handle(request, context) {
    const { caller, model, query } = request;
    const { db } = context;
    const { kind: _, ...user } = caller.user;
    const { workspace } = model;
    const whose = {
      user,
      workspace: { id: workspace.id, slug: workspace.slug, name: workspace.name },
    };
    const session = sendingSession(caller.principal);
    if (session === undefined) return { body: { data: { ...whose, ...presentKey(caller) } } };
    const last_event_id = eventIdAt({ caller, model }, await loadChangesMoment(db, model.schema));
    const viewing = viewingOf(caller.principal);
    const include = session.isLimited ? undefined : query.include;
    const [favorites, dashboards] = await Promise.all([
      include === undefined ? {} : favoritesOf(request, context),
      include === 'links' ? dashboardsOf(request, context) : {},
    ]);
    const links = { ...favorites, ...dashboards };
    const set_up = session.isLimited ? { set_up: 'second_factor' } : {};
    const shown = { ...whose, ...presentInSession(session), ...set_up, last_event_id, ...links };
    if (viewing === undefined) return { body: { data: shown } };
    const { viewer, ends_at } = viewing;
    return { body: { data: { ...shown, viewing: { viewer, ends_at } } } };
  },
});

/** The favorite views for the navigation of the application, which shows them on every page. */
async function favoritesOf(request: Parameters<typeof viewQuestion>[0], context: ApiContext) {
  const page = { after: undefined, limit: LIMITS.pageSize.maximum, isFavorite: true };
  const views = await listViews(viewQuestion(request, context), undefined, page);
  const shown = views.filter(({ kind }) => kind !== 'report');
  return { favorite_views: shown.map(({ id, object_type, name }) => ({ id, object_type, name })) };
}

/** The dashboards that the first page of the application links to. */
async function dashboardsOf(request: Parameters<typeof viewQuestion>[0], context: ApiContext) {
  const page = { before: undefined, limit: LIMITS.pageSize.maximum };
  const dashboards = await listDashboards(viewQuestion(request, context), page);
  return { dashboards: dashboards.map(({ id, name }) => ({ id, name })) };
}

function presentInSession(session: SessionPrincipal) {
  const { requests_per_minute } = session;
  return {
    api_key: null,
    session: presentSession(session),
    rate_limit: { requests_per_minute },
  };
}

function presentKey({ principal }: Caller) {
  if (principal.kind !== 'key') return { api_key: null, rate_limit: null };
  const { id, name, type, prefix, scopes, expires_at, requests_per_minute } = principal;
  return {
    api_key: { id, name, type, prefix, scopes, expires_at },
    rate_limit: { requests_per_minute },
  };
}

export const listUsers = defineRoute({
  method: 'GET',
  path: '/users',
  operationId: 'listUsers',
  tag: 'Workspace',
  summary: 'List users',
  description: 'People with their teams, by name. Without directory access: only yourself.',
  scope: 'users:read',
  params: nothing,
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.users),
      cursor: CursorQuery,
      q: Type.Optional(
        Type.String({
          maxLength: LIMITS.textQueryLength,
          description: 'Case-insensitive match on name or email.',
        }),
      ),
      include_inactive: Type.Enum(['true', 'false'], { default: 'false' }),
      ids: Type.Optional(
        Type.String({
          pattern: IDS,
          description:
            'Only the users with these ids, at most 100 with commas between them: people, inactive people and agents. Those that do not exist or that the caller may not see are left out.',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  result: pageOf(User),
  errors: ['validation_failed', 'invalid_cursor'],
  async handle({ caller, model, query }, { db }) {
    const { limit, cursor } = query;
    const text = query.q?.trim() || undefined;
    const includeInactive = query.include_inactive === 'true';
    const ids = query.ids?.split(',').map(Number);
    const binding = bindingOf(caller, model, { text, includeInactive, ids });
    const after = cursor === undefined ? undefined : readCursor(model, binding, cursor);
    const request = { text, includeInactive, ids, limit: limit + 1, after };
    const rows = await loadUsers(db, model.schema, directoryView(caller), request);
    const beyond = rows.findIndex(({ teams }, place) => place === limit || teams === null);
    const shown = beyond < 0 ? rows : rows.slice(0, beyond);
    const last = beyond < 0 ? undefined : shown.at(-1);
    const next_cursor = last === undefined ? null : writeCursor(model, binding, last);
    return {
      body: { data: shown, pagination: { limit, has_more: next_cursor !== null, next_cursor } },
    };
  },
});

export const getUser = defineRoute({
  method: 'GET',
  path: '/users/{user_id}',
  operationId: 'getUser',
  tag: 'Workspace',
  summary: 'Retrieve a user',
  scope: 'users:read',
  params: Type.Object(
    { user_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) },
    closed,
  ),
  query: nothing,
  status: 200,
  result: responseOf(User),
  errors: ['user_not_found'],
  async handle({ caller, model, params }, { db }) {
    const view = directoryView(caller);
    const visible = view.user_id === null || view.user_id === params.user_id;
    const user = visible ? await loadUser(db, model.schema, view, params.user_id) : undefined;
    if (user === undefined) throw new ApiError('user_not_found', { param: 'user_id' });
    return { body: { data: user } };
  },
});

export const listTeams = defineRoute({
  method: 'GET',
  path: '/teams',
  operationId: 'listTeams',
  tag: 'Workspace',
  summary: 'List teams',
  description: [
    'All teams with their members. Without directory access only your own teams.',
    'Membership determines access to team records.',
  ].join(' '),
  scope: 'users:read',
  params: nothing,
  query: nothing,
  status: 200,
  result: listOf(Team),
  errors: [],
  async handle({ caller, model }, { db }) {
    return { body: { data: await loadTeams(db, model.schema, directoryView(caller)) } };
  },
});

/** The scope of a cursor (D40). */
function bindingOf(
  { user }: Caller,
  { workspace }: WorkspaceModel,
  { text, includeInactive, ids }: Pick<UserListRequest, 'text' | 'includeInactive' | 'ids'>,
): string {
  const named = ids === undefined ? [] : [ids];
  return JSON.stringify(['users', workspace.id, user.id, text ?? null, includeInactive, ...named]);
}

function writeCursor(model: WorkspaceModel, binding: string, { id, name }: ShownPerson): string {
  return encodeCursor(model.cursor_secret, binding, [name, id]);
}

function readCursor(model: WorkspaceModel, binding: string, cursor: string) {
  const [name, id] = decodeCursor(model.cursor_secret, binding, cursor);
  return { id: id as number, name_start: startOf(name ?? null) };
}

function startOf(name: CursorValue): string | null {
  return isLongText(name) ? name.prefix : (name as string | null);
}
