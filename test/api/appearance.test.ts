// The appearance of options, statuses and fields: clients get it on request, and an answer without that is the same
// whatever colours and sections the definition has.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { ACME, openWorld, type World } from '../world.ts';

const TINTED = mergePatch(ACME, {
  objects: {
    companies: {
      ...{ icon: 'truck', listed: false },
      fields: {
        tier: {
          section: 'Standing',
          options: [{ value: 'gold', label: 'Gold', color: 'yellow' }, { value: 'silver' }],
        },
        note: { section: 'Standing' },
      },
    },
    deals: {
      fields: { tags: { options: [{ value: 'new' }, { value: 'hot', color: 'red' }] } },
    },
  },
  workflows: { pipeline: { statuses: { won: { color: 'green' } } } },
});

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const PATHS = ['/objects', '/objects/companies', '/objects/deals', '/workflows/pipeline'];

/** Answers with their tags, which depend on every byte of a body. */
async function answersOf(client: Client) {
  const answers = await Promise.all(PATHS.map((path) => client.get(path)));
  return answers.map(({ body, headers }) => [headers.get('etag'), body]);
}

async function fieldOf(objectType: string, key: string) {
  const { body } = await ada.get(`/objects/${objectType}?include=appearance`);
  return body.data.fields.find((field: { key: string }) => field.key === key);
}

async function statusColours() {
  const { body } = await ada.get('/workflows/pipeline?include=appearance');
  return body.data.statuses.map(({ id, color }: { id: string; color: string }) => [id, color]);
}

test('without colours in the definition, they follow from positions', async () => {
  expect((await fieldOf('companies', 'tier')).options).toEqual([
    { value: 'gold', label: 'Gold', color: 'blue' },
    { value: 'silver', color: 'orange' },
  ]);
  expect((await fieldOf('companies', 'note')).section).toBe(null);
  expect(await statusColours()).toEqual([
    ['open', 'gray'],
    ['won', 'blue'],
    ['lost', 'orange'],
  ]);
});

test('others than that are changes without an effect on values', async () => {
  const { body } = await ada.post('/definition/plan', { patch: TINTED });
  const { changes, problems } = body.data;
  expect(problems).toEqual([]);
  expect(changes.map((one: { summary: string }) => one.summary)).toEqual([
    '~ workflow pipeline (statuses)',
    '~ object companies (icon, listed)',
    '~ field companies.tier (section, colors)',
    '~ field companies.note (section)',
    '~ field deals.tags (colors)',
  ]);
  for (const { effect, rows, allow } of changes)
    expect([effect, rows, allow]).toEqual(['none', 0, null]);
});

test('an answer without `include` is byte for byte the same with them', async () => {
  const before = await answersOf(ada);
  await world.apply(TINTED);
  expect(await answersOf(ada)).toEqual(before);

  expect((await fieldOf('companies', 'tier')).options).toEqual([
    { value: 'gold', label: 'Gold', color: 'yellow' },
    { value: 'silver', color: 'orange' },
  ]);
  expect((await fieldOf('companies', 'note')).section).toBe('Standing');
  expect(await statusColours()).toEqual([
    ['open', 'gray'],
    ['won', 'green'],
    ['lost', 'orange'],
  ]);
  const { options } = await fieldOf('deals', 'status');
  expect(options).toEqual([
    { value: 'open', label: 'Open', color: 'gray' },
    { value: 'won', label: 'Won', color: 'green' },
    { value: 'lost', label: 'Lost', color: 'orange' },
  ]);
});

test('an object has its icon, and whether applications list it', async () => {
  const { body } = await ada.get('/objects?include=appearance');
  const looks = body.data.map(({ object_type, icon, listed }: ObjectLook) => [
    object_type,
    [icon, listed],
  ]);
  expect(Object.fromEntries(looks)).toMatchObject({
    companies: ['truck', false],
    deals: [null, true],
  });
  const items = body.data.find(({ object_type }: ObjectLook) => object_type === 'work_items');
  expect(items.work_item_types).toBeInstanceOf(Array);
  const { body: one } = await ada.get('/objects/companies?include=appearance');
  expect([one.data.icon, one.data.listed]).toEqual(['truck', false]);
});

interface ObjectLook {
  readonly object_type: string;
  readonly icon: string | null;
  readonly listed: boolean;
}

test('another value of `include` is refused', async () => {
  const { status, body } = await ada.get('/objects/deals?include=everything');
  expect([status, body.error.code, body.error.param]).toEqual([
    400,
    'validation_failed',
    'include',
  ]);
});
