// Journeys that only `npm run test:long` takes: a browser costs much of the processor.

import { test } from 'vitest';
import { IS_LONG } from '../../../test/until.ts';

export const longTest = test.skipIf(!IS_LONG);

/** All of them when there is time, otherwise the first ones. */
export function someOf<Case>(cases: readonly Case[], usual: number): readonly Case[] {
  return IS_LONG ? cases : cases.slice(0, usual);
}
