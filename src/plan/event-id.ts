// The ids of live events: the position of a reader, as a moment of the database, and the identity of an event.
// They are encrypted with a key of the workspace, because transaction and audit numbers would reveal how much
// others write. Pure.

import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { epochOf, horizonOf, unseenBy } from './snapshot-moment.ts';

const TAG_BYTES = 16;
const CIPHER = 'aes-256-ctr';
/** Most transactions in progress that an id names: the id is a header of the next request. */
const MOST_PENDING = 50;

/**
 * Moments are padded to a multiple of this: their length would reveal how many transactions were
 * open.
 */
const STEP = 128;

/** What a reader has been told. */
export interface ReaderPosition {
  /** Everything that it sees. */
  readonly moment: string;
  /** What the reader might read by then (flow/events/event-rights.ts). */
  readonly rights: string;
}

/**
 * A URL-safe text, the same for the same moment and rights: its digest, and under that the two. The digest
 * is the initial vector, so that no two of them share one.
 */
export function sealEventId(secret: Buffer, { moment, rights }: ReaderPosition): string {
  const short = `${shortened(moment)} ${rights}`;
  const text = Buffer.from(short.padEnd(Math.ceil(short.length / STEP) * STEP));
  const tag = tagOf(secret, text);
  const cipher = createCipheriv(CIPHER, keyOf(secret, 'event ids'), tag);
  return Buffer.concat([tag, cipher.update(text), cipher.final()]).toString('base64url');
}

/** What an id of this workspace says; undefined for any other text. */
export function openEventId(secret: Buffer, id: string): ReaderPosition | undefined {
  const sealed = Buffer.from(id, 'base64url');
  if (sealed.length <= TAG_BYTES || sealed.toString('base64url') !== id) return undefined;
  const tag = sealed.subarray(0, TAG_BYTES);
  const cipher = createDecipheriv(CIPHER, keyOf(secret, 'event ids'), tag);
  const text = Buffer.concat([cipher.update(sealed.subarray(TAG_BYTES)), cipher.final()]);
  if (!timingSafeEqual(tag, tagOf(secret, text))) return undefined;
  const [moment = '', rights = ''] = text.toString().trimEnd().split(' ');
  return { moment, rights };
}

/** The id of one event, by its audit row: stable, and a digest that reveals nothing. */
export function eventIdOf(secret: Buffer, { record_id, id }: AuditedRow): string {
  const hmac = createHmac('sha256', keyOf(secret, 'ids of single events'));
  return hmac.update(`${record_id} ${id}`).digest().subarray(0, TAG_BYTES).toString('base64url');
}

interface AuditedRow {
  readonly record_id: string;
  readonly id: number;
}

/** With too many transactions in progress, all from the first of them on count as not sent. */
function shortened(moment: string): string {
  if (unseenBy(moment).pending.length <= MOST_PENDING) return moment;
  const first = horizonOf(moment);
  return `${first}:${first}::${epochOf(moment)}`;
}

function tagOf(secret: Buffer, text: Buffer): Buffer {
  const hmac = createHmac('sha256', keyOf(secret, 'digests of event ids'));
  return hmac.update(text).digest().subarray(0, TAG_BYTES);
}

/** Kept as long as the secret is: every reader of an event has an id sealed. */
const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/** The same secret signs cursors; the label keeps the derived keys apart. */
function keyOf(secret: Buffer, use: string): Buffer {
  const keys = derived.get(secret) ?? new Map<string, Buffer>();
  derived.set(secret, keys);
  const key = keys.get(use) ?? createHmac('sha256', secret).update(use).digest();
  keys.set(use, key);
  return key;
}
