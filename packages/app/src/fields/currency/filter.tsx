import { numberFilter } from '../number/filter.tsx';
import { currency as edit } from './edit.tsx';

export const currency = numberFilter(edit);
