import { numberShow } from '../number/show.tsx';

const DIGITS = { maximumFractionDigits: 0 };

export const integer = numberShow(() => DIGITS);
