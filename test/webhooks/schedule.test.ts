// Retries and `Retry-After`, with a clock of the test.

import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/webhooks/retry-after.ts';
import { isDue, nextAttempt, RETRY_DELAYS } from '../../src/webhooks/schedule.ts';
import { answered, failed } from './send-results.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2027, 0, 31, 12);
const MIDDLE = () => 0.5;

describe('retries', () => {
  test.each([
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
  ])('after attempt %i there are %i ms, a tenth more or less', (attempt, delay) => {
    for (const result of [answered(500), answered(302), answered(404), failed('timeout')]) {
      const at = (random: number) =>
        nextAttempt({ attempt, result, now: NOW, random: () => random });
      expect(at(0)).toEqual({ kind: 'retry', at: NOW + delay * 0.9 });
      expect(at(0.5)).toEqual({ kind: 'retry', at: NOW + delay });
      expect(at(1)).toEqual({ kind: 'retry', at: NOW + Math.round(delay * 1.1) });
    }
  });

  test('end with the tenth attempt, after about three days', () => {
    const last = { attempt: 10, now: NOW, random: MIDDLE };
    expect(nextAttempt({ ...last, result: answered(500) })).toEqual({ kind: 'exhausted' });
    expect(nextAttempt({ ...last, result: answered(503, 60_000) })).toEqual({ kind: 'exhausted' });
    expect(nextAttempt({ ...last, result: answered(204) })).toEqual({ kind: 'delivered' });
    expect(RETRY_DELAYS).toHaveLength(9);
    const sum = RETRY_DELAYS.reduce((all, delay) => all + delay);
    expect(sum).toBe(75 * HOUR + 35 * MINUTE + 5 * SECOND);
  });

  test.each([
    [200, 'delivered'],
    [201, 'delivered'],
    [299, 'delivered'],
    [199, 'retry'],
    [300, 'retry'],
    [301, 'retry'],
    [400, 'retry'],
    [410, 'gone'],
    [429, 'retry'],
    [503, 'retry'],
  ])('%i: %s', (status, kind) => {
    const next = nextAttempt({ attempt: 1, result: answered(status), now: NOW, random: MIDDLE });
    expect(next.kind).toBe(kind);
  });

  test.each<[attempt: number, asked: number, random: number, delay: number]>([
    // Not before the time that the receiver names, also with the least jitter.
    [1, 60 * SECOND, 0, 60 * SECOND],
    [1, 60 * SECOND, 1, 66 * SECOND],
    [2, 24 * HOUR, 0, 24 * HOUR],
    [9, 24 * HOUR, 1, 26.4 * HOUR],
    // Shorter times do not use up the attempts.
    [4, 1 * SECOND, 0.5, 2 * HOUR],
    [1, 0, 0.5, 5 * SECOND],
  ])('attempt %i, Retry-After of %i ms, random %d: %i ms', (attempt, asked, random, delay) => {
    const result = answered(503, asked);
    expect(nextAttempt({ attempt, result, now: NOW, random: () => random })).toEqual({
      kind: 'retry',
      at: NOW + delay,
    });
  });
});

test.each([
  ['0', 0],
  ['120', 120_000],
  ['86400', 24 * HOUR],
  ['86401', 24 * HOUR],
  ['999999999999999999999999', 24 * HOUR],
  ['Sun, 31 Jan 2027 12:01:00 GMT', 60_000],
  ['Sunday, 31-Jan-27 12:01:00 GMT', 60_000],
  ['Sun Jan 31 12:01:00 2027', 60_000],
  ['Sun, 31 Jan 2027 11:00:00 GMT', 0],
  ['Wed, 31 Jan 2035 11:00:00 GMT', 24 * HOUR],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['2027-01-31T12:01:00Z', undefined],
  ['Sun, 99 Jan 2027 12:01:00 GMT', undefined],
  [undefined, undefined],
])('Retry-After: %s', (text, wanted) => {
  expect(parseRetryAfter(text, NOW)).toBe(wanted);
});

test.each([
  [NOW, true],
  [NOW - 1, true],
  [NOW + 1, false],
  [NOW + 24 * HOUR, false],
  [NOW + 26 * HOUR, false],
  // No delay is that long: the clock has jumped back.
  [NOW + 27 * HOUR, true],
  [NOW + 900 * HOUR, true],
  [Number.POSITIVE_INFINITY, false],
])('a delivery for %i', (at, due) => {
  expect(isDue(at, NOW)).toBe(due);
});
