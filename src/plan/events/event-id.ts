// The ids of events and audit rows and the cursors of their readers, which are encrypted with a key of the workspace, because
// transaction and audit numbers would reveal how much others write. Pure.

import { createCipheriv, createDecipheriv, createHmac, hash, timingSafeEqual } from 'node:crypto';
import { type ReaderRights, rightsMarkOf } from '../people/reader-rights.ts';
import type { ShownEvent } from './event-plan.ts';
import { parsePosition, positionText, type ReaderPosition } from './event-position.ts';

const TAG_BYTES = 16;
const CIPHER = 'aes-256-ctr';

/** Positions are padded to a multiple of this: their length would reveal how many transactions were open. */
const STEP = 128;

/** A position of a person. */
export interface OwnPosition extends ReaderPosition {
  readonly user_id: number;
}

export function sealPosition(secret: Buffer, position: OwnPosition): string {
  return sealText(secret, `${position.user_id} ${positionText(position)}`, STEP);
}

/**
 * A URL-safe text, the same for the same text: its digest, and under that the text. The digest is the initial vector,
 * so that no two of them share one. Its length is a multiple of `step`.
 */
export function sealText(secret: Buffer, short: string, step: number): string {
  const text = Buffer.from(short.padEnd(Math.ceil(short.length / step) * step));
  const tag = tagOf(secret, text);
  const cipher = createCipheriv(CIPHER, keyOf(secret, 'event ids'), tag);
  return Buffer.concat([tag, cipher.update(text), cipher.final()]).toString('base64url');
}

/** The position of a moment, for a reader with their present rights: everything before it was sent. */
export function eventIdAt(reading: ReaderRights, moment: string, at: number = Date.now()): string {
  const { model, caller } = reading;
  const position = { position: { delivered: moment }, rights: rightsMarkOf(reading), at };
  return sealPosition(model.cursor_secret, { ...position, user_id: caller.user.id });
}

/** The position of a person of this workspace; undefined for any other text. */
export function openPosition(
  secret: Buffer,
  user_id: number,
  sealed: string,
): ReaderPosition | undefined {
  const plain = openText(secret, sealed);
  const end = plain?.indexOf(' ') ?? -1;
  if (plain === undefined || plain.slice(0, end) !== String(user_id)) return undefined;
  return parsePosition(plain.slice(end + 1));
}

/** The text that was sealed; undefined for any other one. */
export function openText(secret: Buffer, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length <= TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined;
  const tag = bytes.subarray(0, TAG_BYTES);
  const cipher = createDecipheriv(CIPHER, keyOf(secret, 'event ids'), tag);
  const text = Buffer.concat([cipher.update(bytes.subarray(TAG_BYTES)), cipher.final()]);
  return timingSafeEqual(tag, tagOf(secret, text)) ? text.toString().trimEnd() : undefined;
}

/** The characters of an id: 132 bits of the 43 characters of a digest. */
const ID_LENGTH = 22;

/**
 * The id of an event: stable, and a digest that reveals nothing. An event of an audit row has it from the row, one of
 * a definition from its revision, one of rights from the change of them. The key stands on both sides, because an HMAC
 * takes six times as long, and a page has 1,000 of them.
 */
export function eventIdOf(secret: Buffer, reader: number, event: ShownEvent): string {
  if (event.type === 'notification.created') return event.notification.id;
  const source =
    'row' in event
      ? `${event.row.record_id} ${event.row.id}`
      : `${reader} ${event.type} ${event.type === 'definition.changed' ? event.revision : event.key}`;
  return digestOf(secret, source);
}

/** The id of an audit row: stable, and in no order (D654). */
export function auditIdOf(secret: Buffer, id: number): string {
  return digestOf(secret, `audit ${id}`);
}

function digestOf(secret: Buffer, source: string): string {
  const key = idKeyOf(secret);
  return hash('sha256', `${key} ${source} ${key}`, 'base64url').slice(0, ID_LENGTH);
}

const idKeys = new WeakMap<Buffer, string>();

function idKeyOf(secret: Buffer): string {
  const key = idKeys.get(secret) ?? keyOf(secret, 'ids of single events').toString('base64');
  idKeys.set(secret, key);
  return key;
}

function tagOf(secret: Buffer, text: Buffer): Buffer {
  const hmac = createHmac('sha256', keyOf(secret, 'digests of event ids'));
  return hmac.update(text).digest().subarray(0, TAG_BYTES);
}

/** Kept as long as the secret is: every reader of an event has an id sealed. */
const derived = new WeakMap<Buffer, Map<string, Buffer>>();

/** A key derived for one use. The same secret signs cursors; the label keeps the derived keys apart. */
function keyOf(secret: Buffer, use: string): Buffer {
  const keys = derived.get(secret) ?? new Map<string, Buffer>();
  derived.set(secret, keys);
  const key = keys.get(use) ?? createHmac('sha256', secret).update(use).digest();
  keys.set(use, key);
  return key;
}
