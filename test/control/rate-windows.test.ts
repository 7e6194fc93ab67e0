// Windows of requests while the database that counts them is away: with several servers each process counts for itself.

import { expect, test, vi } from 'vitest';
import { openRateWindows } from '../../src/control/people/rate-windows.ts';
import { unavailable } from '../../src/errors.ts';
import type { Queryable } from '../../src/postgres/db.ts';

const ONE = '01a206c9-0000-7000-8000-000000000001';
const failing = (cause: Error): Queryable => ({ query: () => Promise.reject(unavailable(cause)) });
const away = failing(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
const slow = failing(new Error('Query read timeout'));

test('each process counts for itself when it is configured to', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12, 0, 20) });
  const windows = openRateWindows(away, { countsAlone: true });
  const count = () => windows.count(ONE, 2);
  expect(await count()).toEqual({
    ...{ limit: 2, remaining: 1, exceeded: false },
    ...{ resetSeconds: 40, resetAt: Date.UTC(2026, 0, 1, 12, 1) / 1000 },
  });
  await count();
  expect((await count()).exceeded).toBe(true);
  expect(windows.isSpent(ONE)).toBe(true);
  expect((await windows.peek(ONE, 9)).remaining).toBe(6);
  vi.setSystemTime(Date.UTC(2026, 0, 1, 12, 1));
  expect((await count()).exceeded).toBe(false);
  vi.useRealTimers();
});

test('slow servers are waited for, and a single server is always used', async () => {
  await expect(openRateWindows(slow, { countsAlone: true }).count(ONE, 2)).rejects.toThrow();
  await expect(openRateWindows(away).count(ONE, 2)).rejects.toThrow();
});
