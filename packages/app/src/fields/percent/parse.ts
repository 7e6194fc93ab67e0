import { numberText, typedNumber } from '../number/parse.ts';

export const typed = typedNumber('edit.notNumber', /%/g);

export const percent = numberText(typed);
