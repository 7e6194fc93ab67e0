// Days as formulas compute with them: the number of days since 0001-01-01, in the calendar of dates. Pure.

import { LAST_DAY } from './formula-tree.ts';

const DAY = 86_400_000;
const FIRST = Date.UTC(2001, 0, 1) - 730_485 * DAY;

/** The day, or null where dates end. */
export function dayWithin(day: number): number | null {
  return day >= 0 && day <= LAST_DAY ? day : null;
}

export function dayOf(milliseconds: number): number {
  return Math.floor((milliseconds - FIRST) / DAY);
}

/** The day of a date like 2027-01-31. */
export function parseDay(text: string): number {
  return dayOf(Date.parse(`${text}T00:00:00Z`));
}

export function printDay(day: number): string {
  return new Date(FIRST + day * DAY).toISOString().slice(0, 10);
}

export function yearOf(day: number): number {
  return new Date(FIRST + day * DAY).getUTCFullYear();
}

/** 1 to 12. */
export function monthOf(day: number): number {
  return new Date(FIRST + day * DAY).getUTCMonth() + 1;
}

export function dayOfMonth(day: number): number {
  return new Date(FIRST + day * DAY).getUTCDate();
}

/** The day of another month with the same number, or the last one of that month. */
export function addMonths(day: number, months: number): number | null {
  const month = yearOf(day) * 12 + monthOf(day) - 1 + months;
  if (month < 12 || month >= 120_000) return null;
  const first = firstOf(month);
  return first + Math.min(dayOfMonth(day), firstOf(month + 1) - first) - 1;
}

/** The first day of the month with this number, 0 being January of the year 0. */
function firstOf(month: number): number {
  // Four centuries later the calendar is the same, and every year has four digits.
  const date = Date.UTC(Math.floor(month / 12) + 400, month % 12, 1);
  return dayOf(date) - 146_097;
}
