// What fields of type `percent` take, refuse and hold.

import { samplesOfDecimals } from './decimals.ts';

export const samples = samplesOfDecimals({
  pool: [0, 50, 100, 33.3],
  cells: [['50.0', 50]],
});
