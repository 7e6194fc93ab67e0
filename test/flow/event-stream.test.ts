// The parts of a stream of live events that only time shows: heartbeats, wake-up signals, limits.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limitConcurrency } from '../../src/control/limit-concurrency.ts';
import { rightsMarkOf, whatDiffers } from '../../src/flow/events/event-rights.ts';
import { eventIdAt, openStream, writeHeartbeat } from '../../src/flow/events/event-stream.ts';
import { openWakeUpSignal } from '../../src/flow/events/pacing.ts';
import { callerOf, sampleModel } from '../sample-definition.ts';

describe('a heartbeat', () => {
  const model = sampleModel();
  const reading = { model, caller: callerOf(model, ['admin']) };

  function open({ hasRoom = true } = {}) {
    const rights = rightsMarkOf(reading);
    const written: string[] = [];
    const connection = {
      isOpen: () => true,
      hasRoom: () => hasRoom,
      write: (text: string) => void written.push(text),
      drained: async () => undefined,
      end: () => undefined,
      onClose: () => undefined,
    };
    const reader = { reading, readAgain: () => reading, present: () => undefined };
    const start = { position: { delivered: '5:5:' }, present: '5:5:', rights, reset: undefined };
    return { stream: openStream(reader, connection, start), written };
  }

  test('comes with the id after 15 seconds without a write', () => {
    const { stream, written } = open();
    expect(written).toEqual([`retry: 1000\nid: ${eventIdAt(reading, '5:5:')}\n\n`]);
    stream.writtenAt -= 14_000;
    writeHeartbeat(stream, '9:9:');
    expect(written).toHaveLength(1);
    stream.writtenAt -= 1000;
    writeHeartbeat(stream, '9:9:');
    writeHeartbeat(stream, '9:9:');
    const id = eventIdAt(reading, '9:9:');
    expect(written.slice(1)).toEqual([`: heartbeat\nid: ${id}\n\n`]);
    expect(id).toMatch(/^[\w-]{22,}$/);
  });

  test('has no id for a reader that is behind, and is not kept for one that does not read', () => {
    const { stream, written } = open();
    stream.writtenAt -= 20_000;
    writeHeartbeat(stream, undefined);
    expect(written.at(-1)).toBe(': heartbeat\n\n');
    const stuck = open({ hasRoom: false });
    stuck.stream.writtenAt -= 20_000;
    writeHeartbeat(stuck.stream, undefined);
    expect(stuck.written).toHaveLength(1);
  });
});

describe('a stream that continues', () => {
  const model = sampleModel();
  const reading = { model, caller: callerOf(model, ['admin']) };
  const [revision] = rightsMarkOf(reading).split('.');

  test.each([
    ['says nothing of rights that are the same', rightsMarkOf(reading), undefined],
    ['tells of other rights', `${revision}.other`, 'rights'],
    ['tells of another definition', '0.other', 'definition'],
  ])('%s', (_, rights, reason) => {
    expect(whatDiffers(rights, rightsMarkOf(reading))).toBe(reason);
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
