// `currency`: an amount of money; the definition names the currency.

import { defineNumberType } from './number-values.ts';

export const currencyField = defineNumberType({
  name: 'currency',
  takes: ['integer', 'number', 'currency'],
  words: ['minimum', 'maximum', 'scale', 'currency'],
  constraints: { precision: 15 },
});
