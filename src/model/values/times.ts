// Dates and times as clients write them, and their one canonical form. Pure.

import { say } from '../../messages/message.ts';
import { type Parsed, problem } from './parsed.ts';

/** Problems of values in another form. */
export const TIME_FORMS = {
  day: say('must_be_date'),
  moment: say('must_be_time'),
} as const;

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/;

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] as number);
}

export function parseDate(value: unknown): Parsed {
  return typeof value === 'string' && isDate(value) ? { value } : problem(TIME_FORMS.day);
}

/** A moment by its seconds or milliseconds since 1970, to the millisecond. */
export function parseEpoch(value: unknown, unit: 'seconds' | 'milliseconds'): Parsed {
  const text = String(value).trim();
  const wrong = problem(say('must_be_epoch', { unit }));
  if (!/^-?\d{1,17}(?:\.\d{1,9})?$/.test(text)) return wrong;
  const date = new Date(Math.round(Number(text) * (unit === 'seconds' ? 1000 : 1)));
  if (Number.isNaN(date.getTime())) return wrong;
  const printed = date.toISOString();
  return /^(?!0000)\d{4}-/.test(printed) ? { value: printed } : wrong;
}

export function parseDateTime(value: unknown): Parsed {
  const wrong = problem(TIME_FORMS.moment);
  if (typeof value !== 'string') return wrong;
  if (isDate(value)) return { value: `${value}T00:00:00.000Z` };
  const match = DATE_TIME.exec(value);
  if (match === null || !isDate(match[1] as string)) return wrong;
  const [, date, hour, minute, second, fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return wrong;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone;
  if (offset !== 'Z' && (Number(zone.slice(1, 3)) > 23 || Number(zone.slice(4)) > 59)) return wrong;
  // Cut off, the value would be before times that it is after (D167).
  if (/[1-9]/.test(fraction.slice(3))) return problem(say('must_be_milliseconds'));
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = Date.parse(`${date}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  const printed = Number.isNaN(time) ? '' : new Date(time).toISOString();
  return /^(?!0000)\d{4}-/.test(printed) ? { value: printed } : wrong;
}
