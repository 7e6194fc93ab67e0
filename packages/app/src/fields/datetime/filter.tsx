import { momentFilter } from '../date/filter.tsx';
import { datetime as edit } from './edit.tsx';

export const datetime = momentFilter(edit);
