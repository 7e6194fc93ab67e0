// The rate of a receiver, and when it is disabled, with a clock of the test.

import { describe, expect, test } from 'vitest';
import {
  HEALTHY,
  judgeHealth,
  nextSendAt,
  noteResult,
  type ReceiverHealth,
} from '../../src/webhooks/receiver-health.ts';
import type { SendResult } from '../../src/webhooks/send.ts';
import { answered, failed } from './send-results.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2027, 0, 31);

/** The last verdict, and everything that was told, after results at times. */
function verdictsAfter(results: readonly (readonly [time: number, result: SendResult])[]) {
  let health: ReceiverHealth = HEALTHY;
  const events: string[] = [];
  for (const [time, result] of results) {
    const verdict = noteResult(health, result, time);
    health = verdict.health;
    if (verdict.tell !== undefined) events.push(`tell ${verdict.tell} at ${(time - NOW) / HOUR}`);
    if (verdict.disable !== undefined) events.push(`disable ${verdict.disable}`);
  }
  return { health, events };
}

const every = (hours: number, until: number, result: SendResult) =>
  Array.from(
    { length: until / hours + 1 },
    (_, index) => [NOW + index * hours * HOUR, result] as const,
  );

describe('a receiver that fails', () => {
  test('is disabled after five days, and its owner is told after one day and at the end', () => {
    expect(verdictsAfter(every(6, 114, answered(500))).events).toEqual([
      'tell failing_for_a_day at 24',
    ]);
    expect(verdictsAfter(every(6, 120, failed('unreachable'))).events).toEqual([
      'tell failing_for_a_day at 24',
      'tell disabled at 120',
      'disable failing',
    ]);
  });

  test('begins again after a success', () => {
    const { events, health } = verdictsAfter([
      ...every(6, 114, answered(500)),
      [NOW + 115 * HOUR, answered(200)],
      [NOW + 116 * HOUR, answered(500)],
      [NOW + 116 * HOUR + 4 * DAY, answered(500)],
    ]);
    expect(events).toEqual(['tell failing_for_a_day at 24', 'tell failing_for_a_day at 212']);
    expect(health.failing_since).toBe(NOW + 116 * HOUR);
  });

  test('is disabled at once by 410', () => {
    const { events } = verdictsAfter([[NOW, answered(410)]]);
    expect(events).toEqual(['tell disabled at 0', 'disable gone']);
  });

  test('is judged without an attempt as well', () => {
    const { health } = verdictsAfter([[NOW, answered(500)]]);
    expect(judgeHealth(health, NOW + DAY - 1)).toEqual({ health });
    const told = judgeHealth(health, NOW + DAY);
    expect(told.tell).toBe('failing_for_a_day');
    expect(judgeHealth(told.health, NOW + 2 * DAY).tell).toBeUndefined();
    expect(judgeHealth(told.health, NOW + 5 * DAY - 1).disable).toBeUndefined();
    expect(judgeHealth(told.health, NOW + 5 * DAY).disable).toBe('failing');
    expect(judgeHealth(HEALTHY, NOW + 50 * DAY)).toEqual({ health: HEALTHY });
  });

  test('is not judged by attempts that the service has cancelled', () => {
    expect(noteResult(HEALTHY, failed('cancelled'), NOW)).toEqual({ health: HEALTHY });
  });

  test('after a jump back of the clock has five days from then', () => {
    const { health } = verdictsAfter([[NOW + 30 * DAY, answered(500)]]);
    const { health: noted } = noteResult(health, answered(500), NOW);
    expect(noted.failing_since).toBe(NOW);
    expect(judgeHealth(noted, NOW + 5 * DAY - 1).disable).toBeUndefined();
    expect(judgeHealth(noted, NOW + 5 * DAY).disable).toBe('failing');
  });
});

describe('the rate', () => {
  test.each([
    [200, 1000],
    [429, 500],
    [502, 500],
    [504, 500],
    [500, 500],
    [404, 500],
  ])('%i: %i in a second', (status, rate) => {
    expect(noteResult(HEALTHY, answered(status), NOW).health.rate).toBe(rate);
  });

  test('is halved once for what fails together, and not below one in ten seconds', () => {
    const together = [0, 1, 5, 999].map((ms) => [NOW + ms, answered(429)] as const);
    expect(verdictsAfter(together).health.rate).toBe(500);
    expect(verdictsAfter([...together, [NOW + 1000, answered(429)]]).health.rate).toBe(250);
    const long = Array.from({ length: 30 }, (_, s) => [NOW + s * 1000, answered(429)] as const);
    expect(verdictsAfter(long).health.rate).toBe(0.1);
  });

  test('recovers with successes up to where it was', () => {
    const { health } = verdictsAfter([
      [NOW, answered(429)],
      [NOW + 1000, answered(429)],
    ]);
    let now = health;
    for (let index = 0; index < 74; index += 1) now = noteResult(now, answered(200), NOW).health;
    expect(now.rate).toBe(990);
    for (let index = 0; index < 3; index += 1) now = noteResult(now, answered(200), NOW).health;
    expect(now.rate).toBe(1000);
  });

  test('is halved after a jump back of the clock as well', () => {
    const { health } = verdictsAfter([[NOW + DAY, answered(429)]]);
    expect(noteResult(health, answered(429), NOW).health.rate).toBe(250);
  });

  test.each<[rate: number, last: number | undefined, at: number]>([
    [100, undefined, 0],
    [100, NOW, 10],
    [100, NOW - 4, 6],
    [100, NOW - DAY, 0],
    [1000, NOW, 0],
    [0.1, NOW, 10_000],
    // The clock has jumped back.
    [0.1, NOW + DAY, 10_000],
  ])('%d in a second, last sent at %s: after %i ms', (rate, last, at) => {
    expect(nextSendAt({ ...HEALTHY, rate }, last, NOW)).toBe(NOW + at);
  });
});
