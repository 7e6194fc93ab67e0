// The demo as a file and back: every table has the same rows in a workspace that was restored from it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoWorld, openDemoWorld } from './demo-world.ts';
import { catalogOf, exported, restored, tableDigests } from './moved-workspace.ts';

let world: DemoWorld;
beforeAll(async () => {
  world = await openDemoWorld();
});
afterAll(() => world?.close());

test('the demo is the same in another workspace', async () => {
  const { own } = world;
  const { file, report } = await exported(own, 'demo');
  expect(report).toMatchObject({ foreign: [], api_keys: 1 });
  const { rows, records } = await restored(own, file, { slug: 'again', size: 70_001 });
  expect({ rows, records }).toEqual({ rows: report.rows, records: report.records });
  const digests = await tableDigests(own, 'ws_demo');
  expect(digests.deals).toMatchObject({ rows: 8824 });
  expect(await tableDigests(own, 'ws_again')).toEqual(digests);
  expect(await catalogOf(own, 'ws_again')).toEqual(await catalogOf(own, 'ws_demo'));
});
