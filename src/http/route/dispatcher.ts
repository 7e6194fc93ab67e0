// The steps before routing: the exchange of a request, its admission ticket, and the requests that are refused or
// answered there: broken framing, preflights, methods that no route has.

import type http from 'node:http';
import type { Logger } from 'pino';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { answerError } from '../answer/answer.ts';
import { openCall } from '../request/call.ts';
import { addressName, type Clients } from '../request/clients.ts';
import type { Cors } from '../request/cors.ts';
import type { Proxies } from '../request/proxies.ts';
import { newRequestId } from '../request/request-id.ts';
import {
  createHttpServer,
  type Expectation,
  errorOfBroken,
  type FramingFault,
  findFramingFault,
  originForm,
  routableTarget,
} from '../socket/framing.ts';
import type { Exchange } from '../socket/http-exchange.ts';
import { type LoadShedder, OVERLOADED } from '../socket/load-shedder.ts';
import { openSocketTransport, type SocketSurroundings } from '../socket/socket-transport.ts';
import type { Unread } from '../socket/unread.ts';
import { respondError, type Writer, writeJson } from '../socket/write-answer.ts';

export interface Dispatcher extends SocketSurroundings {
  readonly writer: Writer;
  readonly cors: Cors;
  readonly logger: Logger;
  readonly proxies: Proxies;
  /** Connections that are accepted. */
  readonly mostConnections: number;
  /** The headers of every answer, also to bytes that are not HTTP. */
  readonly headers: readonly string[];
  /** Paths that are answered however many requests are in flight. */
  isWithoutTicket(target: string | undefined): boolean;
  readonly state: ServerState;
}

export interface ServerState {
  /** False: the process will stop. */
  isReady: boolean;
  /** True: each answer is the last one of its connection. */
  isLast: boolean;
  readonly shedder: LoadShedder;
  readonly unread: Unread;
  /** Exchanges whose answers have not been sent yet. */
  readonly open: Set<Exchange>;
}

/** The functions of the router. */
export interface Routing {
  route(exchange: Exchange): void;
  /** Refuse a request in the form of its path. */
  refuse(exchange: Exchange, error: ApiError): void;
}

export function createDispatcher(dispatcher: Dispatcher, routing: Routing): http.Server {
  const { writer, logger, headers, proxies, mostConnections } = dispatcher;
  return createHttpServer<Exchange>({
    newRequestId,
    headers,
    isTrusted: proxies.isTrusted,
    mostConnections,
    onRefused: noteRefusals(logger, mostConnections),
    onBroken: (code, request_id) => logger.debug({ request_id, code }, 'broken'),
    open: (request, response, expectation) =>
      openExchange(dispatcher, { request, response, expectation }),
    begin: (exchange) => begin(exchange, dispatcher, routing),
    refuse(exchange, code) {
      exchange.close = true;
      respondError(exchange, errorOfBroken(code), writer);
    },
  });
}

/** Milliseconds between lines about refused connections. */
const BETWEEN_NOTES = 10_000;

/** A line of the log for the refused connections of some seconds. */
function noteRefusals(logger: Logger, connections: number): () => void {
  let notedAt = -Infinity;
  return () => {
    if (performance.now() - notedAt < BETWEEN_NOTES) return;
    notedAt = performance.now();
    logger.warn({ connections }, 'connections are refused: there are too many');
  };
}

interface Received {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
  readonly expectation: Expectation | undefined;
}

function openExchange(dispatcher: Dispatcher, received: Received): Exchange {
  const { cors, state, headers, proxies } = dispatcher;
  const { request, response, expectation } = received;
  const exchangeOf = () => exchange;
  const isBodyOnDemand = expectation !== undefined;
  const exchange: Exchange = {
    request,
    response,
    expectation,
    call: openCall({
      requestId: newRequestId(),
      method: request.method ?? '',
      headers: request.headers,
      transport: openSocketTransport({ exchangeOf, isBodyOnDemand }, dispatcher),
    }),
    headers: [...headers, ...cors.headersFor(request)],
    unread: state.unread,
    clientAddress: () => proxies.clientAddress(request),
    probe: () => probe(exchange),
    ticket: undefined,
    isKnown: false,
    stream: undefined,
    close: state.isLast,
  };
  return exchange;
}

/** An empty comment of a stream, or an answer that says that there is none yet (HTTP/1.1 only). */
function probe({ request, response, stream }: Exchange): void {
  if (stream !== undefined) stream.write(':\n\n');
  else if (!response.headersSent && request.httpVersionMinor > 0) response.writeProcessing();
}

function begin(exchange: Exchange, dispatcher: Dispatcher, routing: Routing): void {
  const { request, response, expectation } = exchange;
  const { writer, cors, state, clients, isWithoutTicket } = dispatcher;
  request.url = originForm(request);
  exchange.close ||= state.isLast;
  state.open.add(exchange);
  response.once('close', () => {
    state.open.delete(exchange);
    exchange.ticket?.release();
  });
  const fault = expectation === 'unknown' ? UNKNOWN_EXPECTATION : findFramingFault(request);
  if (fault !== undefined) {
    refuse(exchange, fault, writer);
  } else if (!isWithoutTicket(request.url) && !admit(state.shedder, clients, exchange)) {
    routing.refuse(exchange, OVERLOADED);
  } else if (cors.isPreflight(request)) {
    answerPreflight(exchange, cors);
  } else {
    request.url = routableTarget(request.url);
    routing.route(exchange);
  }
}

/** The catalogue has no code for 417: it is answered like any other invalid header. */
const UNKNOWN_EXPECTATION: FramingFault = {
  error: new ApiError('validation_failed', {
    param: 'Expect',
    message: say('expect_unsupported'),
  }),
  status: 417,
};

function refuse(exchange: Exchange, { error, status }: FramingFault, writer: Writer): void {
  exchange.close = true;
  if (status === undefined) {
    respondError(exchange, error, writer);
    return;
  }
  writeJson(exchange, status, answerError(exchange.call, error).body);
  writer.log(exchange, status, error);
}

/** Answered without the database, so that they do not depend on its load. */
const LIGHT: ReadonlySet<unknown> = new Set(['/v1/me']);

/**
 * Give a request its admission ticket. Its share is that of the person whose credential it has, when that is known, else
 * of its address: authentication would cost more than the refusal.
 */
export function admit(shedder: LoadShedder, clients: Clients, exchange: Exchange): boolean {
  const ticket = shedder.admit();
  if (ticket === undefined) return false;
  const person = clients.find(exchange);
  exchange.isKnown = person !== undefined;
  const isLight = LIGHT.has(exchange.request.url);
  if (!isLight && !ticket.assign(person ?? addressName(exchange))) {
    ticket.release();
    return false;
  }
  exchange.ticket = ticket;
  return true;
}

function answerPreflight(exchange: Exchange, cors: Cors): void {
  const { call, response, headers } = exchange;
  response.writeHead(204, ['X-Request-Id', call.requestId, ...headers, ...cors.preflightHeaders]);
  response.end();
  exchange.ticket?.release();
}
