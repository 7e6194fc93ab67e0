// The periods of a report: their conditions, their names, and the ones between the first and the last. Pure.

import type { Field, Where } from '@workspace-records/client';
import { dayText, utcDay } from '../../lib/calendar.ts';
import { isDay } from '../../lib/field-facts.ts';
import { startOfDay } from '../../lib/zoned-time.ts';

export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type PeriodUnit = (typeof PERIODS)[number];

/** The most periods that are filled in: a gap among more is not visible. */
const MOST_FILLED = 400;

/** The first day of the period after the one that begins with `day`. */
export function nextPeriod(day: string, unit: PeriodUnit): string {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number);
  const next = {
    day: () => utcDay(year, month, date + 1),
    week: () => utcDay(year, month, date + 7),
    month: () => utcDay(year, month + 1, 1),
    quarter: () => utcDay(year, month + 3, 1),
    year: () => utcDay(year + 1, 1, 1),
  };
  return dayText(next[unit]());
}

/** The first days of all periods from the first to the last of these; unchanged where they are too many. */
export function filledPeriods(days: readonly string[], unit: PeriodUnit): readonly string[] {
  const sorted = [...days].sort();
  const [first] = sorted;
  const last = sorted.at(-1);
  if (first === undefined || last === undefined) return [];
  const filled: string[] = [];
  for (let day = first; day <= last; day = nextPeriod(day, unit)) {
    if (filled.length === MOST_FILLED) return sorted;
    filled.push(day);
  }
  return filled;
}

/** The conditions that find the records of a period; those of days have no time zone. */
export function conditionsOfPeriod(
  { path, type }: { readonly path: string; readonly type: Field['type'] },
  day: string,
  { unit, timezone }: { readonly unit: PeriodUnit; readonly timezone: string },
): readonly Where[] {
  const next = nextPeriod(day, unit);
  if (isDay({ type })) {
    const [year = 1, month = 1, date = 1] = next.split('-').map(Number);
    const last = dayText(utcDay(year, month, date - 1));
    return [{ field: path, op: 'between', value: [day, last] }];
  }
  const ends = [
    { op: 'gte', moment: startOfDay(day, timezone) },
    { op: 'lt', moment: startOfDay(next, timezone) },
  ] as const;
  return ends.flatMap(({ op, moment }) =>
    moment === undefined ? [] : [{ field: path, op, value: moment.toISOString() }],
  );
}

/** The name of a period, such as `Nov 2026`, `Q4 2026`, `23 Nov 2026`. */
export function periodName(day: string, unit: PeriodUnit, locale: string): string {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  if (unit === 'quarter') {
    return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${yearText(date, locale)}`;
  }
  if (unit === 'year') return yearText(date, locale);
  return new Intl.DateTimeFormat(locale, {
    ...{ month: 'short', year: 'numeric', timeZone: 'UTC' },
    ...(unit === 'month' ? {} : { day: 'numeric' }),
  }).format(date);
}

function yearText(date: Date, locale: string): string {
  return new Intl.DateTimeFormat(locale, { year: 'numeric', timeZone: 'UTC' }).format(date);
}
