import { PERCENT } from '../lib/format.ts';
import { typedNumber } from './number-text.ts';
import { numeric } from './plain.tsx';

const OPTIONS = { ...PERCENT, maximumFractionDigits: 15 };

export const percent = numeric({
  name: 'type.percent',
  example: 'type.percentExample',
  icon: 'M12.500 3.500l-9 9M5 6.700a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400zm6 6a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400z',
  width: 100,
  format: () => OPTIONS,
  unit: () => '%',
  parse: typedNumber('edit.notNumber', /%/g),
  firstOn: { card: 6, head: 5 },
});
