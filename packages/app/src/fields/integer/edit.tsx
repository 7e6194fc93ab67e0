import { numberEdit } from '../number/edit.tsx';
import { typed } from './parse.ts';

export const integer = numberEdit(typed);
