// Readers of every kind while an object is added, renamed, retyped and dropped: no answer says that the service has
// failed, because a statement of the definition before is compiled again for the new one.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition.ts';
import { PATIENCE } from '../cli/command-process.ts';
import type { Answer, Client } from '../client.ts';
import { timesOf } from '../until.ts';
import { ACME, openWorld, type World } from '../world.ts';

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

const named = { name: 'Things', singular_name: 'Thing', display_field: 'name', searchable: true };

const withObject = (key: string, more: object, type: string) =>
  mergePatch(ACME, {
    objects: {
      [key]: {
        ...{ ...named, ...more },
        ...{ history: { keep: '30d' }, trash: { keep: '30d' } },
        fields: { name: { type: 'text' }, code: { type } },
      },
    },
    roles: { manager: { objects: { [key]: { read: 'team', create: 'team' } } } },
  });

/** The definitions of a round, each with the object whose records are made after it. */
const STEPS = [
  { document: withObject('things', {}, 'integer'), key: 'things', drops: [] },
  { document: withObject('things', {}, 'text'), key: undefined, drops: [] },
  {
    document: withObject('items', { renamed_from: 'things' }, 'text'),
    key: 'items',
    drops: [],
  },
  { document: ACME, key: undefined, drops: ['items'] },
] as const;

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
        // A busy machine may refuse some.
        if (status === 500) failures.push(`${status} ${JSON.stringify(body)} ${read}`);
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
