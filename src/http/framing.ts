// Sockets and request lines: the node:http server with its limits, what is refused before routing, and
// the answer to what is no HTTP at all. No route and no key is known here.

import http from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, ERROR_CATALOGUE, type ErrorCode } from '../errors.ts';
import { isRepeated } from './admission.ts';
import { envelopeOf } from './reply.ts';

/** Milliseconds and bytes; docs/operations.md shows them. */
const SERVER_LIMITS = Object.freeze({
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
});
const CONNECTIONS = 12_000;
/** Node keeps this many headers and drops the rest in silence: when all arrive, there were more. */
const HEADERS_KEPT = 101;
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';
/** Of clients that were too slow. */
const ANSWERED_PER_TURN = 20;
/** Milliseconds a client that broke the protocol gets to read the answer. */
const LINGER = 500;

export interface Listeners {
  /** `expectsContinue`: the client waits for `100 Continue`. */
  readonly onRequest: (
    request: http.IncomingMessage,
    response: http.ServerResponse,
    expectsContinue: boolean,
  ) => void;
  readonly onExpectation: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  readonly newRequestId: () => string;
  readonly onBroken: (code: ErrorCode, requestId: string, error: Error) => void;
}

export function createHttpServer(listeners: Listeners): http.Server {
  const server = http.createServer({ ...SERVER_LIMITS, requireHostHeader: false }, (req, res) =>
    listeners.onRequest(req, res, false),
  );
  server.maxHeadersCount = HEADERS_KEPT;
  server.maxConnections = CONNECTIONS;
  server.on('checkContinue', (req, res) => listeners.onRequest(req, res, true));
  server.on('checkExpectation', listeners.onExpectation);
  const answerLater = spread(({ error, socket }: Broken) => answerBroken(error, socket, listeners));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === TIMED_OUT) answerLater({ error, socket });
    else answerBroken(error, socket, listeners);
  });
  return server;
}

/** What Node lets through and HTTP does not allow; the connection is closed after the answer. */
export function findFramingError(request: http.IncomingMessage): ApiError | undefined {
  const { rawHeaders, headers, url = '' } = request;
  if (rawHeaders.length >= 2 * HEADERS_KEPT) return new ApiError('headers_too_large');
  if (headers.host === undefined || headers.host === '') return malformed('The Host is missing.');
  if (isRepeated(rawHeaders, 'host')) return malformed('There is more than one Host.');
  if (url[0] !== '/' && !(url === '*' && request.method === 'OPTIONS')) {
    return malformed('The request target must be a path.');
  }
  if (/[^\x21-\x7e]/.test(url)) return malformed('The request target must be percent-encoded.');
  return undefined;
}

/**
 * The target with U+0000 in place of segments that are no percent-encoded UTF-8: no route and no
 * path value accepts it, so such a request is refused where its route says how (D9).
 */
export function routableTarget(url: string): string {
  if (!url.includes('%')) return url;
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const segments = path.split('/').map((segment) => (isDecodable(segment) ? segment : '%00'));
  return segments.join('/') + (end < 0 ? '' : url.slice(end));
}

function isDecodable(segment: string): boolean {
  if (!segment.includes('%')) return true;
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

function malformed(message: string): ApiError {
  return new ApiError('validation_failed', { message });
}

const CODES: Readonly<Record<string, ErrorCode>> = Object.freeze({
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  [TIMED_OUT]: 'request_timeout',
});

interface InFlight {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

interface Broken {
  readonly error: NodeJS.ErrnoException;
  readonly socket: Duplex;
}

/** Thousands can time out in one moment: a few in each turn, so that others need not wait for all. */
function spread<Item>(work: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  function turn(): void {
    for (const item of waiting.splice(0, ANSWERED_PER_TURN)) work(item);
    if (waiting.length > 0) setImmediate(turn);
  }
  return (item) => {
    waiting.push(item);
    if (waiting.length === 1) setImmediate(turn);
  };
}

function answerBroken(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { newRequestId, onBroken }: Listeners,
): void {
  const answering = (socket as InFlight)._httpMessage;
  if (!socket.writable || socket.writableEnded || answering?.headersSent === true) {
    socket.destroy();
    return;
  }
  const code = CODES[error.code ?? ''] ?? 'validation_failed';
  const requestId = newRequestId();
  onBroken(code, requestId, error);
  socket.end(printAnswer(code, requestId));
  setTimeout(() => socket.destroy(), LINGER).unref();
}

/** There is no ServerResponse for what could not be parsed. */
function printAnswer(code: ErrorCode, requestId: string): string {
  const { status } = ERROR_CATALOGUE[code];
  const message = code === 'validation_failed' ? 'The request is not valid HTTP.' : undefined;
  const error = new ApiError(code, message === undefined ? {} : { message });
  const body = JSON.stringify(envelopeOf(error, requestId));
  return [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
