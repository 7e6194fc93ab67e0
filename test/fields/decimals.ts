// Numbers that every type of decimal number takes or refuses.

import fc from 'fast-check';
import { type Accepted, type FieldSamples, ORDERED } from '../field-samples.ts';

const ACCEPTED_NUMBERS: readonly Accepted[] = [
  [0, 0],
  [-0, 0],
  [1, 1],
  [-1, -1],
  [999_999_999_999_999, 999_999_999_999_999],
  [-999_999_999_999_999, -999_999_999_999_999],
  [100_000_000_000_000, 100_000_000_000_000],
  [123456789.012345, 123456789.012345],
  [0.1, 0.1],
  [-0.000001, -0.000001],
  [1e-7, 1e-7],
  [1.23456789012345e-20, 1.23456789012345e-20],
  [5e-324, 5e-324],
];

export const NOT_NUMBERS: readonly unknown[] = [
  '5',
  '',
  'NaN',
  'Infinity',
  true,
  [1],
  { a: 1 },
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e15,
  -1e15,
  1e300,
  JSON.parse('9007199254740993'),
  0.1234567890123456,
  123456789012345.6,
  0.1 + 0.2,
];

export const SUMMED = ['sum', 'avg', 'min', 'max'] as const;

/** Up to 15 digits, and a point anywhere. */
const decimals: fc.Arbitrary<unknown> = fc
  .tuple(
    fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
    fc.integer({ min: 0, max: 20 }),
  )
  .map(([digits, places]) => Number(`${digits}e-${places}`));

function isTooExact(value: unknown): boolean {
  if (typeof value !== 'number') return false;
  return Math.abs(value) >= 1e15 || Number(value.toPrecision(15)) !== value;
}

/** The samples of a type of decimal number: values it often has, and cells of files. */
export function samplesOfDecimals(
  own: Pick<FieldSamples, 'pool' | 'cells' | 'page'>,
): FieldSamples {
  return {
    ...own,
    accepted: ACCEPTED_NUMBERS,
    refused: NOT_NUMBERS,
    arbitrary: decimals,
    operators: ORDERED,
    aggregates: SUMMED,
    isOrdered: true,
    isRefusedAsWell: isTooExact,
  };
}
