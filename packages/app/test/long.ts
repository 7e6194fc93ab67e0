// Journeys that only `npm run test:long` takes: a browser is dear, and every commit is to be tried within minutes.

import { test } from 'vitest';

const isLong = process.env.LONGER !== undefined;

export const longTest = test.skipIf(!isLong);

/** All of them when there is time, otherwise the first ones. */
export function someOf<Case>(cases: readonly Case[], usual: number): readonly Case[] {
  return isLong ? cases : cases.slice(0, usual);
}
