// Days and times as the clocks of a time zone show them. Pure.

import { isInCalendar, utcDay } from './calendar.ts';

const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', era: 'short' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formats.set(timeZone, format);
  return format;
}

export function zoneOfBrowser(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The zones of the database of zones, without old names of fixed offsets, which systems read differently. */
export function timeZones(): readonly string[] {
  return Intl.supportedValuesOf('timeZone').filter(
    (name) => /^[A-Z][A-Za-z]+\//.test(name) && !name.startsWith('SystemV/'),
  );
}

/** Milliseconds by which the clocks of the zone are ahead of UTC at a moment. */
function offsetAt(timeZone: string, moment: number): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => Number(parts.get(name));
  const local = utcDay(part('year'), part('month'), part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(moment / 1000) * 1000;
}

/** The first moment of a day `2027-01-31`; undefined before and after the calendar of the service. */
export function startOfDay(day: string, timeZone: string): Date | undefined {
  return momentOn(day, 0, timeZone);
}

/**
 * The moment of a day `2027-01-31` and a time of day in milliseconds, as the service has it: of a time that comes twice
 * the first, of one that is skipped the moment after the gap. Undefined outside the calendar of the service.
 */
export function momentOn(day: string, time: number, timeZone: string): Date | undefined {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const moment = new Date(firstMoment(utcDay(year, month, date).getTime() + time, timeZone));
  return isInCalendar(moment) ? moment : undefined;
}

function firstMoment(shown: number, timeZone: string): number {
  const clock = (moment: number) => moment + offsetAt(timeZone, moment);
  const near = shown - offsetAt(timeZone, shown);
  const first = shown - offsetAt(timeZone, near - DAY);
  if (clock(first) === shown) return first;
  const second = shown - offsetAt(timeZone, near + DAY);
  if (clock(second) === shown) return second;
  let [before, after] = [second, first];
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2);
    if (clock(middle) < shown) before = middle;
    else after = middle;
  }
  return Math.floor(after / 1000) * 1000;
}

/** Milliseconds that the clocks show since midnight. */
export function timeOfDay(moment: Date, timeZone: string): number {
  const shown = moment.getTime() + offsetAt(timeZone, moment.getTime());
  return ((shown % DAY) + DAY) % DAY;
}

/** The day that a moment is in, as `2027-01-31`. */
export function dayOf(moment: Date, timeZone: string): string {
  return new Date(moment.getTime() + offsetAt(timeZone, moment.getTime()))
    .toISOString()
    .slice(0, 10);
}
