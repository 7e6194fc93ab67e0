import { type Language, localeOf, type PlainKey } from '../../lib/messages/index.ts';
import type { Parsed } from '../field-edit.ts';
import type { FieldText } from '../field-text.ts';
import { parseNumber, printNumber } from './number-text.ts';

/** The message for a text that is not such a number. */
export type NumberProblem = Extract<PlainKey, 'edit.notNumber' | 'edit.notWhole'>;

export type TypedNumber = (typed: string, language: Language) => Parsed;

/** `around`: the text that is allowed before and after the number. */
export function typedNumber(problem: NumberProblem, around = /^$/g): TypedNumber {
  return (typed, language) => {
    const value = parseNumber(typed.replaceAll(around, ''), localeOf(language));
    const isOther = problem === 'edit.notWhole' && !Number.isInteger(value);
    return value === undefined || isOther ? { problem } : { value };
  };
}

export function numberText(parse: TypedNumber): FieldText {
  return {
    print: (value, { language }) => printNumber(Number(value), localeOf(language)),
    parse: (typed, { language }) => parse(typed, language),
  };
}

export const typed = typedNumber('edit.notNumber');
export const number = numberText(typed);
