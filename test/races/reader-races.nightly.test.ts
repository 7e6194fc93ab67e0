// Readers of every kind while an object is added, renamed, retyped and dropped: no answer says that the service has
// failed, because a statement of the definition before is compiled again for the new one.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../cli/command-process.ts';
import type { Answer, Client } from '../client.ts';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { STEPS } from './coming-objects.ts';

const ROUNDS = timesOf(4);
let world: World;
let ada: Client;
let mia: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada', { requestsPerMinute: 1_000_000 });
  mia = await world.as('mia', { requestsPerMinute: 1_000_000 });
});
afterAll(() => world?.close());

/** Requests that read tables of records, also of objects that come and go. */
const READERS: readonly ((client: Client) => Promise<Answer>)[] = [
  (client) => client.get('/changes?since=2020-01-01T00:00:00Z&limit=100'),
  (client) => client.get('/changes?since=2020-01-01T00:00:00Z&limit=100&include=record'),
  (client) => client.get('/search?q=round'),
  (client) => client.get('/audit?limit=50'),
  (client) => client.get('/notifications'),
  ...['things', 'items'].flatMap((key) => [
    (client: Client) => client.get(`/objects/${key}/records?filter[code]=1&sort=code`),
    (client: Client) => client.get(`/objects/${key}/deleted`),
    (client: Client) =>
      client.post(`/objects/${key}/query`, { where: { field: 'code', op: 'eq', value: '1' } }),
    (client: Client) =>
      client.post(`/objects/${key}/records/aggregate`, {
        group_by: ['code'],
        metrics: [{ name: 'rows', op: 'count' }],
      }),
    async (client: Client) => {
      const list = await client.get(`/objects/${key}/records?limit=1`);
      const id = list.body.data?.[0]?.id;
      return id === undefined ? list : client.get(`/objects/${key}/records/${id}/bundle`);
    },
  ]),
];

test('readers see no failure while objects come, change and go', {
  timeout: PATIENCE,
}, async () => {
  const ended = new AbortController();
  const failures: string[] = [];
  let answers = 0;
  const reading = [ada, mia].flatMap((client) =>
    READERS.map(async (read) => {
      while (!ended.signal.aborted) {
        const { status, body } = await read(client);
        await sleep(20);
        answers += 1;
        // A busy machine may refuse some, but not because of the definition.
        const isBusy = status === 503 && !JSON.stringify(body).includes('definition');
        if (status >= 500 && !isBusy) failures.push(`${status} ${JSON.stringify(body)} ${read}`);
      }
    }),
  );
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { document, key, drops } of STEPS) {
        await world.apply(document, drops);
        for (let index = 0; key !== undefined && index < 3; index += 1) {
          const fields = { name: `round ${round}`, code: key === 'things' ? index : `${index}` };
          await ada.post(`/objects/${key}/records`, { fields });
        }
      }
    }
  } finally {
    ended.abort();
    await Promise.all(reading);
  }
  expect(failures).toEqual([]);
  expect(answers).toBeGreaterThan(READERS.length);
});
