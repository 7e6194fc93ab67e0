// Sockets and request lines: the node:http server with its limits, refusals before routing, and the
// answer to bytes that are not HTTP. Routes and keys are unknown here.

import http from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, ERROR_CATALOGUE, type ErrorCode } from '../../errors.ts';
import { type Message, say } from '../../messages/message.ts';
import { envelopeOf, extraHeaders } from '../answer/answer.ts';
import { type Handling, openConnections, type PipelinedRequest } from './connection.ts';
import { isPatient } from './patient-sockets.ts';
import { limitPeers } from './peers.ts';

/** Milliseconds and bytes; docs/operations.md shows them. */
const SERVER_LIMITS = Object.freeze({
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: 16_384,
});
/** Node silently drops headers beyond this number, so a request with exactly as many is refused. */
const HEADERS_KEPT = 101;
const TIMED_OUT = 'ERR_HTTP_REQUEST_TIMEOUT';
/** The error for bytes after a request with `Connection: close`. */
const AFTER_CLOSE = 'HPE_CLOSED_CONNECTION';
/** Error codes of clients that were too slow. */
const ANSWERED_AT_ONCE = 20;
/** Milliseconds a client that broke the protocol gets to read the answer. */
const LINGER = 500;

export interface Listeners<One extends PipelinedRequest>
  extends Pick<Handling<One>, 'begin' | 'refuse'> {
  /** A request has arrived; `expectation`: what its header `Expect` says. */
  open(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    expectation?: Expectation,
  ): One;
  readonly newRequestId: () => string;
  /** The headers of every answer. */
  readonly headers: readonly string[];
  readonly onBroken: (code: ErrorCode, requestId: string) => void;
  /** True for proxies, whose connections are those of many clients. */
  readonly isTrusted: (address: string) => boolean;
  /** Connections that the server accepts. */
  readonly mostConnections: number;
  /** Called when a connection is refused because there are too many. */
  readonly onRefused: () => void;
}

/**
 * `continue`: the client waits for `100 Continue`; `unknown`: for something that is not
 * supported.
 */
export type Expectation = 'continue' | 'unknown';

export function createHttpServer<One extends PipelinedRequest>(
  listeners: Listeners<One>,
): http.Server {
  const { open, begin, refuse } = listeners;
  const answerBytes = (socket: Duplex, code: ErrorCode) => answerBroken(socket, code, listeners);
  const connections = openConnections<One>({ begin, refuse, answerBytes });
  const server = http.createServer({ ...SERVER_LIMITS, requireHostHeader: false }, (req, res) =>
    connections.add(open(req, res)),
  );
  server.maxHeadersCount = HEADERS_KEPT;
  // A client may say that it sends no more and still wait for its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  const admit = limitPeers(server, {
    isTrusted: listeners.isTrusted,
    most: listeners.mostConnections,
    refuse(socket) {
      listeners.onRefused();
      connections.breakOff(socket, 'service_unavailable');
    },
  });
  server.on('connection', (socket) => {
    connections.open(socket);
    admit(socket);
  });
  server.on('checkContinue', (req, res) => connections.add(open(req, res, 'continue')));
  server.on('checkExpectation', (req, res) => connections.add(open(req, res, 'unknown')));
  const breakLater = spread((socket: Duplex) => connections.breakOff(socket, 'request_timeout'));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    if (code === TIMED_OUT && isPatient(socket)) return;
    if (code === TIMED_OUT) breakLater(socket);
    else connections.breakOff(socket, code === AFTER_CLOSE ? undefined : codeOf(code));
  });
  return server;
}

/** Why a request cannot be answered; `status` where the catalogue has no code for it. */
export interface FramingFault {
  readonly error: ApiError;
  readonly status?: number;
}

/** A name, an IPv4 address or an IPv6 address in brackets, and a port. */
const AUTHORITY = /^(?:\[[\da-fA-F:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d{0,5})?$/;

/** Checks that HTTP requires and Node omits; the connection is closed after the answer. */
export function findFramingFault(request: http.IncomingMessage): FramingFault | undefined {
  const { rawHeaders, headers, url = '' } = request;
  const { host } = headers;
  if (request.httpVersionMajor !== 1) {
    const status = request.httpVersionMajor > 1 ? 505 : undefined;
    return fault(say('http_version'), status);
  }
  if (rawHeaders.length >= 2 * HEADERS_KEPT) return { error: new ApiError('headers_too_large') };
  if (host === undefined || host === '') return fault(say('host_missing'));
  if (isRepeated(rawHeaders, 'host')) return fault(say('host_repeated'));
  if (!AUTHORITY.test(host)) return fault(say('host_malformed'));
  if (url[0] !== '/' && !(url === '*' && request.method === 'OPTIONS')) {
    return fault(say('target_malformed'));
  }
  if (/[^\x21-\x7e]/.test(url)) return fault(say('target_not_encoded'));
  const coding = headers['transfer-encoding'];
  return coding === undefined ? undefined : findCodingFault(request, coding);
}

function findCodingFault(
  { httpVersionMinor }: http.IncomingMessage,
  coding: string,
): FramingFault | undefined {
  // RFC 9112 §6.1.
  if (httpVersionMinor === 0) return fault(say('http_transfer_encoding'));
  const codings = coding.split(',').map((one) => one.trim().toLowerCase());
  if (codings.at(-1) !== 'chunked') return fault(say('http_coding_order'));
  if (codings.some((one) => one !== 'chunked')) {
    return fault(say('http_coding_unknown'), 501);
  }
  return codings.length > 1 ? fault(say('http_chunked_twice')) : undefined;
}

/** The path of a target that is a URL of the host the request names (RFC 9112 §3.2.2). */
export function originForm({ url = '', headers }: http.IncomingMessage): string {
  if (url[0] === '/') return url;
  const [, scheme, authority = '', rest = ''] = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (scheme === undefined) return url;
  const port = scheme.toLowerCase() === 'http' ? ':80' : ':443';
  const bare = (host: string) => {
    const lower = host.toLowerCase().replace(/:$/, '');
    return lower.endsWith(port) ? lower.slice(0, -port.length) : lower;
  };
  if (authority === '' || bare(authority) !== bare(headers.host ?? '')) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * The target with U+0000 in place of segments that are not percent-encoded UTF-8: no route and no path value accepts
 * it, so the check of its route refuses such a request (D9).
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

function fault(message: Message, status?: number): FramingFault {
  const error = new ApiError('validation_failed', { message });
  return status === undefined ? { error } : { error, status };
}

/** Node silently keeps the first of repeated headers, so the raw headers are counted. */
export function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

function codeOf(code: string | undefined): ErrorCode {
  return code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'validation_failed';
}

/** The error of a request that did not come to its end. */
export function errorOfBroken(code: ErrorCode): ApiError {
  const message = code === 'validation_failed' ? say('http_malformed') : undefined;
  return new ApiError(code, message === undefined ? {} : { message });
}

/**
 * Thousands can time out at once; they are answered in portions, so that other requests are not
 * delayed.
 */
function spread<Item>(work: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  function workSome(): void {
    for (const item of waiting.splice(0, ANSWERED_AT_ONCE)) work(item);
    if (waiting.length > 0) setImmediate(workSome);
  }
  return (item) => {
    waiting.push(item);
    if (waiting.length === 1) setImmediate(workSome);
  };
}

function answerBroken(
  socket: Duplex,
  code: ErrorCode,
  {
    newRequestId,
    onBroken,
    headers,
  }: Pick<Listeners<PipelinedRequest>, 'newRequestId' | 'onBroken' | 'headers'>,
): void {
  const requestId = newRequestId();
  onBroken(code, requestId);
  socket.end(printAnswer(code, requestId, headers));
  setTimeout(() => socket.destroy(), LINGER).unref();
}

/** Written to the socket, because Node has no ServerResponse for unparsable requests. */
function printAnswer(code: ErrorCode, requestId: string, headers: readonly string[]): string {
  const { status } = ERROR_CATALOGUE[code];
  const body = JSON.stringify(envelopeOf(errorOfBroken(code), requestId));
  const extra = Object.entries(extraHeaders(code)).flat();
  const headerLines = [...headers, ...extra].flatMap((name, at, all) =>
    at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : [],
  );
  return [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    ...headerLines,
    'Content-Type: application/json; charset=utf-8',
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
