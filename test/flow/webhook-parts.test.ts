// The parts of sending webhooks without a database: room, pace, and the states of a webhook and its receiver.

import { describe, expect, test } from 'vitest';
import type { WebhookCondition, WebhookRow } from '../../src/control/events/webhook-rows.ts';
import { openReceiverState } from '../../src/flow/webhooks/receiver-state.ts';
import {
  openByteRate,
  openSendingPace,
  openSendingRoom,
  UNSTORED,
} from '../../src/flow/webhooks/sending-limits.ts';
import { attemptOutcome } from '../../src/flow/webhooks/webhook-attempt.ts';
import { changedCondition, NEW_CONDITION } from '../../src/flow/webhooks/webhook-condition.ts';
import { answered } from '../webhooks/send-results.ts';

const NOW = Date.parse('2026-03-01T00:00:00Z');
const DAY = 86_400_000;
describe('room', () => {
  test('slow receivers never take all of it', () => {
    const room = openSendingRoom();
    const slow = Array.from({ length: UNSTORED }, () => room.take(true)).filter(Boolean);
    const others = Array.from({ length: UNSTORED }, () => room.take(false)).filter(Boolean);
    expect([slow.length, others.length]).toEqual([UNSTORED / 2, UNSTORED / 2]);
    let woken = 0;
    room.onRoom(() => {
      woken += 1;
    });
    const [leave] = others;
    leave?.();
    leave?.();
    expect([woken, room.take(false) !== undefined, room.take(false)]).toEqual([1, true, undefined]);
  });

  test('a workspace sends a MiB a second, after one at once', () => {
    let now = 10_000;
    const rate = openByteRate(() => now);
    rate.note(1024 * 1024);
    expect(rate.delay()).toBe(0);
    rate.note(512 * 1024);
    expect(rate.delay()).toBe(500);
    now += 500;
    expect(rate.delay()).toBe(0);
  });

  test('a busy process sends 50 in a second, another as many as it can', () => {
    let [now, inFlight] = [0, 0];
    const pace = openSendingPace(
      () => inFlight,
      () => now,
    );
    pace.note();
    expect([pace.isBusy(), pace.delay()]).toEqual([false, 0]);
    inFlight = 16;
    now += 20;
    expect(pace.isBusy()).toBe(false);
    now += 200;
    expect(pace.isBusy()).toBe(true);
    pace.note();
    expect(pace.delay()).toBe(20);
    inFlight = 0;
    now += 1000;
    expect([pace.isBusy(), pace.delay()]).toEqual([false, 0]);
  });
});

describe('a receiver', () => {
  const failing = answered(500);
  const result = (status: number, duration_ms = 5) => ({ ...answered(status), duration_ms });

  test('gets few requests before it has answered, then eight, and one at a time after a failure', () => {
    const receiver = openReceiverState({ ...NEW_CONDITION, verified_at: 'then' });
    expect([receiver.free(NOW), receiver.isSlow()]).toEqual([4, true]);
    receiver.begin(NOW)(result(200), NOW);
    expect([receiver.free(NOW), receiver.isSlow()]).toEqual([8, false]);
    receiver.begin(NOW)(result(200, 2000), NOW);
    expect([receiver.free(NOW), receiver.isSlow()]).toEqual([4, true]);
    receiver.begin(NOW)(failing, NOW);
    expect([receiver.free(NOW), receiver.delay(NOW)]).toEqual([0, 2]);
    expect(receiver.free(NOW + 2)).toBe(1);
    for (let index = 0; index < 50; index += 1) receiver.begin(NOW)(result(200), NOW);
    expect(receiver.free(NOW + 2)).toBe(8);
  });

  test('that only fails is sent one request in ten seconds, whatever its clock does', () => {
    const receiver = openReceiverState(NEW_CONDITION);
    for (let second = 0; second < 20; second += 1) {
      receiver.begin(NOW + second * 1000)(failing, NOW + second * 1000);
    }
    expect(receiver.delay(NOW + 19_000)).toBe(10_000);
    expect(receiver.delay(NOW - DAY)).toBe(10_000);
    expect(receiver.delay(NOW - DAY + 4000)).toBe(6000);
  });

  test('makes its webhook fail, tells after a day and disables after five', () => {
    const receiver = openReceiverState(NEW_CONDITION);
    receiver.begin(NOW)(failing, NOW);
    const since = new Date(NOW).toISOString();
    expect(receiver.condition()).toMatchObject({
      ...{ state: 'failing', failing_since: since, told_at: null },
    });
    receiver.judge(NOW + DAY);
    expect(receiver.condition()).toMatchObject({
      ...{ state: 'failing', told_at: new Date(NOW + DAY).toISOString() },
    });
    receiver.judge(NOW + 5 * DAY);
    const disabled = receiver.condition();
    expect(disabled).toMatchObject({ state: 'disabled', reason: 'failing' });
    // A webhook that does not send keeps its state.
    receiver.begin(NOW)(result(200), NOW);
    expect(receiver.condition()).toBe(disabled);
  });

  test('that recovers makes it active, one that is gone disables it', () => {
    const receiver = openReceiverState({ ...NEW_CONDITION, failing_since: '2026-02-27T00:00:00Z' });
    receiver.begin(NOW)(result(200), NOW);
    expect(receiver.condition()).toMatchObject({
      ...{ state: 'active', failing_since: null, told_at: null },
    });
    receiver.begin(NOW)(result(410), NOW);
    expect(receiver.condition()).toMatchObject({ reason: 'receiver_gone' });
  });
});

describe('states', () => {
  const row = (given: Partial<WebhookCondition & { secret: string | null }>) =>
    ({ ...NEW_CONDITION, secret: 'sealed', ...given }) as WebhookRow;
  const stopped = { stopped_at: new Date(NOW - DAY).toISOString() };

  test.each<readonly [string, Partial<WebhookRow>, object, object]>([
    ['is paused', {}, { active: false }, { state: 'paused', reason: 'paused' }],
    ['stays paused', { state: 'paused', ...stopped }, { active: false }, { state: 'paused' }],
    ['stays as it fails', { state: 'failing' }, { active: true }, { state: 'failing' }],
    [
      'continues',
      { state: 'paused', verified_at: 'then', ...stopped },
      { active: true },
      { state: 'active', stopped_at: null, verified_at: 'then' },
    ],
    [
      'is pinged again after it was disabled',
      { state: 'disabled', verified_at: 'then', ...stopped },
      { active: true },
      { state: 'active', verified_at: null },
    ],
  ])('%s', (_, before, activation, after) => {
    expect(changedCondition(row(before), activation, NOW)).toMatchObject(after);
  });

  test.each<readonly [string, Partial<WebhookRow>, object, string]>([
    ['resume alone', {}, { resume: 'now' }, 'resume'],
    ['without a secret', { ...stopped, secret: null }, { active: true }, 'active'],
    [
      'from a position of eight days ago',
      { stopped_at: new Date(NOW - 8 * DAY).toISOString() },
      { active: true },
      'resume',
    ],
    [
      'from a lost position',
      { ...stopped, reason: 'position_expired' },
      { active: true },
      'resume',
    ],
  ])('%s is refused', (_, before, activation, param) => {
    expect(() => changedCondition(row(before), activation, NOW)).toThrow(
      expect.objectContaining({ param }),
    );
  });
});

describe('the row of a delivery', () => {
  const delivery = { id: 'd', attempts: 0, failures: 0 };
  const attempted = { now: NOW, random: () => 0.5, once: false };

  test('says what came of the last attempt', () => {
    const failed = attemptOutcome(delivery, { ...attempted, result: answered(500) });
    expect(failed).toMatchObject({ state: 'pending', attempts: 1, failures: 1, last_status: 500 });
    expect(Date.parse(String(failed.next_attempt_at))).toBe(NOW + 5000);
    const done = attemptOutcome(failed, { ...attempted, result: answered(204) });
    expect(done).toMatchObject({ state: 'delivered', attempts: 2, failures: 0 });
    expect(done.next_attempt_at).toBeNull();
  });

  test('is not repeated for a test, nor after the last attempt', () => {
    const result = answered(500);
    const test = attemptOutcome(delivery, { ...attempted, once: true, result });
    expect([test.state, test.next_attempt_at]).toEqual(['failed', null]);
    const last = attemptOutcome({ ...delivery, failures: 9 }, { ...attempted, result });
    expect([last.state, last.failures]).toEqual(['failed', 10]);
  });
});
