// Restores at the same moment as other restores, writes and the sweeper: one of them wins, and nothing is there twice.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepTrash } from '../../src/flow/jobs/sweeper.ts';
import type { Client } from '../client.ts';
import { timesOf } from '../until.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const trash = { keep: '30d' };
const DOCUMENT = {
  ...ACME,
  objects: {
    ...ACME.objects,
    deals: { ...ACME.objects.deals, trash },
    companies: { ...ACME.objects.companies, trash },
  },
};
const ROUNDS = timesOf(8);

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada');
});
afterAll(() => world?.close());

async function deleted(type: string, fields: object): Promise<string> {
  const { body } = await ada.post(`/objects/${type}/records`, { fields });
  await ada.delete(`/objects/${type}/records/${body.data.id}`);
  return body.data.id;
}

const restore = async (type: string, id: string) =>
  (await ada.request('POST', `/objects/${type}/deleted/${id}/restore`)).status;

const count = async (text: string, id: string) => (await world.rows(text, [id])).length;

test('of two restores one finds the record', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await deleted('deals', { name: 'Twice' });
    const statuses = await Promise.all([restore('deals', id), restore('deals', id)]);
    expect(statuses.sort()).toEqual([200, 404]);
    expect(await count('select from deals where id = $1', id)).toBe(1);
    expect(await count(`select from _audit where record_id = $1 and action = 'restore'`, id)).toBe(
      1,
    );
  }
});

test('of a restore and a create one has the unique value', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const code = `raced ${round}`;
    const id = await deleted('deals', { name: 'Raced', code });
    const [restored, created] = await Promise.all([
      restore('deals', id),
      ada.post('/objects/deals/records', { fields: { name: 'New', code } }),
    ]);
    expect([restored, created.status].sort()).toEqual(restored === 200 ? [200, 409] : [201, 409]);
    expect(await count('select from deals where code = $1', code)).toBe(1);
    expect(await count('select from _trash where record_id = $1', id)).toBe(
      restored === 200 ? 0 : 1,
    );
  }
});

test('two records that are linked and deleted come back with one link', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const make = async (type: string) =>
      (await ada.post(`/objects/${type}/records`, { fields: { name: 'Linked' } })).body.data.id;
    const [company, meeting] = [await make('companies'), await make('contacts')];
    const deal = await make('deals');
    await ada.patch(`/objects/deals/records/${deal}`, { fields: { company_id: company } });
    const path = `/objects/contacts/records/${meeting}/relationships/assoc.contacts_deals`;
    expect((await ada.post(path, { target_id: deal })).status).toBe(200);
    await ada.delete(`/objects/companies/records/${company}`);
    await ada.delete(`/objects/deals/records/${deal}`);
    const statuses = await Promise.all([restore('companies', company), restore('deals', deal)]);
    expect(statuses).toEqual([200, 200]);
    expect(await count('select from _links where to_id = $1', deal)).toBe(1);
    const [row] = await world.rows('select company_id from deals where id = $1', [deal]);
    expect(row?.company_id).toBe(company);
  }
});

test('of a restore and the sweeper one finds a record at the end of its time', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await deleted('deals', { name: 'At its end' });
    const end = `update "ws_acme"._trash set kept_until = now() + interval '5 ms' where record_id = $1`;
    await world.database.rows(end, [id]);
    const [status] = await Promise.all([restore('deals', id), sweepTrash(world.database.db)]);
    expect([200, 404]).toContain(status);
    expect(await count('select from deals where id = $1', id)).toBe(status === 200 ? 1 : 0);
  }
  await sweepTrash(world.database.db);
});
