// Answers as bytes: envelope, headers, JSON. It is told what to say; the order of checks is in
// admission.ts.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { RateState } from '../model/api-key-form.ts';
import { entityTag } from '../model/entity-tag.ts';
import {
  answerCoding,
  type Coding,
  documentCoding,
  encode,
  tagInCoding,
} from './content-coding.ts';
import type { Expectation } from './framing.ts';
import type { Place } from './places.ts';
import type { PublicFile } from './reference.ts';
import type { Authenticated, Outlet, Reply, RouteContract, Work } from './route.ts';
import type { Unread } from './unread.ts';

/** One request and its answer; from `route` on it is filled in as the request passes the door. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** `performance.now()` at the arrival. */
  readonly startedAt: number;
  readonly expectation: Expectation | undefined;
  /** Headers of every answer to it: for other origins and for browsers. */
  readonly headers: readonly string[];
  /** Where what the client has not read yet is counted. */
  readonly unread: Unread;
  /** Whose share of what the process keeps for clients it takes part in: a key's, or an address's. */
  readonly holder: () => string;
  /** Write what is no answer yet; see connection.ts. */
  readonly probe: () => void;
  /** Method and path pattern, for the log; never the path itself. */
  route: string;
  authenticated: Authenticated | undefined;
  rate: RateState | undefined;
  /** What was asked of the database for it. */
  readonly work: Work;
  /** Among the requests in flight; undefined for those that need none, such as health. */
  place: Place | undefined;
  /** Of an answer that stays open. */
  outlet: Outlet | undefined;
  /** True once the connection must not be used again. */
  close: boolean;
}

const COMMON = [
  'Content-Type',
  'application/json; charset=utf-8',
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
];
/** More of an unread body than this is not worth reading to keep the connection. */
const DRAINED_BYTES = 65_536;
/** Milliseconds a refused sender gets to read the answer before the connection is reset. */
const LINGER = 1000;

export interface Outgoing {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Undefined: no body (304). */
  readonly body: unknown;
}

export function sendJson(exchange: Exchange, { status, headers, body }: Outgoing): void {
  // Text and not a Buffer: Node then sends head and body with one write.
  sendPayload(exchange, { status, headers }, body === undefined ? undefined : JSON.stringify(body));
}

/**
 * Answer what a handler replied, compressed when the client takes it and it is worth it; 304 when the
 * client has it. Gives the status, once it is sent. Errors: `service_unavailable` when it is refusable and
 * the client has left too much unread.
 */
export function sendReply(
  exchange: Exchange,
  route: Pick<AnyContract, 'status' | 'etag'>,
  reply: Reply,
  isRefusable: boolean,
): number | Promise<number> {
  const { request } = exchange;
  const text = JSON.stringify(reply.body);
  const coding = answerCoding(request.headers['accept-encoding'], text.length);
  const headers: Record<string, string> = { ...reply.headers, Vary: 'Accept-Encoding' };
  if (route.etag === true) {
    headers.ETag = tagInCoding(headers.ETag ?? entityTag(text, reply.version), coding);
    if (isKnownToClient(request, headers.ETag)) {
      sendPayload(exchange, { status: 304, headers }, undefined);
      return 304;
    }
  }
  const status = reply.status ?? route.status;
  const head = { status, headers, isRefusable };
  if (coding !== undefined) return sendEncoded(exchange, head, { text, coding });
  sendPayload(exchange, head, text);
  return status;
}

type AnyContract = RouteContract<never, never, never>;

async function sendEncoded(
  exchange: Exchange,
  head: Head,
  { text, coding }: { readonly text: string; readonly coding: Coding },
): Promise<number> {
  const bytes = await encode(text, coding);
  const headers = { ...head.headers, 'Content-Encoding': coding };
  sendPayload(exchange, { ...head, headers }, bytes);
  return head.status;
}

interface Head extends Omit<Outgoing, 'body'> {
  /** True: it may be refused when the client has left too much unread. Errors: `service_unavailable`. */
  readonly isRefusable?: boolean;
}

/** More than this is not sent to who has read nothing of much else. */
const LARGE = 65_536;

function sendPayload(
  exchange: Exchange,
  { status, headers, isRefusable = false }: Head,
  payload: string | Buffer | undefined,
): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const list = headersOf(exchange);
  for (const name in headers) list.push(name, headers[name] as string);
  const size = payload?.length ?? 0;
  if (isRefusable && size > LARGE) requireRoom(exchange, size);
  if (payload !== undefined) {
    list.push(...COMMON, 'Content-Length', String(Buffer.byteLength(payload)));
  } else {
    list.push('Cache-Control', 'no-store');
  }
  prepareClose(exchange, list);
  response.writeHead(status, list);
  response.end(payload);
  watchRest(exchange, size);
}

/** Errors: `service_unavailable` when as much waits for this client as may. */
export function requireRoom({ unread, holder }: Exchange, bytes: number): void {
  if (!unread.admits(holder(), bytes)) throw UNREAD;
}

/** Errors: `service_unavailable` while the client has its share unread; others have no part in that. */
export function requireRead({ unread, holder }: Exchange): void {
  if (unread.isFull(holder())) throw UNREAD;
}

/** Made once: it must cost little. */
const UNREAD = new ApiError('service_unavailable', {
  message: 'Too much of earlier answers was not read yet. Read them, then ask again.',
});

/** Most answers have gone by now. */
function watchRest({ response, unread, holder }: Exchange, bytes: number): void {
  if (response.writableLength > 0) unread.watch(response, holder(), bytes);
}

/** Send the headers of a stream of events at once; what follows is written as it comes. */
export function openAnswer(exchange: Exchange, { status, headers }: Head): void {
  const { response } = exchange;
  const list = headersOf(exchange);
  for (const name in headers) list.push(name, headers[name] as string);
  list.push('Content-Type', 'text/event-stream; charset=utf-8', 'Cache-Control', 'no-store');
  // Proxies that wait for more before they pass it on are asked not to.
  list.push('X-Content-Type-Options', 'nosniff', 'X-Accel-Buffering', 'no');
  prepareClose(exchange, list);
  response.writeHead(status, list);
  response.flushHeaders();
}

/** What a load balancer asks for: nothing but the status counts. */
export function sendHealth(exchange: Exchange, isGood: boolean): void {
  sendJson(exchange, {
    status: isGood ? 200 : 503,
    body: { status: isGood ? 'ok' : 'unavailable' },
  });
}

/**
 * A document of the service itself (OpenAPI, reference page); answers the status. Errors:
 * `service_unavailable`.
 */
export function sendFile(exchange: Exchange, { body, headers, etag, encoded }: PublicFile): number {
  const { request, response, requestId } = exchange;
  const coding = documentCoding(request.headers['accept-encoding'], [...encoded.keys()]);
  const bytes = coding === undefined ? body : (encoded.get(coding) as Buffer);
  const tag = tagInCoding(etag, coding);
  const status = isKnownToClient(request, tag) ? 304 : 200;
  if (status === 200) requireRoom(exchange, SHARED_BYTES);
  const list = [
    'X-Request-Id',
    requestId,
    ...exchange.headers,
    'X-Content-Type-Options',
    'nosniff',
  ];
  for (const name in headers) list.push(name, headers[name] as string);
  list.push('ETag', tag);
  if (encoded.size > 0) list.push('Vary', 'Accept-Encoding');
  if (status === 200) list.push('Content-Length', String(bytes.length));
  if (status === 200 && coding !== undefined) list.push('Content-Encoding', coding);
  prepareClose(exchange, list);
  response.writeHead(status, list);
  response.end(status === 200 ? bytes : undefined);
  watchRest(exchange, SHARED_BYTES);
  return status;
}

/** What a document counts for: its bytes are there once, but each socket holds some of its own. */
const SHARED_BYTES = 524_288;

/** `If-None-Match` on reads that carry an ETag (RFC 9110 §13.1.2: weak comparison). */
function isKnownToClient({ method, headers }: IncomingMessage, etag: string | undefined): boolean {
  const sent = headers['if-none-match'];
  if (sent === undefined || etag === undefined) return false;
  if (method !== 'GET' && method !== 'HEAD') return false;
  const tags = sent.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

/** The answer to a failure; whatever is not an `ApiError` is answered as `internal_error`. */
export function sendError(exchange: Exchange, error: unknown): ApiError {
  const failure = error instanceof ApiError ? error : internalError(error);
  const headers = { ...extraHeaders(failure.code, exchange.rate), ...failure.headers };
  sendJson(exchange, {
    status: failure.status,
    headers,
    body: envelopeOf(failure, exchange.requestId),
  });
  return failure;
}

/** The error envelope (§7). */
export function envelopeOf(error: ApiError, requestId: string) {
  const { type, code, message, param, details } = error;
  return {
    error: {
      type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      ...(details === undefined ? {} : { details }),
      request_id: requestId,
    },
  };
}

function internalError(cause: unknown): ApiError {
  return new ApiError('internal_error', { cause });
}

function extraHeaders(code: ErrorCode, rate: RateState | undefined): Record<string, string> {
  switch (code) {
    case 'missing_api_key':
    case 'invalid_api_key':
    case 'api_key_expired':
      return { 'WWW-Authenticate': 'Bearer' };
    case 'rate_limited':
      return { 'Retry-After': String(rate?.resetSeconds ?? 1) };
    case 'service_unavailable':
      return { 'Retry-After': '1' };
    default:
      return {};
  }
}

function headersOf({ requestId, rate, headers }: Exchange): string[] {
  const list = ['X-Request-Id', requestId, ...headers];
  if (rate === undefined) return list;
  const limit = String(rate.limit);
  const remaining = String(rate.remaining);
  list.push('RateLimit-Limit', limit, 'RateLimit-Remaining', remaining);
  list.push('RateLimit-Reset', String(rate.resetSeconds));
  list.push('X-RateLimit-Limit', limit, 'X-RateLimit-Remaining', remaining);
  list.push('X-RateLimit-Reset', String(rate.resetAt));
  return list;
}

/**
 * Close after the answer when asked to, or when more of the body is on its way than is worth reading.
 * The answer would be lost if the connection were reset while the client still sends, so the socket
 * lingers half-closed, without reading on.
 */
function prepareClose(exchange: Exchange, list: string[]): void {
  const { request } = exchange;
  const unread = isMuchUnread(exchange);
  if (!unread && !exchange.close) return;
  list.push('Connection', 'close');
  if (!unread) return;
  const { socket } = request;
  // Marks the body as consumed: Node would otherwise read and discard it to the end.
  request.read(0);
  request.pause();
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), LINGER).unref();
  };
}

function isMuchUnread({ request, expectation }: Exchange): boolean {
  if (request.complete || request.readableEnded) return false;
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = Number(headers['content-length'] ?? 0);
  return length > DRAINED_BYTES || (expectation !== undefined && length > 0);
}
