// The header `Retry-After` (RFC 9110 §10.2.3): seconds, or a date. Pure.

import { LIMITS } from '../limits.ts';

const MOST = LIMITS.webhookRetryAfterHours * 3_600_000;
/** IMF-fixdate, and the two older forms, which receivers have to accept (RFC 9110 §5.6.7). */
const DATES = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
];
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Milliseconds from now, at most a day; undefined for text that is neither. `now` is milliseconds since 1970. */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MOST);
  const time = parseDate(text);
  return Number.isNaN(time) ? undefined : Math.min(Math.max(time - now, 0), MOST);
}

function parseDate(text: string): number {
  if (DATES.some((form) => form.test(text))) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
