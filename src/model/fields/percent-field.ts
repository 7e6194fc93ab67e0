// `percent`: a decimal number; 50 is a half.

import { defineNumberType } from './number-values.ts';

export const percentField = defineNumberType({
  name: 'percent',
  takes: ['integer', 'number', 'percent'],
});
