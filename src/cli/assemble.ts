// The parts of a running service put together: database, models, authentication, rate windows, routes.

import type { Logger } from 'pino';
import { ABOUT, ROUTES } from '../api/index.ts';
import type { Config } from '../config.ts';
import { followChanges, openAuthenticator } from '../flow/authenticate.ts';
import type { About } from '../http/openapi.ts';
import type { Route } from '../http/route.ts';
import { buildServer, type RunningServer } from '../http/server.ts';
import type { Database } from '../store/db.ts';
import { openRateWindows } from '../store/rate-windows.ts';
import { openRegistry } from '../store/registry.ts';

export interface Parts {
  readonly db: Database;
  readonly config: Config;
  readonly logger: Logger;
}

/** The service over an open database, ready to listen. */
export function assembleService(parts: Parts): Promise<RunningServer> {
  const { db, config } = parts;
  return assembleServer(parts, { routes: ROUTES, about: ABOUT, context: { db, config } });
}

interface Surface<Context> {
  readonly routes: readonly Route<Context>[];
  readonly about: About;
  readonly context: Context;
}

/** The door with any list of routes behind it. */
export async function assembleServer<Context>(
  { db, config, logger }: Parts,
  surface: Surface<Context>,
): Promise<RunningServer> {
  const registry = openRegistry(db);
  const { requestsPerMinute } = config;
  const authenticator = openAuthenticator({ db, registry, requestsPerMinute });
  const windows = openRateWindows(db);
  await followChanges(db, authenticator);
  return buildServer({
    ...surface,
    config,
    logger,
    authenticate: authenticator.authenticate,
    count: ({ id, requests_per_minute }) => windows.count(id, requests_per_minute),
    peek: ({ id, requests_per_minute }) => windows.peek(id, requests_per_minute),
  });
}
