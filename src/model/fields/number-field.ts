// `number`: a decimal number.

import { defineNumberType } from './number-values.ts';

export const numberField = defineNumberType({ name: 'number', constraints: { precision: 15 } });
