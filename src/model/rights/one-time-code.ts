// One-time codes of authenticator apps (RFC 6238: SHA-1, six digits, steps of 30 seconds) and recovery codes. Pure but
// for random numbers.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { hashOf } from './api-key-form.ts';

const STEP_SECONDS = 30;
const DIGITS = 6;
/** RFC 4226 §4: a secret has 160 bits. */
const SECRET_BYTES = 20;
/** Steps before and after the present one whose codes count: clocks differ. */
const DRIFT = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** A new secret in base32, as authenticator apps take it. */
export function makeCodeSecret(): string {
  return base32(randomBytes(SECRET_BYTES));
}

/** The code of a step. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  const number = (mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** The step of which it is the code, at most one away from `now` (milliseconds since 1970); undefined for a wrong one. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const present = Math.floor(now / 1000 / STEP_SECONDS);
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, index) => present - DRIFT + index);
  const isOf = (step: number) => timingSafeEqual(hashOf(codeAt(secret, step)), hashOf(code));
  // All are computed, so that the time does not depend on the place of the right one.
  return steps.filter(isOf).at(-1);
}

/** The address that authenticator apps read from a QR code. */
export function codeUri(secret: string, place: { readonly issuer: string; readonly user: string }) {
  const [issuer, user] = [place.issuer, place.user].map(encodeURIComponent);
  return `otpauth://totp/${issuer}:${user}?secret=${secret}&issuer=${issuer}`;
}

/** Ten new codes, such as `k3vq-7w2m-ab5c-zzt4`: 80 random bits each. */
export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES))
      .toLowerCase()
      .replace(/.{4}(?=.)/g, '$&-'),
  );
}

/** The stored form of a recovery code, however a person writes it. */
export function recoveryHash(code: string): Buffer {
  return hashOf(`recovery ${code.toLowerCase().replace(/[\s-]/g, '')}`);
}

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((one) => ALPHABET.indexOf(one).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}
