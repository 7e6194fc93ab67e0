// Long work in slices: one in a turn of the event loop, in turns, and what requests wait for first.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inSlices } from '../../src/control/process/slices.ts';
import type { Steps } from '../../src/model/steps.ts';

const log: string[] = [];
let turns = 0;
let isCounting = true;

function count(): void {
  turns += 1;
  if (isCounting) setImmediate(count);
}

beforeEach(() => {
  log.length = 0;
  isCounting = true;
  setImmediate(count);
});
afterEach(() => {
  isCounting = false;
  vi.restoreAllMocks();
});

function* stepsOf(name: string, most: number): Steps<string> {
  for (let step = 1; step <= most; step += 1) {
    log.push(`${name}${step}`);
    yield;
  }
  return name;
}

/** Each look at the clock is a slice later. */
function hurryClock(): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000;
    return now;
  });
}

test('each has a slice in its turn, and each slice a turn of the event loop', async () => {
  hurryClock();
  const begun = turns;
  const results = await Promise.all([inSlices(stepsOf('a', 3)), inSlices(stepsOf('b', 2))]);
  expect(results).toEqual(['a', 'b']);
  expect(log).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  expect(turns - begun).toBeGreaterThanOrEqual(6);
});

test('work that requests wait for goes first, in any queue', async () => {
  hurryClock();
  const plans = ['a', 'b', 'c'].map((name) => inSlices(stepsOf(name, 3)));
  const load = inSlices(stepsOf('load', 2), { isUrgent: true });
  expect(await load).toBe('load');
  expect(log).toEqual(['load1', 'load2']);
  await Promise.all(plans);
  expect(log).toHaveLength(11);
});

test('short work is done in one slice, and fails as its steps do', async () => {
  expect(await inSlices(stepsOf('a', 5))).toBe('a');
  expect(log).toHaveLength(5);
  const failing = (function* (): Steps<void> {
    yield;
    throw new Error('wrong');
  })();
  await expect(inSlices(failing)).rejects.toThrow('wrong');
});
