// Questions that are answered together: by one statement at a time, and refused together when PostgreSQL
// does not answer.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { type BatchingOptions, batchRequests } from '../../src/postgres/batch-requests.ts';
import { until } from '../until.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('items that arrive while a statement is in flight are answered by the next', async () => {
  const statements: (readonly number[])[] = [];
  const { held, release } = hold();
  const ask = batchRequests(async (items: readonly number[]) => {
    statements.push(items);
    await held;
    return items.map((item) => item * 2);
  });
  const first = ask(1);
  await until(() => statements.length === 1);
  const others = [ask(2), ask(3)];
  release();
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6]);
  expect(statements).toEqual([[1], [2, 3]]);
});

test('a statement that fails at once fails only for its own items', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let statements = 0;
  const { held, release } = hold();
  const ask = batchRequests(async (items: readonly number[]) => {
    statements += 1;
    await held;
    if (statements === 1) throw new Error('lost');
    return items;
  });
  const first = ask(1).catch((error: Error) => error.message);
  await until(() => statements === 1);
  const second = ask(2);
  release();
  expect(await Promise.all([first, second])).toEqual(['lost', 2]);
});

test('those behind a statement that fails after long have waited long enough', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let statements = 0;
  const { held, release } = hold();
  const ask = batchRequests(async () => {
    statements += 1;
    await held;
    throw new Error('no answer');
  });
  const first = ask(1).catch((error: Error) => error.message);
  await until(() => statements === 1);
  const second = ask(2).catch((error: Error) => error.message);
  vi.advanceTimersByTime(1100);
  release();
  expect(await Promise.all([first, second])).toEqual(['no answer', 'no answer']);
  expect(statements).toBe(1);
});

test('several statements at once, none with more questions than it may have', async () => {
  let most = 0;
  let running = 0;
  const sizes: number[] = [];
  const ask = batchRequests(
    async (items: readonly number[]) => {
      running += 1;
      most = Math.max(most, running);
      sizes.push(items.length);
      await sleep(20);
      running -= 1;
      return items;
    },
    { atOnce: 2, most: 10 },
  );
  const asked = Array.from({ length: 45 }, (_, number) => number);
  expect(await Promise.all(asked.map(ask))).toEqual(asked);
  expect([most, sizes]).toEqual([2, [10, 10, 10, 10, 5]]);
});

function hold() {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { held, release: () => release() };
}

/** Items sent together with `slow` are answered when it is released. */
function batchHeld(options: BatchingOptions<string>) {
  const { held, release } = hold();
  const ask = batchRequests(async (items: readonly string[]) => {
    if (items.includes('slow')) await held;
    return items;
  }, options);
  return { ask, release };
}

test('an overdue statement delays no other item', async () => {
  const { ask, release } = batchHeld({ overdue: 20 });
  const slow = ask('slow');
  await sleep(5);
  expect(await Promise.all([ask('a'), ask('b')])).toEqual(['a', 'b']);
  release();
  expect(await slow).toBe('slow');
  expect(await ask('c')).toBe('c');
});

test('of items with one name one is in flight at a time, in their order', async () => {
  const running = new Set<string>();
  const seen: string[] = [];
  const sizes: number[] = [];
  const { held, release } = hold();
  const ask = batchRequests(
    async (items: readonly string[]) => {
      const names = items.map((item) => item.slice(0, 1));
      expect(new Set([...running, ...names]).size).toBe(running.size + names.length);
      for (const name of names) running.add(name);
      seen.push(...items);
      sizes.push(items.length);
      // The first is in flight until the second has been sent.
      if (sizes.length === 1) await held;
      release();
      for (const name of names) running.delete(name);
      return items;
    },
    { atOnce: 2, names: (item) => [item.slice(0, 1)] },
  );
  const asked = ['a1', 'a2', 'b1', 'a3', 'c1', 'b2'];
  const first = Promise.all(asked.map(ask));
  await until(() => sizes.length === 1);
  const second = Promise.all(['d1', 'a4'].map(ask));
  expect(await first).toEqual(asked);
  expect(await second).toEqual(['d1', 'a4']);
  expect(sizes.slice(0, 2)).toEqual([3, 1]);
  for (const name of 'abcd') {
    const own = seen.filter((item) => item.startsWith(name));
    expect(own).toEqual([...own].sort());
  }
});

test('one that is overdue gives its name away', async () => {
  const { ask, release } = batchHeld({ overdue: 20, names: () => ['name'] });
  const slow = ask('slow');
  expect(await ask('quick')).toBe('quick');
  release();
  expect(await slow).toBe('slow');
});
