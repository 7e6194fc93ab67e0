// The tiers of the tests, which the names of the files decide: `.nightly.test` is for `npm run test:nightly`, the names of
// FULL and the journeys are for `npm run test:full`, all other names for `npm test`.

import { matchesGlob } from 'node:path';

export type Tier = 'test' | 'full' | 'nightly';

export const NIGHTLY = ['{test,packages/app/test}/**/*.nightly.test.ts'];

/** Crashes, processes, packages, large matrices, random series, bounds and what else takes long for what it finds. */
export const FULL = [
  'test/{bench,citus,embedded,faults,long,package,races}/**/*.test.ts',
  'test/**/*-{processes,property,races}.test.ts',
  '{test,packages/app/test}/**/*.full.test.ts',
];

/** The tests that need a browser. */
export const JOURNEYS = ['packages/app/test/journeys/*.test.ts'];

/** The tier of a file of tests, by its path from the root of the project. */
export function tierOf(path: string): Tier {
  const is = (globs: readonly string[]) => globs.some((glob) => matchesGlob(path, glob));
  if (is(NIGHTLY)) return 'nightly';
  return is([...FULL, ...JOURNEYS]) ? 'full' : 'test';
}
