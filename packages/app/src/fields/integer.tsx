import { typedNumber } from './number-text.ts';
import { numeric } from './plain.tsx';
import { isYear } from './year.ts';

const DIGITS = { maximumFractionDigits: 0 };
const YEAR = { maximumFractionDigits: 0, useGrouping: false };

export const integer = numeric({
  name: 'type.integer',
  example: 'type.integerExample',
  icon: 'M3 5.500 5 4v8M8.200 5.400c.3-.9 1.100-1.400 2-1.400 1.200 0 2 .7 2 1.900 0 1.600-4 3.600-4 6.100h4.300',
  format: (field) => (isYear(field) ? YEAR : DIGITS),
  parse: typedNumber('edit.notWhole'),
  misfit: 'misfit.integer',
  firstOn: { card: 5 },
});
