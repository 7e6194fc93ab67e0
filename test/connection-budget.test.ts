// The connections of each process, given the room that the server has.

import { expect, test } from 'vitest';
import { fitPool } from '../src/cli/service/connection-budget.ts';

test('with room enough the settings count', () => {
  expect(fitPool({ workers: 1, poolSize: 10 }, 26)).toEqual({ poolSize: 10 });
  expect(fitPool({ workers: 4, poolSize: 10 }, 68)).toEqual({ poolSize: 10 });
});

test('with less, the pool of each process shrinks, and a sentence says so', () => {
  const one = fitPool({ workers: 1, poolSize: 10 }, 25);
  expect(one.poolSize).toBe(9);
  expect(one.note).toMatch(/^The database accepts 25 more connections, .* need 26: the process/);
  const four = fitPool({ workers: 4, poolSize: 10 }, 44);
  expect(four.poolSize).toBe(4);
  expect(four.note).toContain('each of 4 processes uses 4 for requests instead of 10');
});

test('it never shrinks below two, and never grows', () => {
  expect(fitPool({ workers: 2, poolSize: 10 }, 0).poolSize).toBe(2);
  expect(fitPool({ workers: 1, poolSize: 1 }, 5).poolSize).toBe(1);
});
