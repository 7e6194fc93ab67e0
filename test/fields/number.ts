// What fields of type `number` take, refuse and hold.

import { type FieldSamples, ORDERED } from '../field-samples.ts';
import { ACCEPTED_NUMBERS, decimals, isTooExact, NOT_NUMBERS, SUMMED } from './decimals.ts';

export const samples: FieldSamples = {
  accepted: ACCEPTED_NUMBERS,
  refused: NOT_NUMBERS,
  pool: [0, -1.5, 0.1, 1, 9, 10, 1e-7, 999_999_999_999_999, -999_999_999_999_999],
  arbitrary: decimals,
  cells: [
    [' 5 ', 5],
    ['+.5', 0.5],
    ['1E3', 1000],
  ],
  operators: ORDERED,
  aggregates: SUMMED,
  isOrdered: true,
  isRefusedAsWell: isTooExact,
};
