// The shapes of all routes, which are otherwise compiled when a request first needs them.

import { expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { compileShape } from '../../src/http/request/validate.ts';

test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'the shapes of %s can be compiled',
  (_label, { params, query, body }) => {
    for (const shape of [params, query, body ?? query]) {
      expect(compileShape(shape, { subject: 'The value' })(undefined)).not.toEqual([]);
    }
  },
);

test('a list of different items without a bound is refused', async () => {
  const schema = { type: 'array', items: { type: 'integer' }, uniqueItems: true };
  const check = compileShape(schema, { subject: 'The body' });
  expect(() => check([1])).toThrow('no bound');
});
