// Cursors: they carry any values, fit their limit, and only what was signed comes back.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import {
  type CursorValue,
  decodeCursor,
  encodeCursor,
  isLongText,
  textDigest,
} from '../../src/plan/read/cursor.ts';

const SECRET = Buffer.alloc(32, 7);
const ID = '01900000-0000-7000-8000-000000000001';

/** Texts with everything that takes much room: escapes, quotes, astral characters. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('\0', '\u0001', '"', '\\', '😀', 'é', 'x'), maxLength: 400 }),
  fc.constantFrom('\u0001'.repeat(500), '"'.repeat(500), '😀'.repeat(500), '\u2028'.repeat(500)),
);
const storableText = anyText.map((text) => text.toWellFormed());
const value: fc.Arbitrary<CursorValue> = fc.oneof(
  storableText,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('9999-12-31T23:59:59.999Z', '2025-01-31', ID),
);

function refused(secret: Buffer, binding: string, cursor: string): void {
  let error: unknown;
  try {
    decodeCursor(secret, binding, cursor);
  } catch (thrown) {
    error = thrown;
  }
  if (error instanceof ApiError && error.code === 'invalid_cursor' && error.param === 'cursor')
    return;
  expect.fail(`${JSON.stringify(cursor)} gave ${error}`);
}

test('any values come back; a long text as its start and a digest', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), fc.string(), (values, binding) => {
      const decoded = decodeCursor(SECRET, binding, encodeCursor(SECRET, binding, values));
      expect(decoded).toHaveLength(values.length);
      decoded.forEach((item, index) => {
        const text = String(values[index]);
        if (!isLongText(item)) {
          expect(item).toEqual(values[index]);
          return;
        }
        expect(text.startsWith(item.prefix)).toBe(true);
        expect(item.prefix.isWellFormed()).toBe(true);
        expect(item.prefix.length).toBeLessThan(text.length);
        expect(item.digest).toBe(textDigest(text));
      });
    }),
    { numRuns: 500 },
  );
});

test('a short text is carried whole', () => {
  for (const text of ['', 'x'.repeat(78), '😀'.repeat(19), '\u0001'.repeat(13), '"'.repeat(39)]) {
    const cursor = encodeCursor(SECRET, 'b', [text]);
    expect(decodeCursor(SECRET, 'b', cursor)).toEqual([text]);
  }
  expect(
    isLongText(decodeCursor(SECRET, 'b', encodeCursor(SECRET, 'b', ['x'.repeat(79)]))[0]),
  ).toBe(true);
});

test('three sort keys and the id always fit the limit of a cursor (§8)', () => {
  fc.assert(
    fc.property(fc.tuple(anyText, anyText, anyText), (texts) => {
      const cursor = encodeCursor(SECRET, 'b', [...texts, ID]);
      expect(cursor.length).toBeLessThanOrEqual(LIMITS.cursorLength);
      expect(cursor).toMatch(/^[\w-]+$/);
    }),
    { numRuns: 2000 },
  );
});

describe('refused', () => {
  const binding = 'list of gadgets';
  const cursor = encodeCursor(SECRET, binding, ['Ünï😀', 42, null, ID]);

  test('every change of one character', () => {
    for (let index = 0; index < cursor.length; index += 1) {
      for (const other of ['A', 'B', '-', '_', '=', '+', '/', ' ', '\n', '%', 'é']) {
        if (cursor[index] === other) continue;
        const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
        refused(SECRET, binding, changed);
      }
    }
  });

  test('every shorter and some longer texts', () => {
    for (let length = 0; length < cursor.length; length += 1) {
      refused(SECRET, binding, cursor.slice(0, length));
      if (length > 0) refused(SECRET, binding, cursor.slice(length));
    }
    for (const more of ['A', '=', ' ', '\n', '\0', '.', cursor]) {
      refused(SECRET, binding, cursor + more);
    }
    refused(SECRET, binding, ` ${cursor}`);
  });

  test('the same bytes in another spelling', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    refused(SECRET, binding, `${bytes.toString('base64url')}=`);
    const standard = bytes.toString('base64');
    if (standard !== cursor) refused(SECRET, binding, standard);
    refused(SECRET, binding, bytes.toString('hex'));
  });

  test('another binding, secret or payload', () => {
    refused(SECRET, `${binding} `, cursor);
    refused(SECRET, '', cursor);
    refused(Buffer.alloc(32, 8), binding, cursor);
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = Buffer.from(JSON.stringify(['other', ID]));
    const forged = Buffer.concat([bytes.subarray(0, 16), payload]).toString('base64url');
    refused(SECRET, binding, forged);
  });

  test('the end of a binding cannot pass for the start of the values', () => {
    const first = encodeCursor(SECRET, 'ab', ['c']);
    const mac = Buffer.from(first, 'base64url').subarray(0, 16);
    const payload = Buffer.from(`b${JSON.stringify(['c'])}`);
    const shifted = Buffer.concat([mac, payload]).toString('base64url');
    refused(SECRET, 'a', shifted);
  });

  test('arbitrary text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        refused(SECRET, binding, text);
      }),
    );
  });
});
