// The values that fields of type `integer` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, ORDERED } from '../field-samples.ts';
import { NOT_NUMBERS, SUMMED } from './decimals.ts';

export const samples: FieldSamples = {
  accepted: [
    [0, 0],
    [-0, 0],
    [1.0, 1],
    [2_147_483_647, 2_147_483_647],
    [-2_147_483_647, -2_147_483_647],
    [-2_147_483_648, -2_147_483_648],
  ],
  refused: [...NOT_NUMBERS, 1.5, 0.1, 2_147_483_648, -2_147_483_649],
  pool: [0, 1, -1, 9, 10, 2_147_483_647, -2_147_483_648],
  arbitrary: fc.integer(),
  cells: [['7.0', 7]],
  operators: ORDERED,
  aggregates: SUMMED,
  isOrdered: true,
  isRefusedAsWell: () => false,
  page: { about: 'A whole number of 32 bits.', takes: [42], refuses: [1.5, 2_147_483_648] },
};
