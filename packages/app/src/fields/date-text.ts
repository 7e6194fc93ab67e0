// Days as people type them: `2027-01-31` anywhere, `31/01/2027` or `1/31/2027` in the order of their language, `31 Jan 2027`
// with the names of its months.

import { dayText, isInCalendar, utcDay } from '../lib/calendar.ts';

type Part = 'year' | 'month' | 'day';

/** Undefined: no day. */
export function parseDay(typed: string, locale: string): string | undefined {
  const words = typed
    .trim()
    .split(/[\s.,/-]+/)
    .filter((word) => word !== '');
  if (words.length !== 3) return undefined;
  const order: readonly Part[] = /^\d{4}$/.test(words[0] ?? '')
    ? ['year', 'month', 'day']
    : orderOf(words, locale);
  const found = Object.fromEntries(order.map((part, at) => [part, words[at] ?? '']));
  const month = monthOf(found.month ?? '', locale);
  if (month === undefined || !/^\d{1,2}$/.test(found.day ?? '')) return undefined;
  return dayOf(yearOf(found.year ?? ''), month, Number(found.day));
}

/** A month by its name is unambiguous, in any order of numbers. */
function orderOf(words: readonly string[], locale: string): readonly Part[] {
  const named = words.findIndex((word) => /\p{L}/u.test(word));
  if (named === 0) return ['month', 'day', 'year'];
  if (named === 1) return ['day', 'month', 'year'];
  const parts = new Intl.DateTimeFormat(locale).formatToParts(new Date());
  return parts.flatMap(({ type }) =>
    type === 'year' || type === 'month' || type === 'day' ? [type] : [],
  );
}

function monthOf(word: string, locale: string): number | undefined {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  const sought = word.toLocaleLowerCase(locale);
  if (sought.length < 3) return undefined;
  const months = Array.from({ length: 12 }, (_, month) => month).filter((month) =>
    [locale, 'en'].some((one) =>
      new Intl.DateTimeFormat(one, { month: 'long', timeZone: 'UTC' })
        .format(Date.UTC(2027, month, 1))
        .toLocaleLowerCase(one)
        .startsWith(sought),
    ),
  );
  return months.length === 1 ? (months[0] ?? 0) + 1 : undefined;
}

/** `27` is 2027, and `85` is 1985. */
function yearOf(word: string): number {
  if (/^\d{2}$/.test(word)) return Number(word) + (Number(word) < 70 ? 2000 : 1900);
  return /^\d{4}$/.test(word) ? Number(word) : Number.NaN;
}

/** Undefined for the 30th of February. */
function dayOf(year: number, month: number, day: number): string | undefined {
  const date = utcDay(year, month, day);
  const isSame = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isSame && isInCalendar(date) ? dayText(date) : undefined;
}
