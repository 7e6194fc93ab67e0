// Days of the calendar that the service has: from 0001-01-01 to 9999-12-31. `Date.UTC` takes the years 0 to 99 for those
// of the 20th century, and prints other years with a sign. Pure.

const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

/** Midnight UTC; days and months beyond their ends carry over, as in `Date.UTC`. The month begins with 1. */
export function utcDay(year: number, month: number, day: number): Date {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date;
}

/** Midnight where the browser is. */
export function localDay(year: number, month: number, day: number): Date {
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month - 1, day);
  return date;
}

/** The day as text, such as `2027-01-31`. */
export function dayText(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** False for moments that no field can hold. */
export function isInCalendar(date: Date): boolean {
  const year = date.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}
