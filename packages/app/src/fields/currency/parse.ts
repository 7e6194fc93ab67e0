import { numberText, typedNumber } from '../number/parse.ts';

/** `$1,200`, `1.200 €` and `USD 1,200` are amounts in the currency of the field, which no text changes. */
export const typed = typedNumber('edit.notNumber', /\p{Sc}|(?<!\p{L})\p{Lu}{3}(?!\p{L})/gu);

export const currency = numberText(typed);
