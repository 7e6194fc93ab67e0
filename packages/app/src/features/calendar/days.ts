// The days of a calendar: of a month in whole weeks, or of a week, and where a record belongs. Pure.

import type { Field } from '@workspace-records/client';
import { dayText, utcDay } from '../../lib/calendar.ts';
import { isDay } from '../../lib/field-facts.ts';
import { dayOf, momentOn, timeOfDay } from '../../lib/zoned-time.ts';

/** The period in the address: a month `2027-01`, or the week of a day `2027-01-31`. */
export type Shown = string;

export function isWeek(shown: Shown): boolean {
  return shown.length > 7;
}

/** Undefined: neither a month nor a day. */
export function parseShown(text: string | undefined): Shown | undefined {
  if (text === undefined || !/^\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?$/.test(text)) {
    return undefined;
  }
  return text;
}

function partsOf(day: string): [number, number, number] {
  const [year = 1, month = 1, date = 1] = day.split('-').map(Number);
  return [year, month, date];
}

export function dayAfter(day: string, days: number): string {
  const [year, month, date] = partsOf(day);
  return dayText(utcDay(year, month, date + days));
}

/** Weeks begin on Monday, as the service has them. */
function mondayOf(day: string): string {
  const [year, month, date] = partsOf(day);
  const weekday = (utcDay(year, month, date).getUTCDay() + 6) % 7;
  return dayAfter(day, -weekday);
}

/** All days that are shown, from a Monday to a Sunday. */
export function daysOf(shown: Shown): readonly string[] {
  const [year, month] = partsOf(shown);
  const first = mondayOf(isWeek(shown) ? shown : dayText(utcDay(year, month, 1)));
  if (isWeek(shown)) return Array.from({ length: 7 }, (_, at) => dayAfter(first, at));
  const last = dayAfter(mondayOf(dayText(utcDay(year, month + 1, 0))), 6);
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** The month or week before or after. */
export function stepped(shown: Shown, by: 1 | -1): Shown {
  if (isWeek(shown)) return dayAfter(shown, 7 * by);
  const [year, month] = partsOf(shown);
  return dayText(utcDay(year, month + by, 1)).slice(0, 7);
}

/** The week or the month of a period; of a month without today, its first week. */
export function spanOf(shown: Shown, span: 'month' | 'week', today: string): Shown {
  if (span === 'month') return shown.slice(0, 7);
  if (isWeek(shown)) return shown;
  return today.startsWith(shown) ? today : `${shown}-01`;
}

/** The day of a value; undefined without one. */
export function dayOfValue(
  value: unknown,
  { type }: Pick<Field, 'type'>,
  timezone: string,
): string | undefined {
  if (typeof value !== 'string') return undefined;
  return isDay({ type }) ? value.slice(0, 10) : dayOf(new Date(value), timezone);
}

/** The value on another day: a moment keeps its time of day; one that had none is at nine. */
export function valueOnDay(
  day: string,
  value: unknown,
  { type }: Pick<Field, 'type'>,
  timezone: string,
): string | undefined {
  if (isDay({ type })) return day;
  const time = typeof value === 'string' ? timeOfDay(new Date(value), timezone) : NINE;
  return momentOn(day, time, timezone)?.toISOString();
}

const NINE = 9 * 3_600_000;
