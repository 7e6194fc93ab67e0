import { type Language, localeOf, type PlainKey } from '../../lib/messages/index.ts';
import type { Parsed } from '../field-edit.ts';
import type { FieldText } from '../field-text.ts';
import { parseNumber, printNumber } from './number-text.ts';

/** The message for a text that is not such a number. */
export type NumberProblem = Extract<PlainKey, 'edit.notNumber' | 'edit.notWhole'>;

export function parseTyped(typed: string, language: Language, problem: NumberProblem): Parsed {
  const value = parseNumber(typed, localeOf(language));
  const isOther = problem === 'edit.notWhole' && !Number.isInteger(value);
  return value === undefined || isOther ? { problem } : { value };
}

/** `around`: the text that is allowed before and after the number. */
export function numberText(problem: NumberProblem, around = /^$/g): FieldText {
  return {
    print: (value, { language }) => printNumber(Number(value), localeOf(language)),
    parse: (typed, { language }) => parseTyped(typed.replaceAll(around, ''), language, problem),
  };
}

export const number = numberText('edit.notNumber');
