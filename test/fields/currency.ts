// What fields of type `currency` take, refuse and hold.

import { type FieldSamples, ORDERED } from '../field-samples.ts';
import { ACCEPTED_NUMBERS, decimals, isTooExact, NOT_NUMBERS, SUMMED } from './decimals.ts';

export const samples: FieldSamples = {
  accepted: ACCEPTED_NUMBERS,
  refused: NOT_NUMBERS,
  pool: [0, 0.01, 12.34, 12.3],
  arbitrary: decimals,
  cells: [['12.30', 12.3]],
  operators: ORDERED,
  aggregates: SUMMED,
  isOrdered: true,
  isRefusedAsWell: isTooExact,
};
