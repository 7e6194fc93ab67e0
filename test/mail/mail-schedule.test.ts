// The times of digests, and of later attempts.

import { expect, test } from 'vitest';
import { isDigestDue, retryPause } from '../../src/mail/mail-schedule.ts';

const at = (text: string) => Date.parse(text);
const due = (
  mail: 'off' | 'at_once' | 'hourly' | 'daily',
  first: string,
  now: string,
  time_zone = 'UTC',
) => isDigestDue({ mail, time_zone }, at(first), at(now));

test.each([
  ['off', '2026-01-01T00:00:00Z', '2026-11-26T09:00:00Z', false],
  ['at_once', '2026-11-26T09:00:00Z', '2026-11-26T09:04:59.999Z', false],
  ['at_once', '2026-11-26T09:00:00Z', '2026-11-26T09:05:00Z', true],
  ['hourly', '2026-11-26T09:00:00Z', '2026-11-26T09:59:59Z', false],
  ['hourly', '2026-11-26T09:59:59Z', '2026-11-26T10:00:00Z', true],
  ['daily', '2026-11-26T08:00:01Z', '2026-11-27T07:59:59Z', false],
  ['daily', '2026-11-26T08:00:01Z', '2026-11-27T08:00:00Z', true],
  ['daily', '2026-11-26T07:59:59Z', '2026-11-26T08:00:00Z', true],
] as const)('%s: of %s at %s', (mail, first, now, expected) => {
  expect(due(mail, first, now)).toBe(expected);
});

test.each([
  // 8 in Berlin is 7 in winter and 6 in summer by the clock of the world.
  ['Europe/Berlin', '2026-11-26T06:59:59Z', '2026-11-26T07:00:00Z', true],
  ['Europe/Berlin', '2026-11-26T07:00:01Z', '2026-11-26T08:30:00Z', false],
  ['Europe/Berlin', '2026-07-01T05:59:59Z', '2026-07-01T06:00:00Z', true],
  ['Asia/Kolkata', '2026-11-26T02:29:59Z', '2026-11-26T02:30:00Z', true],
  ['America/Los_Angeles', '2026-11-26T15:59:59Z', '2026-11-26T16:00:00Z', true],
  ['Pacific/Auckland', '2026-11-25T18:59:59Z', '2026-11-25T19:00:00Z', true],
])('daily in %s: of %s at %s', (zone, first, now, expected) => {
  expect(due('daily', first, now, zone)).toBe(expected);
});

test('pauses get longer, and there is a last attempt', () => {
  const pauses = Array.from({ length: 11 }, (_, at) => retryPause(at + 1, () => 0.5));
  expect(pauses[0]).toBe(60_000);
  const [given, ended] = [pauses.filter(Boolean) as number[], pauses.filter((one) => !one)];
  expect(given).toEqual([...given].sort((one, other) => one - other));
  expect(ended.length).toBeGreaterThan(0);
  expect(given.reduce((sum, one) => sum + one)).toBeLessThan(2 * 86_400_000);
  expect([retryPause(1, () => 0), retryPause(1, () => 1)]).toEqual([48_000, 72_000]);
});
