// The values that fields of type `json` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, isUnstorable } from '../field-samples.ts';

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

function isLong(value: unknown): boolean {
  return (JSON.stringify(value) ?? '').length > 100_000;
}

export const samples: FieldSamples = {
  accepted: [
    [
      { b: 1, a: { c: [1, 'x', null, true] } },
      { b: 1, a: { c: [1, 'x', null, true] } },
    ],
    [[], []],
    [[[]], [[]]],
    ['text', 'text'],
    ['', ''],
    [0.1, 0.1],
    [-0, 0],
    [{ a: [-0] }, { a: [0] }],
    [1e20, 1e20],
    [false, false],
    [{}, {}],
    [JSON.parse('{"__proto__": {"x": 1}}'), JSON.parse('{"__proto__": {"x": 1}}')],
    [{ 'ключ "q" \\': '😀' }, { 'ключ "q" \\': '😀' }],
  ],
  refused: [
    'a\0b',
    '\ud800',
    { a: ['\udfff'] },
    { 'k\0': 1 },
    { '\ud800': 1 },
    Number.POSITIVE_INFINITY,
    [Number.NaN],
    'x'.repeat(100_000),
  ],
  pool: [{ a: 1 }, [], '', 0, false],
  arbitrary: fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== null),
  cells: [
    [' {"b": 1} ', { b: 1 }],
    ['""', ''],
  ],
  operators: ['is_null'],
  aggregates: [],
  isOrdered: false,
  isRefusedAsWell: (value) =>
    isUnstorable(value) || isLong(value) || [value].flat().some(isInfinite),
  page: {
    about:
      'Any JSON but null, up to 100,000 characters. It is not compared: filters ask only whether it is set.',
    takes: [{ b: 1, a: [true] }],
    refuses: ['\u0000'],
  },
};
