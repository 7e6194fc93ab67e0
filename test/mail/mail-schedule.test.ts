// The times of digests, and of later attempts.

import { expect, test } from 'vitest';
import { isDigestDue, retryPause } from '../../src/mail/mail-schedule.ts';
import type { MailTime } from '../../src/model/rights/notification-kinds.ts';

const at = (text: string) => Date.parse(text);
const due = (mail: MailTime, first: string, now: string) =>
  isDigestDue(mail, { first: at(first), now: at(now), morning: lastMorning(at(now)) });

/** In UTC. */
const lastMorning = (now: number) => now - ((now - 8 * HOUR) % (24 * HOUR));
const HOUR = 3_600_000;

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

test('pauses get longer, and there is a last attempt', () => {
  const pauses = Array.from({ length: 11 }, (_, at) => retryPause(at + 1, () => 0.5));
  expect(pauses[0]).toBe(60_000);
  const [given, ended] = [pauses.filter(Boolean) as number[], pauses.filter((one) => !one)];
  expect(given).toEqual([...given].sort((one, other) => one - other));
  expect(ended.length).toBeGreaterThan(0);
  expect(given.reduce((sum, one) => sum + one)).toBeLessThan(2 * 86_400_000);
  expect([retryPause(1, () => 0), retryPause(1, () => 1)]).toEqual([48_000, 72_000]);
});
