// The shapes of all routes: compiled after the start, when no request has needed them before.

import { expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { compileShape, compileShapes } from '../../src/http/request/validate.ts';
import { compileRoute } from '../../src/http/route/compiled-route.ts';

test('the shapes of all routes can be compiled, one between two pauses', async () => {
  for (const route of ROUTES) compileRoute(route);
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
  };
  await compileShapes(pause);
  expect(pauses).toBeGreaterThan(0);
  pauses = 0;
  await compileShapes(pause);
  expect(pauses).toBe(0);
});

test('a list of different items without a bound is refused', async () => {
  const schema = { type: 'array', items: { type: 'integer' }, uniqueItems: true };
  const check = compileShape(schema, { subject: 'The body' });
  expect(() => check([1])).toThrow('no bound');
});
