// Cursors: the sort values of a page's last row, authenticated and bound to the query they belong to.
// Nothing is stored; a cursor that was changed, or is used with another query, fails its check.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../errors.ts';

/** A text too long for a cursor: its start, and a digest to recognise the whole. */
export interface LongText {
  readonly prefix: string;
  readonly digest: string;
}

export type CursorValue = string | number | boolean | null | LongText;

const MAC_BYTES = 16;
const SHORT_TEXT_BYTES = 80;
const PREFIX_BYTES = 60;

/** At most 500 characters for four values, whatever they are (interface specification §8). */
export function encodeCursor(
  secret: Buffer,
  binding: string,
  values: readonly CursorValue[],
): string {
  const payload = Buffer.from(JSON.stringify(values.map(shorten)));
  return Buffer.concat([mac(secret, binding, payload), payload]).toString('base64url');
}

/** The values of a cursor that belongs to `binding`; any other cursor is `invalid_cursor`. */
export function decodeCursor(
  secret: Buffer,
  binding: string,
  cursor: string,
): readonly CursorValue[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  const canonical = bytes.toString('base64url') === cursor && bytes.length > MAC_BYTES;
  if (!canonical || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(secret, binding, payload))) {
    throw new ApiError('invalid_cursor', { param: 'cursor' });
  }
  return JSON.parse(payload.toString()) as readonly CursorValue[];
}

/** The digest of a long text; `digestSql` in where-sql.ts computes the same in the database. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

export function isLongText(value: unknown): value is LongText {
  return typeof value === 'object' && value !== null && 'digest' in value;
}

function mac(secret: Buffer, binding: string, payload: Buffer): Buffer {
  const hmac = createHmac('sha256', secret);
  hmac.update(`${Buffer.byteLength(binding)}:${binding}`).update(payload);
  return hmac.digest().subarray(0, MAC_BYTES);
}

function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

function shorten(value: CursorValue): CursorValue {
  if (typeof value !== 'string' || jsonBytes(value) <= SHORT_TEXT_BYTES) return value;
  let prefix = '';
  for (const character of value.slice(0, PREFIX_BYTES)) {
    if (jsonBytes(prefix + character) > PREFIX_BYTES) break;
    prefix += character;
  }
  return { prefix, digest: textDigest(value) };
}
