// The parts of a stream of live events that only time shows: heartbeats, bells, places.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { idLineOf, openStream, writeHeartbeat } from '../../src/flow/event-stream.ts';
import { limitTo, openBell } from '../../src/flow/pacing.ts';
import { callerOf, sampleModel } from '../sample-definition.ts';

describe('a heartbeat', () => {
  const model = sampleModel();
  const reading = { model, caller: callerOf(model, ['admin']) };

  function open(hasRoom = true) {
    const written: string[] = [];
    const outlet = {
      isOpen: () => true,
      hasRoom: () => hasRoom,
      write: (text: string) => void written.push(text),
      drained: async () => undefined,
      end: () => undefined,
      onClose: () => undefined,
    };
    const reader = { reading, readAgain: () => reading, present: () => undefined };
    const start = { position: { told: '5:5:' }, present: '5:5:', reset: undefined };
    return { stream: openStream(reader, outlet, start), written };
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

describe('a bell', () => {
  test('ends a wait at once, or when its least time is over', async () => {
    const bell = openBell();
    const started = performance.now();
    const first = bell.wait(0, 60_000);
    bell.ring();
    await first;
    const second = bell.wait(60, 60_000);
    bell.ring();
    bell.ring();
    await second;
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });

  test('that rang when nobody waited ends the next wait, and only that', async () => {
    const bell = openBell();
    bell.ring();
    await bell.wait(1, 60_000);
    const started = performance.now();
    await bell.wait(1, 60);
    expect(performance.now() - started).toBeGreaterThanOrEqual(55);
  });
});

test('places are given in the order of asking, also after failures', async () => {
  const inTurn = limitTo(2);
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
  const all = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map((number) => inTurn(task(number))));
  expect(all.map(({ status }) => status)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((number) => (number % 2 === 1 ? 'rejected' : 'fulfilled')),
  );
  expect([most, ended]).toEqual([2, [0, 1, 2, 3, 4, 5, 6]]);
});
