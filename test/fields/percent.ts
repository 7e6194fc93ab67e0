// The values that fields of type `percent` accept, refuse and store.

import { samplesOfDecimals } from './decimals.ts';

export const samples = samplesOfDecimals({
  pool: [0, 50, 100, 33.3],
  cells: [['50.0', 50]],
});
