// The values that fields of type `percent` accept, refuse and store.

import { samplesOfDecimals } from './decimals.ts';

export const samples = samplesOfDecimals({
  pool: [0, 50, 100, 33.3],
  cells: [['50.0', 50]],
  page: { about: 'A decimal number; 50 is a half.', takes: [12.5], refuses: ['12.5 %'] },
});
