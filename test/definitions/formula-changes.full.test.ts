// Formulas of an object that has records: added, changed, with an input of another type and another key. Values, indexes and
// search follow.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { ACME, openWorld, type World } from '../world.ts';

const DEALS = '/objects/deals/records';
let world: World;
let ada: Client;
let document: unknown = ACME;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  const { status } = await ada.post(DEALS, { fields: { name: 'Pumps', amount: 80 } });
  expect(status).toBe(201);
});
afterAll(() => world?.close());

async function apply(deals: object): Promise<void> {
  document = mergePatch(document, { objects: { deals } });
  await world.apply(document);
}

const label = (expression: string) => ({
  ...{ type: 'formula', result_type: 'text', indexed: true, searchable: true },
  expression,
});

async function expectLabel(value: string, word: string) {
  const query = `filter[label]=${value}&fields=name,label`;
  expect((await ada.get(`${DEALS}?${query}`)).body.data).toMatchObject([
    { fields: { label: value } },
  ]);
  expect((await ada.get(`/search?q=${word}`)).body.data).toHaveLength(1);
  const [index] = await world.database.rows(
    `select count(*)::int from pg_indexes where schemaname = 'ws_acme' and tablename = 'deals'
      and indexname like 'deals.label%'`,
  );
  expect(index?.count).toBeGreaterThan(0);
}

test('values, indexes and search follow each change', async () => {
  const hours = { hours: { type: 'number' } };
  await apply({
    searchable: true,
    fields: { ...hours, label: label('name & " worth " & text(amount)') },
  });
  await expectLabel('Pumps worth 80', 'worth');
  await apply({ fields: { label: label('name & " costs " & text(coalesce(hours, 0) + amount)') } });
  await expectLabel('Pumps costs 80', 'costs');
  expect((await ada.get('/search?q=worth')).body.data).toEqual([]);
  await apply({
    fields: { hours: { type: 'text' }, label: label('name & " takes " & coalesce(hours, "long")') },
  });
  await expectLabel('Pumps takes long', 'takes');
  await apply({ fields: { hours: null, span: { type: 'text', renamed_from: 'hours' } } });
  await expectLabel('Pumps takes long', 'takes');
  await ada.patch(`${DEALS}/${(await ada.get(DEALS)).body.data[0].id}`, {
    fields: { span: 'a day' },
  });
  await expectLabel('Pumps takes a day', 'takes');
});
