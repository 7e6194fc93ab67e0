// Deleted records while the definition changes: they come back under new names, without values that went with a field,
// and not at all once the object keeps none.

import { beforeEach, expect, test, vi } from 'vitest';
import type { Answer, Client } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const trash = { keep: '30d' };
const link = { kind: 'link', from: 'cars', to: 'companies', cardinality: 'many_to_many' } as const;

/** Of a workspace with cars: its fields, other words of the object, other parts. */
function documentOf(fields: object, words: object = {}, parts: object = {}) {
  const cars = {
    ...{ name: 'Cars', singular_name: 'Car', display_field: 'name', trash, workflow: 'pipeline' },
    fields: { name: { type: 'text' }, ...fields },
  };
  return {
    ...ACME,
    objects: { ...ACME.objects, cars: { ...cars, ...words } },
    relationships: { drivers: { name: 'Drivers', ...link } },
    ...parts,
  };
}

const gauge = { type: 'number' };
const FIRST = documentOf({ gauge, extra: { type: 'text', storage: 'jsonb' } });

let world: World;
let ada: Client;
let car: string;

beforeEach(async () => {
  world = await openWorldWith(FIRST);
  ada = await world.as('ada');
  const make = async (type: string, fields: object) =>
    (await ada.post(`/objects/${type}/records`, { fields })).body.data.id;
  const company = await make('companies', { name: 'Driver' });
  car = await make('cars', { name: 'Kombi', gauge: 1.5, custom_fields: { extra: 'trim' } });
  const path = `/objects/cars/records/${car}/relationships/link.drivers`;
  expect((await ada.post(path, { target_id: company })).status).toBe(200);
  await ada.delete(`/objects/cars/records/${car}`);
  return () => world.close();
});

/** Apply, and restore as soon as the service has it. */
async function restoreBy(document: object, allow: readonly string[] = [], type = 'cars') {
  await world.apply(document, allow);
  let answer: Answer | undefined;
  await vi.waitFor(
    async () => {
      answer = await ada.request('POST', `/objects/${type}/deleted/${car}/restore`);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    },
    { timeout: 30_000, interval: 50 },
  );
  return (answer as Answer).body.data;
}

test('under another name of the object, the field, the status and the relationship', async () => {
  const renamed = documentOf(
    {
      calibre: { ...gauge, renamed_from: 'gauge' },
      extra: { type: 'text', storage: 'jsonb' },
    },
    { renamed_from: 'cars' },
    {
      workflows: {
        pipeline: {
          ...ACME.workflows.pipeline,
          initial: 'begun',
          statuses: {
            begun: { name: 'Begun', transitions: ['won', 'lost'], renamed_from: 'open' },
            won: { name: 'Won' },
            lost: { name: 'Lost', transitions: ['begun'] },
          },
        },
      },
    },
  );
  const { cars, ...objects } = renamed.objects;
  const relationships = {
    crew: { name: 'Crew', ...link, from: 'vans', renamed_from: 'drivers' },
  };
  const document = { ...renamed, objects: { ...objects, vans: cars }, relationships };
  const { record, not_restored } = await restoreBy(document, [], 'vans');
  expect(record).toMatchObject({ display: 'Kombi', status: 'begun', object_type: 'vans' });
  expect(record.fields).toMatchObject({ calibre: 1.5, custom_fields: { extra: 'trim' } });
  expect(not_restored).toEqual({ links: 0, references: 0, fields: [] });
  const linked = await ada.get(`/objects/vans/records/${car}/relationships/link.crew`);
  expect(linked.body.data).toHaveLength(1);
});

test('without values of fields that are gone, also when a field of the name comes again', async () => {
  await world.apply(documentOf({}), ['cars.gauge', 'cars.extra']);
  const { record } = await restoreBy(FIRST);
  expect(record.fields.gauge).toBe(null);
  expect(record.fields.custom_fields).toEqual({ extra: null });
});

test('without values that have another form now, and the plan says so', async () => {
  const other = documentOf({ gauge: { type: 'text' }, extra: { type: 'text', storage: 'jsonb' } });
  const { body } = await ada.post('/definition/plan', { patch: other });
  const summaries = body.data.changes.map(({ summary }: { summary: string }) => summary);
  expect(summaries).toContain('~ field cars.gauge (deleted records lose its values)');
  const { record } = await restoreBy(other);
  expect(record.fields).toMatchObject({ gauge: null, custom_fields: { extra: 'trim' } });
});

test('without a value for a field that is required now, as records that were there', async () => {
  const fields = { gauge, keel: { type: 'text', required: true } };
  const { record } = await restoreBy(documentOf(fields), ['cars.extra']);
  expect(record.fields).toMatchObject({ gauge: 1.5, keel: null });
});

test('not at all once the object keeps none: that is a loss', async () => {
  const off = documentOf(
    { gauge, extra: { type: 'text', storage: 'jsonb' } },
    { trash: undefined },
  );
  const { body } = await ada.post('/definition/plan', { patch: off });
  const loss = body.data.changes.find(
    ({ path }: { path: string }) => path === 'objects.cars.trash',
  );
  expect(loss).toMatchObject({ effect: 'loses', rows: 1 });
  await world.apply(off, ['trash:cars']);
  expect(await world.rows('select from _trash')).toEqual([]);
});

test('for a longer time, when the object keeps them longer', async () => {
  const longer = documentOf(
    { gauge, extra: { type: 'text', storage: 'jsonb' } },
    { trash: { keep: '90d' } },
  );
  await world.apply(longer);
  const [row] = await world.rows(
    `select extract(day FROM kept_until - deleted_at)::integer as days from _trash`,
  );
  expect(row?.days).toBe(90);
});
