// Numbers as people of a language type them: `1.234,5` in German is `1,234.5` in English.

import { type Language, localeOf, type PlainKey } from '../lib/messages/index.ts';
import type { Parsed } from './field-edit.ts';

/** The message for a text that is not such a number. */
type NumberProblem = Extract<PlainKey, 'edit.notNumber' | 'edit.notWhole'>;

/** `around`: the text that is allowed before and after the number. */
export function typedNumber(problem: NumberProblem, around = /^$/g) {
  return (typed: string, language: Language): Parsed => {
    const value = parseNumber(typed.replaceAll(around, ''), localeOf(language));
    const isOther = problem === 'edit.notWhole' && !Number.isInteger(value);
    return value === undefined || isOther ? { problem } : { value };
  };
}

/**
 * Takes also a number with the marks of other languages, such as `1.234,50` in English, where it cannot be read in the
 * language. Not for pasted columns: `1,234` among `0,5` would be a thousand times as much.
 */
export function withOtherMarks(parse: (typed: string, language: Language) => Parsed) {
  return (typed: string, language: Language): Parsed => {
    const parsed = parse(typed, language);
    if ('value' in parsed) return parsed;
    const swapped = typed.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
    const other = parse(swapped, language);
    return 'value' in other ? other : parsed;
  };
}

/** Without anything between thousands, so that it is typed on easily. */
export function printNumber(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, {
    useGrouping: false,
    maximumFractionDigits: 15,
  }).format(value);
}

/** Undefined: not a number. Marks between thousands must be at the right places, or `1.5` would be 15. */
export function parseNumber(text: string, locale: string): number | undefined {
  const { group, decimal } = marksOf(locale);
  const [whole = '', fraction, ...rest] = text.replaceAll(/[\s\u00a0\u202f']/g, '').split(decimal);
  if (rest.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined;
  const [first = '', ...thousands] = whole.replace(/^[-−]/, '').split(group);
  const isGrouped = thousands.length > 0;
  if (!(isGrouped ? /^\d{1,3}$/ : /^\d*$/).test(first)) return undefined;
  if (!thousands.every((part) => /^\d{3}$/.test(part))) return undefined;
  const digits = [first, ...thousands].join('');
  if (digits + (fraction ?? '') === '') return undefined;
  const value = Number(`${digits || '0'}.${fraction || '0'}`);
  return /^[-−]/.test(whole) ? -value : value;
}

function marksOf(locale: string) {
  const parts = new Intl.NumberFormat(locale).formatToParts(1234.5);
  const markOf = (kind: string) => parts.find(({ type }) => type === kind)?.value ?? '';
  return { group: markOf('group'), decimal: markOf('decimal') };
}
