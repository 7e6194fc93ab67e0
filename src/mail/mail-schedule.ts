// The times at which mails are sent: digests by the choice of their person, and later attempts of mails that could not be sent. Pure.

import type { MailTime } from '../model/rights/notification-kinds.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A notification that is read in this time needs no mail. */
const UNREAD_MS = 5 * MINUTE_MS;

/**
 * True when a digest is due whose oldest notification is of `first`; `morning` is the last 8 in the morning of the person.
 * Times in milliseconds since 1970.
 */
export function isDigestDue(
  mail: MailTime,
  { first, now, morning }: Readonly<Record<'first' | 'now' | 'morning', number>>,
): boolean {
  switch (mail) {
    case 'off':
      return false;
    case 'at_once':
      return now - first >= UNREAD_MS;
    case 'hourly':
      return first < now - (now % HOUR_MS);
    case 'daily':
      return first < morning;
  }
}

/** Minutes to wait after so many attempts. */
const PAUSES = [1, 5, 15, 60, 120, 240, 480, 480, 480] as const;

/** Milliseconds until the next attempt, with jitter; undefined: there is none. `random`: from 0 to 1. */
export function retryPause(attempts: number, random: () => number): number | undefined {
  const minutes = PAUSES[attempts - 1];
  return minutes === undefined
    ? undefined
    : Math.round(minutes * MINUTE_MS * (0.8 + random() * 0.4));
}
