// The parts of a stream of live events that only time shows: heartbeats, wake-up signals, limits.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { limitConcurrency } from '../../src/control/process/limit-concurrency.ts';
import { openStream } from '../../src/flow/events/event-stream.ts';
import { openWakeUpSignal } from '../../src/flow/events/pacing.ts';
import { eventIdAt } from '../../src/plan/events/event-id.ts';
import { changedRights, rightsMarkOf } from '../../src/plan/people/reader-rights.ts';
import { callerOf, sampleModel } from '../sample-definition.ts';

describe('a heartbeat', () => {
  const model = sampleModel();
  const reading = { model, caller: callerOf(model, ['admin']) };

  const START = 1_700_000_000_000;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'], now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function open({ hasRoom = true } = {}) {
    const written: string[] = [];
    const connection = {
      isOpen: () => true,
      hasRoom: () => hasRoom,
      write: (text: string) => void written.push(text),
      drained: async () => undefined,
      end: () => undefined,
      onClose: () => undefined,
    };
    const start = { reading, position: { delivered: '5:5:' }, at: START, rights: [] };
    const sink = openStream(connection, () => undefined, { ...start, reset: undefined });
    return { sink, written };
  }

  test('comes with the id after 15 seconds without a write', () => {
    const { sink, written } = open();
    expect(written).toEqual([`retry: 1000\nid: ${eventIdAt(reading, '5:5:', START)}\n\n`]);
    vi.advanceTimersByTime(14_000);
    sink.rest(reading, '9:9:');
    expect(written).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    sink.rest(reading, '9:9:');
    sink.rest(reading, '9:9:');
    const id = eventIdAt(reading, '9:9:', START + 15_000);
    expect(written.slice(1)).toEqual([`: heartbeat\nid: ${id}\n\n`]);
    expect(id).toMatch(/^[\w-]{22,}$/);
  });

  test('has no id for a reader who is behind, and waits for one who does not read', () => {
    const { sink, written } = open();
    vi.advanceTimersByTime(20_000);
    sink.rest(reading, undefined);
    expect(written.at(-1)).toBe(': heartbeat\n\n');
    const stuck = open({ hasRoom: false });
    vi.advanceTimersByTime(20_000);
    stuck.sink.rest(reading, undefined);
    expect(stuck.written).toHaveLength(1);
  });
});

describe('the mark of the rights of a reader', () => {
  const model = sampleModel();
  const reading = { model, caller: callerOf(model, ['admin']) };
  const mark = rightsMarkOf(reading);
  const [revision, general, entries = ''] = mark.split('.');

  test('is the same for the same rights', () => {
    expect(changedRights(mark, reading)).toBeUndefined();
    expect(rightsMarkOf({ model, caller: callerOf(model, ['admin']) })).toBe(mark);
  });

  test('shows other roles that read the same, and another definition', () => {
    const same = { readable: [], unreadable: [], revision: undefined };
    expect(changedRights(`${revision}.other.${entries}`, reading)).toEqual({
      ...same,
      isOther: true,
    });
    expect(changedRights(`0.${general}.${entries}`, reading)).toEqual({
      ...same,
      revision: 0,
      isOther: false,
    });
  });

  test('shows the objects of which other records or fields can be read', () => {
    const own = { model, caller: callerOf(model, ['own']) };
    const veiled = { model, caller: callerOf(model, ['veiled']) };
    const changed = (one: typeof own, other: typeof own) =>
      changedRights(rightsMarkOf(one), other)?.readable;
    expect(changed(own, reading)).toContain('gadgets');
    expect(changed(reading, own)).toContain('gadgets');
    expect(changed(reading, veiled)).toContain('gadgets');
  });
});

describe('a wake-up signal', () => {
  test('ends a wait at once, or when its least time is over', async () => {
    const signal = openWakeUpSignal();
    const started = performance.now();
    const first = signal.wait(0, 60_000);
    signal.notify();
    await first;
    const second = signal.wait(60, 60_000);
    signal.notify();
    signal.notify();
    await second;
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });

  test('that came while no reader waited ends the next wait, and only that', async () => {
    const signal = openWakeUpSignal();
    signal.notify();
    await signal.wait(1, 60_000);
    const started = performance.now();
    await signal.wait(1, 60);
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });
});

test('a limit of concurrency runs tasks in the order they came, also after failures', async () => {
  const limited = limitConcurrency(2);
  let [running, most] = [0, 0];
  const ended: number[] = [];
  const task = (number: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    ended.push(number);
    if (number % 2 === 1) throw new Error(`task ${number}`);
    return number;
  };
  const all = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5, 6].map((number) => limited(task(number))),
  );
  expect(all.map(({ status }) => status)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((number) => (number % 2 === 1 ? 'rejected' : 'fulfilled')),
  );
  expect([most, ended]).toEqual([2, [0, 1, 2, 3, 4, 5, 6]]);
});
