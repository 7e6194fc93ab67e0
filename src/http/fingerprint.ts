// The identity of a request under an `Idempotency-Key`: SHA-256 over method, path, query, and the body byte by byte,
// with the media type of one that is a file.

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Call, Routed } from './call.ts';

/** Some milliseconds; between two of them other requests are served. */
const PIECE = 4 * 1024 * 1024;

export async function fingerprintOf(
  { method }: Pick<Call, 'method'>,
  { path, query }: Pick<Routed, 'path' | 'query'>,
  body: { readonly raw: Buffer; readonly mediaType?: string | undefined } | undefined,
): Promise<Buffer> {
  const { raw = Buffer.alloc(0), mediaType } = body ?? {};
  const type = mediaType === undefined ? '' : `${mediaType}\n`;
  const hash = createHash('sha256').update(
    `${method} ${path}${query === '' ? '' : `?${query}`}\n${type}`,
  );
  for (let at = 0; at < raw.length; at += PIECE) {
    if (at > 0) await setImmediate();
    hash.update(raw.subarray(at, at + PIECE));
  }
  return hash.digest();
}
