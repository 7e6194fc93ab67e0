import { typedNumber } from './number-text.ts';
import { numeric } from './plain.tsx';

const DIGITS = { maximumFractionDigits: 15 };

export const number = numeric({
  name: 'type.number',
  example: 'type.numberExample',
  icon: 'M6.300 2.500 4.800 13.500M11.200 2.500 9.700 13.500M2.800 6h11M2.200 10h11',
  format: () => DIGITS,
  parse: typedNumber('edit.notNumber'),
  firstOn: { card: 4 },
});
