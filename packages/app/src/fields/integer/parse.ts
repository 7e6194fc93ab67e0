import { numberText } from '../number/parse.ts';

export const integer = numberText('edit.notWhole');
