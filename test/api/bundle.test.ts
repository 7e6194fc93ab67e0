// Everything about a record as one document: what it has, where a long list ends, and whose rights count.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { type Client, refusalOf } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const COMPANIES = '/objects/companies/records';

async function company(fields: object): Promise<string> {
  const { body } = await ada.post(COMPANIES, { fields });
  return body.data.id;
}

test('the record, its comments, its history and its links', async () => {
  const id = await company({ name: 'Bundled', revenue: 5, custom_fields: { note: 'Custom' } });
  await ada.patch(`${COMPANIES}/${id}`, { fields: { revenue: 6 } });
  await ada.post(`${COMPANIES}/${id}/comments`, { body: 'Said' });
  const boat = await ada.post('/objects/boats/records', {
    fields: { name: 'Aft', company_id: id },
  });
  const { status, body } = await ada.get(`${COMPANIES}/${id}/bundle`);
  expect(status).toBe(200);
  const { data } = body;
  expect(data).toMatchObject({
    complete: true,
    record: { id, fields: { name: 'Bundled', revenue: 6, custom_fields: { note: 'Custom' } } },
    comments: { data: [{ body: 'Said' }], has_more: false },
    history: { data: [{ changes: [{ field: 'revenue', old: 5, new: 6 }] }], has_more: false },
  });
  const links = Object.fromEntries(data.links.map((one: { id: string }) => [one.id, one]));
  expect(links['inv.boats.company_id']).toMatchObject({
    object_type: 'boats',
    data: [{ id: boat.body.data.id, display: 'Aft' }],
    has_more: false,
  });
});

test('only what the reader may read at that moment', async () => {
  const id = await company({ name: 'Partly', revenue: 5 });
  await ada.patch(`${COMPANIES}/${id}`, { fields: { revenue: 6 } });
  await ada.post(`${COMPANIES}/${id}/comments`, { body: 'Said' });
  const rob = await world.as('rob', { scopes: ['records:read'] });
  const { body } = await rob.get(`${COMPANIES}/${id}/bundle`);
  expect(body.data.record.fields).not.toHaveProperty('revenue');
  expect(body.data).toMatchObject({ comments: null, history: { data: [] } });
  const deal = await ada.post('/objects/deals/records', { fields: { name: 'Not theirs' } });
  const unseen = await rob.get(`/objects/deals/records/${deal.body.data.id}/bundle`);
  expect(refusalOf(unseen)).toEqual([404, 'record_not_found', 'record_id']);
  expect((await ada.get(`${COMPANIES}/nothing/bundle`)).status).toBe(404);
});

test('a long list ends at the bound and says so', async () => {
  const id = await company({ name: 'Long' });
  await world.database.rows(
    `insert into ws_acme._comments (id, object_type, record_id, body, author_user_id)
      select gen_random_uuid(), 'companies', $1, 'Said ' || n, $2 from generate_series(1, $3::integer) n`,
    [id, world.users.ada, LIMITS.bundleItems + 5],
  );
  const { body } = await ada.get(`${COMPANIES}/${id}/bundle`);
  expect(body.data.complete).toBe(false);
  expect(body.data.comments.has_more).toBe(true);
  expect(body.data.comments.data).toHaveLength(LIMITS.bundleItems);
  await world.database.rows(
    `update ws_acme._comments set body = repeat('x', 10000) where record_id = $1`,
    [id],
  );
  const large = await ada.get(`${COMPANIES}/${id}/bundle`);
  const { data, has_more } = large.body.data.comments;
  expect([data.length * 10_000 < LIMITS.bundleBytes * 1.2, has_more]).toEqual([true, true]);
});
