// The context that every handler gets besides the request: the parts of the process it may use, and a shorthand that
// lets a route's schemas type its handler.

import type Type from 'typebox';
import type { Config } from '../config.ts';
import type { FileStore } from '../files/stored-bytes.ts';
import type { EventFeeds } from '../flow/events/event-feed.ts';
import type { WaitForJob } from '../flow/jobs/job-waits.ts';
import type { ClientDocuments } from '../flow/oauth/find-client.ts';
import type { Oidc } from '../flow/people/oidc.ts';
import type { PasswordHasher } from '../flow/people/password-hash.ts';
import { withMergedInto } from '../flow/records/read/merged-into.ts';
import type { WebhookTools } from '../flow/webhooks/webhook-flow.ts';
import type {
  OpenRequest,
  QueryStats,
  Reply,
  Route,
  RouteContract,
  RouteRequest,
} from '../http/route/route.ts';
import { principalName } from '../model/rights/access.ts';
import type { Database } from '../postgres/db.ts';
import type { Tenants } from '../postgres/tenants.ts';

export interface ApiContext {
  /** The database, with the principal's share of its connections. */
  readonly db: Database;
  readonly config: Config;
  readonly events: EventFeeds;
  readonly waitForJob: WaitForJob;
  readonly passwords: PasswordHasher;
  readonly oidc: Oidc;
  readonly webhooks: WebhookTools;
  readonly files: FileStore;
  readonly clientDocuments: ClientDocuments;
}

/** The parts that the process has for all requests. */
export interface ServiceContext extends Omit<ApiContext, 'db'> {
  readonly tenants: Tenants;
}

function tenantDatabase(
  {
    model,
    caller,
    stats,
  }: Pick<RouteRequest<unknown, unknown, unknown>, 'model' | 'caller' | 'stats'>,
  tenants: Tenants,
): Database {
  return tenants.forTenant(
    { workspace: model.workspace.id, principal: principalName(caller) },
    stats,
  );
}

/** Declare a route; the schemas type `request.params`, `request.query` and `request.body`. */
export function defineRoute<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
>(route: Route<ApiContext, Params, Query, Body>): Route<ServiceContext> {
  const { handle } = route;
  const served = {
    ...route,
    handle: (request, context) =>
      handle(request, withDatabase(context, tenantDatabase(request, context.tenants))),
  } satisfies Route<ServiceContext, Params, Query, Body>;
  const isAboutRecord = route.path.startsWith('/objects/{object_type}/records/{record_id}');
  return Object.freeze(
    isAboutRecord ? { ...served, handle: namingMerges(served.handle) } : served,
  ) as unknown as Route<ServiceContext>;
}

type Handle<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
> = Route<ServiceContext, Params, Query, Body>['handle'];

/** The handler, whose 404 of a merged record names the record that it has become. */
function namingMerges<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
>(handle: Handle<Params, Query, Body>): Handle<Params, Query, Body> {
  return async (request, context) => {
    try {
      return await handle(request, context);
    } catch (error) {
      const { model, caller, params } = request;
      const db = tenantDatabase(request, context.tenants);
      throw await withMergedInto({ db, model, caller }, params as RecordParams, error);
    }
  };
}

/** The parameters of the routes of one record. */
interface RecordParams {
  readonly object_type: string;
  readonly record_id: string;
}

/** Key by key, as for all objects made for each request: copies of objects cost more than a small read (D145). */
function withDatabase(context: ServiceContext, db: Database): ApiContext {
  const { config, events, waitForJob, passwords, oidc, webhooks, files, clientDocuments } = context;
  return { db, config, events, waitForJob, passwords, oidc, webhooks, files, clientDocuments };
}

/** Work before a caller is known has a share of the connections of its own. */
const NOBODY = Object.freeze({ workspace: 0, principal: 'signing in' });

/** The database for a call whose caller has no share of its own. */
export function databaseOfNobody({ tenants }: ServiceContext, stats: QueryStats): Database {
  return tenants.forTenant(NOBODY, stats);
}

interface OpenRoute<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
> extends Omit<RouteContract<Params, Query, Body>, 'open' | 'scope'> {
  handle(
    request: OpenRequest<Type.Static<Params>, Type.Static<Query>, Type.Static<Body>>,
    context: ApiContext,
  ): Promise<Reply>;
}

/** Declare a route that needs no authentication. */
export function defineOpenRoute<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
>(route: OpenRoute<Params, Query, Body>): Route<ServiceContext> {
  const { handle } = route;
  return Object.freeze({
    ...route,
    open: true,
    scope: null,
    handle: (request, context) =>
      handle(request, withDatabase(context, databaseOfNobody(context, request.stats))),
  } satisfies Route<ServiceContext, Params, Query, Body>) as unknown as Route<ServiceContext>;
}
