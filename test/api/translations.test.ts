// Names in several languages: discovery answers them by `Accept-Language` to clients that ask for it, and the first one
// to all others.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { parseAcceptLanguage } from '../../src/model/definition/texts.ts';
import type { Client } from '../client.ts';
import { ACME, openWorld, type World } from '../world.ts';

const GERMAN = mergePatch(ACME, {
  objects: {
    boats: {
      name: { en: 'Boats', de: 'Boote', 'de-AT': 'Schinakel' },
      singular_name: { en: 'Boat', de: 'Boot' },
      fields: { name: { name: { en: 'name', de: 'Name' }, section: { en: 'Hull', de: 'Rumpf' } } },
    },
    companies: {
      fields: {
        tier: {
          options: [{ value: 'gold', label: { en: 'Gold', de: 'Golden' } }, { value: 'silver' }],
        },
      },
    },
  },
  workflows: {
    pipeline: {
      name: { en: 'Pipeline', de: 'Ablauf' },
      statuses: { won: { name: { en: 'Won', de: 'Gewonnen' } } },
    },
  },
});

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const PATHS = [
  '/objects',
  '/objects/boats',
  '/objects/deals',
  '/objects/companies',
  '/workflows/pipeline',
];

async function answersOf(headers: Readonly<Record<string, string>>) {
  const answers = await Promise.all(PATHS.map((path) => ada.get(path, headers)));
  return answers.map(({ body, headers: told }) => [told.get('etag'), body]);
}

async function inLanguage(path: string, language: string) {
  const asked = `${path}${path.includes('?') ? '&' : '?'}localized=true`;
  return (await ada.get(asked, { 'accept-language': language })).body.data;
}

const fieldOf = (object: { fields: readonly { key: string }[] }, key: string) =>
  object.fields.find((field) => field.key === key);

test('a translation changes nothing for clients that do not ask, whatever their language is', async () => {
  const plan = (await ada.post('/definition/plan', { patch: GERMAN })).body.data;
  expect(plan.problems).toEqual([]);
  expect(plan.changes.map((one: { summary: string }) => one.summary)).toEqual([
    '~ workflow pipeline (name, statuses)',
    '~ field boats.name (section)',
    '~ translations of object companies (fields.tier.options.gold)',
    '~ translations of object boats (name, singular_name, fields.name.name, fields.name.section)',
  ]);
  for (const { effect, rows } of plan.changes) expect([effect, rows]).toEqual(['none', 0]);
  const before = await answersOf({ 'accept-language': 'de' });
  await world.apply(GERMAN);
  expect(await answersOf({ 'accept-language': 'de' })).toEqual(before);
  expect(await answersOf({})).toEqual(before);
});

describe('asked for', () => {
  test('objects, fields, options, relationships and sections are in the language', async () => {
    const objects = await inLanguage('/objects', 'de-CH,fr;q=0.9');
    const names = objects.map((one: { name: string; singular_name: string }) => one.name);
    expect(names).toContain('Boote');
    expect(names).toContain('Firmen');
    const boats = await inLanguage('/objects/boats?include=appearance', 'de');
    expect([boats.name, boats.singular_name]).toEqual(['Boote', 'Boot']);
    expect(fieldOf(boats, 'name')).toMatchObject({ name: 'Name', section: 'Rumpf' });
    expect(fieldOf(boats, 'created_at')).toMatchObject({ name: 'Angelegt am' });
    const companies = await inLanguage('/objects/companies', 'de');
    expect(fieldOf(companies, 'tier')).toMatchObject({
      options: [{ value: 'gold', label: 'Golden' }, { value: 'silver' }],
    });
    const labels = companies.relationships.map(
      ({ labels: [label] }: { labels: string[] }) => label,
    );
    expect(labels).toContain('Boote');
    const related = boats.relationships.map(
      ({ object }: { object: { name: string } }) => object.name,
    );
    expect(related).toContain('Firmen');
  });

  test('workflows and their statuses are, also as options', async () => {
    const { name, statuses } = await inLanguage('/workflows/pipeline', 'de');
    expect([name, statuses[0].name, statuses[0].transitions[0].name, statuses[1].name]).toEqual([
      'Ablauf',
      'Open',
      'Gewonnen',
      'Gewonnen',
    ]);
    const deals = await inLanguage('/objects/deals', 'de');
    expect(deals.workflow.name).toBe('Ablauf');
    expect(fieldOf(deals, 'status')).toMatchObject({
      options: [{ label: 'Open' }, { label: 'Gewonnen' }, { label: 'Lost' }],
    });
  });

  test.each([
    ['de-AT', 'Schinakel'],
    ['fr;q=0.9, en;q=0.3, de;q=0.4', 'Boote'],
    ['fr', 'Boats'],
    ['de;q=0, en', 'Boats'],
    ['*', 'Boats'],
    ['constructor, __proto__', 'Boats'],
  ])('with Accept-Language: %s, boats are %s', async (language, name) => {
    expect((await inLanguage('/objects/boats', language)).name).toBe(name);
  });
});

test.each([
  [undefined, []],
  ['', []],
  ['de-DE,de;q=0.9,en;q=0.8', ['de-de', 'de', 'en']],
  ['en;q=0.2,de;q=nonsense,fr', ['fr', 'en']],
])('%s is %j', (header, languages) => {
  expect(parseAcceptLanguage(header)).toEqual(languages);
});

test.each([
  [{ english: 'Boats' }, 'objects.boats.name.english'],
  [{}, 'objects.boats.name'],
  [{ en: 5 }, 'objects.boats.name.en'],
])('the name %j is refused', async (name, path) => {
  const patch = mergePatch(ACME, { objects: { boats: { name: null } } }) as typeof ACME;
  const wrong = {
    ...patch,
    objects: { ...patch.objects, boats: { ...patch.objects.boats, name } },
  };
  const { body } = await ada.post('/definition/plan', { patch: wrong });
  expect(body.data.problems.map((one: { path: string }) => one.path)).toContain(path);
});
