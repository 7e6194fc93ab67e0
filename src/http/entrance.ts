// What comes before the router: the exchange of a request, its place among those in flight, and what is
// refused or answered there: broken framing, preflights, methods no router knows.

import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import type { Logger } from 'pino';
import { ApiError } from '../errors.ts';
import { principalName } from '../model/access.ts';
import { type Door, fail, OVERLOADED } from './admission.ts';
import type { Cors } from './cors.ts';
import {
  createHttpServer,
  type Expectation,
  errorOfBroken,
  type FramingFault,
  findFramingFault,
  originForm,
  routableTarget,
} from './framing.ts';
import type { Places } from './places.ts';
import type { Proxies } from './proxies.ts';
import { type Exchange, envelopeOf, sendJson } from './reply.ts';
import type { Unread } from './unread.ts';

export interface Entrance {
  readonly door: Door;
  readonly cors: Cors;
  readonly logger: Logger;
  readonly proxies: Proxies;
  /** Of every answer, also to what is no HTTP. */
  readonly headers: readonly string[];
  /** Paths that are answered however many requests are in flight. */
  readonly withoutPlace: ReadonlySet<unknown>;
  readonly state: EntranceState;
}

export interface EntranceState {
  closing: boolean;
  readonly places: Places;
  readonly unread: Unread;
  /** Whose answers have not gone yet. */
  readonly open: Set<Exchange>;
}

/** What the router answers. */
export interface Routing {
  readonly handle: http.RequestListener;
  unrouted(exchange: Exchange): void;
}

const EXCHANGE = Symbol('exchange');

interface Carrier extends http.IncomingMessage {
  [EXCHANGE]?: Exchange;
}

/** The exchange of a request that has come to the router. */
export function exchangeOf(request: http.IncomingMessage): Exchange {
  return (request as Carrier)[EXCHANGE] as Exchange;
}

export function createEntrance(entrance: Entrance, routing: Routing): http.Server {
  const { door, logger, headers, proxies } = entrance;
  return createHttpServer<Exchange>({
    newRequestId,
    headers,
    isTrusted: proxies.isTrusted,
    onBroken: (code, request_id) => logger.debug({ request_id, code }, 'broken'),
    open: (request, response, expectation) =>
      openExchange(entrance, { request, response, expectation }),
    begin: (exchange) => begin(exchange, entrance, routing),
    refuse(exchange, code) {
      exchange.close = true;
      fail(exchange, errorOfBroken(code), door);
    },
  });
}

function openExchange(
  { cors, state, headers, proxies }: Entrance,
  {
    request,
    response,
    expectation,
  }: {
    readonly request: http.IncomingMessage;
    readonly response: http.ServerResponse;
    readonly expectation: Expectation | undefined;
  },
): Exchange {
  const exchange: Exchange = {
    request,
    response,
    requestId: newRequestId(),
    startedAt: performance.now(),
    expectation,
    headers: [...headers, ...cors.headersFor(request)],
    unread: state.unread,
    holder: () => {
      const { authenticated } = exchange;
      if (authenticated !== undefined) return principalName(authenticated.caller);
      return `address ${proxies.clientAddress(request)}`;
    },
    probe: () => probe(exchange),
    route: request.method ?? '',
    authenticated: undefined,
    rate: undefined,
    work: { statements: 0, roundTrips: 0 },
    place: undefined,
    outlet: undefined,
    close: state.closing,
  };
  return exchange;
}

/** An empty comment of a stream, or an answer that says that there is none yet (HTTP/1.1 only). */
function probe({ request, response, outlet }: Exchange): void {
  if (outlet !== undefined) outlet.write(':\n\n');
  else if (!response.headersSent && request.httpVersionMinor > 0) response.writeProcessing();
}

function begin(exchange: Exchange, entrance: Entrance, { handle, unrouted }: Routing): void {
  const { request, response, expectation } = exchange;
  const { door, cors, state, withoutPlace } = entrance;
  request.url = originForm(request);
  exchange.close ||= state.closing;
  state.open.add(exchange);
  response.once('close', () => {
    state.open.delete(exchange);
    exchange.place?.leave();
  });
  const fault = expectation === 'unknown' ? UNKNOWN_EXPECTATION : findFramingFault(request);
  if (fault !== undefined) {
    refuse(exchange, fault, door);
  } else if (!withoutPlace.has(request.url) && !takePlace(state.places, exchange)) {
    fail(exchange, OVERLOADED, door);
  } else if (cors.isPreflight(request)) {
    answerPreflight(exchange, cors);
  } else if (isRoutable(request)) {
    (request as Carrier)[EXCHANGE] = exchange;
    request.url = routableTarget(request.url);
    handle(request, response);
  } else {
    unrouted(exchange);
  }
}

/** The catalogue has no code for 417: what is wrong is a header like any other. */
const UNKNOWN_EXPECTATION: FramingFault = {
  error: new ApiError('validation_failed', {
    param: 'Expect',
    message: 'Only "Expect: 100-continue" is supported.',
  }),
  status: 417,
};

function refuse(exchange: Exchange, { error, status }: FramingFault, door: Door): void {
  exchange.close = true;
  if (status === undefined) {
    fail(exchange, error, door);
    return;
  }
  sendJson(exchange, { status, body: envelopeOf(error, exchange.requestId) });
  door.log(exchange, status, error);
}

/** Answered without a turn at the database, and so however busy that is. */
const LIGHT: ReadonlySet<unknown> = new Set(['/v1/me']);

/** Whose request it is nobody has looked up yet: that would cost more than the refusal. */
export function takePlace(places: Places, exchange: Exchange): boolean {
  const { authorization } = exchange.request.headers;
  const place = places.enter();
  if (place === undefined) return false;
  const isLight = LIGHT.has(exchange.request.url);
  if (authorization !== undefined && !isLight && !place.claim(authorization)) {
    place.leave();
    return false;
  }
  exchange.place = place;
  return true;
}

function answerPreflight(exchange: Exchange, cors: Cors): void {
  const { response, requestId, headers } = exchange;
  response.writeHead(204, ['X-Request-Id', requestId, ...headers, ...cors.preflightHeaders]);
  response.end();
  exchange.place?.leave();
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

function newRequestId(): string {
  return `req_${randomUUID()}`;
}
