// Records of two objects with the same id, as imports may bring them: deleting, restoring and erasing one leaves the
// comments, links and search entries of the other.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { erasing } from '../../src/flow/jobs/erasure-job.ts';
import type { Client } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';
import { openJobs } from './job-world.ts';

let world: World;
let ada: Client;
let id = '';
const jobs = openJobs(() => world);

const COMPANIES = '/objects/companies/records';
const CONTACTS = '/objects/contacts/records';
const DOCUMENT = { ...ACME, objects: { ...ACME.objects, contacts: { trash: { keep: '30d' } } } };

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT);
  ada = await world.as('ada');
});
afterAll(async () => {
  await jobs.stop();
  await world?.close();
});

async function fine(path: string, body: object): Promise<string> {
  const answer = await ada.post(path, body);
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body.data.id;
}

beforeEach(async () => {
  id = await fine(COMPANIES, { fields: { name: 'Firstborn' } });
  await world.database.rows(
    `insert into ws_acme.contacts (id, name, owner_user_id, created_by_user_id) values ($1, 'x', $2, $2)`,
    [id, world.users.ada],
  );
  await ada.patch(`${CONTACTS}/${id}`, { fields: { name: 'Secondborn' } });
  const deal = await fine('/objects/deals/records', { fields: { name: 'Linked' } });
  const meeting = await fine('/objects/meetings/records', {
    fields: { title: 'Met' },
  });
  for (const path of [COMPANIES, CONTACTS]) {
    await fine(`${path}/${id}/comments`, { body: `Said at ${path}` });
  }
  const to = (target_id: string) => ({ target_id });
  await ada.post(`${CONTACTS}/${id}/relationships/assoc.contacts_deals`, to(deal));
  await ada.post(`${COMPANIES}/${id}/relationships/assoc.companies_meetings`, to(meeting));
  expect([await stateOf(COMPANIES), await stateOf(CONTACTS)]).toEqual([WHOLE, WHOLE]);
});

const WHOLE = { comments: 1, linked: 1, found: 1 };

/** How much of the record is there for a reader. */
async function stateOf(path: typeof COMPANIES | typeof CONTACTS) {
  const link = path === CONTACTS ? 'assoc.contacts_deals' : 'assoc.companies_meetings';
  const [, , type] = path.split('/');
  const name = path === CONTACTS ? 'Secondborn' : 'Firstborn';
  const comments = await ada.get(`${path}/${id}/comments`);
  const linked = await ada.get(`${path}/${id}/relationships/${link}`);
  const hits = await ada.get(`/search?q=${name}`);
  const isOwn = (hit: { readonly id: string; readonly object_type: string }) =>
    hit.id === id && hit.object_type === type;
  return {
    comments: comments.body.data?.length,
    linked: linked.body.data?.length,
    found: hits.body.data.filter(isOwn).length,
  };
}

test('a delete leaves the other record whole, and so does a restore', async () => {
  await ada.delete(`${CONTACTS}/${id}`);
  expect(await stateOf(COMPANIES)).toEqual(WHOLE);
  await ada.post(`/objects/contacts/deleted/${id}/restore`, undefined);
  expect([await stateOf(COMPANIES), await stateOf(CONTACTS)]).toEqual([WHOLE, WHOLE]);
  await ada.delete(`${COMPANIES}/${id}`);
  expect(await stateOf(CONTACTS)).toEqual(WHOLE);
});

test('a change of the one keeps the search entries of the other', async () => {
  await ada.patch(`${COMPANIES}/${id}`, { fields: { name: 'Firstborn & Sons' } });
  expect([await stateOf(COMPANIES), await stateOf(CONTACTS)]).toEqual([WHOLE, WHOLE]);
});

test('an erasure of the one leaves the other whole', async () => {
  const { body } = await ada.post('/erasures', { records: [{ object_type: 'companies', id }] });
  await jobs.work(erasing(world.database.db, { pause: 0 }));
  expect((await jobs.ended(ada, body.data.id)).counts).toMatchObject({ comments: 1, links: 1 });
  await jobs.stop();
  expect(await stateOf(CONTACTS)).toEqual(WHOLE);
});
