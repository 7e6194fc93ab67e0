// An `Idempotency-Key`, and the identity of a request under it: SHA-256 over method, path, query, and the body byte by byte,
// with the media type of one that is a file.

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
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

/** 1–255 visible ASCII characters (§8). */
export function requireIdempotencyKey({ headers }: Pick<Call, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  const most = LIMITS.idempotencyKeyLength;
  if (typeof key === 'string' && key.length <= most && /^[\x21-\x7e]+$/.test(key)) return key;
  throw errorFromProblems([
    {
      param: 'Idempotency-Key',
      code: 'validation_failed',
      message: say('idempotency_key_malformed', { most }),
    },
  ]);
}
