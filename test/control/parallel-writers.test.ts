// Parallel tasks: a limited number at once, and a failure is reported however many succeed.

import { expect, test } from 'vitest';
import { openParallelWriters } from '../../src/control/process/parallel-writers.ts';

const failing = () => Promise.reject(new Error('broken'));

test('one failure of many tasks is thrown at the end, and to the caller who adds the next', async () => {
  const writers = openParallelWriters(2);
  await writers.start(async () => undefined);
  await writers.start(failing);
  await writers.idle();
  await expect(writers.start(async () => undefined)).rejects.toThrow('broken');
  await expect(writers.settle()).rejects.toThrow('broken');
});

test('no more tasks run at once than there are writers', async () => {
  const writers = openParallelWriters(2);
  const ends: (() => void)[] = [];
  const task = () => new Promise<void>((end) => ends.push(end));
  await writers.start(task);
  await writers.start(task);
  let isStarted = false;
  const third = writers.start(task).then(() => {
    isStarted = true;
  });
  await Promise.resolve();
  expect([ends.length, isStarted]).toEqual([2, false]);
  ends[0]?.();
  await third;
  expect(ends.length).toBe(3);
  for (const end of ends) end();
  await writers.settle();
});
