// The values that fields of type `user` accept, refuse and store.

import fc from 'fast-check';
import { EQUAL, type FieldSamples } from '../field-samples.ts';

export const samples: FieldSamples = {
  accepted: [
    [1, 1],
    [2_147_483_647, 2_147_483_647],
  ],
  refused: ['1', 0, -1, 1.5, 2_147_483_648, 9007199254740991, Number.NaN, true, [1], {}],
  pool: [1, 2, 3, 4],
  arbitrary: fc.integer({ min: 1, max: 2_147_483_647 }),
  cells: [
    [' 7 ', 7],
    ['007', 7],
  ],
  operators: EQUAL,
  aggregates: [],
  isOrdered: true,
  isRefusedAsWell: (value) => Number(value) <= 0,
  page: { about: 'The id of a person or agent.', takes: [7], refuses: ['7', 'ann@example.com'] },
};
