// The values that fields of type `number` accept, refuse and store.

import { samplesOfDecimals } from './decimals.ts';

export const samples = samplesOfDecimals({
  pool: [0, -1.5, 0.1, 1, 9, 10, 1e-7, 999_999_999_999_999, -999_999_999_999_999],
  cells: [
    [' 5 ', 5],
    ['+.5', 0.5],
    ['1E3', 1000],
  ],
  page: {
    about: 'A decimal number of up to 15 digits.',
    takes: [0.1, -12.5],
    refuses: ['12.5', 123_456_789_012_345.6],
  },
});
