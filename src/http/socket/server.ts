// The server: request pipeline, routes and sockets put together, and its life from listening to the last
// answer.

import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { LIMITS } from '../../limits.ts';
import type { Metrics } from '../answer/metrics.ts';
import { causeOf, requestLogger } from '../answer/request-log.ts';
import {
  type Application,
  findApplicationFolder,
  isOfApplication,
  openApplication,
} from '../documents/application.ts';
import { documentationDocuments } from '../documents/documentation.ts';
import { type About, openApiDocument } from '../documents/openapi.ts';
import { probedDocuments, referenceDocuments } from '../documents/reference.ts';
import { openClients } from '../request/clients.ts';
import { compileCors } from '../request/cors.ts';
import { compileProxies } from '../request/proxies.ts';
import { compileSites } from '../request/site.ts';
import { compileHostCheck, compileTenantOf } from '../request/tenant-host.ts';
import { compileRoute } from '../route/compiled-route.ts';
import { admit, createDispatcher, type Dispatcher, type ServerState } from '../route/dispatcher.ts';
import type { Endpoint } from '../route/endpoint.ts';
import { type Invoke, openInvoke } from '../route/invoke.ts';
import { type AnswerMcp, openMcpDoor } from '../route/mcp.ts';
import type { Pipeline } from '../route/pipeline.ts';
import type { Route } from '../route/route.ts';
import { ALIVE, openRouting, PREFIX, READY } from '../route/routing.ts';
import { connectionsWithin, loadDescriptorLimit } from './descriptors.ts';
import type { Exchange } from './http-exchange.ts';
import { type Address, listenOn } from './listening.ts';
import { openLoadShedder } from './load-shedder.ts';
import { openShares } from './shares.ts';
import { openSseConnections, type SseConnections, type SseLimits } from './sse-connections.ts';
import { openUnread, type UnreadLimits } from './unread.ts';
import type { Writer } from './write-answer.ts';

export interface ServerOptions<Context> {
  readonly routes: readonly Route<Context>[];
  /** Paths of other protocols; left out: none. */
  readonly endpoints?: readonly Endpoint<Context>[];
  /** General information for the OpenAPI document. */
  readonly about: About;
  /** Given to every handler. */
  readonly context: Context;
  readonly config: Pick<
    Config,
    | 'baseDomain'
    | 'trustedProxies'
    | 'corsOrigins'
    | 'bodyBytes'
    | 'batchBodyBytes'
    | 'operatorKey'
    | 'streamsPerKey'
    | 'streamsPerWorkspace'
    | 'strictTransportSecurity'
    | 'allowInsecureSessions'
    | 'application'
    | 'securityContact'
    | 'oauth'
  >;
  readonly authenticate: Pipeline['authenticate'];
  readonly view: Pipeline['view'];
  readonly lookAgain: Pipeline['lookAgain'];
  readonly databaseTime: Pipeline['databaseTime'];
  readonly limiter: Pipeline['limiter'];
  readonly onWritten: Pipeline['onWritten'];
  /** True when requests can be answered: the database is there. */
  isReady(): Promise<boolean>;
  /** Version and commit. */
  readonly release: object;
  readonly metrics: Metrics;
  readonly sseLimits?: Partial<SseLimits>;
  /** Limits of unread answers; see unread.ts. */
  readonly unreadLimits?: Partial<UnreadLimits>;
  /** Another than the one that was built, for tests. */
  readonly applicationFolder?: string;
  readonly documentationFolder?: string;
  readonly logger: Logger;
}

export interface RunningServer<Context = unknown> {
  /** Call a route without a socket, whether the server listens or not. */
  readonly invoke: Invoke<Context>;
  /** Resolves to the port that was bound; rejects with the system's error (`EADDRINUSE`). */
  listen(address: Address): Promise<number>;
  /** Requests without an answer yet. */
  readonly requestsInFlight: () => number;
  /** Answer requests, but say at `/readyz` that the process will stop, and close each connection after its answer. */
  drain(): void;
  /** Accept no more connections; close those that there are after their next answer. */
  leave(): void;
  /** Accept no more connections, finish the requests in flight. */
  close(): Promise<void>;
}

/** Milliseconds that requests in flight get when the server closes. */
const CLOSE_TIMEOUT_MS = 7000;

export function buildServer<Context>(options: ServerOptions<Context>): RunningServer<Context> {
  const { routes, about, context, config, release } = options;
  const state = openState(options);
  const { streamsPerKey: mostOfKey, streamsPerWorkspace: mostOfWorkspace } = config;
  const streams = openSseConnections({ mostOfKey, mostOfWorkspace, ...options.sseLimits });
  watch(options.metrics, state, streams);
  const { authenticate, view, lookAgain, databaseTime, limiter, onWritten } = options;
  const { bodyBytes, batchBodyBytes, operatorKey } = config;
  const access = { authenticate, view, lookAgain, databaseTime, limiter, operatorKey };
  const pipeline = { ...access, onWritten, streams, bodyBytes, batchBodyBytes };
  const compiled = new Map(routes.map((route) => [route, compileRoute(route)]));
  const compiledOf = (route: Route<Context>) => compiled.get(route) ?? compileRoute(route);
  const documents = [
    openApiDocument(routes, about),
    ...referenceDocuments(),
    ...documentationDocuments(options.documentationFolder),
    ...probedDocuments(config.securityContact),
  ];
  const log = requestLogger(options.logger, options.metrics);
  const writer = openWriter(streams, log);
  const isReady = async () => state.isReady && (await options.isReady());
  const application = openBuilt(options);
  const invoke = openInvoke({ pipeline, context, compiledOf, prefix: PREFIX, log });
  const answerMcp = openMcp(options, { pipeline, invoke });
  const { endpoints = [] } = options;
  const answering = { pipeline, context, application, answerMcp, isReady, release, writer };
  const routing = openRouting({ routes, endpoints, compiledOf, documents, ...answering });
  const light = new Set([ALIVE, READY, ...documents.map(({ path }) => path)]);
  const isWithoutTicket = (path = '') => light.has(path) || isOfApplication(path);
  const dispatcher = openDispatcher(options, { state, writer, isWithoutTicket });
  return {
    invoke,
    requestsInFlight: state.shedder.inFlight,
    ...openLife({ state, streams }, () => createDispatcher(dispatcher, routing)),
  };
}

function openMcp<Context>(
  { routes, about, config, logger }: ServerOptions<Context>,
  parts: { readonly pipeline: Pipeline; readonly invoke: Invoke<Context> },
): AnswerMcp {
  return openMcpDoor({
    ...{
      ...parts,
      routes,
      version: about.version,
      oauth: config.oauth,
      cors: compileCors(config.corsOrigins),
    },
    onFailure: (error) => logger.error({ err: causeOf(500, error) }, 'a tool of MCP has failed'),
  });
}

/** Undefined when it was not built, or is switched off. */
function openBuilt<Context>({
  config,
  applicationFolder = findApplicationFolder(),
}: ServerOptions<Context>): Application | undefined {
  if (!config.application || applicationFolder === undefined) return undefined;
  const proxies = compileProxies(config.trustedProxies);
  return openApplication(applicationFolder, {
    isHostOf: compileHostCheck(config.baseDomain, proxies),
    tenantOf: compileTenantOf(config.baseDomain, proxies),
  });
}

function openState<Context>({ unreadLimits }: ServerOptions<Context>): ServerState {
  const [shedder, unread] = [openLoadShedder(), openUnread(unreadLimits)];
  return { isReady: true, isLast: false, shedder, unread, open: new Set() };
}

function watch(metrics: Metrics, { shedder, unread }: ServerState, streams: SseConnections): void {
  metrics.gauge('requests_in_flight', 'Requests without an answer yet.', shedder.inFlight);
  metrics.gauge('requests_in_flight_limit', 'How many there may be at present.', shedder.limit);
  metrics.gauge('event_streams', 'Open streams of live events.', streams.count);
  metrics.gauge('answers_unread', 'Answers that wait to be read.', unread.count);
  metrics.gauge('answers_unread_bytes', 'Bytes of them.', unread.bytes);
}

function openWriter(streams: SseConnections, log: ReturnType<typeof requestLogger>): Writer {
  return {
    streams,
    log({ call, ticket }, status, failure) {
      // The ticket is returned when the answer is ready: a slow reader does not use up the limit.
      ticket?.complete(status < 500);
      ticket?.release();
      log(call, status, failure);
    },
  };
}

function openDispatcher<Context>(
  { config, logger }: ServerOptions<Context>,
  { state, writer, isWithoutTicket }: Pick<Dispatcher, 'state' | 'writer' | 'isWithoutTicket'>,
): Dispatcher {
  const proxies = compileProxies(config.trustedProxies);
  const clients = openClients();
  const hsts = config.strictTransportSecurity;
  return {
    state,
    writer,
    isWithoutTicket,
    logger,
    proxies,
    clients,
    mostConnections: connectionsWithin(loadDescriptorLimit()),
    cors: compileCors(config.corsOrigins),
    headers: hsts === undefined ? [] : ['Strict-Transport-Security', hsts],
    isHostOf: compileHostCheck(config.baseDomain, proxies),
    siteOf: compileSites(proxies, config.allowInsecureSessions),
    arrivals: {
      arriving: openShares({ most: LIMITS.arrivingBytes, each: LIMITS.arrivingBytesOfOne }),
      readmit: (exchange: Exchange) => admit(state.shedder, clients, exchange),
    },
  };
}

interface Life {
  readonly state: ServerState;
  readonly streams: SseConnections;
}

function openLife(
  { state, streams }: Life,
  createServer: () => Server,
): Pick<RunningServer, 'listen' | 'drain' | 'leave' | 'close'> {
  let servers: readonly Server[] = [];
  function makeLast(): void {
    state.isLast = true;
    for (const exchange of state.open) exchange.close = true;
  }
  return {
    async listen(address) {
      const listening = await listenOn(address, createServer);
      servers = listening.servers;
      return listening.port;
    },
    drain() {
      state.isReady = false;
      makeLast();
    },
    leave() {
      makeLast();
      // That of http closes idle connections as well: a request may be on its way on one of them.
      for (const server of servers) NetServer.prototype.close.call(server);
    },
    async close() {
      state.isReady = false;
      makeLast();
      streams.close();
      // Connections still open then belong to clients that stopped sending or reading.
      const timer = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, CLOSE_TIMEOUT_MS);
      await Promise.all(servers.map(closeServer));
      clearTimeout(timer);
    },
  };
}

/** Idle connections are closed at once, others after their answer. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}
