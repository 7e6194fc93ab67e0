// The server: framework, sockets and routes put together. The only file that knows Fastify, and of
// Fastify only the router and the life cycle are used: a request is taken over before any hook,
// parser or serialiser of the framework sees it.

import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { LIMITS } from '../limits.ts';
import { type Door, fail, serve, serveUnrouted } from './admission.ts';
import { compileRoute } from './compiled-route.ts';
import { compileCors } from './cors.ts';
import {
  createEntrance,
  type Entrance,
  type EntranceState,
  exchangeOf,
  takePlace,
} from './entrance.ts';
import type { Metrics } from './metrics.ts';
import { type About, openApiDocument } from './openapi.ts';
import { type OutletLimits, type Outlets, openOutlets } from './outlet.ts';
import { openPlaces } from './places.ts';
import { compileProxies } from './proxies.ts';
import { type PublicDocument, probedDocuments, referenceDocuments } from './reference.ts';
import { type Exchange, sendFile, sendHealth } from './reply.ts';
import { requestLogger } from './request-log.ts';
import type { Route } from './route.ts';
import { openShares } from './shares.ts';
import { compileHostCheck } from './tenant-host.ts';
import { traced } from './tracing.ts';
import { openUnread, type UnreadLimits } from './unread.ts';

export interface ServerOptions<Context> {
  readonly routes: readonly Route<Context>[];
  /** What the OpenAPI document says about them. */
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
    | 'streamsPerKey'
    | 'streamsPerWorkspace'
    | 'strictTransportSecurity'
  >;
  readonly authenticate: Door['authenticate'];
  readonly limiter: Door['limiter'];
  readonly onWritten: Door['onWritten'];
  /** True when requests can be answered: the database is there. */
  isReady(): Promise<boolean>;
  readonly metrics: Metrics;
  /** Of answers that stay open; see outlet.ts. */
  readonly outletLimits?: Partial<OutletLimits>;
  /** Of answers that are not read; see unread.ts. */
  readonly unreadLimits?: Partial<UnreadLimits>;
  readonly logger: Logger;
}

export interface RunningServer {
  /** Resolves to the port that was bound; rejects with the system's error (`EADDRINUSE`). */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** Accept nothing more, finish what is in flight. */
  close(): Promise<void>;
}

/** Longer than any request target: length is judged by the schemas, not by the router. */
const PARAMETER_LENGTH = 32_768;
const PREFIX = '/v1';
const ALIVE = '/healthz';
const READY = '/readyz';
/** Connections that wait to be accepted; when there is no room, a client tries again after a second. */
const BACKLOG = 4096;
/** Milliseconds that requests in flight get when the server closes. */
const CLOSE_AFTER = 7000;

export function buildServer<Context>(options: ServerOptions<Context>): RunningServer {
  const { config } = options;
  const unread = openUnread(options.unreadLimits);
  const state: EntranceState = { closing: false, places: openPlaces(), unread, open: new Set() };
  const { streamsPerKey: mostOfKey, streamsPerWorkspace: mostOfWorkspace } = config;
  const outlets = openOutlets({ mostOfKey, mostOfWorkspace, ...options.outletLimits });
  const app = createRouter(openEntrance(options, state, outlets), options);
  return {
    async listen({ host, port }) {
      await app.listen({ host, port, backlog: BACKLOG });
      return (app.server.address() as AddressInfo).port;
    },
    async close() {
      state.closing = true;
      for (const exchange of state.open) exchange.close = true;
      outlets.close();
      // What is still open then is a client that stopped sending or reading.
      const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_AFTER);
      await app.close();
      clearTimeout(timer);
    },
  };
}

type Surroundings = Omit<Entrance, 'withoutPlace'>;

function openEntrance<Context>(
  { config, logger, metrics, ...told }: ServerOptions<Context>,
  state: EntranceState,
  outlets: Outlets,
): Surroundings {
  const { places, unread } = state;
  const { authenticate, limiter, onWritten } = told;
  metrics.gauge('requests_in_flight', 'Requests without an answer yet.', places.inFlight);
  metrics.gauge('requests_in_flight_limit', 'How many there may be at present.', places.most);
  metrics.gauge('event_streams', 'Open streams of live events.', outlets.count);
  metrics.gauge('answers_unread', 'Answers that wait to be read.', unread.count);
  metrics.gauge('answers_unread_bytes', 'Bytes of them.', unread.bytes);
  const log = requestLogger(logger, metrics);
  const proxies = compileProxies(config.trustedProxies);
  const door: Door = {
    authenticate,
    limiter,
    onWritten,
    outlets,
    isHostOf: compileHostCheck(config.baseDomain, proxies),
    arriving: openShares({ most: LIMITS.arrivingBytes, each: LIMITS.arrivingBytesOfOne }),
    enterAgain: (exchange) => takePlace(places, exchange),
    bodyBytes: config.bodyBytes,
    batchBodyBytes: config.batchBodyBytes,
    log(exchange, status, failure) {
      // The answer is ready; who reads it slowly keeps nobody out.
      exchange.place?.answer(status < 500);
      exchange.place?.leave();
      log(exchange, status, failure);
    },
  };
  const hsts = config.strictTransportSecurity;
  const headers = hsts === undefined ? [] : ['Strict-Transport-Security', hsts];
  return { door, cors: compileCors(config.corsOrigins), logger, proxies, headers, state };
}

function createRouter<Context>(
  entrance: Surroundings,
  { routes, about, context, isReady }: ServerOptions<Context>,
): FastifyInstance {
  const { door } = entrance;
  const documents = [openApiDocument(routes, about), ...referenceDocuments(), ...probedDocuments()];
  const allowedAt = compileAllowed(routes, documents);
  const unrouted = (exchange: Exchange) =>
    void serveUnrouted(exchange, allowedAt(exchange.request.url ?? ''), door);
  const withoutPlace = new Set([ALIVE, READY, ...documents.map(({ path }) => path)]);
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // What is no HTTP is answered by framing.ts.
    clientErrorHandler: () => undefined,
    genReqId: () => '',
    routerOptions: {
      maxParamLength: PARAMETER_LENGTH,
      querystringParser: (text: string) => text as unknown as Record<string, unknown>,
    },
    serverFactory: (handle) => createEntrance({ ...entrance, withoutPlace }, { handle, unrouted }),
  });
  const documentOf = ({ path }: Route<Context>) =>
    documents.find((one) => one.path === PREFIX + path);
  const routed = new Set(routes.map(documentOf));
  for (const route of routes) addRoute(app, route, { door, context, document: documentOf(route) });
  for (const document of documents) {
    if (!routed.has(document)) addDocument(app, document, door);
  }
  addHealth(app, async () => !entrance.state.closing && (await isReady()));
  app.route({
    method: app.supportedMethods,
    url: '*',
    onRequest: ({ raw }) => unrouted(exchangeOf(raw)),
    handler: unreachable,
  });
  return app;
}

function addRoute<Context>(
  app: FastifyInstance,
  route: Route<Context>,
  surroundings: {
    readonly door: Door;
    readonly context: Context;
    /** What is answered when there is no query string, without a key. */
    readonly document: PublicDocument | undefined;
  },
): void {
  const compiled = compileRoute(route);
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: PREFIX + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: ({ raw, params, query }) => {
      const exchange = exchangeOf(raw);
      const routed = { params: params as Record<string, string>, query: query as string };
      // The router takes nothing between two slashes for a value; here it is no such path (D12).
      if (Object.values(routed.params).includes('')) {
        void serveUnrouted(exchange, [], surroundings.door);
        return;
      }
      const { document, door } = surroundings;
      if (document !== undefined && routed.query === '') {
        sendDocument(exchange, document, door);
        return;
      }
      traced(exchange, compiled.label, () => void serve(exchange, compiled, routed, surroundings));
    },
    handler: unreachable,
  });
}

function addDocument(app: FastifyInstance, document: PublicDocument, door: Door): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: document.path,
    onRequest: ({ raw }) => {
      sendDocument(exchangeOf(raw), document, door);
    },
    handler: unreachable,
  });
}

function sendDocument(exchange: Exchange, document: PublicDocument, door: Door): void {
  exchange.route = `GET ${document.path}`;
  try {
    door.log(exchange, sendFile(exchange, document.load()));
  } catch (error) {
    fail(exchange, error, door);
  }
}

/** For load balancers, without a key: whether the process is alive, and whether it can answer. */
function addHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  const add = (url: string, check: () => Promise<boolean>) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest: ({ raw }) => {
        const exchange = exchangeOf(raw);
        void check().then((isGood) => sendHealth(exchange, isGood));
      },
      handler: unreachable,
    });
  add(ALIVE, async () => true);
  add(READY, isReady);
}

function unreachable(): never {
  throw new Error('a request went past its first hook');
}

/** The methods of a path, in the order of the routes, HEAD last; empty for an unknown path. */
function compileAllowed<Context>(
  routes: readonly Route<Context>[],
  documents: readonly PublicDocument[],
): (url: string) => readonly string[] {
  const known = [
    ...routes.map(({ method, path }) => ({ method, pattern: pathPattern(PREFIX + path) })),
    ...documents.map(({ path }) => ({ method: 'GET', pattern: pathPattern(path) })),
  ];
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const fitting = known.filter(({ pattern }) => path === '*' || pattern.test(path));
    const methods = new Set(fitting.map(({ method }) => method));
    return methods.has('GET') ? [...methods, 'HEAD'] : [...methods];
  };
}

function pathPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
