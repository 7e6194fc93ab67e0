// Sorts have texts in the order of the workspace's language, numbers in them by value; ranges go by code points (D377).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { exported, restored } from '../moved-workspace.ts';
import { compareTexts } from '../random-records.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const WORDS = {
  objects: {
    words: {
      ...{ name: 'Words', singular_name: 'Word', owned: false, display_field: 'word' },
      fields: {
        word: { type: 'text', indexed: true },
        plain: { type: 'text' },
        long: { type: 'long_text' },
        code: { type: 'text', unique: true },
      },
    },
  },
};
const TEXTS = [
  ...['Zebra', 'apple', 'Apfel', 'Äpfel', 'ähnlich', 'Öl', 'o', 'å', 'z', 'e', 'é', 'E', 'É'],
  ...[
    '10 Downing',
    '9 Elms',
    'TASK-10',
    'TASK-9',
    'a 2',
    'a 10',
    'a 02',
    '😀',
    'ch',
    'c',
    'cz',
    'h',
  ],
];
const DOCUMENT = mergePatch(ACME, WORDS);

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT as object);
  ada = await world.as('ada');
  const values = [...TEXTS, null];
  const operations = values.map((word, at) => ({
    action: 'create',
    fields: {
      word,
      plain: word,
      code: word,
      long: word === null ? null : `${word} ${'x'.repeat(300)} ${at % 3}`,
    },
  }));
  const { status } = await ada.post('/objects/words/records/batch', { operations });
  expect(status).toBe(200);
});
afterAll(() => world?.close());

async function walk(sort: string, limit: number, more = ''): Promise<readonly unknown[]> {
  const key = sort.replace('-', '');
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const { status, body } = await ada.get(
      `/objects/words/records?sort=${sort}&fields=${key}&limit=${limit}&cursor=${cursor}${more}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    seen.push(...body.data.map((one: { fields: Record<string, unknown> }) => one.fields[key]));
    cursor = body.pagination.next_cursor ?? '';
  } while (cursor !== '');
  return seen;
}

const sortedBy = (locale: string) => {
  const { compare } = new Intl.Collator(locale, { numeric: true });
  return TEXTS.toSorted((one, other) => compare(one, other) || compareTexts(one, other));
};

/** Answers the lines of the plan. */
async function apply(sort_locale: string): Promise<readonly string[]> {
  const document = mergePatch(DOCUMENT, { sort_locale });
  const { changes } = await planDefinition(world.database.db, 'acme', document);
  await world.apply(document);
  return changes.map(({ summary }) => summary);
}

const indexes = () =>
  world.database.rows(
    `select substring(indexdef from 'words USING btree \\((\\w+ COLLATE [^,]*|\\w+), id') as key from pg_indexes
      where schemaname = 'ws_acme' and tablename = 'words' and indexdef ~ '\\((word|code)( COLLATE [^,]*)?, id' order by 1`,
  );

describe.each(['word', 'plain', 'code'])('by %s', (key) => {
  test.each([1, 4, 100])('in pages of %i, nulls last in both directions', async (limit) => {
    const ascending = sortedBy('en');
    expect(await walk(key, limit)).toEqual([...ascending, null]);
    expect(await walk(`-${key}`, limit)).toEqual([...ascending.toReversed(), null]);
  });
});

test('long texts of a cursor are found again', async () => {
  const ascending = await walk('long', 100);
  expect(ascending.slice(0, -1)).toEqual(
    ascending.slice(0, -1).toSorted((one, other) => compareTexts(String(one), String(other))),
  );
  expect(await walk('long', 3)).toEqual(ascending);
});

test('ranges are in code points', async () => {
  expect(await walk('word', 100, '&filter[word][gte]=a&filter[word][lt]=b')).toEqual([
    ...['a 02', 'a 2', 'a 10', 'apple'],
  ]);
});

test('groups, min and max are in the order of sorts', async () => {
  const path = '/objects/words/records/aggregate';
  const metrics = [{ name: 'n', op: 'count' }];
  const groups: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const asked: object = { group_by: ['word'], metrics, limit: 7, cursor };
    const { body } = await ada.post(path, asked);
    groups.push(...body.data.map(({ word }: { word: unknown }) => word));
    cursor = body.pagination.next_cursor;
  }
  expect(groups).toEqual([...sortedBy('en'), null]);
  const ends = ['min', 'max'].map((op) => ({ name: op, op, field: 'word' }));
  const { body } = await ada.post(path, { metrics: ends });
  expect(body.data).toEqual([{ min: sortedBy('en')[0], max: sortedBy('en').at(-1) }]);
});

describe('another language', () => {
  test.each([
    ['sv', 'sv'],
    ['cs', 'cs'],
    ['de-u-co-phonebk', 'de-u-co-phonebk'],
    ['de-u-kf-upper', 'de-u-kf-upper'],
  ])('%s', async (locale, oracle) => {
    const changes = await apply(locale);
    expect(changes[0]).toMatch(new RegExp(`^~ order of texts \\(.* -> ${locale}\\)$`));
    expect(changes).toContain('~ index of field words.word (order of texts)');
    expect(changes).toContain('~ index of field words.code (order of texts)');
    expect(await walk('word', 4)).toEqual([...sortedBy(oracle), null]);
    expect(await walk('-word', 4)).toEqual([...sortedBy(oracle).toReversed(), null]);
  });

  test('ends the cursors of the one before', async () => {
    const asked = '/objects/words/records?sort=word&limit=3';
    const groups = { group_by: ['word'], metrics: [{ name: 'n', op: 'count' }], limit: 3 };
    const path = '/objects/words/records/aggregate';
    const { next_cursor } = (await ada.get(asked)).body.pagination;
    const { next_cursor: ofGroups } = (await ada.post(path, groups)).body.pagination;
    await apply('fi');
    const answers = [
      await ada.get(`${asked}&cursor=${next_cursor}`),
      await ada.post(path, { ...groups, cursor: ofGroups }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.error.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  test('or none: by code points', async () => {
    await apply('code_points');
    const bytes = TEXTS.toSorted((one, other) =>
      Buffer.compare(Buffer.from(one), Buffer.from(other)),
    );
    expect(await walk('word', 4)).toEqual([...bytes, null]);
    expect(await walk('-long', 4)).toEqual(await walk('-long', 100));
  });

  test('the indexes are those of the order, and no others', async () => {
    expect(await indexes()).toEqual([{ key: 'code' }, { key: 'word' }]);
    await apply('sv');
    const key = (name: string) => ({ key: `${name} COLLATE workspace_records."sv-u-kn-true"` });
    expect(await indexes()).toEqual([key('code'), key('word')]);
    expect(await apply('sv')).toEqual([]);
  });

  test('goes with a file', async () => {
    const own = world.database;
    const { file } = await exported(own, 'acme');
    await restored(own, file, { slug: 'copy' });
    const rows = await own.rows(
      `select count(*)::integer as n from pg_indexes where schemaname = 'ws_copy' and indexdef like '%sv-u-kn-true%'`,
    );
    expect(Number(rows[0]?.n)).toBeGreaterThan(2);
  });

  test('that does not exist, or is written differently, is refused', async () => {
    for (const sort_locale of [
      'xx',
      'de_DE',
      'DE',
      'de-u',
      'de-u-ks-level1',
      'de-u-co-nowhere',
      '',
    ]) {
      await expect(apply(sort_locale), sort_locale).rejects.toThrow('sort_locale');
    }
  });
});
