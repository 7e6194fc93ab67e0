// A calendar of records as text (iCalendar, RFC 5545), for programs that subscribe to it. Pure.

import { escaped, folded } from './content-lines.ts';

export interface CalendarEntry {
  /** Unique among all calendars, the same at each reading. */
  readonly uid: string;
  readonly summary: string;
  /** A day such as `2026-11-29`, or a moment such as `2026-11-29T08:00:00.000Z`. */
  readonly start: string;
  /** The last day, or the moment of the end, in the form of `start`. Null: there is none. */
  readonly end: string | null;
  /** The moment of the last change, and the number of changes. */
  readonly changed_at: string;
  readonly revision: number;
  /** Null: no page shows it. */
  readonly url: string | null;
}

export function calendarText(name: string, entries: readonly CalendarEntry[]): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Workspace Records//Calendar//EN'],
    ...['CALSCALE:GREGORIAN', 'METHOD:PUBLISH'],
    ...[`NAME:${escaped(name)}`, `X-WR-CALNAME:${escaped(name)}`],
    ...['REFRESH-INTERVAL;VALUE=DURATION:PT1H', 'X-PUBLISHED-TTL:PT1H'],
    ...entries.flatMap(entryLines),
    'END:VCALENDAR',
  ];
  return lines.map(folded).join('');
}

function entryLines(entry: CalendarEntry): readonly string[] {
  const { uid, summary, start, end, changed_at, revision, url } = entry;
  const isDay = !start.includes('T');
  const last =
    end === null || !(end > start) ? [] : [timeLine('DTEND', isDay ? nextDay(end) : end)];
  return [
    ...['BEGIN:VEVENT', `UID:${uid}`, timeLine('DTSTAMP', changed_at)],
    ...[timeLine('LAST-MODIFIED', changed_at), `SEQUENCE:${revision}`],
    ...[timeLine('DTSTART', start), ...last, `SUMMARY:${escaped(summary)}`],
    // A day is no time at which its person is busy.
    ...(isDay ? ['TRANSP:TRANSPARENT'] : []),
    ...(url === null ? [] : [`URL:${url}`]),
    'END:VEVENT',
  ];
}

function timeLine(property: string, time: string): string {
  if (!time.includes('T')) return `${property};VALUE=DATE:${time.replaceAll('-', '')}`;
  return `${property}:${time.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** A calendar names the day after the last one. */
function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}
