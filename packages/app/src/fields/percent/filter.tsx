import { numberFilter } from '../number/filter.tsx';
import { percent as edit } from './edit.tsx';

export const percent = numberFilter(edit);
