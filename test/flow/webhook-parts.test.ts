// The parts of sending webhooks without a database: the queue, room, pace, and the states of a webhook and its receiver.

import { describe, expect, test } from 'vitest';
import type { WebhookCondition, WebhookRow } from '../../src/control/webhook-rows.ts';
import { attemptOutcome, newDelivery } from '../../src/flow/webhooks/delivery-outcome.ts';
import { openEventQueue } from '../../src/flow/webhooks/event-queue.ts';
import { openReceiverState } from '../../src/flow/webhooks/receiver-state.ts';
import { openSendingPace } from '../../src/flow/webhooks/sending-pace.ts';
import { openByteRate, openSendingRoom, UNSTORED } from '../../src/flow/webhooks/sending-room.ts';
import { changedCondition, NEW_CONDITION } from '../../src/flow/webhooks/webhook-condition.ts';
import type { ShownEvent } from '../../src/plan/event-plan.ts';
import type { WebhookScope } from '../../src/plan/webhook-plan.ts';
import { answered } from '../webhooks/send-results.ts';

const NOW = Date.parse('2026-03-01T00:00:00Z');
const DAY = 86_400_000;
const eventOf = (record: string | null, id: string) => {
  return { event: {} as ShownEvent, scope: {} as WebhookScope, id, record };
};
const idsOf = (queued: readonly { readonly id: string }[]) => queued.map(({ id }) => id);

describe('the queue', () => {
  test('gives one event of a record at a time, in their order', () => {
    const queue = openEventQueue();
    queue.add([eventOf('a', '1'), eventOf('a', '2'), eventOf('b', '3'), eventOf(null, '4')], 'p1');
    const first = queue.take(10);
    expect(idsOf(first)).toEqual(['1', '3', '4']);
    expect(queue.take(10)).toEqual([]);
    for (const queued of first) queue.settle(queued);
    expect(idsOf(queue.take(10))).toEqual(['2']);
  });

  test('moves over pages whose events are dealt with, in their order', () => {
    const queue = openEventQueue();
    queue.add([], 'p0');
    expect(queue.movedTo()).toBe('p0');
    queue.add([eventOf('a', '1')], 'p1');
    queue.add([eventOf('b', '2')], 'p2');
    const [one, two] = queue.take(2);
    queue.settle(two as NonNullable<typeof two>);
    expect(queue.movedTo()).toBeUndefined();
    queue.settle(one as NonNullable<typeof one>);
    expect([queue.movedTo(), queue.movedTo()]).toEqual(['p2', undefined]);
  });

  test('takes events again in their place, and drops those that were sent before', () => {
    const queue = openEventQueue();
    queue.add([eventOf('a', '1'), eventOf('b', '2'), eventOf('c', '3')], 'p1');
    const [one, two] = queue.take(2);
    queue.untake(two as NonNullable<typeof two>);
    queue.untake(one as NonNullable<typeof one>);
    expect(idsOf(queue.newer(0))).toEqual(['1', '2', '3']);
    queue.drop(new Set(queue.newer(1)));
    expect(queue.size()).toBe(1);
    for (const queued of queue.take(5)) queue.settle(queued);
    expect(queue.movedTo()).toBe('p1');
  });
});

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
    const pace = openSendingPace({ requestsInFlight: () => inFlight, clock: () => now });
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

  test('gets few requests before it has answered, then eight, and one when it only fails', () => {
    const receiver = openReceiverState({ ...NEW_CONDITION, verified_at: 'then' });
    expect(receiver.free(NOW)).toBe(4);
    receiver.begin(NOW)(result(200), NOW);
    expect(receiver.free(NOW)).toBe(8);
    receiver.begin(NOW)(result(200, 2000), NOW);
    expect([receiver.free(NOW), receiver.isSlow()]).toEqual([4, true]);
    for (let index = 0; index < 5; index += 1) receiver.begin(NOW)(failing, NOW);
    expect([receiver.free(NOW), receiver.isHeld(NOW)]).toEqual([1, false]);
    receiver.noteProbe(NOW);
    expect([receiver.isHeld(NOW + 29_000), receiver.isHeld(NOW + 31_000)]).toEqual([true, false]);
    receiver.begin(NOW)(result(200), NOW);
    expect([receiver.free(NOW), receiver.isHeld(NOW)]).toEqual([8, false]);
  });

  test('makes its webhook fail, tells after a day and disables after five', () => {
    const receiver = openReceiverState(NEW_CONDITION);
    const first = receiver.begin(NOW)(failing, NOW);
    const since = new Date(NOW).toISOString();
    expect(first).toMatchObject({ state: 'failing', failing_since: since, told_at: null });
    expect(receiver.judge(NOW + DAY)).toMatchObject({
      ...{ state: 'failing', told_at: new Date(NOW + DAY).toISOString() },
    });
    const disabled = receiver.judge(NOW + 5 * DAY);
    expect(disabled).toMatchObject({ state: 'disabled', reason: 'failing' });
    // A webhook that does not send keeps its state.
    expect(receiver.begin(NOW)(result(200), NOW)).toBe(disabled);
  });

  test('that recovers makes it active, one that is gone disables it', () => {
    const receiver = openReceiverState({ ...NEW_CONDITION, failing_since: '2026-02-27T00:00:00Z' });
    expect(receiver.begin(NOW)(result(200), NOW)).toMatchObject({
      ...{ state: 'active', failing_since: null, told_at: null },
    });
    expect(receiver.begin(NOW)(result(410), NOW)).toMatchObject({ reason: 'receiver_gone' });
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
  const delivery = newDelivery('w', { type: 'reach.changed', key: 'b', object_types: [] }, 'e');
  const attempted = { now: NOW, random: () => 0.5, once: false };

  test('says what came of the last attempt', () => {
    expect(delivery).toMatchObject({ state: 'pending', attempts: 0, rights: 'b', record_id: null });
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
