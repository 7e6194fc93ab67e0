// JSON before it is parsed: bounds that hold before JSON.parse is reached, and numbers that a double does
// not keep.

import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseJsonText } from '../../src/model/text/json-text.ts';
import { significantDigits, survivesDouble } from '../../src/model/values/decimals.ts';

const BOUNDS = { depth: 4, nodes: 10, values: 20 };
const WIDE = { depth: 100, nodes: 1e6, values: 1e6 };

afterEach(() => vi.restoreAllMocks());

describe('bounds', () => {
  test.each([
    ['ten keys', `{${Array.from({ length: 10 }, (_, at) => `"${at}":1`)}}`, 'size'],
    ['nine keys', `{${Array.from({ length: 9 }, (_, at) => `"${at}":1`)}}`, undefined],
    ['the same key again and again', `{${Array(20).fill('"a":1')}}`, 'size'],
    ['escaped keys', `{${Array(20).fill('"\\u0061":1')}}`, 'size'],
    ['empty objects', `[${Array(20).fill('{}')}]`, 'size'],
    ['eleven empty lists', `[${Array(11).fill('[]')}]`, 'size'],
    ['ten empty lists', `[${Array(10).fill('[]')}]`, undefined],
    ['21 values', `[${Array(21).fill('1')}]`, 'size'],
    ['20 values', `[${Array(20).fill('1')}]`, undefined],
    ['five levels', '[[[[[]]]]]', 'depth'],
    ['four levels', '[[[[]]]]', undefined],
    ['signs in strings', JSON.stringify(['[{,:'.repeat(100), '\\"[[[[[', '\\\\']), undefined],
    [
      'signs in a long key',
      JSON.stringify({ [`${'x'.repeat(200)}\\"[,:`.repeat(9)]: 1 }),
      undefined,
    ],
  ])('%s', (_, text, beyond) => {
    const parse = vi.spyOn(JSON, 'parse');
    const outcome = parseJsonText(text, BOUNDS);
    if (beyond === undefined) expect(outcome).toEqual({ value: JSON.parse(text) });
    else {
      expect(outcome).toEqual({ beyond });
      expect(parse).not.toHaveBeenCalled();
    }
  });

  test('refuses the text that JSON.parse refuses, and gives the same values for the rest', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        expect(parseJsonText(text, WIDE)).toEqual({ value: JSON.parse(text) });
        for (const broken of [text.slice(1), text.slice(0, -1), `${text}1e9-`, `[${text}`]) {
          const isRefused = throws(() => parseJsonText(broken, WIDE));
          expect([broken, isRefused]).toEqual([broken, throws(() => JSON.parse(broken))]);
        }
      }),
    );
  });

  test.each(['1-2345678901234567890', '01234567890123456789', '1.2.3456789012345678', '1e+-9999'])(
    '%s stays no JSON',
    (text) => expect(() => parseJsonText(text, WIDE)).toThrow(SyntaxError),
  );
});

function throws(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

describe('numbers', () => {
  const inexact = [
    '123456789012345.001',
    '-123456789012345.001',
    '0.1234567890123456789',
    '9007199254740993',
    '1e400',
    '1e-400',
    '1234567890123456e-20000',
    '12345678901234567890',
    '1'.repeat(100_000),
  ];
  const exact = [
    '0',
    '-0.0',
    '1.0000000000000000000',
    '100000000000000000000',
    '123456789012345.00000',
    '0.00000000000000000000012',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '5e-324',
    '0e999',
    '2.50e+2',
    '1.5E10',
  ];

  test.each(inexact)('%.30s becomes Infinity', (number) => {
    const text = `{"a":[1.5,${number}],"b":"${number}","c":7}`;
    const value = { a: [1.5, Number.POSITIVE_INFINITY], b: number, c: 7 };
    expect(parseJsonText(text, WIDE)).toEqual({ value });
    expect(survivesDouble(number)).toBe(false);
  });

  test.each(exact)('%s stays', (number) => {
    const text = `[${number},2]`;
    expect(parseJsonText(text, WIDE)).toEqual({ value: JSON.parse(text) });
    expect(survivesDouble(number)).toBe(true);
  });

  test('a double prints as a decimal that survives', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(survivesDouble(String(value))).toBe(true);
      }),
    );
  });

  test('digits count between the first and the last that is not zero', () => {
    expect(['0', '0010', '1.50', '-10.01', '.5', '5.', 'x'].map(significantDigits)).toEqual([
      0, 1, 2, 4, 1, 1, 0,
    ]);
  });
});
