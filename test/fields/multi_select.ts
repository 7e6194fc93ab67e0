// The values that fields of type `multi_select` accept, refuse and store.

import fc from 'fast-check';
import { type FieldSamples, OPTIONS } from '../field-samples.ts';

export const samples: FieldSamples = {
  accepted: [
    [['red'], ['red']],
    [
      ['green', 'red', 'green'],
      ['green', 'red'],
    ],
    [
      ['null', 'off "white", really', 'Ünï😀'],
      ['null', 'off "white", really', 'Ünï😀'],
    ],
    [[], null],
  ],
  refused: ['red', 'red,green', ['purple'], ['red', null], ['red', ['green']], {}, 1, ['']],
  pool: [['red'], ['red', 'green'], ['green', 'red'], ['off "white", really'], ['null', 'Ünï😀']],
  arbitrary: fc.array(fc.constantFrom(...OPTIONS), { minLength: 1, maxLength: 100 }),
  cells: [
    [' red ; green ', ['red', 'green']],
    ['["red", "null"]', ['red', 'null']],
    [' ; ', null],
  ],
  operators: ['eq', 'in', 'is_null'],
  aggregates: [],
  isOrdered: false,
  isRefusedAsWell: () => false,
  page: {
    about:
      'Some of the `options` of the field, each once. A filter finds records that have any of the values.',
    rules: { options: [{ value: 'hot' }, { value: 'cold' }] },
    takes: [['cold', 'hot', 'cold'], []],
    refuses: ['hot', ['warm']],
  },
};
