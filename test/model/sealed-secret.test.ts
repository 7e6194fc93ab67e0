// Sealed values: what opens them, and what does not.

import { describe, expect, test } from 'vitest';
import { isOperatorError } from '../../src/errors.ts';
import {
  LOST,
  makeSecretKey,
  openSecret,
  parseSecretKey,
  type SecretKey,
  type SecretKeys,
  type SecretPlace,
  sealedKeyOf,
  sealSecret,
} from '../../src/model/rights/sealed-secret.ts';

function makeKey(): SecretKey {
  const key = parseSecretKey(makeSecretKey());
  if (key === undefined) throw new Error('a made key is a key');
  return key;
}

function keysOf(...keys: readonly SecretKey[]): SecretKeys {
  return {
    first: () => keys[0] as SecretKey,
    find: (id) => keys.find((key) => key.id === id),
  };
}

const [ONE, OTHER] = [makeKey(), makeKey()];
const PLACE: SecretPlace = { workspace_id: 1, row: 'a', use: 'webhook_secret' };

function refusal(open: () => string): string {
  try {
    return `opened: ${open()}`;
  } catch (error) {
    if (isOperatorError(error)) return error.message;
    throw error;
  }
}

describe('a sealed value', () => {
  test.each(['', 'whsec_abc', 'Ä 🦆\n', 'x'.repeat(100_000)])('is opened at its place', (text) => {
    const sealed = sealSecret(keysOf(ONE), PLACE, text);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
    expect(openSecret(keysOf(ONE), PLACE, sealed)).toBe(text);
    expect(sealedKeyOf(sealed)).toBe(ONE.id);
  });

  test('is another one each time, and does not contain the text', () => {
    const seal = () => sealSecret(keysOf(ONE), PLACE, 'secret secret secret');
    const values = Array.from({ length: 100 }, seal);
    expect(new Set(values).size).toBe(100);
    for (const value of values) {
      const bytes = Buffer.from(value.split('.')[2] ?? '', 'base64url');
      expect(bytes.includes('secret')).toBe(false);
      // Nonce, text, tag.
      expect(bytes.length).toBe(12 + 20 + 16);
    }
  });

  test('is opened with each key of the process, and sealed with the first one', () => {
    const sealed = sealSecret(keysOf(ONE), PLACE, 'text');
    expect(openSecret(keysOf(OTHER, ONE), PLACE, sealed)).toBe('text');
    expect(sealedKeyOf(sealSecret(keysOf(OTHER, ONE), PLACE, 'text'))).toBe(OTHER.id);
  });

  test('is not opened without its key', () => {
    const sealed = sealSecret(keysOf(ONE), PLACE, 'text');
    const message = refusal(() => openSecret(keysOf(OTHER), PLACE, sealed));
    expect(message).toMatch(`sealed with the key ${ONE.id}, which this process does not have`);
    expect(message).toMatch('SECRETS_KEY');
    // A key that claims to be the one.
    const forged = keysOf({ ...OTHER, id: ONE.id });
    expect(refusal(() => openSecret(forged, PLACE, sealed))).toMatch('was changed, or copied');
  });

  test.each<[string, Partial<SecretPlace>]>([
    ['workspace', { workspace_id: 2 }],
    ['row', { row: 'b' }],
    ['use', { use: 'webhook_headers' }],
  ])('is not opened at another %s', (_, other) => {
    const sealed = sealSecret(keysOf(ONE), PLACE, 'text');
    const open = () => openSecret(keysOf(ONE), { ...PLACE, ...other }, sealed);
    expect(refusal(open)).toMatch('was changed, or copied from another place');
  });

  test('is not opened after any change', () => {
    const sealed = sealSecret(keysOf(ONE), PLACE, 'text');
    const [version, id, text = ''] = sealed.split('.');
    const bytes = Buffer.from(text, 'base64url');
    for (let index = 0; index < bytes.length * 8; index += 1) {
      const changed = Buffer.from(bytes);
      changed[index >> 3] = (changed[index >> 3] ?? 0) ^ (1 << (index & 7));
      const value = `${version}.${id}.${changed.toString('base64url')}`;
      expect(refusal(() => openSecret(keysOf(ONE), PLACE, value))).toMatch('was changed');
    }
    for (let length = 0; length < bytes.length; length += 1) {
      const value = `${version}.${id}.${bytes.subarray(0, length).toString('base64url')}`;
      expect(refusal(() => openSecret(keysOf(ONE), PLACE, value))).toMatch(/was changed|is lost/);
    }
  });

  test.each([LOST, '', 'text', 'v2.0a0a0a0a.abc', 'v1.0a.abc'])('"%s" is lost', (value) => {
    const message = refusal(() => openSecret(keysOf(ONE), PLACE, value));
    expect(message).toBe('The webhook secret of a in workspace 1 is lost and has to be set again.');
  });
});

test('keys are 32 bytes in base64', () => {
  const text = makeSecretKey();
  const key = parseSecretKey(text);
  expect(key?.bytes.toString('base64')).toBe(text);
  expect(key?.id).toMatch(/^[0-9a-f]{8}$/);
  expect(parseSecretKey(text.slice(0, 43))).toEqual(key);
  expect(parseSecretKey(Buffer.from(text, 'base64').toString('base64url'))).toEqual(key);
  for (const bad of [
    '',
    'abc',
    `${text}a`,
    text.slice(4),
    `${text.slice(0, 40)} ${text.slice(41)}`,
  ]) {
    expect(parseSecretKey(bad)).toBeUndefined();
  }
});
