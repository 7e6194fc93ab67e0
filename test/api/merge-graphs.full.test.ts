// Random merges that are undone: all records are as before (test/api/merge.test.ts has a short one).

import { beforeAll, expect, test } from 'vitest';
import { timesOf } from '../until.ts';
import { useFleet } from './fleet.ts';
import { mergeGraphs } from './merged.ts';
import { TRASHED } from './trashed.ts';

const fleet = useFleet();

beforeAll(() => fleet.apply(TRASHED));

test('an unmerge leaves every graph as it was', { timeout: 900_000 }, async () => {
  expect(await mergeGraphs(fleet, timesOf(100))).toBeGreaterThan(30);
});
