// The times at which mails are sent: digests by the choice of their person, and later attempts of mails that could not be sent. Pure.

import type { MailTime } from '../model/notification-kinds.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A notification that is read in this time needs no mail. */
const UNREAD_MS = 5 * MINUTE_MS;
/** Of the morning, in the time zone of the person. */
const DAILY_HOUR = 8;

/** True when a digest is due whose oldest notification is of `first`; times in milliseconds since 1970. */
export function isDigestDue(
  { mail, time_zone }: { readonly mail: MailTime; readonly time_zone: string },
  first: number,
  now: number,
): boolean {
  switch (mail) {
    case 'off':
      return false;
    case 'at_once':
      return now - first >= UNREAD_MS;
    case 'hourly':
      return first < now - (now % HOUR_MS);
    case 'daily':
      return first < lastMorning(now, time_zone);
  }
}

/** The last 8 in the morning by the clock of the time zone. On the day of a change of the clocks it is an hour off. */
function lastMorning(now: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...CLOCK });
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const sinceMidnight = part('hour') * HOUR_MS + part('minute') * MINUTE_MS + part('second') * 1000;
  const since = (sinceMidnight - DAILY_HOUR * HOUR_MS + DAY_MS) % DAY_MS;
  return now - since - (now % 1000);
}

const CLOCK = { hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;

/** Minutes to wait after so many attempts. */
const PAUSES = [1, 5, 15, 60, 120, 240, 480, 480, 480] as const;

/** Milliseconds until the next attempt, with jitter; undefined: there is none. `random`: from 0 to 1. */
export function retryPause(attempts: number, random: () => number): number | undefined {
  const minutes = PAUSES[attempts - 1];
  return minutes === undefined
    ? undefined
    : Math.round(minutes * MINUTE_MS * (0.8 + random() * 0.4));
}
