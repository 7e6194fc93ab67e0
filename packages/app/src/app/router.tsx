// The addresses of the application. A route loads the first data of its page; routes/ has the components.

import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import HomePage from '../features/home/home-page.tsx';
import { clientOf } from '../lib/connection.ts';
import { definitionQuery } from '../lib/definition/draft.ts';
import { loadCode } from '../lib/load-code.ts';
import { queryClient } from '../lib/query-client.ts';
import { recordQuery } from '../lib/record-writes.ts';
import { viewsQuery } from '../lib/saved-views.ts';
import { objectQuery } from '../lib/schema-queries.ts';
import { parseSearch, printSearch, type SearchParams } from '../lib/search-params.ts';
import { beginSession } from '../lib/session.ts';
import { Broken } from './broken.tsx';
import { restoreConsent, searchOfSignIn } from './consent-request.ts';
import { NotFound } from './not-found.tsx';
import { Root } from './root.tsx';
import { Shell } from './shell.tsx';
import { ShellSkeleton } from './shell-skeleton.tsx';

const page: typeof lazyRouteComponent = (find, name) =>
  lazyRouteComponent(() => loadCode(find), name);

interface Context {
  readonly queryClient: typeof queryClient;
}

const rootRoute = createRootRouteWithContext<Context>()({
  component: Root,
  // The pages select the parameters that they use.
  validateSearch: (search: Record<string, unknown>): SearchParams => search as SearchParams,
  notFoundComponent: NotFound,
  errorComponent: Broken,
});

const chooseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: page(() => import('../routes/choose-workspace.ts')),
});

const workspaceRoute = createRoute({ getParentRoute: () => rootRoute, path: '/$workspace' });

const signInRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/sign-in',
  component: page(() => import('../routes/sign-in.ts')),
});

const shellRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  id: 'shell',
  async beforeLoad({ params: { workspace }, context, location }) {
    restoreConsent(workspace, location);
    const me = await beginSession(workspace, context.queryClient);
    if (me !== null) return { me };
    const search = searchOfSignIn(workspace, location);
    throw redirect({ to: '/$workspace/sign-in', params: { workspace }, search });
  },
  component: Shell,
  pendingComponent: ShellSkeleton,
});

const below = { getParentRoute: () => shellRoute } as const;

const homeRoute = createRoute({
  ...below,
  path: '/',
  component: HomePage,
});

const profileRoute = createRoute({
  ...below,
  path: '/settings/profile',
  component: page(() => import('../routes/profile.ts')),
});

const sessionsRoute = createRoute({
  ...below,
  path: '/settings/sessions',
  component: page(() => import('../routes/sessions.ts')),
});

const keysRoute = createRoute({
  ...below,
  path: '/settings/keys',
  component: page(() => import('../routes/keys.ts')),
});

const consentRoute = createRoute({
  ...below,
  path: '/authorize',
  component: page(() => import('../routes/consent.ts')),
});

const webhooksRoute = createRoute({
  ...below,
  path: '/settings/webhooks',
  component: page(() => import('../routes/webhooks.ts')),
});

const newWebhookRoute = createRoute({
  ...below,
  path: '/settings/webhooks/new',
  component: page(() => import('../routes/new-webhook.ts')),
});

const webhookRoute = createRoute({
  ...below,
  path: '/settings/webhooks/$id',
  component: page(() => import('../routes/webhook.ts')),
});

const editWebhookRoute = createRoute({
  ...below,
  path: '/settings/webhooks/$id/edit',
  component: page(() => import('../routes/edit-webhook.ts')),
});

const peopleRoute = createRoute({
  ...below,
  path: '/settings/people',
  component: page(() => import('../routes/people.ts')),
});

const personRoute = createRoute({
  ...below,
  path: '/settings/people/$id',
  component: page(() => import('../routes/person.ts')),
});

const teamsRoute = createRoute({
  ...below,
  path: '/settings/teams',
  component: page(() => import('../routes/teams.ts')),
});

const rolesRoute = createRoute({
  ...below,
  path: '/settings/roles',
  component: page(() => import('../routes/roles.ts')),
});

const roleRoute = createRoute({
  ...below,
  path: '/settings/roles/$key',
  component: page(() => import('../routes/role.ts')),
});

const auditRoute = createRoute({
  ...below,
  path: '/settings/audit',
  component: page(() => import('../routes/audit.ts')),
});

const signInMethodsRoute = createRoute({
  ...below,
  path: '/settings/sign-in-methods',
  component: page(() => import('../routes/sign-in-methods.ts')),
});

const modelRoute = createRoute({
  ...below,
  path: '/settings/model',
  loader: ({ params, context }) => loadDefinition(params.workspace, context),
  component: page(() => import('../routes/model.ts')),
});

const modelObjectRoute = createRoute({
  ...below,
  path: '/settings/model/$type',
  loader: ({ params, context }) => loadDefinition(params.workspace, context),
  component: page(() => import('../routes/model-object.ts')),
});

const revisionsRoute = createRoute({
  ...below,
  path: '/settings/plans',
  component: page(() => import('../routes/revisions.ts')),
});

const reviewRoute = createRoute({
  ...below,
  path: '/settings/plans/review',
  component: page(() => import('../routes/review.ts')),
});

const planJobRoute = createRoute({
  ...below,
  path: '/settings/plans/$id',
  component: page(() => import('../routes/plan-job.ts')),
});

const workflowRoute = createRoute({
  ...below,
  path: '/settings/workflows/$id',
  loader: ({ params, context }) => loadDefinition(params.workspace, context),
  component: page(() => import('../routes/workflow.ts')),
});

const recordsRoute = createRoute({
  ...below,
  path: '/o/$type',
  loader({ params: { workspace, type }, context: { queryClient: queries } }) {
    const place = { workspace, client: clientOf(workspace) };
    return awaitFirstData(
      queries.prefetchQuery(objectQuery(place, type)),
      queries.prefetchQuery(viewsQuery(place, type)),
    );
  },
  component: page(() => import('../routes/records.tsx')),
});

const trashRoute = createRoute({
  ...below,
  path: '/o/$type/deleted',
  component: page(() => import('../routes/trash.ts')),
});

const recordRoute = createRoute({
  ...below,
  path: '/o/$type/$id',
  notFoundComponent: NotFound,
  beforeLoad: redirectToId,
  loader({ params: { workspace, type, id }, context: { queryClient: queries } }) {
    const place = { workspace, client: clientOf(workspace) };
    return awaitFirstData(
      queries.prefetchQuery(objectQuery(place, type)),
      queries.prefetchQuery(recordQuery(place, type, id)),
    );
  },
  component: page(() => import('../routes/record.tsx')),
});

const reportsRoute = createRoute({
  ...below,
  path: '/reports',
  component: page(() => import('../routes/reports.tsx')),
});

const reportRoute = createRoute({
  ...below,
  path: '/reports/$id',
  component: page(() => import('../routes/report.ts')),
});

const dashboardRoute = createRoute({
  ...below,
  path: '/dashboards/$id',
  component: page(() => import('../routes/dashboard.tsx')),
});

const searchRoute = createRoute({
  ...below,
  path: '/search',
  component: page(() => import('../routes/search.ts')),
});

const notificationsRoute = createRoute({
  ...below,
  path: '/notifications',
  component: page(() => import('../routes/notifications.ts')),
});

const importRoute = createRoute({
  ...below,
  path: '/import/$type',
  component: page(() => import('../routes/import.ts')),
});

const jobsRoute = createRoute({
  ...below,
  path: '/jobs',
  component: page(() => import('../routes/jobs.ts')),
});

const jobRoute = createRoute({
  ...below,
  path: '/jobs/$id',
  component: page(() => import('../routes/job.ts')),
});

const settingsRoute = createRoute({
  ...below,
  path: '/settings',
  beforeLoad({ params }) {
    throw redirect({ to: '/$workspace/settings/profile', params });
  },
});

const unknownRoute = createRoute({ ...below, path: '/$', component: NotFound });

const routeTree = rootRoute.addChildren([
  chooseRoute,
  workspaceRoute.addChildren([
    signInRoute,
    shellRoute.addChildren([
      homeRoute,
      searchRoute,
      notificationsRoute,
      recordsRoute,
      trashRoute,
      recordRoute,
      importRoute,
      jobsRoute,
      jobRoute,
      reportsRoute,
      reportRoute,
      dashboardRoute,
      settingsRoute,
      profileRoute,
      sessionsRoute,
      keysRoute,
      consentRoute,
      webhooksRoute,
      newWebhookRoute,
      webhookRoute,
      editWebhookRoute,
      peopleRoute,
      personRoute,
      teamsRoute,
      rolesRoute,
      roleRoute,
      auditRoute,
      signInMethodsRoute,
      modelRoute,
      modelObjectRoute,
      revisionsRoute,
      reviewRoute,
      planJobRoute,
      workflowRoute,
      unknownRoute,
    ]),
  ]),
]);

const LIST = /\/o\/[^/]+$/;

export const router = createRouter({
  routeTree,
  basepath: '/app',
  context: { queryClient },
  parseSearch,
  stringifySearch: printSearch,
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  // Lists restore their own scroll position (features/records/use-return.ts); the router would apply it to the results
  // of another query.
  scrollRestoration: ({ location }) => !LIST.test(location.pathname),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/**
 * Shows the page when its first data has arrived, or after a second: React holds back a page without data for 300 ms
 * (later.tsx). After a failure the page repeats the request and reports it.
 */
function awaitFirstData(...requests: readonly Promise<void>[]): Promise<unknown> {
  const timeout = new Promise((resolve) => setTimeout(resolve, 1000));
  return Promise.race([Promise.all(requests), timeout]);
}

/** Starts to load the definition while the code of the page is loaded. */
function loadDefinition(workspace: string, { queryClient: queries }: Context): void {
  void queries.prefetchQuery(definitionQuery({ workspace, client: clientOf(workspace) }));
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Redirects from the number of a work item to its id: people send one another addresses with a number. */
async function redirectToId({
  params,
}: {
  readonly params: { workspace: string; type: string; id: string };
}) {
  const { workspace, type, id } = params;
  if (UUID.test(id)) return;
  // The service would report any other word as a malformed id.
  if (type !== 'work_items' || !/^[A-Z]\w*-\d+$/i.test(id)) throw notFound();
  const filters = { public_id: { eq: id } };
  const { data } = await clientOf(workspace).records(type).list({ filters, limit: 1 });
  const [found] = data;
  if (found === undefined) throw notFound();
  throw redirect({
    to: '/$workspace/o/$type/$id',
    params: { ...params, id: found.id },
    replace: true,
  });
}
