// Answers: status, headers and envelope of a reply, of an error and of a stream. pipeline.ts decides which of them to
// send; write-answer.ts sends it.

import { ApiError, type ErrorCode } from '../../errors.ts';
import { written, writtenMessage } from '../../messages/message.ts';
import type { RateState } from '../../model/rights/api-key-form.ts';
import { entityTag } from '../../model/values/entity-tag.ts';
import type { Answer, Call, StreamAnswer } from '../request/call.ts';
import type { Reply, RouteContract, StreamReply } from '../route/route.ts';
import { answerCoding, tagInCoding } from './content-coding.ts';
import { deprecationHeaders } from './deprecation.ts';

type AnyContract = RouteContract<never, never, never>;

const COMMON = [
  'Content-Type',
  'application/json; charset=utf-8',
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
];
/** The common headers of a reply that has a content type of its own. */
const UNTYPED = COMMON.slice(2);

/** An answer in JSON; without a body when it is undefined. */
export function answerJson(
  { rate }: Pick<Call, 'rate'>,
  { status, headers, body }: JsonAnswer,
): Answer {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return { status, headers: jsonHeaders(rate, headers, text), body, text, isRefusable: false };
}

interface JsonAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * The answer to a reply of a handler: compressed when the client accepts it and it saves time; 304 when the
 * client has the same answer.
 */
export function answerReply(
  { method, headers: sent, rate }: Call,
  route: Pick<AnyContract, 'status' | 'etag' | 'deprecated'>,
  reply: Reply,
  isRefusable: boolean,
): Answer {
  const text = reply.text ?? JSON.stringify(reply.body);
  const coding = answerCoding(sent['accept-encoding'], text.length);
  const headers: Record<string, string> = {
    ...deprecationHeaders(route.deprecated),
    ...reply.headers,
    Vary: 'Accept-Encoding',
  };
  if (route.etag === true) {
    headers.ETag = tagInCoding(headers.ETag ?? entityTag(text, reply.version), coding);
    if (isKnownToClient(method, sent['if-none-match'], headers.ETag)) {
      const list = jsonHeaders(rate, headers, undefined);
      return { status: 304, headers: list, body: undefined, text: undefined, isRefusable };
    }
  }
  if (coding !== undefined) headers['Content-Encoding'] = coding;
  const list = withCookies(jsonHeaders(rate, headers, text), reply.cookies);
  const status = reply.status ?? route.status;
  return { status, headers: list, body: reply.body, text, coding, isRefusable };
}

/** The answer to a failure; whatever is not an `ApiError` is answered as `internal_error`. */
export function answerError(call: Pick<Call, 'rate' | 'requestId'>, error: unknown): Answer {
  const failure =
    error instanceof ApiError ? error : new ApiError('internal_error', { cause: error });
  const headers = { ...extraHeaders(failure.code, call.rate), ...failure.headers };
  const body = envelopeOf(failure, call.requestId);
  return { ...answerJson(call, { status: failure.status, headers, body }), failure };
}

/** An answer that stays open; `release` gives back what was reserved for it. */
export function answerStream(
  { rate }: Call,
  { status, deprecated }: Pick<AnyContract, 'status' | 'deprecated'>,
  { status: own = status, headers = {}, stream, discard }: StreamReply,
  release: () => void,
): StreamAnswer {
  const list = rateHeaders(rate);
  const type = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // Compressing proxies would hold events back (D946).
    'Cache-Control': 'no-store, no-transform',
  };
  const all = { ...type, ...deprecationHeaders(deprecated), ...headers };
  for (const [name, value] of Object.entries(all)) list.push(name, value);
  // Tells proxies not to buffer the stream.
  list.push('X-Content-Type-Options', 'nosniff', 'X-Accel-Buffering', 'no');
  return {
    status: own,
    headers: list,
    isOfEvents: headers['Content-Type'] === undefined,
    start(connection) {
      connection.onClose(release);
      stream(connection);
    },
    discard() {
      release();
      discard?.();
    },
  };
}

/** The error envelope (§7). */
export function envelopeOf(error: ApiError, requestId: string) {
  const { type, code, message, param, translatable } = error;
  const { message: _, ...ids } = translatable === undefined ? {} : writtenMessage(translatable);
  const details = { ...(written(error.details) as object | undefined), ...ids };
  return {
    error: {
      type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
      request_id: requestId,
    },
  };
}

/** `If-None-Match` on reads that carry an ETag (RFC 9110 §13.1.2: weak comparison). */
export function isKnownToClient(
  method: string | undefined,
  sent: string | undefined,
  etag: string,
): boolean {
  if (sent === undefined || (method !== 'GET' && method !== 'HEAD')) return false;
  const tags = sent.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function jsonHeaders(
  rate: RateState | undefined,
  own: Readonly<Record<string, string>> | undefined,
  text: string | undefined,
): readonly string[] {
  const list = rateHeaders(rate);
  for (const name in own) list.push(name, own[name] as string);
  if (text !== undefined) list.push(...(own?.['Content-Type'] === undefined ? COMMON : UNTYPED));
  else list.push('Cache-Control', 'no-store');
  return list;
}

function withCookies(
  list: readonly string[],
  cookies: readonly string[] | undefined,
): readonly string[] {
  if (cookies === undefined) return list;
  return [...list, ...cookies.flatMap((cookie) => ['Set-Cookie', cookie])];
}

function rateHeaders(rate: RateState | undefined): string[] {
  if (rate === undefined) return [];
  const limit = String(rate.limit);
  const remaining = String(rate.remaining);
  return [
    'RateLimit-Limit',
    limit,
    'RateLimit-Remaining',
    remaining,
    'RateLimit-Reset',
    String(rate.resetSeconds),
    'X-RateLimit-Limit',
    limit,
    'X-RateLimit-Remaining',
    remaining,
    'X-RateLimit-Reset',
    String(rate.resetAt),
  ];
}

/** The headers that an error of this code always has. */
export function extraHeaders(code: ErrorCode, rate?: RateState): Record<string, string> {
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
