// Turns at the database: nobody takes all, everybody comes, nobody waits for long.

import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Holder, openTurns, type Turns } from '../../src/store/turns.ts';

const of = (workspace: number, key = 'a'): Holder => ({ workspace, key });

/** Take as many turns as there are at once. */
function takeAll(turns: Turns, holder: Holder, most: number): number {
  let taken = 0;
  while (taken < most) {
    const wait = turns.take(holder);
    if (wait !== undefined) {
      wait.catch(() => undefined);
      return taken;
    }
    taken += 1;
  }
  return taken;
}

describe('shares', () => {
  test.each([
    [1, 1, 1],
    [2, 1, 1],
    [5, 4, 4],
    [10, 8, 7],
    [20, 16, 14],
    [100, 80, 68],
  ])('of %i turns a workspace holds %i at most, a key %i', (size, workspace, key) => {
    const turns = openTurns({ size, patience: 1 });
    expect(takeAll(turns, of(1, 'a'), size)).toBe(key);
    const others = openTurns({ size, patience: 1 });
    let taken = 0;
    for (let name = 0; name < size; name += 1) taken += takeAll(others, of(1, String(name)), 1);
    expect(taken).toBe(workspace);
    if (size > 1) expect(takeAll(others, of(2), 1)).toBe(1);
  });
});

describe('waiting', () => {
  test('ends in 503 after the patience, and leaves nothing behind', async () => {
    const turns = openTurns({ size: 1, patience: 20 });
    expect(turns.take(of(1))).toBeUndefined();
    await expect(turns.take(of(2))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(turns.load()).toEqual({ held: 1, waiting: 0 });
    turns.give(of(1));
    expect(turns.load()).toEqual({ held: 0, waiting: 0 });
    expect(turns.take(of(3))).toBeUndefined();
  });

  describe('longer than a moment', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
      return () => vi.useRealTimers();
    });

    /** What becomes of somebody who waits, and after how many milliseconds. */
    function watch(turns: Turns, holder: Holder) {
      const begun = performance.now();
      const seen: { outcome?: 'served' | 'refused'; after?: number } = {};
      const settle = (outcome: 'served' | 'refused') => () => {
        Object.assign(seen, { outcome, after: performance.now() - begun });
      };
      turns.take(holder)?.then(settle('served'), settle('refused'));
      return seen;
    }

    test('nobody waits while all that is held waits for locks', async () => {
      const asked: unknown[] = [];
      const isServed = async (workspace: number | undefined) => asked.push(workspace) < 0;
      const turns = openTurns({ size: 1, isServed });
      turns.take(of(1));
      const waiter = watch(turns, of(2));
      await vi.advanceTimersByTimeAsync(899);
      expect(waiter).toEqual({});
      await vi.advanceTimersByTimeAsync(1);
      expect(waiter).toEqual({ outcome: 'refused', after: 900 });
      expect(asked[0]).toBeUndefined();
    });

    test('who waits for what is worked at waits as long as a statement may take', async () => {
      const turns = openTurns({ size: 1, isServed: async () => true });
      turns.take(of(1));
      const [served, refused] = [watch(turns, of(2)), watch(turns, of(3))];
      await vi.advanceTimersByTimeAsync(4500);
      turns.give(of(1));
      await vi.advanceTimersByTimeAsync(1000);
      expect([served, refused]).toEqual([
        { outcome: 'served', after: 4500 },
        { outcome: 'refused', after: 5000 },
      ]);
    });

    test('a database that does not answer works at nothing', async () => {
      const turns = openTurns({ size: 1, isServed: () => new Promise(() => undefined) });
      turns.take(of(1));
      const waiter = watch(turns, of(2));
      await vi.advanceTimersByTimeAsync(900);
      expect(waiter).toEqual({ outcome: 'refused', after: 900 });
    });

    test('statements that were given up are no sign of life', async () => {
      let works = true;
      const turns = openTurns({ size: 1, isServed: async () => works });
      turns.take(of(1));
      await vi.advanceTimersByTimeAsync(2000);
      const [next, after] = [watch(turns, of(2)), watch(turns, of(3))];
      await vi.advanceTimersByTimeAsync(3500);
      works = false;
      turns.give(of(1));
      await vi.advanceTimersByTimeAsync(2000);
      expect(next).toEqual({ outcome: 'served', after: 3500 });
      // Not 900 ms later: as soon as the database has said that nothing is done.
      expect(after.outcome).toBe('refused');
      expect(after.after).toBeLessThan(3500 + 600);
    });

    test('turns that come free elsewhere do not help who has used up a share', async () => {
      const turns = openTurns({ size: 10, isServed: async (workspace) => workspace !== 1 });
      for (let taken = 0; taken < 7; taken += 1) turns.take(of(1));
      const stuck = watch(turns, of(1));
      for (let time = 0; time < 900; time += 90) {
        turns.take(of(2));
        await vi.advanceTimersByTimeAsync(90);
        turns.give(of(2));
      }
      expect(stuck).toEqual({ outcome: 'refused', after: 900 });
      const lucky = watch(turns, of(1));
      await vi.advanceTimersByTimeAsync(800);
      turns.give(of(1));
      await vi.advanceTimersByTimeAsync(0);
      expect(lucky).toEqual({ outcome: 'served', after: 800 });
    });

    test('who cannot be served in time is refused at once', async () => {
      const turns = openTurns({ size: 1, isServed: async () => true });
      const one = async (key: string) => {
        await turns.take(of(1, key));
        await vi.advanceTimersByTimeAsync(2000);
        turns.give(of(1, key));
      };
      for (let done = 0; done < 20; done += 1) await one('a');
      turns.take(of(1, 'a'));
      const waiters = [watch(turns, of(1, 'a')), watch(turns, of(1, 'a'))];
      expect(() => turns.take(of(1, 'a'))).toThrow(
        expect.objectContaining({ code: 'service_unavailable', status: 503 }),
      );
      // Another key does not wait behind all of them.
      waiters.push(watch(turns, of(1, 'b')));
      for (const _ of waiters) {
        await vi.advanceTimersByTimeAsync(1500);
        turns.give(of(1, 'a'));
        await vi.advanceTimersByTimeAsync(0);
      }
      expect(waiters.map(({ outcome }) => outcome)).toEqual(['served', 'served', 'served']);
    });
  });

  test('beyond the most that may wait it is refused at once', () => {
    const turns = openTurns({ size: 1, most: 2, patience: 10_000 });
    turns.take(of(1));
    turns.take(of(1));
    turns.take(of(1));
    expect(() => turns.take(of(1))).toThrow(
      expect.objectContaining({ code: 'service_unavailable', status: 503 }),
    );
    for (let given = 0; given < 3; given += 1) turns.give(of(1));
    expect(turns.load()).toEqual({ held: 0, waiting: 0 });
  });

  test('workspaces come in turn, and keys within a workspace', async () => {
    const turns = openTurns({ size: 1 });
    const served: string[] = [];
    turns.take(of(0));
    const waiters = [of(1, 'a'), of(1, 'a'), of(1, 'b'), of(2, 'c'), of(2, 'c'), of(3, 'd')];
    const all = waiters.map(async (holder) => {
      await turns.take(holder);
      served.push(holder.key);
      turns.give(holder);
    });
    turns.give(of(0));
    await Promise.all(all);
    expect(served.slice(0, 3)).toEqual(['a', 'c', 'd']);
    expect(served.slice(3)).toEqual(['b', 'c', 'a']);
  });
});

test('whatever happens, no more are held than there are, and everybody comes', async () => {
  vi.useFakeTimers();
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.record({ workspace: fc.nat(3), key: fc.constantFrom('a', 'b', 'c') }), {
          maxLength: 60,
        }),
        fc.infiniteStream(fc.boolean()),
        async (size, holders, coins) => {
          const turns = openTurns({ size });
          const holding: Holder[] = [];
          let most = 0;
          const take = async (holder: Holder) => {
            await turns.take(holder);
            holding.push(holder);
            most = Math.max(most, holding.length);
          };
          const all: Promise<void>[] = [];
          for (const holder of holders) {
            all.push(take(holder));
            await Promise.resolve();
            if (coins.next().value && holding.length > 0) turns.give(holding.shift() as Holder);
          }
          while (turns.load().held > 0) {
            for (let step = 0; step < 5; step += 1) await Promise.resolve();
            const next = holding.shift();
            if (next !== undefined) turns.give(next);
          }
          await Promise.all(all);
          expect(most).toBeLessThanOrEqual(size);
          expect(turns.load()).toEqual({ held: 0, waiting: 0 });
        },
      ),
      { numRuns: 200 },
    );
  } finally {
    vi.useRealTimers();
  }
});
