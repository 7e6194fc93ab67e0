// Tasks side by side: so many at once, and a failure is told however many succeed beside it.

import { expect, test } from 'vitest';
import { openLanes } from '../../src/import/lanes.ts';

const failing = () => Promise.reject(new Error('broken'));

test('one failure of many tasks is thrown at the end, and to whoever adds the next', async () => {
  const lanes = openLanes(2);
  await lanes.start(async () => undefined);
  await lanes.start(failing);
  await lanes.idle();
  await expect(lanes.start(async () => undefined)).rejects.toThrow('broken');
  await expect(lanes.settle()).rejects.toThrow('broken');
});

test('no more tasks run at once than there are lanes', async () => {
  const lanes = openLanes(2);
  const ends: (() => void)[] = [];
  const task = () => new Promise<void>((end) => ends.push(end));
  await lanes.start(task);
  await lanes.start(task);
  let isStarted = false;
  const third = lanes.start(task).then(() => {
    isStarted = true;
  });
  await Promise.resolve();
  expect([ends.length, isStarted]).toEqual([2, false]);
  ends[0]?.();
  await third;
  expect(ends.length).toBe(3);
  for (const end of ends) end();
  await lanes.settle();
});
