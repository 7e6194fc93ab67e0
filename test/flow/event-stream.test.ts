// The parts of a stream of live events that only time shows: heartbeats, wake-up signals, limits.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { idLineOf, openStream, writeHeartbeat } from '../../src/flow/event-stream.ts';
import { limitConcurrency, openWakeUpSignal } from '../../src/flow/pacing.ts';
import { callerOf, sampleModel } from '../sample-definition.ts';

describe('a heartbeat', () => {
  const model = sampleModel();
  const reading = { model, caller: callerOf(model, ['admin']) };

  function open(hasRoom = true) {
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
    const start = { position: { delivered: '5:5:' }, present: '5:5:', reset: undefined };
    return { stream: openStream(reader, connection, start), written };
  }

  test('comes when nothing has been written for 15 seconds, with the id', () => {
    const { stream, written } = open();
    const id = idLineOf(model, '9:9:');
    expect(written).toEqual([`retry: 1000\n${idLineOf(model, '5:5:')}\n`]);
    stream.writtenAt -= 14_000;
    writeHeartbeat(stream, id);
    expect(written).toHaveLength(1);
    stream.writtenAt -= 1000;
    writeHeartbeat(stream, id);
    writeHeartbeat(stream, id);
    expect(written.slice(1)).toEqual([`: heartbeat\n${id}\n`]);
    expect(id).toMatch(/^id: [\w-]{22,}\n$/);
  });

  test('has no id for who is behind, and is not kept for who does not read', () => {
    const { stream, written } = open();
    stream.writtenAt -= 20_000;
    writeHeartbeat(stream);
    expect(written.at(-1)).toBe(': heartbeat\n\n');
    const stuck = open(false);
    stuck.stream.writtenAt -= 20_000;
    writeHeartbeat(stuck.stream);
    expect(stuck.written).toHaveLength(1);
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

  test('that came when nobody waited ends the next wait, and only that', async () => {
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
