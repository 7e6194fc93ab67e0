// Secrets that the service has to know later, encrypted for the database: AES-256-GCM with a key that the database does
// not have (docs/design/secrets-at-rest.md). Pure but for random numbers.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { operatorError } from '../../errors.ts';

export interface SecretKey {
  /** Eight hexadecimal digits, which tell nothing about the key. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** The keys of an installation. */
export interface SecretKeys {
  /** The key that seals. Errors: an operator error when there is none. */
  first(): SecretKey;
  find(id: string): SecretKey | undefined;
}

/** Where a value belongs; it cannot be opened at another place. */
export interface SecretPlace {
  readonly workspace_id: number;
  /** The id of the row. */
  readonly row: string;
  readonly use: SecretUse;
}

export type SecretUse = 'webhook_secret' | 'webhook_headers' | 'code_secret';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_TEXT = /^[A-Za-z0-9+/_-]{43}=?$/;
const SEALED = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;
/** Stands for values whose key is lost. */
export const LOST = 'lost';

/** A key of 32 bytes in base64; undefined for other text. */
export function parseSecretKey(text: string): SecretKey | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (!KEY_TEXT.test(text) || bytes.length !== KEY_BYTES) return undefined;
  const id = createHash('sha256').update('workspace-records secrets key').update(bytes);
  return Object.freeze({ id: id.digest('hex').slice(0, 8), bytes });
}

/** A new key in the form that `parseSecretKey` reads. */
export function makeSecretKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Text such as `v1.1f0c3a7e.…`: the id of the key, then nonce, cipher text and tag in base64url. */
export function sealSecret(keys: SecretKeys, place: SecretPlace, text: string): string {
  const key = keys.first();
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, iv).setAAD(placeBytes(place));
  const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
  return `v1.${key.id}.${Buffer.concat(parts).toString('base64url')}`;
}

/** Errors: operator errors, for a key that is not there and a value that was changed or moved. */
export function openSecret(keys: SecretKeys, place: SecretPlace, sealed: string): string {
  const [, id = '', text = ''] = SEALED.exec(sealed) ?? [];
  if (id === '') throw operatorError(`${nameOf(place)} is lost and has to be set again.`);
  const key = keys.find(id);
  if (key === undefined) {
    throw operatorError(
      `${nameOf(place)} is sealed with the key ${id}, which this process does not have. ` +
        'Give it this key in SECRETS_KEY or SECRETS_KEY_FILE.',
    );
  }
  const bytes = Buffer.from(text, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(placeBytes(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch (error) {
    throw operatorError(`${nameOf(place)} was changed, or copied from another place.`, error);
  }
}

/** The id of the key of a sealed value. */
export function sealedKeyOf(sealed: string): string | undefined {
  return SEALED.exec(sealed)?.[1];
}

function placeBytes({ workspace_id, row, use }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([workspace_id, use, row]));
}

function nameOf({ workspace_id, row, use }: SecretPlace): string {
  return `The ${use.replace('_', ' ')} of ${row} in workspace ${workspace_id}`;
}
