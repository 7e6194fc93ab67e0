// The server: framework, sockets and routes put together. The only file that knows Fastify, and of
// Fastify only the router and the life cycle are used: a request is taken over before any hook,
// parser or serialiser of the framework sees it.

import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ApiError, unavailable } from '../errors.ts';
import { type Door, fail, serve, serveUnrouted } from './admission.ts';
import { compileRoute } from './compiled-route.ts';
import { type Cors, compileCors } from './cors.ts';
import { createHttpServer, findFramingError, routableTarget } from './framing.ts';
import type { Metrics } from './metrics.ts';
import { type About, openApiDocument } from './openapi.ts';
import { type OutletLimits, openOutlets } from './outlet.ts';
import { openPlaces, type Places } from './places.ts';
import { type PublicDocument, probedDocuments, referenceDocuments } from './reference.ts';
import { type Exchange, envelopeOf, sendFile, sendHealth, sendJson } from './reply.ts';
import { requestLogger } from './request-log.ts';
import type { Route } from './route.ts';
import { compileHostCheck } from './tenant-host.ts';
import { traced } from './tracing.ts';

export interface ServerOptions<Context> {
  readonly routes: readonly Route<Context>[];
  /** What the OpenAPI document says about them. */
  readonly about: About;
  /** Given to every handler. */
  readonly context: Context;
  readonly config: Pick<
    Config,
    'baseDomain' | 'trustedProxies' | 'corsOrigins' | 'bodyBytes' | 'batchBodyBytes'
  >;
  readonly authenticate: Door['authenticate'];
  readonly count: Door['count'];
  readonly isSpent: Door['isSpent'];
  readonly peek: Door['peek'];
  readonly onWritten: Door['onWritten'];
  /** True when requests can be answered: the database is there. */
  isReady(): Promise<boolean>;
  readonly metrics: Metrics;
  /** Of answers that stay open; see outlet.ts. */
  readonly outletLimits?: Partial<OutletLimits>;
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
const HEALTH: ReadonlySet<unknown> = new Set([ALIVE, READY]);
/** Connections that wait to be accepted; when there is no room, a client tries again after a second. */
const BACKLOG = 4096;
/** Answered without a turn at the database, and so however busy that is. */
const LIGHT: ReadonlySet<unknown> = new Set([`${PREFIX}/me`]);
/** Milliseconds that requests in flight get when the server closes. */
const CLOSE_AFTER = 7000;

export function buildServer<Context>(options: ServerOptions<Context>): RunningServer {
  const { config, logger, metrics, authenticate, count, isSpent, peek, onWritten } = options;
  const state: State = { closing: false, places: openPlaces(), open: new Set() };
  const outlets = openOutlets(options.outletLimits);
  const { inFlight, most } = state.places;
  metrics.gauge('requests_in_flight', 'Requests without an answer yet.', inFlight);
  metrics.gauge('requests_in_flight_limit', 'How many there may be at present.', most);
  metrics.gauge('event_streams', 'Open streams of live events.', outlets.count);
  const log = requestLogger(logger, metrics);
  const door: Door = {
    authenticate,
    count,
    isSpent,
    peek,
    onWritten,
    outlets,
    isHostOf: compileHostCheck(config),
    bodyBytes: config.bodyBytes,
    batchBodyBytes: config.batchBodyBytes,
    log(exchange, status, failure) {
      exchange.place?.answer(status < 500);
      log(exchange, status, failure);
    },
  };
  const entrance = { door, cors: compileCors(config.corsOrigins), logger, state };
  const app = createRouter(entrance, options);
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

interface Entrance {
  readonly door: Door;
  readonly cors: Cors;
  readonly logger: Logger;
  readonly state: State;
}

interface State {
  closing: boolean;
  readonly places: Places;
  /** Whose answers have not gone yet. */
  readonly open: Set<Exchange>;
}

const EXCHANGE = Symbol('exchange');

interface Carrier extends http.IncomingMessage {
  [EXCHANGE]?: Exchange;
}

function createRouter<Context>(
  entrance: Entrance,
  { routes, about, context, isReady }: ServerOptions<Context>,
): FastifyInstance {
  const { door } = entrance;
  const documents = [openApiDocument(routes, about), ...referenceDocuments(), ...probedDocuments()];
  const allowedAt = compileAllowed(routes, documents);
  const unrouted = (exchange: Exchange) =>
    void serveUnrouted(exchange, allowedAt(exchange.request.url ?? ''), door);
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
    serverFactory: (handle) => createEntrance(entrance, handle, unrouted),
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
    onRequest: ({ raw }) => unrouted((raw as Carrier)[EXCHANGE] as Exchange),
    handler: unreachable,
  });
  return app;
}

/** Everything before the router: request id, framing, preflight, methods no router knows. */
function createEntrance(
  { door, cors, logger, state }: Entrance,
  handle: http.RequestListener,
  unrouted: (exchange: Exchange) => void,
): http.Server {
  const open = (request: Carrier, response: http.ServerResponse, expectsContinue: boolean) =>
    openExchange(request, response, { expectsContinue, cors, close: state.closing });
  return createHttpServer({
    newRequestId,
    onBroken: (code, request_id, error) => logger.debug({ request_id, code, err: error }, 'broken'),
    onExpectation: (request, response) => refuseExpectation(open(request, response, false), door),
    onRequest(request: Carrier, response, expectsContinue) {
      const exchange = open(request, response, expectsContinue);
      const error = findFramingError(request);
      const hasPlace = takePlace(state, exchange);
      if (error !== undefined) {
        exchange.close = true;
        fail(exchange, error, door);
      } else if (!hasPlace) {
        fail(exchange, OVERLOADED, door);
      } else if (cors.isPreflight(request)) {
        answerPreflight(exchange, cors);
      } else if (isRoutable(request)) {
        request[EXCHANGE] = exchange;
        request.url = routableTarget(request.url ?? '');
        handle(request, response);
      } else {
        unrouted(exchange);
      }
    },
  });
}

function openExchange(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  {
    expectsContinue,
    cors,
    close,
  }: { readonly expectsContinue: boolean; readonly cors: Cors; readonly close: boolean },
): Exchange {
  return {
    request,
    response,
    requestId: newRequestId(),
    startedAt: performance.now(),
    expectsContinue,
    cors: cors.headersFor(request),
    route: request.method ?? '',
    authenticated: undefined,
    rate: undefined,
    work: { statements: 0, roundTrips: 0 },
    place: undefined,
    close,
  };
}

/** Made once: where it comes from is known, and it must cost little. */
const OVERLOADED = unavailable(new Error('too many requests wait for their answers'));

/** Health is told however much there is to do. */
function takePlace({ places, open }: State, exchange: Exchange): boolean {
  if (HEALTH.has(exchange.request.url)) return true;
  const { authorization } = exchange.request.headers;
  const place = places.enter();
  if (place === undefined) return false;
  // Whose request it is nobody has looked up yet: that would cost more than the refusal.
  const isLight = LIGHT.has(exchange.request.url);
  if (authorization !== undefined && !isLight && !place.claim(authorization)) {
    place.leave();
    return false;
  }
  exchange.place = place;
  open.add(exchange);
  exchange.response.once('close', () => {
    open.delete(exchange);
    place.leave();
  });
  return true;
}

function newRequestId(): string {
  return `req_${randomUUID()}`;
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
      const exchange = (raw as Carrier)[EXCHANGE] as Exchange;
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
      sendDocument((raw as Carrier)[EXCHANGE] as Exchange, document, door);
    },
    handler: unreachable,
  });
}

function sendDocument(exchange: Exchange, document: PublicDocument, door: Door): void {
  exchange.route = `GET ${document.path}`;
  door.log(exchange, sendFile(exchange, document.load()));
}

/** For load balancers, without a key: whether the process is alive, and whether it can answer. */
function addHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  const add = (url: string, check: () => Promise<boolean>) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      onRequest: ({ raw }) => {
        const exchange = (raw as Carrier)[EXCHANGE] as Exchange;
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

const ROUTABLE: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PATCH',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
]);

function isRoutable({ method = '', url }: http.IncomingMessage): boolean {
  return ROUTABLE.has(method) && url !== '*';
}

function answerPreflight(exchange: Exchange, cors: Cors): void {
  const headers = ['X-Request-Id', exchange.requestId, ...exchange.cors, ...cors.preflightHeaders];
  exchange.response.writeHead(204, headers);
  exchange.response.end();
}

/** The catalogue has no code for 417: what is wrong is a header like any other. */
function refuseExpectation(exchange: Exchange, door: Door): void {
  const message = 'Only "Expect: 100-continue" is supported.';
  const error = new ApiError('validation_failed', { param: 'Expect', message });
  exchange.close = true;
  sendJson(exchange, { status: 417, body: envelopeOf(error, exchange.requestId) });
  door.log(exchange, 417, error);
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
