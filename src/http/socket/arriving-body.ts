// Request bodies in transfer: bytes of a request as they arrive on a socket. Their memory is bounded for each client
// and for all; a request has no admission ticket while its body arrives.

import type { IncomingMessage } from 'node:http';
import { unavailable } from '../../errors.ts';
import { tooLarge } from '../request/body.ts';
import type { BodyLimit } from '../request/call.ts';
import { type Exchange, ownerOf, withoutTicket } from './http-exchange.ts';
import { OVERLOADED } from './load-shedder.ts';
import { bePatient } from './patient-sockets.ts';
import type { Shares } from './shares.ts';

export interface Arrivals {
  /** The memory of bodies in transfer. */
  readonly arriving: Shares;
  /** Take an admission ticket again. False: there is none. */
  readmit(exchange: Exchange): boolean;
}

const NOTHING = Buffer.alloc(0);
/** The part of a file that is in memory counts as so much: a client has 64 under way. */
const RECEIVED_BYTES = 1024 * 1024;
/** Milliseconds without a byte after which a file is given up. */
const STALLED_MS = 30_000;
/** Made once: where it comes from is known, and it must cost little. */
const TOO_MUCH = unavailable(new Error('too many bytes of bodies are on their way'));

/**
 * All bytes of a body; undefined when the client is gone. Errors: what `refuse` makes,
 * `service_unavailable`.
 */
export async function readBody(
  exchange: Exchange,
  arrivals: Arrivals,
  { limit, refuse }: BodyLimit,
): Promise<Buffer | undefined> {
  const { request } = exchange;
  const requireFitting = (size: number) => {
    if (size > limit) throw refuse();
  };
  const read = async () => {
    requireFitting(declaredLength(request));
    return hasBody(request) ? readBytes(exchange, { limit, refuse }) : NOTHING;
  };
  return request.complete ? readWhole(exchange, requireFitting) : arrive(exchange, arrivals, read);
}

/** The part that came with the head: waiting for its events would cost more than parsing it. */
function readWhole(exchange: Exchange, requireFitting: (size: number) => void): Buffer {
  const { request } = exchange;
  requireFitting(declaredLength(request));
  askForBody(exchange);
  const bytes = (request.read() as Buffer | null) ?? NOTHING;
  requireFitting(bytes.length);
  return bytes;
}

/** Wait for a body and discard it. Errors: `payload_too_large`, `service_unavailable`. */
export function skipBody(
  exchange: Exchange,
  arrivals: Arrivals,
  limit: number,
): true | Promise<boolean> {
  if (exchange.request.complete) return true;
  const skip = () => skipBytes(exchange, limit);
  return arrive(exchange, arrivals, skip).then((skipped) => skipped === true);
}

interface Receiving<Result> extends BodyLimit {
  readonly receive: (pieces: AsyncIterable<Buffer>) => Promise<Result>;
}

/**
 * Give a body to `receive` as it arrives, as fast as that takes it. Undefined when the client has left before the end.
 * Errors: what `refuse` makes, those of `receive`, `service_unavailable`.
 */
export async function receiveBody<Result>(
  exchange: Exchange,
  { arriving, readmit }: Arrivals,
  { limit, refuse, receive }: Receiving<Result>,
): Promise<Result | undefined> {
  const { request, response } = exchange;
  if (response.writableEnded) return undefined;
  if (declaredLength(request) > limit) throw refuse();
  const owner = ownerOf(exchange);
  if (!arriving.admits(owner, RECEIVED_BYTES)) throw TOO_MUCH;
  const release = arriving.hold(owner, RECEIVED_BYTES);
  askForBody(exchange);
  const { socket } = request;
  const endPatience = bePatient(socket);
  // A client that sends no more in the middle of a file has left.
  const leave = () => !request.complete && request.destroy();
  socket.once('end', leave);
  if (socket.readableEnded) leave();
  let result: Result;
  try {
    const pieces = piecesOf(request, { limit, refuse });
    result = await withoutTicket(exchange, () => receive(pieces));
  } catch (error) {
    if (isCutOff(request)) return undefined;
    throw error;
  } finally {
    socket.off('end', leave);
    endPatience();
    release();
  }
  if (!readmit(exchange)) throw OVERLOADED;
  return result;
}

/** The request stays open when the iteration ends early: its refusal has to be sent. */
async function* piecesOf(
  request: IncomingMessage,
  { limit, refuse }: BodyLimit,
): AsyncGenerator<Buffer> {
  let size = 0;
  const timer = setTimeout(() => request.destroy(), STALLED_MS).unref();
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      timer.refresh();
      size += (piece as Buffer).length;
      if (size > limit) throw refuse();
      yield piece as Buffer;
    }
  } finally {
    clearTimeout(timer);
  }
  if (!request.complete) throw new Error('the body broke off');
}

function isCutOff(request: IncomingMessage): boolean {
  return !request.complete && (request.destroyed || request.errored !== null);
}

/** The admission ticket is returned meanwhile: a slow sender does not use up the limit. */
async function arrive<Result>(
  exchange: Exchange,
  { arriving, readmit }: Arrivals,
  read: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const { request, response } = exchange;
  if (response.writableEnded) return undefined;
  const owner = ownerOf(exchange);
  let bytes = 0;
  response.once('close', () => arriving.give(owner, bytes));
  const refused = new Promise<never>((_, reject) => {
    request.on('data', (chunk: Buffer) => {
      if (!arriving.admits(owner, chunk.length)) {
        request.pause();
        reject(TOO_MUCH);
        return;
      }
      arriving.take(owner, chunk.length);
      bytes += chunk.length;
    });
  });
  const result = await withoutTicket(exchange, () => Promise.race([read(), refused]));
  if (result !== undefined && !readmit(exchange)) throw OVERLOADED;
  return result;
}

/** True when the request announces a body of at least one byte. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function declaredLength({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

function readBytes(exchange: Exchange, { limit, refuse }: BodyLimit): Promise<Buffer | undefined> {
  const { request } = exchange;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.pause();
        reject(refuse());
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
    askForBody(exchange);
  });
}

async function skipBytes(exchange: Exchange, limit: number): Promise<true | undefined> {
  const { request } = exchange;
  if (declaredLength(request) > limit) throw tooLarge(limit);
  return new Promise((resolve, reject) => {
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return;
      request.pause();
      reject(tooLarge(limit));
    });
    request.on('end', () => resolve(true));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
    askForBody(exchange);
  });
}

/** Sends `100 Continue` to a client that waits for it. */
function askForBody({ expectation, response }: Exchange): void {
  if (expectation === 'continue') response.writeContinue();
}
