// The values that fields of type `select` accept, refuse and store.

import fc from 'fast-check';
import { EQUAL, type FieldSamples, OPTIONS } from '../field-samples.ts';

export const samples: FieldSamples = {
  accepted: [
    ['red', 'red'],
    ['off "white", really', 'off "white", really'],
    ['Ünï😀', 'Ünï😀'],
  ],
  refused: ['purple', 'RED', ' red', 1, true, ['red'], {}, 'red\0', '\ud800'],
  pool: ['red', 'green', 'off "white", really', 'null', 'Ünï😀'],
  arbitrary: fc.constantFrom(...OPTIONS),
  cells: [['off "white", really', 'off "white", really']],
  operators: EQUAL,
  aggregates: [],
  isOrdered: true,
  isRefusedAsWell: () => false,
  page: {
    about: 'One of the `options` of the field, by its value (here `hot` and `cold`).',
    rules: { options: [{ value: 'hot' }, { value: 'cold' }] },
    takes: ['hot'],
    refuses: ['Hot', 'warm'],
  },
};
