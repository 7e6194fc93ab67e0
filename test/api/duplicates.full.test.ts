// Records that may be the same thing: which groups a job finds, and that it shows only those that its person may read
// (docs/design/merge.md).

import { afterAll, beforeAll, expect, test } from 'vitest';
import { findingDuplicates } from '../../src/flow/jobs/duplicates-job.ts';
import type { Client } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';
import { openJobs } from './job-world.ts';
import { merge } from './merged.ts';

let world: World;
let ada: Client;
let rob: Client;
const jobs = openJobs(() => world);

const DOCUMENT = {
  ...ACME,
  name: 'Doubled',
  objects: {
    ...ACME.objects,
    deals: {
      ...ACME.objects.deals,
      fields: {
        ...ACME.objects.deals.fields,
        address: { type: 'email' },
        site: { type: 'url', storage: 'jsonb' },
        telephone: { type: 'phone' },
      },
    },
  },
};

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  [ada, rob] = [await world.as('ada'), await world.as('rob')];
  await jobs.work(findingDuplicates(world.database.db));
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

const idOf = async (client: Client, fields: object): Promise<string> =>
  (await client.post('/objects/deals/records', { fields })).body.data.id;

async function groupsFor(client: Client) {
  const { status, body } = await client.request('POST', '/objects/deals/duplicates');
  expect(status, JSON.stringify(body)).toBe(202);
  const { state } = await jobs.ended(client, body.data.id);
  expect(state, JSON.stringify(jobs.errors)).toBe('done');
  const found: { fields: readonly string[]; ids: readonly string[] }[] = [];
  for (let cursor = ''; ; ) {
    const path = `/jobs/${body.data.id}/duplicates?limit=2&cursor=${cursor}`;
    const page = await client.get(path);
    expect(page.status, JSON.stringify(page.body)).toBe(200);
    for (const { fields, records } of page.body.data) {
      found.push({ fields, ids: records.map(({ id }: { id: string }) => id).sort() });
    }
    cursor = page.body.pagination.next_cursor ?? '';
    if (cursor === '') return { id: String(body.data.id), found };
  }
}

test('groups are found by each kind of field, and shown to people who may read them', async () => {
  const make = (fields: object) => idOf(ada, fields);
  const pairs: readonly (readonly [field: string, object, object])[] = [
    ['name', { name: 'Müller & Söhne GmbH' }, { name: 'muller  söhne' }],
    [
      'address',
      { name: 'A', address: 'Jo@Acme.example' },
      { name: 'B', address: 'jo@acme.example' },
    ],
    [
      'telephone',
      { name: 'D', telephone: '+49 (170) 1234567' },
      { name: 'E', telephone: '0170/1234567' },
    ],
    [
      'site',
      { name: 'F', custom_fields: { site: 'https://www.acme.example/one' } },
      { name: 'G', custom_fields: { site: 'http://acme.example' } },
    ],
  ];
  const expected: { fields: readonly string[]; ids: readonly string[] }[] = [];
  for (const [field, one, other] of pairs) {
    expected.push({ fields: [field], ids: [await make(one), await make(other)].sort() });
  }
  // Too many to be the same thing.
  for (let index = 0; index < 12; index += 1) await make({ name: 'Opportunity' });
  const { id, found } = await groupsFor(ada);
  expect(found).toHaveLength(expected.length);
  expect(found).toEqual(expect.arrayContaining(expected));
  const [first] = expected as [(typeof expected)[number]];
  expect((await merge(ada, 'deals', first.ids)).status).toBe(200);
  const { body } = await ada.get(`/jobs/${id}/duplicates`);
  expect(body.data).toHaveLength(expected.length - 1);
  // Rob reads his own deals only.
  expect((await rob.get(`/jobs/${id}/duplicates`)).status).toBe(404);
  const own = [await idOf(rob, { name: 'Mine' }), await idOf(rob, { name: 'MINE' })];
  expect((await groupsFor(rob)).found).toEqual([{ fields: ['name'], ids: own.sort() }]);
});
