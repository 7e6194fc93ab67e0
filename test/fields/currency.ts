// The values that fields of type `currency` accept, refuse and store.

import { samplesOfDecimals } from './decimals.ts';

export const samples = samplesOfDecimals({
  pool: [0, 0.01, 12.34, 12.3],
  cells: [['12.30', 12.3]],
  page: {
    about: 'An amount of money, a decimal number; `currency` of the field names the currency.',
    takes: [1499.95],
    refuses: ['1,499.95 €'],
  },
});
