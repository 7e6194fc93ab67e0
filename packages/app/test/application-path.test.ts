// Where somebody may be led after signing in, in the service and in the application: their two judgements are the same.

import { expect, test } from 'vitest';
import { isPathOf } from '../../../src/model/rights/application-path.ts';
import { BAD_PATHS, GOOD_PATHS } from '../../../test/application-paths.ts';
import { isPathOf as isPathOfApplication } from '../src/lib/application-path.ts';

const JUDGES = [
  ['the service', isPathOf],
  ['the application', isPathOfApplication],
] as const;

test.each(JUDGES)('%s has the pages of a workspace', (_, judge) => {
  expect(GOOD_PATHS.filter((path) => !judge('acme', path))).toEqual([]);
  expect(BAD_PATHS.filter((path) => judge('acme', path))).toEqual([]);
});

test('a valid path stays the same when a browser reads it', () => {
  for (const path of GOOD_PATHS) {
    const { origin, pathname, search } = new URL(`/app${path}`, 'http://records.example');
    expect(origin + pathname + search).toBe(`http://records.example/app${path}`);
  }
});
