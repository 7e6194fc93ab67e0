// `number`: a decimal number.

import { defineNumberType } from './number-values.ts';

export const numberField = defineNumberType({
  name: 'number',
  takes: ['integer', 'number', 'currency', 'percent'],
  constraints: { precision: 15 },
});
