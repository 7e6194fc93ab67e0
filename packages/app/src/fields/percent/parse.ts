import { numberText } from '../number/parse.ts';

export const percent = numberText('edit.notNumber', /%/g);
