// The fair queue: no tenant holds all slots, every request is served or refused, no wait is long.

import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type FairQueue, openFairQueue, type Tenant } from '../../src/postgres/fair-queue.ts';

const of = (workspace: number, principal = 'a'): Tenant => ({ workspace, principal });

/** Acquire as many slots as are free at once. */
function acquireAll(queue: FairQueue, tenant: Tenant, most: number): number {
  let taken = 0;
  while (taken < most) {
    const wait = queue.acquire(tenant);
    if (wait !== undefined) {
      wait.catch(() => undefined);
      return taken;
    }
    taken += 1;
  }
  return taken;
}

/** Time that does not pass by itself. */
const TIMERS = ['performance', 'setTimeout', 'clearTimeout'] as const;

describe('shares', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    return () => vi.useRealTimers();
  });

  test.each([
    [1, 1, 1],
    [2, 1, 1],
    [5, 4, 4],
    [10, 8, 7],
    [20, 16, 14],
    [100, 80, 68],
  ])('of %i slots a workspace holds %i at most, a principal %i', (size, workspace, key) => {
    const queue = openFairQueue({ size, timeoutMs: 1 });
    expect(acquireAll(queue, of(1, 'a'), size)).toBe(key);
    const others = openFairQueue({ size, timeoutMs: 1 });
    let taken = 0;
    for (let name = 0; name < size; name += 1) taken += acquireAll(others, of(1, String(name)), 1);
    expect(taken).toBe(workspace);
    if (size > 1) expect(acquireAll(others, of(2), 1)).toBe(1);
  });
});

describe('heavy reads', () => {
  const heavy = (principal: string) => ({ ...of(1, principal), isHeavy: true });

  test('of one principal run one after the other, beside a quick one and those of others', async () => {
    const queue = openFairQueue({ size: 10 });
    expect(queue.acquire(heavy('a'))).toBeUndefined();
    expect(queue.acquire(of(1, 'a'))).toBeUndefined();
    const order: string[] = [];
    const second = queue.acquire(heavy('a'))?.then(() => order.push('heavy'));
    const quick = queue.acquire(of(1, 'a'))?.then(() => order.push('quick'));
    expect(queue.acquire(heavy('b'))).toBeUndefined();
    expect(acquireAll(queue, of(2), 7)).toBe(7);
    expect(queue.load()).toEqual({ held: 10, waiting: 2 });
    queue.release(of(1, 'a'));
    queue.release(of(2));
    expect(queue.load()).toEqual({ held: 8, waiting: 2 });
    queue.release(heavy('a'));
    await Promise.all([second, quick]);
    expect(order).toEqual(['heavy', 'quick']);
    queue.release(heavy('a'));
    for (const tenant of [of(1, 'a'), heavy('b'), ...Array(6).fill(of(2))]) queue.release(tenant);
    expect(queue.load()).toEqual({ held: 0, waiting: 0 });
    expect(acquireAll(queue, of(1, 'a'), 10)).toBe(7);
  });

  test('have a slot where a principal has one', () => {
    const queue = openFairQueue({ size: 1 });
    expect(queue.acquire(heavy('a'))).toBeUndefined();
    queue.release(heavy('a'));
    expect(queue.load()).toEqual({ held: 0, waiting: 0 });
  });
});

describe('waiting', () => {
  test('ends in 503 after the timeout, and leaves no trace', async () => {
    const queue = openFairQueue({ size: 1, timeoutMs: 20 });
    expect(queue.acquire(of(1))).toBeUndefined();
    await expect(queue.acquire(of(2))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(queue.load()).toEqual({ held: 1, waiting: 0 });
    queue.release(of(1));
    expect(queue.load()).toEqual({ held: 0, waiting: 0 });
    expect(queue.acquire(of(3))).toBeUndefined();
  });

  describe('longer than a moment', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: [...TIMERS] });
      return () => vi.useRealTimers();
    });

    /** The outcome of a request that waits, and its milliseconds. */
    function watch(queue: FairQueue, tenant: Tenant) {
      const begun = performance.now();
      const seen: { outcome?: 'served' | 'refused'; after?: number } = {};
      const settle = (outcome: 'served' | 'refused') => () => {
        Object.assign(seen, { outcome, after: performance.now() - begun });
      };
      queue.acquire(tenant)?.then(settle('served'), settle('refused'));
      return seen;
    }

    test('a request is refused while all slots are held by statements that wait for locks', async () => {
      const asked: unknown[] = [];
      const isServed = async (workspace: number | undefined) => asked.push(workspace) < 0;
      const queue = openFairQueue({ size: 1, isServed });
      queue.acquire(of(1));
      const waiter = watch(queue, of(2));
      await vi.advanceTimersByTimeAsync(899);
      expect(waiter).toEqual({});
      await vi.advanceTimersByTimeAsync(1);
      expect(waiter).toEqual({ outcome: 'refused', after: 900 });
      expect(asked[0]).toBeUndefined();
    });

    test('a request waits as long as a statement may take while statements are executed', async () => {
      const queue = openFairQueue({ size: 1, isServed: async () => true });
      queue.acquire(of(1));
      const [served, refused] = [watch(queue, of(2)), watch(queue, of(3))];
      await vi.advanceTimersByTimeAsync(4500);
      queue.release(of(1));
      await vi.advanceTimersByTimeAsync(1000);
      expect([served, refused]).toEqual([
        { outcome: 'served', after: 4500 },
        { outcome: 'refused', after: 5000 },
      ]);
    });

    test('a database that does not answer executes no statement', async () => {
      const queue = openFairQueue({ size: 1, isServed: () => new Promise(() => undefined) });
      queue.acquire(of(1));
      const waiter = watch(queue, of(2));
      await vi.advanceTimersByTimeAsync(900);
      expect(waiter).toEqual({ outcome: 'refused', after: 900 });
    });

    test('statements that were given up do not show that the database works', async () => {
      let served = true;
      const queue = openFairQueue({ size: 1, isServed: async () => served });
      queue.acquire(of(1));
      await vi.advanceTimersByTimeAsync(2000);
      const [next, after] = [watch(queue, of(2)), watch(queue, of(3))];
      await vi.advanceTimersByTimeAsync(3500);
      served = false;
      queue.release(of(1));
      await vi.advanceTimersByTimeAsync(2000);
      expect(next).toEqual({ outcome: 'served', after: 3500 });
      // Not 900 ms later: as soon as the database has answered that no statement runs.
      expect(after.outcome).toBe('refused');
      expect(after.after).toBeLessThan(3500 + 600);
    });

    test('slots that are released by others do not help a tenant at its limit', async () => {
      const queue = openFairQueue({ size: 10, isServed: async (workspace) => workspace !== 1 });
      for (let taken = 0; taken < 7; taken += 1) queue.acquire(of(1));
      const stuck = watch(queue, of(1));
      for (let time = 0; time < 900; time += 90) {
        queue.acquire(of(2));
        await vi.advanceTimersByTimeAsync(90);
        queue.release(of(2));
      }
      expect(stuck).toEqual({ outcome: 'refused', after: 900 });
      const lucky = watch(queue, of(1));
      await vi.advanceTimersByTimeAsync(800);
      queue.release(of(1));
      await vi.advanceTimersByTimeAsync(0);
      expect(lucky).toEqual({ outcome: 'served', after: 800 });
    });

    test('a request that cannot be served in time is refused at once', async () => {
      const queue = openFairQueue({ size: 1, isServed: async () => true });
      const one = async (name: string) => {
        await queue.acquire(of(1, name));
        await vi.advanceTimersByTimeAsync(2000);
        queue.release(of(1, name));
      };
      for (let done = 0; done < 20; done += 1) await one('a');
      queue.acquire(of(1, 'a'));
      const waiters = [watch(queue, of(1, 'a')), watch(queue, of(1, 'a'))];
      expect(() => queue.acquire(of(1, 'a'))).toThrow(
        expect.objectContaining({ code: 'service_unavailable', status: 503 }),
      );
      // Another principal does not wait behind all of them.
      waiters.push(watch(queue, of(1, 'b')));
      for (const _ of waiters) {
        await vi.advanceTimersByTimeAsync(1500);
        queue.release(of(1, 'a'));
        await vi.advanceTimersByTimeAsync(0);
      }
      expect(waiters.map(({ outcome }) => outcome)).toEqual(['served', 'served', 'served']);
    });
  });

  test('beyond the limit of those that may wait it is refused at once', () => {
    const queue = openFairQueue({ size: 1, maxWaiting: 2, timeoutMs: 10_000 });
    queue.acquire(of(1));
    queue.acquire(of(1));
    queue.acquire(of(1));
    expect(() => queue.acquire(of(1))).toThrow(
      expect.objectContaining({ code: 'service_unavailable', status: 503 }),
    );
    for (let given = 0; given < 3; given += 1) queue.release(of(1));
    expect(queue.load()).toEqual({ held: 0, waiting: 0 });
  });

  test('workspaces are served round-robin, and principals within a workspace', async () => {
    const queue = openFairQueue({ size: 1 });
    const served: string[] = [];
    queue.acquire(of(0));
    const waiters = [of(1, 'a'), of(1, 'a'), of(1, 'b'), of(2, 'c'), of(2, 'c'), of(3, 'd')];
    const all = waiters.map(async (tenant) => {
      await queue.acquire(tenant);
      served.push(tenant.principal);
      queue.release(tenant);
    });
    queue.release(of(0));
    await Promise.all(all);
    expect(served.slice(0, 3)).toEqual(['a', 'c', 'd']);
    expect(served.slice(3)).toEqual(['b', 'c', 'a']);
  });
});

test('no more slots are held than there are, and every request is served', async () => {
  vi.useFakeTimers();
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.record({ workspace: fc.nat(3), principal: fc.constantFrom('a', 'b', 'c') }), {
          maxLength: 60,
        }),
        fc.infiniteStream(fc.boolean()),
        async (size, tenants, coins) => {
          const queue = openFairQueue({ size });
          const holding: Tenant[] = [];
          let most = 0;
          const take = async (tenant: Tenant) => {
            await queue.acquire(tenant);
            holding.push(tenant);
            most = Math.max(most, holding.length);
          };
          const all: Promise<void>[] = [];
          for (const tenant of tenants) {
            all.push(take(tenant));
            await Promise.resolve();
            if (coins.next().value && holding.length > 0) queue.release(holding.shift() as Tenant);
          }
          while (queue.load().held > 0) {
            for (let step = 0; step < 5; step += 1) await Promise.resolve();
            const next = holding.shift();
            if (next !== undefined) queue.release(next);
          }
          await Promise.all(all);
          expect(most).toBeLessThanOrEqual(size);
          expect(queue.load()).toEqual({ held: 0, waiting: 0 });
        },
      ),
      { numRuns: 200 },
    );
  } finally {
    vi.useRealTimers();
  }
});
