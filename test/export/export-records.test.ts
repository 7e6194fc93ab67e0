// The content of an export: the requested rows, in the requested order, as they were at one moment, and no more than
// the person may read.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportRecords, type RecordExport } from '../../src/export/export-records.ts';
import { type ExportWorld, openExportWorld } from './export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await openExportWorld();
});
afterAll(() => world?.close());

const filter = (...path: readonly string[]) => {
  const [field = '', second = '', value] = path;
  const parts = value === undefined ? [field] : [field, second];
  const param = `filter${parts.map((part) => `[${part}]`).join('')}`;
  return { param, path: parts, value: value ?? second };
};

test('filters, fields and order are those of the API', async () => {
  const asked: Partial<RecordExport> = {
    filters: [filter('a_integer', 'gte', '0'), filter('status', 'in', 'new,built')],
    fields: ['a_integer', 'custom_fields.x_integer', 'status', 'a_integer'],
    sort: [{ param: 'sort', field: 'a_integer', direction: 'desc' }],
  };
  expect(await world.text('gadgets', asked)).toBe(
    'a_integer,custom_fields.x_integer,status\n2147483647,2147483647,new\n0,0,built\n0,0,new\n',
  );
  expect(await world.text('gadgets', { ...asked, filters: [filter('a_integer', '7')] })).toBe(
    'a_integer,custom_fields.x_integer,status\n',
  );
  expect(await world.text('parts', { text: 'BOL', fields: ['label'] })).toBe('label\nBolt\n');
  expect(await world.text('parts', { fields: ['weight'] })).toBe('weight\n""\n-5\n');
});

test.each([
  ['x_integer', 'csv', '2147483647'],
  ['x_integer', 'jsonl', '{"custom_fields":{"x_integer":2147483647}}'],
  ['x_level', 'csv', '""'],
  ['x_level', 'jsonl', '{"custom_fields":{"x_level":null}}'],
] as const)('the custom field %s alone, as %s', async (field, format, line) => {
  const text = await world.text('gadgets', {
    format,
    filters: [filter('a_integer', '2147483647')],
    fields: [`custom_fields.${field}`],
  });
  const header = format === 'csv' ? `custom_fields.${field}\n` : '';
  expect(text).toBe(`${header}${line}\n`);
});

test.each<readonly [string, Partial<RecordExport>, string]>([
  [
    'gadgets',
    {
      filters: [filter('a_integer', 'gte', 'x'), filter('nothing', '1'), filter('x_text', '1')],
      fields: ['name', 'foo'],
      sort: [{ param: 'sort', field: 'a_json', direction: 'asc' }],
    },
    'filter[a_integer][gte]: The value must be a number.\n' +
      'filter[nothing]: There is no field "nothing".\n' +
      'filter[x_text]: The field is stored as jsonb and can only be read and written. ' +
      'Declare it with "storage: physical" in the definition to filter, sort or group by it.\n' +
      'sort: A json field cannot be sorted by.\n' +
      'fields: There is no field "foo".',
  ],
  [
    'gadgets',
    { filters: [filter('name', 'like', 'x')] },
    'filter[name][like]: The operator must be one of eq, ne, lt, lte, gt, gte, in, is_null.',
  ],
  ['fittings', { text: 'x' }, 'query: This object type has no display field to search in.'],
  ['gadget', {}, 'There is no object type "gadget". Did you mean "gadgets"?'],
  [
    'parts',
    { as: 'nobody@sample.test' },
    'There is no user "nobody@sample.test" in the workspace "sample".',
  ],
  ['parts', { as: 'ian@sample.test' }, 'ian@sample.test is not active.'],
  ['parts', { as: 'dora@sample.test', filters: [filter('label', 'x')] }, ''],
  ['ledgers', { as: 'dora@sample.test' }, 'There is no object type "ledgers".'],
])('%s: problems have the messages of the API (%#)', async (objectType, asked, message) => {
  const answer = world.text(objectType, asked).catch((error: Error) => error.message);
  if (message === '') expect(await answer).toMatch(/^id,/);
  else expect(await answer).toBe(message);
});

test('a person gets the fields they may read, without authors and addresses', async () => {
  const { db, model } = world.sample;
  const workspace = model.workspace;
  const lines = (await world.text('gadgets', { as: 'ben@sample.test' })).split('\n');
  expect(lines[0]).not.toContain('created_by_user_id');
  const own = await world.text('gadgets', { as: 'ben@sample.test', fields: ['owner_user_id'] });
  const ben = world.sample.caller('ben').user.id;
  expect(new Set(own.trim().split('\n').slice(1))).toEqual(new Set([String(ben)]));
  await world.sample.own.rows(
    `update ${model.schema}._users set roles = '{veiled}' where email = 'cleo@sample.test'`,
  );
  const written: string[] = [];
  const asked = { objectType: 'gadgets', workspace, text: undefined, sort: [], filters: [] };
  const report = await exportRecords(
    db,
    {
      ...asked,
      format: 'jsonl',
      raw: false,
      as: 'cleo@sample.test',
      fields: ['secret', 'a_integer', 'created_by_user_id', 'x_secret'],
    },
    async (pieces) => {
      for await (const piece of pieces) written.push(String(piece));
    },
  );
  expect(report.left_out).toEqual(['secret', 'created_by_user_id', 'x_secret']);
  expect(written.join('').split('\n')[0]).toBe('{"a_integer":0}');
});

test('one moment: what changes meanwhile is not in it', async () => {
  const { db, model, own } = world.sample;
  const fill = `insert into ${model.schema}.parts (id, label, created_by_user_id)
    select gen_random_uuid(), 'more ' || n, 1 from generate_series(1, 5000) n`;
  await own.rows(fill);
  const request = { objectType: 'parts', workspace: model.workspace, text: undefined } as const;
  const settings = { format: 'csv', raw: false, as: undefined, fields: ['label'] } as const;
  const pieces: string[] = [];
  const told: number[] = [];
  const whole = { ...request, ...settings, filters: [], sort: [] };
  const report = await exportRecords(
    db,
    { ...whole, onRows: (done, total) => told.push(done, total) },
    async (all) => {
      for await (const piece of all) {
        if (pieces.length === 0)
          await own.rows(`delete from ${model.schema}.parts where label like 'more%'`);
        if (pieces.length === 0) await own.rows(fill);
        pieces.push(String(piece));
      }
    },
  );
  expect(report.rows).toBe(5002);
  expect(pieces.join('').split('\n')).toHaveLength(5002 + 2);
  expect(told.slice(0, 2)).toEqual([1000, 5002]);
  expect(told.slice(-2)).toEqual([5002, 5002]);
});

test('a connection that is lost ends in one line', async () => {
  const { db, model, own } = world.sample;
  const request = { objectType: 'gadgets', workspace: model.workspace, text: undefined } as const;
  const settings = { format: 'csv', raw: false, as: undefined, fields: undefined } as const;
  const broken = exportRecords(
    db,
    { ...request, ...settings, filters: [], sort: [] },
    async (pieces) => {
      await own.rows(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`);
      for await (const _ of pieces);
    },
  );
  await expect(broken).rejects.toThrow(/^The export was interrupted: .+\. Run it again\.$/);
});

test('names of records are those that one record has, and that the reader may see', async () => {
  const asked = { fields: ['name', 'next_id'], names: true } as const;
  const [, , , ...lines] = (await world.text('knots', asked)).split('\n');
  expect(lines).toEqual(['c,b', expect.stringMatching(/^a,[\da-f-]{36}$/), '']);
  const parts = { fields: ['a_reference'], names: true, raw: true } as const;
  const namesOf = async (as?: string) =>
    new Set(
      (await world.text('gadgets', { ...parts, as }))
        .split('\n')
        .filter((one) => !/^(""|.{36})?$/.test(one)),
    );
  expect(await namesOf()).toEqual(new Set(['a_reference', 'Bolt', '=2']));
  expect(await namesOf('cleo@sample.test')).toEqual(new Set(['a_reference']));
});
