// Answers as bytes on a socket: the headers that the transport adds, and when the connection closes after them. Their
// content is made in pipeline.ts and answer.ts.

import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { answerError, answerJson, isKnownToClient } from '../answer/answer.ts';
import { documentCoding, encode, tagInCoding } from '../answer/content-coding.ts';
import type { Page } from '../documents/application.ts';
import type { PublicFile } from '../documents/reference.ts';
import type { Answer, CallAnswer, StreamAnswer } from '../request/call.ts';
import type { AnswerFailure } from '../route/endpoint.ts';
import { ownTurn } from '../route/long-steps.ts';
import { type Exchange, ownerOf } from './http-exchange.ts';
import type { SseConnections } from './sse-connections.ts';

/** The parts of the server that writing an answer needs. */
export interface Writer {
  readonly streams: Pick<SseConnections, 'open'>;
  /** One line a request. */
  log(exchange: Exchange, status: number, failure?: unknown): void;
}

/** More of an unread body than this is not worth reading to keep the connection. */
const DRAINED_BYTES = 65_536;
/** Milliseconds a refused sender gets to read the answer before the connection is reset. */
const LINGER_MS = 1000;
/** Longer answers are withheld from a client that has as much unread. */
const LARGE_BYTES = 65_536;
/** Characters that take so long to make into bytes that others are served before. */
const LONG_TEXT = 262_144;
/** The count of a document: its bytes are shared, but each socket has a buffer of its own. */
const SHARED_BYTES = 524_288;

/** Write the answer to a call once it is known, and log it. Never rejects. */
export async function respond(
  exchange: Exchange,
  answering: Promise<CallAnswer | undefined>,
  writer: Writer,
): Promise<void> {
  try {
    const answer = await answering;
    if (answer === undefined) return;
    if ('start' in answer) writeStream(exchange, answer, writer);
    else if (answer.failure !== undefined) return writeError(exchange, answer, writer);
    else {
      const payload = payloadOf(exchange, answer);
      writePayload(exchange, answer, payload instanceof Promise ? await payload : payload);
    }
    writer.log(exchange, answer.status);
  } catch (error) {
    respondError(exchange, error, writer);
  }
}

/** Write an error and log it. Never throws, because no caller could handle it. */
export function respondError(
  exchange: Exchange,
  error: unknown,
  { log }: Pick<Writer, 'log'>,
  refuse: AnswerFailure = answerError,
): void {
  writeError(exchange, refuse(exchange.call, error), { log });
}

function writeError(exchange: Exchange, answer: Answer, { log }: Pick<Writer, 'log'>): void {
  // The connection has already answered it as an incomplete request.
  if (exchange.close && exchange.response.writableEnded) return;
  try {
    writePayload(exchange, answer, answer.text);
    log(exchange, answer.status, answer.failure);
  } catch (unsendable) {
    exchange.response.destroy();
    log(exchange, 500, unsendable);
  }
}

/** Write an answer that no call led to. */
export function writeJson(exchange: Exchange, status: number, body: unknown): void {
  const answer = answerJson(exchange.call, { status, body });
  writePayload(exchange, answer, answer.text);
}

/** The answer of a health check: its status matters, `more` is for people. */
export function writeHealth(exchange: Exchange, isGood: boolean, more: object): void {
  writeJson(exchange, isGood ? 200 : 503, { status: isGood ? 'ok' : 'unavailable', ...more });
}

function payloadOf(
  exchange: Exchange,
  { text, coding, isRefusable }: Answer,
): Answer['text'] | Promise<string | Buffer> {
  if (text === undefined) return undefined;
  if (coding !== undefined) return compressed(exchange, { text, coding, isRefusable });
  return text.length < LONG_TEXT ? text : ownTurn().then(() => text);
}

/** It counts as unread meanwhile. */
async function compressed(
  exchange: Exchange,
  { text, coding, isRefusable }: Compressing,
): Promise<Buffer> {
  const { length } = text;
  if (isRefusable && length > LARGE_BYTES) requireRoom(exchange, length);
  const release = exchange.unread.hold(ownerOf(exchange), length);
  try {
    return await encode(text, coding);
  } finally {
    release();
  }
}

type Compressing = Pick<Answer, 'isRefusable'> & {
  readonly [Key in 'text' | 'coding']: NonNullable<Answer[Key]>;
};

/** Text and not a Buffer where it is text: Node then sends head and body with one write. */
function writePayload(
  exchange: Exchange,
  { status, headers, isRefusable }: Pick<Answer, 'status' | 'headers' | 'isRefusable'>,
  payload: string | Buffer | undefined,
): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const size = payload?.length ?? 0;
  if (isRefusable && size > LARGE_BYTES) requireRoom(exchange, size);
  const list = headersOf(exchange, headers);
  if (payload !== undefined) list.push('Content-Length', String(Buffer.byteLength(payload)));
  prepareClose(exchange, list);
  response.writeHead(status, list);
  response.end(payload);
  watchRest(exchange, size);
}

/**
 * Errors: `service_unavailable` when the unread answers of this client have reached their limit.
 */
function requireRoom(exchange: Exchange, bytes: number): void {
  if (!exchange.unread.admits(ownerOf(exchange), bytes)) throw UNREAD;
}

/**
 * Errors: `service_unavailable` while the client has its own share unread, whatever others have.
 */
export function requireRead(exchange: Exchange): void {
  if (exchange.unread.isFull(ownerOf(exchange))) throw UNREAD;
}

/** Made once: it must cost little. */
const UNREAD = new ApiError('service_unavailable', {
  message: say('answers_not_read'),
});

/** Most answers are sent completely before this. */
function watchRest(exchange: Exchange, bytes: number): void {
  const { response, unread } = exchange;
  if (response.writableLength > 0) unread.watch(response, ownerOf(exchange), bytes);
}

/** Send the headers of an answer that stays open at once; what follows is written as it comes. */
function writeStream(
  exchange: Exchange,
  { status, headers, isOfEvents, start, discard }: StreamAnswer,
  { streams }: Pick<Writer, 'streams'>,
): void {
  const { request, response } = exchange;
  if (response.headersSent || response.destroyed) {
    discard();
    return;
  }
  // A stream is the last answer of its connection, which closes with it.
  exchange.close = true;
  const list = headersOf(exchange, headers);
  prepareClose(exchange, list);
  response.writeHead(status, list);
  response.flushHeaders();
  if (request.method === 'HEAD') {
    discard();
    response.end();
    return;
  }
  const connection = streams.open(response, start);
  if (isOfEvents) exchange.stream = connection;
}

/**
 * A document of the service itself (OpenAPI, reference page); answers the status. Errors:
 * `service_unavailable`.
 */
export function writeFile(
  exchange: Exchange,
  { body, headers, etag, encoded }: PublicFile,
): number {
  const { request, response } = exchange;
  const coding = documentCoding(request.headers['accept-encoding'], [...encoded.keys()]);
  const bytes = coding === undefined ? body : (encoded.get(coding) as Buffer);
  const tag = tagInCoding(etag, coding);
  const isKnown = isKnownToClient(request.method, request.headers['if-none-match'], tag);
  const status = isKnown ? 304 : 200;
  if (status === 200) requireRoom(exchange, SHARED_BYTES);
  const list = headersOf(exchange, ['X-Content-Type-Options', 'nosniff']);
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

/** A page that is made for its request. */
export function writePage(exchange: Exchange, { text, headers }: Page): number {
  writePayload(exchange, { status: 200, headers, isRefusable: false }, text);
  return 200;
}

/** The path of another resource; it may depend on the caller. */
export function writeLocation(exchange: Exchange, location: string): number {
  const headers = ['Location', location, 'Cache-Control', 'no-store', 'Vary', 'Accept'];
  writePayload(exchange, { status: 302, headers, isRefusable: false }, '');
  return 302;
}

function headersOf({ call, headers }: Exchange, own: readonly string[]): string[] {
  return ['X-Request-Id', call.requestId, ...headers, ...own];
}

/**
 * Close after the answer when the client requests it, or when more of the body is unread than is worth reading. The
 * answer would be lost if the connection were reset while the client still sends, so the socket lingers half-closed,
 * without reading on.
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
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function isMuchUnread({ request, expectation }: Exchange): boolean {
  if (request.complete || request.readableEnded) return false;
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return true;
  const length = Number(headers['content-length'] ?? 0);
  return length > DRAINED_BYTES || (expectation !== undefined && length > 0);
}
