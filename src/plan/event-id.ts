// The ids of live events: how far a reader has been told, as a snapshot of the database. They are sealed
// with a key of the workspace, for transaction numbers tell how much all the others write. Pure.

import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

const TAG_BYTES = 16;
const CIPHER = 'aes-256-ctr';
/** Transactions under way that an id names; it is a header of the next request. */
const MOST_PENDING = 50;

/**
 * A URL-safe text, the same for the same snapshot: its digest, and under that the snapshot. The digest
 * is the initial vector, so that no two snapshots share one.
 */
export function sealEventId(secret: Buffer, snapshot: string): string {
  const text = Buffer.from(shortened(snapshot));
  const tag = tagOf(secret, text);
  const cipher = createCipheriv(CIPHER, keyOf(secret, 'event ids'), tag);
  return Buffer.concat([tag, cipher.update(text), cipher.final()]).toString('base64url');
}

/** The snapshot of an id of this workspace; undefined for any other text. */
export function openEventId(secret: Buffer, id: string): string | undefined {
  const sealed = Buffer.from(id, 'base64url');
  if (sealed.length <= TAG_BYTES || sealed.toString('base64url') !== id) return undefined;
  const tag = sealed.subarray(0, TAG_BYTES);
  const cipher = createDecipheriv(CIPHER, keyOf(secret, 'event ids'), tag);
  const text = Buffer.concat([cipher.update(sealed.subarray(TAG_BYTES)), cipher.final()]);
  return timingSafeEqual(tag, tagOf(secret, text)) ? text.toString() : undefined;
}

/** With very many transactions under way: all from the first of them on count as not told. */
function shortened(snapshot: string): string {
  const [first = '', , pending = ''] = snapshot.split(':');
  return pending.split(',').length > MOST_PENDING ? `${first}:${first}:` : snapshot;
}

function tagOf(secret: Buffer, text: Buffer): Buffer {
  const hmac = createHmac('sha256', keyOf(secret, 'digests of event ids'));
  return hmac.update(text).digest().subarray(0, TAG_BYTES);
}

/** The same secret signs cursors; what one says must not be of use for the other. */
function keyOf(secret: Buffer, use: string): Buffer {
  return createHmac('sha256', secret).update(use).digest();
}
