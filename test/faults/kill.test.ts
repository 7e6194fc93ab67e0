// kill -9 of the service while clients write under an Idempotency-Key: whatever was lost, the same request
// sent again ends in exactly one record.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { insist, startService, writeKeyed } from './killed-service.ts';

const KILLS = timesOf(2);
/** Requests that are in flight when the service dies, each under a key of its own. */
const CLIENTS = 8;

let world: World;
let secret: string;

beforeAll(async () => {
  world = await openWorld();
  ({ secret } = await world.key('ada'));
});
afterAll(() => world.close());

const create = (url: string, key: string) =>
  writeKeyed(`${url}/objects/deals/records`, { secret, key, body: { fields: { name: key } } });

test('one record for each key, however often the service died', async () => {
  const keys: string[] = [];
  let running = await startService(world);
  let unanswered = 0;
  for (let round = 0; round < KILLS; round += 1) {
    const sent = Array.from({ length: CLIENTS }, (_, client) => `kill-${round}-${client}`);
    keys.push(...sent);
    const { url } = running;
    const answers = sent.map((key) => create(url, key));
    // The first time before anything can be answered, then at any moment.
    await sleep(round === 0 ? 1 : Math.random() * 40);
    await running.end();
    unanswered += (await Promise.all(answers)).filter((status) => status === undefined).length;
    running = await startService(world);
    const again = running.url;
    await Promise.all(sent.map((key) => insist(() => create(again, key))));
  }
  await running.end('SIGTERM');
  const rows = await world.rows(
    `select d.name, count(distinct d.id) as records, count(a.id) as audited
      from deals d join ws_acme._audit a on a.record_id = d.id group by d.name`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual([...keys].sort());
  expect(rows.filter(({ records, audited }) => records !== 1 || audited !== 1)).toEqual([]);
  // Otherwise the test would prove nothing.
  expect(unanswered).toBeGreaterThan(0);
  const stored = await world.database.rows('select key from ws_acme._idempotency');
  expect(stored.map(({ key }) => key).sort()).toEqual([...keys].sort());
});
