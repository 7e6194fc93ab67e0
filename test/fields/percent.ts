// What fields of type `percent` take, refuse and hold.

import { type FieldSamples, ORDERED } from '../field-samples.ts';
import { ACCEPTED_NUMBERS, decimals, isTooExact, NOT_NUMBERS, SUMMED } from './decimals.ts';

export const samples: FieldSamples = {
  accepted: ACCEPTED_NUMBERS,
  refused: NOT_NUMBERS,
  pool: [0, 50, 100, 33.3],
  arbitrary: decimals,
  cells: [['50.0', 50]],
  operators: ORDERED,
  aggregates: SUMMED,
  isOrdered: true,
  isRefusedAsWell: isTooExact,
};
