// Questions about the records that a record is linked to (D515): rights, counts, cursors and refusals.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, refusalOf } from '../client.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;
let mia: Client;
const ids: Record<string, string> = {};

const COMPANY = 'inv.deals.company_id';
const CONTACTS = 'assoc.contacts_deals';

beforeAll(async () => {
  world = await openWorld();
  const { rep } = ACME.roles;
  const objects = { ...rep.objects, contacts: { read: 'organisation' } };
  await world.apply({ ...ACME, roles: { ...ACME.roles, rep: { ...rep, objects } } });
  [ada, rob, mia] = await Promise.all([world.as('ada'), world.as('rob'), world.as('mia')]);
  const make = async (type: string, name: string, fields: object = {}) => {
    const { body } = await ada.post(`/objects/${type}/records`, { fields: { name, ...fields } });
    ids[name] = body.data.id;
  };
  await make('companies', 'alpha');
  for (const [name, owner] of [
    ['one', 'rob'],
    ['two', 'rae'],
    ['three', 'ada'],
  ] as const) {
    await make('deals', name, { company_id: ids.alpha, owner_user_id: world.users[owner] });
  }
  await make('deals', 'elsewhere', { owner_user_id: world.users.rob });
  await make('contacts', 'Jo');
  const path = `/objects/deals/records/${ids.one}/relationships/${CONTACTS}`;
  await ada.post(path, { target_id: ids.Jo });
});
afterAll(() => world.close());

const to = (object_type: string, record: string, association_id: string) => ({
  linked_to: { object_type, record_id: ids[record] ?? record, association_id },
});

async function ask(client: Client, type: string, question: object) {
  const { body } = await client.post(`/objects/${type}/records/query`, {
    ...{ sort: [{ field: 'name' }], count: 'exact' },
    ...question,
  });
  const names = body.data.map(({ display }: { readonly display: string }) => display);
  return [names, body.count.value] as const;
}

test('the records of a relationship, as far as each person may read them, with their number', async () => {
  const deals = to('companies', 'alpha', COMPANY);
  expect(await ask(ada, 'deals', deals)).toEqual([['one', 'three', 'two'], 3]);
  expect(await ask(mia, 'deals', deals)).toEqual([['one', 'two'], 2]);
  expect(await ask(rob, 'deals', deals)).toEqual([['one'], 1]);
  expect(await ask(ada, 'contacts', to('deals', 'one', CONTACTS))).toEqual([['Jo'], 1]);
  expect(await ask(ada, 'contacts', to('deals', 'two', CONTACTS))).toEqual([[], 0]);
});

test('a record that the person may not read has none, as one that does not exist', async () => {
  expect(await ask(rob, 'companies', to('deals', 'one', 'ref.company_id'))).toEqual([['alpha'], 1]);
  expect(await ask(rob, 'companies', to('deals', 'two', 'ref.company_id'))).toEqual([[], 0]);
  const nowhere = '01a1fd00-0000-7000-8000-000000000000';
  expect(await ask(ada, 'deals', to('companies', nowhere, COMPANY))).toEqual([[], 0]);
});

test('other conditions narrow them, and a cursor belongs to the record', async () => {
  const deals = to('companies', 'alpha', COMPANY);
  const where = { field: 'name', op: 'ne', value: 'one' };
  expect(await ask(ada, 'deals', { ...deals, where })).toEqual([['three', 'two'], 2]);
  const path = '/objects/deals/records/query';
  const first = await ada.post(path, { ...deals, limit: 2 });
  const cursor = first.body.pagination.next_cursor;
  const next = await ada.post(path, { ...deals, limit: 2, cursor });
  expect(next.body.data).toHaveLength(1);
  for (const other of [{}, to('contacts', 'Jo', CONTACTS)]) {
    const answer = await ada.post(path, { ...other, limit: 2, cursor });
    expect(refusalOf(answer)).toEqual([400, 'invalid_cursor', 'cursor']);
  }
});

test('several relationships are one request', async () => {
  const queries = [
    { object_type: 'contacts', ...to('deals', 'one', CONTACTS), count: 'exact', limit: 1 },
    { object_type: 'companies', ...to('deals', 'one', 'ref.company_id'), limit: 1 },
  ];
  const { body } = await ada.post('/query', { queries });
  expect(body.data.map(({ data }: { readonly data: unknown[] }) => data.length)).toEqual([1, 1]);
  expect(body.data[0].count).toEqual({ value: 1, relation: 'exact' });
});

test('refusals', async () => {
  const refused = async (client: Client, type: string, question: object) =>
    refusalOf(await client.post('/query', { queries: [{ object_type: type, ...question }] }));
  const invalid = [400, 'invalid_filter', 'queries[0].linked_to'];
  for (const question of [
    to('companies', 'alpha', 'inv.deals.nope'),
    to('nothing', 'alpha', COMPANY),
    to('companies', 'not an id', COMPANY),
    // Of another object than the one that is asked for.
    to('deals', 'one', CONTACTS),
  ]) {
    expect(await refused(ada, 'deals', question), JSON.stringify(question)).toEqual(invalid);
  }
  // Links lead to records of anybody.
  expect(await refused(rob, 'deals', to('contacts', 'Jo', CONTACTS))).toEqual([
    ...[403, 'permission_denied', 'queries[0].linked_to'],
  ]);
  const partial = { linked_to: { object_type: 'deals' } };
  expect(await refused(ada, 'deals', partial)).toEqual([
    ...[400, 'validation_failed', 'queries[0].linked_to.record_id'],
  ]);
});
