// Times that are relative to the moment of a question: "-30d", "start_of_month". They stay relative in plans,
// which are kept; the moment comes with each question, and with the cursors of its pages. Pure.

import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { type Parsed, problem } from '../../model/values/parsed.ts';

export const TIME_UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** Units of offsets, and how many of them at most: some thousand years at most. */
const MOST = Object.freeze({ h: 99_999, d: 99_999, w: 50_000, m: 12_000, y: 1000 });
export type OffsetUnit = keyof typeof MOST;

/** A time in a plan, seen from a moment that is not known yet, or is. */
export interface RelativeTime {
  /** The words of the time, as sent. */
  readonly relative: string;
  readonly timezone: string;
  /** The first or the last moment of the day, week, … that it is. */
  readonly edge: { readonly at: 'start' | 'end'; readonly of: TimeUnit } | null;
  readonly offset: { readonly count: number; readonly unit: OffsetUnit } | null;
  /** Seconds since 1970. */
  readonly moment?: number;
}

const OFFSET = '([+-])(\\d{1,5})([hdwmy])';
const FORM = new RegExp(
  `^(?:now|${OFFSET}|(start|end)_of_(${TIME_UNITS.join('|')})(?:${OFFSET})?)$`,
);

/** Parse the text of `{"relative": …}`. */
export function parseRelativeTime(text: unknown, timezone: string): Parsed {
  const match = typeof text === 'string' ? FORM.exec(text) : null;
  if (match === null) {
    return problem(say('must_be_relative'));
  }
  const [relative, sign, digits, unit, at, of, ownSign = sign, ownDigits = digits, ownUnit = unit] =
    match;
  const most = MOST[ownUnit as OffsetUnit];
  const count = Number(ownDigits ?? 0);
  if (count > most) return problem(say('must_not_be_further', { most: `${most}${ownUnit}` }));
  const offset =
    ownSign === undefined ? null : { count: ownSign === '-' ? -count : count, unit: ownUnit };
  return { value: { relative, timezone, edge: at === undefined ? null : { at, of }, offset } };
}

export function isRelativeTime(value: unknown): value is RelativeTime {
  return typeof value === 'object' && value !== null && 'relative' in value;
}

/** Time zones that requests have named; there are some 600. */
const knownZones = new Set<string>(['UTC']);
const MOST_KNOWN = 1000;

/** Areas of the IANA time zone database; `SystemV`, `posix` and `right` are none. */
const AREAS = new Set([
  ...['africa', 'america', 'antarctica', 'arctic', 'asia', 'atlantic', 'australia', 'europe'],
  ...['indian', 'pacific', 'etc', 'us', 'canada', 'mexico', 'brazil', 'chile'],
]);

/** Short names of the database. Runtimes take others, such as BST and IST, for zones of their own (D691). */
const SHORT_NAMES = new Set([
  ...['UTC', 'UCT', 'GMT', 'CET', 'EET', 'MET', 'WET', 'EST', 'MST', 'HST'],
  ...['GB', 'NZ', 'PRC', 'ROC', 'ROK'],
]);

/** The message about a text that is not a time zone. */
export const TIME_ZONE_PROBLEM = say('must_be_time_zone');

/** True for names of the IANA time zone database, such as `Europe/Berlin`, but not for abbreviations (D691). */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > LIMITS.timezoneLength) return false;
  if (knownZones.has(name)) return true;
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  const area = /^([^/]+)\//.exec(name)?.[1];
  const isNamed =
    area === undefined
      ? name.length > 3 || SHORT_NAMES.has(name.toUpperCase())
      : AREAS.has(area.toLowerCase());
  if (!isNamed || !isZone(name)) return false;
  if (knownZones.size < MOST_KNOWN) knownZones.add(name);
  return true;
}

function isZone(timeZone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
