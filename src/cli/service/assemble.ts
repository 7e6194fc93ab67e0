// The parts of a running service put together: database, models, authentication, rate windows, routes.

import type { Logger } from 'pino';
import type { ServiceContext } from '../../api/context.ts';
import { ABOUT, endpointsOf, routesOf } from '../../api/index.ts';
import type { Config } from '../../config.ts';
import { openRateWindows } from '../../control/people/rate-windows.ts';
import { openSecretKeys } from '../../control/stored/secret-keys.ts';
import { type Changes, followChanges, openChanges } from '../../control/workspace/changes.ts';
import { openRegistry } from '../../control/workspace/registry.ts';
import { openFileStore } from '../../files/file-store.ts';
import { type EventFeeds, openEventFeeds } from '../../flow/events/event-feed.ts';
import { openJobWaits } from '../../flow/jobs/job-waits.ts';
import { openClientDocuments } from '../../flow/oauth/find-client.ts';
import { openAuthenticator } from '../../flow/people/authenticate.ts';
import { type Oidc, openOidc } from '../../flow/people/oidc.ts';
import { openPasswordHasher, type PasswordHasher } from '../../flow/people/password-hash.ts';
import { openRateLimiter } from '../../flow/people/rate-limiter.ts';
import type { WebhookTools } from '../../flow/webhooks/webhook-flow.ts';
import { type Metrics, openMetrics } from '../../http/answer/metrics.ts';
import type { About } from '../../http/documents/openapi.ts';
import type { Endpoint } from '../../http/route/endpoint.ts';
import type { Route } from '../../http/route/route.ts';
import { buildServer, type RunningServer } from '../../http/socket/server.ts';
import type { SseLimits } from '../../http/socket/sse-connections.ts';
import type { UnreadLimits } from '../../http/socket/unread.ts';
import type { Connections } from '../../postgres/connections.ts';
import type { Database } from '../../postgres/db.ts';
import { openAddressRules } from '../../webhooks/addresses.ts';
import { openDocumentFetch } from '../../webhooks/fetch-document.ts';
import { messageOf } from '../reason.ts';
import { readRelease } from './release.ts';

export interface Parts extends Omit<Connections, 'close'> {
  /** The database for keys and rate windows, so that they do not wait behind requests; `db` when left out. */
  readonly accessDb?: Database;
  /** True with Citus: the server of the control schema may be away while those of workspaces are there. */
  readonly hasPlaces?: boolean;
  readonly metrics?: Metrics;
  /** Replaces the hasher of the configuration in tests. */
  readonly passwords?: PasswordHasher;
  readonly oidc?: Oidc;
  /** The event feeds that the process uses elsewhere too; undefined: new ones. */
  readonly events?: EventFeeds;
  readonly config: Config;
  readonly logger: Logger;
}

/** Milliseconds for which known callers are accepted without the server of the control schema. */
const OUTLASTED = 60_000;

function changesOf({ db, accessDb = db, hasPlaces = false }: PartsOfFeeds): Changes {
  return openChanges(accessDb, hasPlaces ? OUTLASTED : 0);
}

type PartsOfFeeds = Pick<Parts, 'db' | 'accessDb' | 'hasPlaces'>;

/** The feeds of changes of a process, with its one rule for the age of rights. */
export function openFeeds(parts: PartsOfFeeds & Pick<Parts, 'config' | 'logger'>): EventFeeds {
  const { db, config, logger } = parts;
  return openEventFeeds({
    db,
    changes: changesOf(parts),
    keptDays: config.changesKeptDays,
    onError: (error) => logger.warn({ reason: messageOf(error) }, 'live events are delayed'),
  });
}

/** Address rules and keys of webhooks. */
export function openWebhookTools(config: Config): WebhookTools {
  const { webhookAllowNetworks: allowNetworks, webhookProxy } = config;
  return {
    rules: openAddressRules({ allowNetworks, proxied: webhookProxy !== undefined }),
    keys: openSecretKeys({ keys: config.secretsKeys, file: config.secretsKeyFile }),
  };
}

/** The service over an open database, ready to listen. */
export function assembleService(parts: Parts): Promise<RunningServer<ServiceContext>> {
  const { db, tenants, config, passwords = openPasswordHasher() } = parts;
  const { events = openFeeds(parts) } = parts;
  const { oidc = openOidc(config.oidcProviders) } = parts;
  const waitForJob = openJobWaits(db);
  const webhooks = openWebhookTools(config);
  const files = openFileStore(config);
  const clientDocuments = openClientDocuments(
    openDocumentFetch({
      ...webhooks,
      proxy: config.webhookProxy,
      userAgent: `workspace-records/${readRelease().version}`,
    }),
  );
  const parted = { tenants, config, events, waitForJob, passwords, oidc, webhooks, files };
  const context = { ...parted, clientDocuments };
  const { metrics = openMetrics() } = parts;
  watch(metrics, parts, events);
  const surface = {
    routes: routesOf(config),
    endpoints: endpointsOf(config),
    about: ABOUT,
    context,
    onWritten: events.wake,
  };
  return assembleServer({ ...parts, metrics, events }, surface);
}

function watch({ gauge }: Metrics, { tenants, stats }: Parts, events: EventFeeds): void {
  gauge('database_connections_held', 'Connections in use by requests.', () => tenants.load().held);
  gauge(
    'database_connections_waiting',
    'Requests that wait for a connection.',
    () => tenants.load().waiting,
  );
  gauge('database_statements', 'Statements sent since the start.', () => stats.statements);
  gauge(
    'event_lag_seconds',
    'Seconds since the slowest event feed last read.',
    () => events.lag() / 1000,
  );
}

interface Surface<Context> {
  readonly routes: readonly Route<Context>[];
  readonly endpoints?: readonly Endpoint<Context>[];
  readonly about: About;
  readonly context: Context;
  /** Called when a request may have written to this workspace. */
  onWritten?(workspaceId: number): void;
  readonly sseLimits?: Partial<SseLimits>;
  readonly unreadLimits?: Partial<UnreadLimits>;
  readonly applicationFolder?: string;
  readonly documentationFolder?: string;
}

async function isReachable(db: Database): Promise<boolean> {
  const statement = { text: 'select 1', values: [] };
  return db.query(statement).then(
    () => true,
    () => false,
  );
}

/** The server with any list of routes. */
export async function assembleServer<Context>(
  parts: Parts,
  surface: Surface<Context>,
): Promise<RunningServer<Context>> {
  const { db, listeners, accessDb = db, hasPlaces = false, config, logger } = parts;
  const { metrics = openMetrics(), events } = parts;
  const registry = openRegistry(accessDb);
  const changes = events?.changes ?? changesOf(parts);
  const { requestsPerMinute } = config;
  const authenticator = openAuthenticator({
    ...{ db: accessDb, registry, changes, requestsPerMinute },
    outlastsAbsence: hasPlaces,
    oauth: config.oauth,
  });
  await followChanges(listeners, changes);
  const windows = openRateWindows(accessDb, { countsAlone: hasPlaces });
  const server = buildServer({
    onWritten: () => undefined,
    ...surface,
    config,
    logger,
    metrics,
    isReady: () => isReachable(accessDb),
    release: readRelease(),
    ...authenticator,
    limiter: openRateLimiter(windows),
  });
  const close = async () => {
    await server.close();
    // The counts of the last moment are lost with the database.
    await windows.close().catch(() => undefined);
  };
  return { ...server, close };
}
