// Turns at the database: nobody takes all, everybody comes, nobody waits for long.

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
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
