// The values that fields of type `currency` accept, refuse and store.

import { samplesOfDecimals } from './decimals.ts';

export const samples = samplesOfDecimals({
  pool: [0, 0.01, 12.34, 12.3],
  cells: [['12.30', 12.3]],
});
