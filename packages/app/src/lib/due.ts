// How soon a record is due, in whole days of the person's calendar. Pure.

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
