// When a record is due: the field that says it, and how soon that is, in whole days of the person's calendar. Pure.

import type { Field } from '@workspace-records/client';
import { isOfTime, isQueryable } from './field-facts.ts';

/** Patterns of names of due dates in English and German, the most certain first. */
export const DUE: readonly RegExp[] = [
  /due|deadline|fällig|frist/i,
  /clos|target|expected|abschluss|ziel/i,
];

const SYSTEM: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** The date that says most of a record: when it is due, else when it starts, else its first one. */
export function shownDate(fields: readonly Field[]): Field | undefined {
  const dates = fields.filter(
    (field) => isOfTime(field) && isQueryable(field) && !SYSTEM.has(field.key),
  );
  for (const words of [...DUE, /start|begin/i]) {
    const found = dates.find(({ key, name }) => words.test(key) || words.test(name ?? ''));
    if (found !== undefined) return found;
  }
  return dates[0];
}

const DAY = 86_400_000;

/** Negative: overdue. A date has no time zone; a moment is on the day that it is for the person. */
export function daysUntil(value: string, now: Date): number {
  const day = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : localDay(new Date(value));
  return Math.round((day - localDay(now)) / DAY);
}

function localDay(moment: Date): number {
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
}

/** Days in words up to this distance, such as `tomorrow`; farther ones as a date. */
const IN_WORDS = 6;

export function isInWords(days: number): boolean {
  return Math.abs(days) <= IN_WORDS;
}
