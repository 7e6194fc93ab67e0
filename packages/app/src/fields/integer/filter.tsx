import { numberFilter } from '../number/filter.tsx';
import { integer as edit } from './edit.tsx';

export const integer = numberFilter(edit);
