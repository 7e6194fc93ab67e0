import { numberText, typedNumber } from '../number/parse.ts';

export const typed = typedNumber('edit.notWhole');

export const integer = numberText(typed);
