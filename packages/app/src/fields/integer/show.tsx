import { numberShow } from '../number/show.tsx';
import { isYear } from './year.ts';

const DIGITS = { maximumFractionDigits: 0 };
const YEAR = { maximumFractionDigits: 0, useGrouping: false };

export const integer = numberShow((field) => (isYear(field) ? YEAR : DIGITS));
