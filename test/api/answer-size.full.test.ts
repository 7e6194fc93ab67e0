// Pages of records with very long texts: they have fewer rows than they could, and the next page continues after the
// last one. The test measures characters of answers, not time.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadJobs } from '../../src/control/jobs/jobs.ts';
import { LIMITS } from '../../src/limits.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { type Answer, type Client, refusalOf } from '../client.ts';
import { ACME, openWorldWith, type World } from '../world.ts';

const TEXTS = Array.from({ length: LIMITS.selectedFields }, (_, at) => `text_${at}`);
const longTexts = (words: object = {}) =>
  Object.fromEntries(TEXTS.map((key) => [key, { type: 'long_text', ...words }]));

const DOCUMENT = mergePatch(ACME, {
  objects: {
    writers: {
      ...{ name: 'Writers', singular_name: 'Writer', display_field: 'name' },
      fields: { name: { type: 'text' }, ...longTexts() },
    },
    novels: {
      ...{ name: 'Novels', singular_name: 'Novel', display_field: 'name' },
      fields: {
        name: { type: 'text' },
        writer_id: { type: 'reference', reference_object_type: 'writers' },
        editor_id: { type: 'reference', reference_object_type: 'writers' },
        ...longTexts(),
      },
    },
    scrolls: {
      ...{ name: 'Scrolls', singular_name: 'Scroll', display_field: 'title' },
      fields: {
        title: { type: 'long_text', searchable: true },
        kind: { type: 'text' },
        ...longTexts({ storage: 'jsonb' }),
      },
    },
  },
});
const NOVELS = 12;
const CHARACTERS = 30_000;
/** The characters around the texts. */
const SLACK = 100_000;

let world: World;
let ada: Client;
let writers: readonly string[];

beforeAll(async () => {
  world = await openWorldWith(DOCUMENT as object);
  ada = await world.as('ada');
  writers = await fill('writers', 4, (at) => ({ name: `W${at}`, ...textsOf(CHARACTERS) }));
  await fill('novels', NOVELS, (at) => ({
    name: `N${String(at).padStart(2, '0')}`,
    writer_id: writers[at % 4],
    editor_id: writers[0],
    ...textsOf(at === 7 ? 100 : CHARACTERS),
  }));
});
afterAll(() => world.close());

const textsOf = (length: number, letter = 'a') =>
  Object.fromEntries(TEXTS.map((key) => [key, letter.repeat(length)]));

async function fill(object: string, count: number, fieldsOf: (at: number) => object) {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const { status, body } = await ada.post(`/objects/${object}/records`, { fields: fieldsOf(at) });
    expect(status).toBe(201);
    ids.push(body.data.id);
  }
  return ids;
}

const charactersOf = ({ body }: Answer) => JSON.stringify(body).length;

/** All pages of a question; each is small enough. */
async function walk(ask: (cursor: string | undefined) => Promise<Answer>, most: number) {
  const pages: Answer['body'][] = [];
  let cursor: string | undefined;
  do {
    const answer = await ask(cursor);
    expect(answer.status).toBe(200);
    expect(charactersOf(answer)).toBeLessThan(most + SLACK);
    pages.push(answer.body);
    cursor = answer.body.pagination.next_cursor ?? undefined;
    expect(answer.body.pagination.has_more).toBe(cursor !== undefined);
  } while (cursor !== undefined);
  return pages;
}

const namesIn = (pages: readonly Answer['body'][]) =>
  pages.flatMap(({ data }) => data.map((one: { display: string }) => one.display));
const NAMES = Array.from({ length: NOVELS }, (_, at) => `N${String(at).padStart(2, '0')}`);

describe('a page has as many rows as an answer may have', () => {
  test.each(['list', 'search', 'query'])('%s', async (endpoint) => {
    const pages = await walk((cursor) => {
      const at = cursor === undefined ? {} : { cursor };
      if (endpoint !== 'list') {
        const sort = [{ field: 'name' }];
        const body = { fields: TEXTS, sort, limit: 100, ...at };
        return ada.post(`/objects/novels/records/${endpoint}`, body);
      }
      const query = { fields: TEXTS.join(), sort: 'name', limit: '100', ...at };
      return ada.get(`/objects/novels/records?${new URLSearchParams(query)}`);
    }, LIMITS.answerBytes);
    expect(namesIn(pages)).toEqual(NAMES);
    // 600 kB each, of one 2 kB.
    expect(pages.map(({ data }) => data.length)).toEqual([6, 6]);
    expect(pages[0].pagination.limit).toBe(100);
    const all = pages.flatMap(({ data }) => data);
    for (const { fields } of all) expect(Object.values(fields)).not.toContain(null);
  });

  test('newest first, where pages of many requests share a statement', async () => {
    const path = `/objects/novels/records?limit=100&fields=${TEXTS.join()}`;
    const asked = await Promise.all(Array.from({ length: 5 }, () => ada.get(path)));
    for (const { body } of asked) expect(namesIn([body])).toEqual(NAMES.toReversed().slice(0, 7));
  });

  test('an expanded record counts as often as it is shown', async () => {
    const fields = TEXTS.map((key, at) => `${at % 2 === 0 ? 'writer_id' : 'editor_id'}.${key}`);
    const expand = ['writer_id', 'editor_id'];
    const pages = await walk((cursor) => {
      const body = { fields, expand, sort: [{ field: 'name' }], limit: 100, cursor: cursor ?? '' };
      return ada.post('/objects/novels/records/query', body);
    }, LIMITS.answerBytes);
    expect(namesIn(pages)).toEqual(NAMES);
    for (const { expanded } of pages.flatMap(({ data }) => data)) {
      expect(expanded.writer_id.fields.text_0).toHaveLength(CHARACTERS);
    }
  });

  test('people with very many teams: on their own pages, and next to records', async () => {
    const name = '語'.repeat(200);
    await world.database.rows(
      `with made as (insert into ws_acme._teams (name)
          select $1::text || place from generate_series(1, 1000) place returning id),
        people as (insert into ws_acme._users (email, name, kind, active)
          select 'p' || place || '@acme.example', 'P' || place, 'user', true
          from generate_series(1, 20) place returning id)
        insert into ws_acme._team_members (team_id, user_id) select m.id, p.id from made m, people p`,
      [name.slice(0, 190)],
    );
    const pages = await walk((cursor) => {
      return ada.get(`/users?${new URLSearchParams({ limit: '100', ...(cursor && { cursor }) })}`);
    }, LIMITS.answerBytes);
    expect(pages.length).toBeGreaterThan(2);
    const people = pages.flatMap(({ data }) => data);
    expect(new Set(people.map(({ id }) => id)).size).toBe(people.length);
    const many = people.filter(({ name: given }) => /^P\d/.test(given));
    expect(many.map(({ teams }) => teams.length)).toEqual(Array(20).fill(1000));
    const ids = await world.rows(`select id from writers order by id`);
    for (const [at, { id }] of ids.entries()) {
      const owner_user_id = many[at].id;
      await ada.patch(`/objects/writers/records/${id}`, { fields: { owner_user_id } });
    }
    const owned = await walk((cursor) => {
      const body = { expand: ['owner_user_id'], limit: 100, cursor: cursor ?? '' };
      return ada.post('/objects/writers/records/query', body);
    }, LIMITS.answerBytes);
    const shown = owned.flatMap(({ data }) => data);
    expect(shown.map(({ expanded }) => expanded.owner_user_id.teams.length)).toEqual(
      Array(4).fill(1000),
    );
  });

  test('the count is of all', async () => {
    const { body } = await ada.post('/objects/novels/records/query', {
      ...{ fields: TEXTS, limit: 100, count: 'exact' },
    });
    expect([body.count.value, body.data.length]).toEqual([NOVELS, 7]);
  });

  test('one budget for all questions of a request', async () => {
    const question = { object_type: 'novels', fields: TEXTS.slice(0, 3), limit: 100 };
    const queries = Array(10).fill(question);
    const answer = await ada.post('/query', { queries });
    expect(charactersOf(answer)).toBeLessThan(LIMITS.answerBytes + SLACK);
    for (const page of answer.body.data) {
      expect(page.data).toHaveLength(5);
      expect(page.pagination.has_more).toBe(true);
      const next = { ...question, cursor: page.pagination.next_cursor };
      const { body } = await ada.post('/query', { queries: [next] });
      expect(namesIn([body.data[0]])).toEqual(NAMES.toReversed().slice(5));
    }
  });
});

test('a list of jobs does not read their inputs, but for the short parts', async () => {
  const { db, rows } = world.database;
  await rows(`insert into workspace_records.jobs (id, workspace_id, kind, input, run_after)
    select gen_random_uuid(), id, 'export', jsonb_build_object('object_type', 'novels',
      'where', repeat('x', 500000), 'query', jsonb_build_object('a', repeat('y', 500000))),
      now() + interval '1 day'
    from workspace_records.workspaces, (select generate_series(1, 9)) n where slug = 'acme'`);
  const [acme] = await rows(`select id from workspace_records.workspaces where slug = 'acme'`);
  const jobs = await loadJobs(
    db,
    { workspace_id: Number(acme?.id) },
    { before: undefined, limit: 100 },
  );
  expect(jobs).toHaveLength(9);
  expect(JSON.stringify(jobs).length).toBeLessThan(9000);
  const { body } = await ada.get('/jobs');
  expect(body.data[0].about).toEqual({ object_type: 'novels' });
});

describe('long display values and values in custom_fields', () => {
  const TITLES = 30;
  const titleOf = (at: number) => `scroll ${at} ${'語'.repeat(48_000)}`;

  beforeAll(async () => {
    await fill('scrolls', TITLES, (at) => ({ title: titleOf(at), kind: `K${at % 2}` }));
  });

  test('groups', async () => {
    const pages = await walk((cursor) => {
      const metrics = [
        { name: 'most', op: 'max', field: 'title' },
        { name: 'least', op: 'min', field: 'title' },
      ];
      const body = { group_by: ['title'], metrics, limit: 100, cursor: cursor ?? '' };
      return ada.post('/objects/scrolls/records/aggregate', body);
    }, LIMITS.answerBytes);
    const groups = pages.flatMap(({ data }) => data);
    expect(groups.map(({ title, least }) => [title, least])).toEqual(
      Array.from({ length: TITLES }, (_, at) => [titleOf(at), titleOf(at)]),
    );
    expect(pages.length).toBeGreaterThan(2);
  });

  test('custom_fields are read as a whole, and measured so', async () => {
    // Random, so that PostgreSQL cannot compress it much.
    const text = () => Array.from({ length: 5000 }, () => Math.random().toString(36)).join('');
    const fields = () => Object.fromEntries(TEXTS.map((key) => [key, text().slice(0, 50_000)]));
    const custom_fields = fields();
    const made = await fill('scrolls', 5, () => ({ title: 'zz', custom_fields }));
    const pages = await walk((cursor) => {
      const where = { field: 'title', op: 'eq', value: 'zz' };
      const body = { fields: ['text_3'], where, limit: 50, cursor: cursor ?? '' };
      return ada.post('/objects/scrolls/records/query', body);
    }, LIMITS.answerBytes);
    const all = pages.flatMap(({ data }) => data);
    expect(new Set(all.map(({ id }) => id))).toEqual(new Set(made));
    expect(pages.length).toBeGreaterThan(1);
    for (const one of all) expect(one.fields.custom_fields.text_3).toBe(custom_fields.text_3);
  });

  test('a record that is larger than an answer may be is refused until fewer fields are named', async () => {
    const [id] = await fill('scrolls', 1, () => ({ title: 'huge' }));
    const own = `/objects/scrolls/records/${id}`;
    const put = (letter: string, others = 0) =>
      world.rows(
        `update ws_acme.scrolls set custom_fields = (select jsonb_object_agg(key, repeat($2, $3))
          from (select unnest($4::text[]) as key) k) || jsonb_build_object('gone', repeat('x', $5)) where id = $1`,
        [id, letter, LIMITS.longTextLength, TEXTS, others],
      );
    // Large, but no larger than an answer may be.
    await put('😀');
    const { body } = await ada.get(own);
    expect(body.data.fields.custom_fields.text_19).toBe('😀'.repeat(LIMITS.longTextLength));
    await put('😀', 1_000_000);
    const refused = [400, 'validation_failed', 'fields'];
    const where = { field: 'title', op: 'eq', value: 'huge' };
    const question = { fields: ['text_0'], where };
    expect(refusalOf(await ada.get(own))).toEqual(refused);
    expect(refusalOf(await ada.post('/objects/scrolls/records/query', question))).toEqual(refused);
    const queries = [
      { object_type: 'scrolls', limit: 1 },
      { object_type: 'scrolls', ...question },
    ];
    expect(refusalOf(await ada.post('/query', { queries }))).toEqual([
      ...[400, 'validation_failed', 'queries[1].fields'],
    ]);
    expect((await ada.get(`${own}?fields=title`)).body.data.fields).toEqual({ title: 'huge' });
    expect(
      (await ada.get('/objects/scrolls/records/0193f7a2-0000-7000-8000-000000000000')).status,
    ).toBe(404);
  });

  test('hits of a search that do not fit are refused with the name of their number', async () => {
    expect(refusalOf(await ada.get('/search?q=scroll&limit=30'))).toEqual([
      ...[400, 'validation_failed', 'limit'],
    ]);
    const { status, body } = await ada.get('/search?q=scroll&limit=20');
    expect([status, body.data.length]).toEqual([200, 20]);
  });
});
