// Imports of comments: whose they are and when, which are refused and why, whom they notify, and that no
// run adds one twice.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../src/postgres/db.ts';
import {
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from './import-world.ts';

let world: ImportWorld;
let files: TestFiles;
let people: ReadonlyMap<unknown, number>;

beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
  const users = await world.table('_users');
  people = new Map(users.map(({ email, id }) => [String(email).split('@')[0], Number(id)]));
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});
beforeEach(async () => {
  const { schema } = world.workspace;
  for (const table of ['deals', '_comments', '_notifications', '_audit']) {
    await world.own.rows(`delete from "${schema}"."${table}"`);
  }
  const deals = files.put('d.csv', 'name,owner_user_id\nOne,\nTwo,\nTwin,\nTwin,\n');
  await world.run(deals, { objectType: 'deals' });
});

const issue = { field: 'record_id', lookup: { object_type: 'deals', field: 'name' } };
const MAPPING = {
  comments_on: 'deals',
  columns: {
    deal: issue,
    key: 'id',
    who: {
      field: 'author_user_id',
      user: 'email',
      values: { 'ben of old': 'ben@acme.test' },
      fallback: 'gone@acme.test',
    },
    text: 'body',
    said: 'created_at',
    edited: 'updated_at',
    told: { field: 'mention_user_ids', user: 'email', separator: ',' },
  },
};

const mapping = (content: object) => ({ mapping: files.put('m.yaml', JSON.stringify(content)) });
const put = (...rows: readonly object[]) =>
  files.put('c.jsonl', `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
const run = (...rows: readonly object[]) => world.run(put(...rows), mapping(MAPPING));

const counts = (report: object) => {
  const { read, created, updated, unchanged, rejected } = report as Record<string, number>;
  return { read, created, updated, unchanged, rejected };
};
const nothing = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 };
const reasons = () =>
  world.rejections
    .flatMap(({ row, problems }) =>
      problems.map(({ field, reason }) => [row.line, field, reason] as const),
    )
    .sort(([a], [b]) => a - b);

/** In the order in which they are listed. */
const comments = (): Promise<readonly Row[]> =>
  world.own.rows(`select c.*, d.name as deal from "${world.workspace.schema}"._comments c
    join "${world.workspace.schema}".deals d on d.id = c.record_id order by c.created_at, c.id`);

describe('written comments', () => {
  test('text, author and times of the file; its time decides the place of a comment', async () => {
    const { schema } = world.workspace;
    const said = '2020-02-01T10:00:00.000+0000';
    const report = await run(
      { deal: 'One', key: 3, who: 'ben@acme.test', text: 'third', said: '2020-03-01', told: '' },
      { deal: 'One', key: 1, who: 'BEN of old', text: 'unknown', said: '2020-01-01T10:00:00Z' },
      { deal: 'One', key: '2', who: 'ben of old', text: ' second\r\n', said, edited: '2021-01-01' },
      { deal: 'Two', key: '2', who: 'gone@acme.test', text: 'of another deal', said },
      { deal: 'Two', key: 'x', who: null, text: '😀', said: '' },
    );
    expect(report).toMatchObject({ ...nothing, read: 5, created: 5 });
    expect([report.object_type, report.rows_are]).toEqual(['deals', 'comments']);
    const all = await comments();
    expect(all.filter(({ deal }) => deal === 'One')).toMatchObject([
      {
        body: 'unknown',
        author_user_id: people.get('gone'),
        created_at: '2020-01-01T10:00:00.000Z',
        updated_at: '2020-01-01T10:00:00.000Z',
      },
      {
        body: ' second\r\n',
        author_user_id: people.get('ben'),
        created_at: '2020-02-01T10:00:00.000Z',
        updated_at: '2021-01-01T00:00:00.000Z',
        object_type: 'deals',
      },
      { body: 'third', author_user_id: people.get('ben'), created_at: '2020-03-01T00:00:00.000Z' },
    ]);
    const [old, fresh] = all.filter(({ deal }) => deal === 'Two');
    expect([old?.author_user_id, old?.body]).toEqual([people.get('gone'), 'of another deal']);
    expect([fresh?.author_user_id, fresh?.body]).toEqual([people.get('anna'), '😀']);
    expect(Date.parse(String(fresh?.created_at))).toBeGreaterThan(Date.now() - 60_000);
    const audit = await world.own.rows(
      `select * from "${schema}"._audit where action = 'comment' order by id`,
    );
    expect(audit).toHaveLength(5);
    for (const row of audit) {
      expect(row).toMatchObject({
        source: 'import',
        user_id: people.get('anna'),
        api_key_id: null,
      });
      expect(row.changed_fields).toEqual(['comments']);
    }
    expect(new Set(audit.map(({ batch_id }) => batch_id)).size).toBe(1);
    expect((await world.table('deals')).map(({ version }) => version)).toEqual([1, 1, 1, 1]);
  });

  test('CSV, a constant author, texts made of columns', async () => {
    const made = {
      comments_on: 'deals',
      columns: { deal: issue, said: 'created_at' },
      fields: {
        author_user_id: { constant: 'Gone', user: 'name' },
        body: { template: '{who}: {text}' },
      },
    };
    const file = files.put('c.csv', 'deal,said,who,text\nOne,2020-01-01,Kim,"Hello,\nthere"\n');
    expect(counts(await world.run(file, mapping(made)))).toEqual({
      ...nothing,
      read: 1,
      created: 1,
    });
    expect(await comments()).toMatchObject([
      { body: 'Kim: Hello,\nthere', author_user_id: people.get('gone') },
    ]);
  });
});

describe('a second run', () => {
  const rows = Array.from({ length: 130 }, (_, index) => ({
    deal: index % 2 === 0 ? 'One' : 'Two',
    key: `c${index}`,
    text: `Text ${index}`,
    said: `2020-01-01T00:00:${String(index % 60).padStart(2, '0')}Z`,
  }));

  test('leaves existing comments and adds new ones', async () => {
    expect(counts(await run(...rows))).toEqual({ ...nothing, read: 130, created: 130 });
    const before = [await comments(), await world.table('_audit')];
    const changed = rows.map((row) => ({ ...row, text: 'changed', told: 'anna@acme.test' }));
    expect(counts(await run(...changed))).toEqual({ ...nothing, read: 130, unchanged: 130 });
    expect([await comments(), await world.table('_audit')]).toEqual(before);
    expect(await world.table('_notifications')).toEqual([]);
    const more = { deal: 'One', key: 'new', text: 'More' };
    expect(await run(...rows, more)).toMatchObject({ created: 1, unchanged: 130 });
  });

  test('recognises comments without an id by record, author, time and text', async () => {
    const { key: _, ...columns } = MAPPING.columns;
    const plain = mapping({ ...MAPPING, columns });
    const one = { deal: 'One', who: 'ben@acme.test', text: '+1', said: '2020-01-01T00:00:00Z' };
    const others = [
      { ...one, deal: 'Two' },
      { ...one, who: 'anna@acme.test' },
      { ...one, text: '+2' },
      { ...one, said: '2020-01-01T00:00:01Z' },
    ];
    const file = put(one, one, ...others, { ...one, said: null });
    const report = await world.run(file, plain);
    expect(counts(report)).toEqual({ read: 7, created: 5, updated: 0, unchanged: 1, rejected: 1 });
    expect(reasons()).toEqual([
      [7, 'id', 'The value must not be empty when there is no created_at.'],
    ]);
    expect(await world.run(file, plain)).toMatchObject({ created: 0, unchanged: 6 });
  });

  test('of two processes at once adds each comment once', async () => {
    const file = put(...rows);
    const reports = await Promise.all([1, 2].map(() => world.run(file, mapping(MAPPING))));
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(130);
    expect(await comments()).toHaveLength(130);
    const audit = await world.table('_audit');
    expect(audit.filter(({ action }) => action === 'comment')).toHaveLength(130);
  });

  test('a dry run reports the result and writes no row', async () => {
    await run(...rows.slice(0, 10));
    const before = [await comments(), await world.table('_audit')];
    const file = put(...rows, { ...rows[50], text: 'again' }, { deal: 'One', key: 'y', text: '' });
    const dry = await world.run(file, { ...mapping(MAPPING), dryRun: true });
    const dryReasons = reasons();
    expect([await comments(), await world.table('_audit')]).toEqual(before);
    const real = await world.run(file, mapping(MAPPING));
    expect(counts(real)).toEqual({
      read: 132,
      created: 120,
      updated: 0,
      unchanged: 11,
      rejected: 1,
    });
    expect(counts(dry)).toEqual(counts(real));
    expect(reasons()).toEqual(dryReasons);
  });
});

describe('refused', () => {
  test('texts that are none, too long, or cannot be stored; the others are written', async () => {
    const texts = [
      ...Array.from({ length: 120 }, (_, index) => `Good ${index}`),
      '',
      ' \u00a0\n\u2003',
      '😀'.repeat(10_001),
      '😀'.repeat(10_000),
      'a\u0000',
      'a\ud800',
      null,
      { a: 1 },
    ];
    const report = await run(...texts.map((text, key) => ({ deal: 'One', key, text })));
    expect(counts(report)).toEqual({ ...nothing, read: 128, created: 121, rejected: 7 });
    const unstorable = 'The text must not contain U+0000 or lone surrogates.';
    expect(reasons()).toEqual([
      [121, 'body', 'The comment must not be empty.'],
      [122, 'body', 'The comment must not be white space only.'],
      [123, 'body', 'The comment has 10001 characters; it can have 10000 at most.'],
      [125, 'body', unstorable],
      [126, 'body', unstorable],
      [127, 'body', 'The comment must not be empty.'],
      [128, 'body', 'The value must be text.'],
    ]);
  });

  test('records, people, ids and times that are none', async () => {
    const plain = { comments_on: 'deals', columns: { ...MAPPING.columns, deal: 'record_id' } };
    const good = { key: 1, text: 'x' };
    await world.run(
      put(
        { ...good, deal: '01900000-0000-7000-8000-00000000000a' },
        { ...good, deal: 'Nobody' },
        good,
      ),
      mapping(plain),
    );
    expect(reasons()).toEqual([
      [1, 'record_id', 'There is no such record.'],
      [2, 'record_id', 'No Deal has the name "Nobody".'],
      [3, 'record_id', 'The value must not be empty.'],
    ]);
    await run(
      { deal: 'Nowhere', key: 1, text: 'x' },
      { deal: 'Twin', key: 1, text: 'x' },
      { deal: 'One', key: 1, text: 'x', said: 'yesterday' },
      { deal: 'One', key: '', text: 'x' },
      { deal: 'One', key: 1, text: 'x', told: 'ben@acme.test,gone@acme.test' },
    );
    expect(reasons()).toEqual([
      [1, 'record_id', 'No Deal has the name "Nowhere".'],
      [2, 'record_id', 'More than one Deal has the name "Twin".'],
      [3, 'created_at', expect.stringContaining('The value must be')],
      [4, 'id', 'The value must not be empty when there is no created_at.'],
      [5, 'mention_user_ids', 'Only active members of the workspace can be mentioned.'],
    ]);
    expect(await comments()).toEqual([]);
  });

  test('numbers in JSON whose digits are lost, and ids that are objects', async () => {
    await world.run(files.put('d.csv', 'name\nInfinity\n'), { objectType: 'deals' });
    const file = files.put(
      'c.jsonl',
      [
        '{"deal":"One","key":1234567890123456789,"text":"a"}',
        '{"deal":"One","key":1234567890123456790,"text":"b"}',
        '{"deal":"One","key":{"$oid":"507f"},"text":"c"}',
        '{"deal":12345678901234567890,"key":"d","text":"d"}',
        '{"deal":"One","key":"1234567890123456789","text":"e"}',
        '{"deal":"One","key":7,"text":"f"}',
        '{"deal":"One","key":"g","text":[12345678901234567890]}',
      ].join('\n'),
    );
    const report = await world.run(file, mapping(MAPPING));
    expect(counts(report)).toEqual({ ...nothing, read: 7, created: 2, rejected: 5 });
    const lost = 'The value must have at most 15 significant digits and be below 1e15.';
    expect(reasons()).toEqual([
      [1, 'id', lost],
      [2, 'id', lost],
      [3, 'id', 'The value must be text.'],
      [4, 'record_id', lost],
      [7, 'body', lost],
    ]);
  });

  test('a broken line, with one reason', async () => {
    const file = files.put('c.csv', 'deal,key,who,text,said,edited,told\nOne,1,x\n');
    await world.run(file, mapping(MAPPING));
    expect(reasons()).toEqual([[2, '', 'The row has 3 columns, the header has 7.']]);
  });

  test('ids of people who are not there, among comments that are fine', async () => {
    const columns = { ...MAPPING.columns, who: 'author_user_id', told: 'mention_user_ids' };
    const bad = 999_999;
    const file = put(
      { deal: 'One', key: 1, text: 'x', who: people.get('gone') },
      { deal: 'One', key: 2, text: 'x', who: bad },
      { deal: 'One', key: 3, text: 'x', told: [people.get('ben'), bad] },
      { deal: 'One', key: 4, text: 'x', told: [people.get('gone')] },
      { deal: 'One', key: 5, text: 'x', told: Array.from({ length: 21 }, (_, id) => id + 1) },
      { deal: 'One', key: 6, text: 'x', told: ['ben'] },
      { deal: 'One', key: 7, text: 'x', told: [people.get('ben'), people.get('ben')] },
    );
    expect(await world.run(file, mapping({ ...MAPPING, columns }))).toMatchObject({ created: 2 });
    const inactive = 'Only active members of the workspace can be mentioned.';
    expect(reasons()).toEqual([
      [2, 'author_user_id', 'There is no such user.'],
      [3, 'mention_user_ids', inactive],
      [4, 'mention_user_ids', inactive],
      [5, 'mention_user_ids', 'A comment can mention 20 people at most.'],
      [6, 'mention_user_ids', 'The value must be a list of users.'],
    ]);
  });
});

test('mentions notify those who can read the record, at the time of the comment', async () => {
  const { schema } = world.workspace;
  await world.own.rows(`update "${schema}".deals set owner_user_id = $1 where name = 'Two'`, [
    people.get('ben'),
  ]);
  const told = { ...MAPPING.columns.told, values: { Ben: 'ben@acme.test' }, fallback: null };
  const columns = { ...MAPPING.columns, told };
  const said = '2020-01-01T00:00:00Z';
  const file = put(
    { deal: 'One', key: 1, text: 'x', said, told: 'anna@acme.test, Ben , Ben' },
    { deal: 'Two', key: 2, text: 'x', said, told: ['Ben', 'somebody', null], who: 'Ben' },
  );
  const report = await world.run(file, mapping({ ...MAPPING, columns }));
  expect(counts(report)).toEqual({ ...nothing, read: 2, created: 2 });
  const notified = await world.own.rows(
    `select n.*, d.name as deal from "${schema}"._notifications n
      join "${schema}".deals d on d.id = n.record_id
      join "${schema}"._comments c on c.id = n.comment_id order by deal`,
  );
  const at = { created_at: '2020-01-01T00:00:00.000Z', read_at: null, object_type: 'deals' };
  expect(notified).toMatchObject([
    { deal: 'One', user_id: people.get('anna'), author_user_id: people.get('anna'), ...at },
    { deal: 'Two', user_id: people.get('ben'), author_user_id: people.get('gone'), ...at },
  ]);
  expect(notified).toHaveLength(2);
});
