// What every handler is given beside the request: the parts of the process it may use, and a
// shorthand that lets a route's schemas type its handler.

import type Type from 'typebox';
import type { Config } from '../config.ts';
import type { Route } from '../http/route.ts';
import type { Database } from '../store/db.ts';

export interface ApiContext {
  readonly db: Database;
  readonly config: Config;
}

/** Declare a route; the schemas type `request.params`, `request.query` and `request.body`. */
export function defineRoute<
  Params extends Type.TSchema,
  Query extends Type.TSchema,
  Body extends Type.TSchema,
>(route: Route<ApiContext, Params, Query, Body>): Route<ApiContext> {
  return Object.freeze(route) as unknown as Route<ApiContext>;
}
