// The form of an API key secret and what is derived from it: checksum, prefix, hash (D13). Pure but
// for the randomness of a new secret; the stored keys are in control/people/api-keys.ts.

import { createHmac, hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type KeyType = 'personal' | 'operational';

/** A key as `GET /me` shows it (§2.8), with its limit. */
export interface ApiKeyIdentity {
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly requests_per_minute: number;
}

/** The state of the rate window of a key. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds left in the window, at least 1. */
  readonly resetSeconds: number;
  /** Epoch second of the end of the window. */
  readonly resetAt: number;
  readonly exceeded: boolean;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 32 characters of base62 are 190 bits. */
const RANDOM_LENGTH = 32;
const START_LENGTH = 6;
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 12;
const SECRET = /^wrs_[po]_[0-9A-Za-z]{38}$/;
const ACCESS_TOKEN = /^wrs_t_[0-9A-Za-z]{38}$/;
const FEED_SECRET = /^wrs_c_[0-9A-Za-z]{38}$/;

/** A new secret: `wrs_p_…` or `wrs_o_…`, 44 characters. */
export function makeSecret(type: KeyType): string {
  return completed(type === 'personal' ? 'wrs_p_' : 'wrs_o_');
}

/** The prefix of a new grant, which all of its access tokens have. */
export function makeGrantPrefix(): string {
  return prefixOf(completed('wrs_t_'));
}

/** A new access token of the grant with this prefix: `wrs_t_…`, with 154 random bits behind the prefix. */
export function makeAccessToken(prefix: string): string {
  return completed(prefix);
}

/** A new refresh token: `wrs_r_…`, 44 characters. */
export function makeRefreshToken(): string {
  return completed('wrs_r_');
}

/** The refresh token that takes the place of this one: the same each time; `random`: a value of its grant. */
export function nextRefreshToken(token: string, random: Buffer): string {
  return `wrs_r_${createHmac('sha256', random).update(token).digest('base64url')}`;
}

/** True for text that can be a secret. False costs no SQL: a typing error fails the checksum. */
export function isSecret(text: string): boolean {
  return SECRET.test(text) && hasChecksum(text);
}

/** A new secret of a calendar feed: `wrs_c_…`, 44 characters. */
export function makeFeedSecret(): string {
  return completed('wrs_c_');
}

/** True for text that can be the secret of a calendar feed. */
export function isFeedSecret(text: string): boolean {
  return FEED_SECRET.test(text) && hasChecksum(text);
}

/** True for text that can be an access token of a grant. */
export function isAccessToken(text: string): boolean {
  return ACCESS_TOKEN.test(text) && hasChecksum(text);
}

function completed(start: string): string {
  let body = start;
  while (body.length < START_LENGTH + RANDOM_LENGTH) body += ALPHABET[randomInt(62)];
  return body + checksumOf(body);
}

function hasChecksum(text: string): boolean {
  return checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The hash that the database stores in place of the secret. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The start of a secret, which may be shown and logged. */
export function prefixOf(secret: string): string {
  return secret.slice(0, PREFIX_LENGTH);
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
