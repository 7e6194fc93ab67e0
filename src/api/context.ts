// What every handler is given beside the request: the parts of the process it may use, and a
// shorthand that lets a route's schemas type its handler.

import type Type from 'typebox';
import type { Config } from '../config.ts';
import type { EventFeeds } from '../flow/event-feed.ts';
import type { Route, RouteRequest } from '../http/route.ts';
import { principalName } from '../model/access.ts';
import type { Database } from '../postgres/db.ts';
import type { Tenants } from '../postgres/tenants.ts';

export interface ApiContext {
  /** With the share of its connections that the principal has. */
  readonly db: Database;
  readonly config: Config;
  readonly events: EventFeeds;
}

/** What the process has for all requests. */
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
  return Object.freeze({
    ...route,
    handle: (request, { tenants, config, events }) =>
      handle(request, { db: tenantDatabase(request, tenants), config, events }),
  } satisfies Route<ServiceContext, Params, Query, Body>) as unknown as Route<ServiceContext>;
}
