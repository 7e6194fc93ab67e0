// Request bodies in transfer: bytes of a request as they arrive on a socket. Their memory is bounded for each client
// and for all; a request has no admission ticket while its body arrives.

import type { IncomingMessage } from 'node:http';
import { unavailable } from '../errors.ts';
import { tooLarge } from './body.ts';
import type { BodyLimit } from './call.ts';
import { type Exchange, ownerOf } from './http-exchange.ts';
import { OVERLOADED } from './load-shedder.ts';
import type { Shares } from './shares.ts';

export interface Arrivals {
  /** The memory of bodies in transfer. */
  readonly arriving: Shares;
  /** Take an admission ticket again. False: there is none. */
  readmit(exchange: Exchange): boolean;
}

const NOTHING = Buffer.alloc(0);
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

/** The admission ticket is returned meanwhile: a slow sender does not use up the limit. */
async function arrive<Result>(
  exchange: Exchange,
  { arriving, readmit }: Arrivals,
  read: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const { request, response, ticket } = exchange;
  if (response.writableEnded) return undefined;
  ticket?.release();
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
  const result = await Promise.race([read(), refused]);
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
