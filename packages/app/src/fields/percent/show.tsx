import { PERCENT } from '../../lib/format.ts';
import { numberShow } from '../number/show.tsx';

const OPTIONS = { ...PERCENT, maximumFractionDigits: 15 };

export const percent = { ...numberShow(() => OPTIONS), width: 100 };
