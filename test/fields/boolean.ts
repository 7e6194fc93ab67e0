// The values that fields of type `boolean` accept, refuse and store.

import fc from 'fast-check';
import { EQUAL, type FieldSamples } from '../field-samples.ts';

export const samples: FieldSamples = {
  accepted: [
    [true, true],
    [false, false],
  ],
  refused: ['yes', 'true', '', 1, 0, [true], {}],
  pool: [true, false],
  arbitrary: fc.boolean(),
  cells: [
    ['Yes', true],
    ['1', true],
    ['FALSE', false],
    ['no', false],
  ],
  operators: EQUAL,
  aggregates: [],
  isOrdered: true,
  isRefusedAsWell: () => false,
  page: { about: 'True or false.', takes: [true], refuses: ['true', 1] },
};
