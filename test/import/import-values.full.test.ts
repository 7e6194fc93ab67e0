// The effect of imports on values and existing records: times by number, rounding, replacements, people, statuses,
// only new records; corrected rejects; links, which survive the round trip.

import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { exportRecords, type RecordExport } from '../../src/export/export-records.ts';
import { roundDecimal } from '../../src/model/values/decimals.ts';
import { parseEpoch } from '../../src/model/values/times.ts';
import {
  IMPORT_DOCUMENT,
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from './import-world.ts';

let world: ImportWorld;
let files: TestFiles;
beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
  const { deals } = IMPORT_DOCUMENT.objects;
  const more = {
    rate: { type: 'percent', scale: 1 },
    due: { type: 'date' },
    many: { type: 'integer' },
    free: { type: 'number' },
  };
  await applyDefinition(world.own.db, 'acme', {
    ...IMPORT_DOCUMENT,
    objects: {
      ...IMPORT_DOCUMENT.objects,
      deals: { ...deals, fields: { ...deals.fields, ...more } },
    },
    relationships: {
      peers: {
        name: 'Peers',
        kind: 'link',
        from: 'deals',
        to: 'deals',
        cardinality: 'many_to_many',
      },
      boss: {
        name: 'Boss',
        kind: 'link',
        from: 'companies',
        to: 'deals',
        cardinality: 'one_to_many',
      },
    },
  });
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});
beforeEach(async () => {
  const { schema } = world.workspace;
  await world.own.rows(
    `truncate "${schema}".companies, "${schema}".deals, "${schema}"._links cascade`,
  );
});

const put = (name: string, ...lines: readonly string[]) => files.put(name, `${lines.join('\n')}\n`);
const mapping = (document: object) => files.put('m.yaml', JSON.stringify(document));
const deals = (columns: object, more: object = {}) =>
  mapping({ object_type: 'deals', columns, ...more });
const reasons = () =>
  world.rejections.map(({ row, problems }) => [row.line, ...problems.map(({ reason }) => reason)]);

describe('values', () => {
  test('references are ids or names, also of later rows; a name of two records is refused', async () => {
    const first = put('c.csv', 'name,parent_id', 'A,Z', 'Z,', 'Twin,', 'Twin,');
    expect(await world.run(first, { objectType: 'companies' })).toMatchObject({ created: 4 });
    const [parent] = await world.own.rows(
      `select id from "${world.workspace.schema}".companies where name = 'Z'`,
    );
    const again = put('d.csv', 'name,parent_id', `B,${parent?.id}`, 'C,Twin', 'D,Nobody');
    expect(await world.run(again, { objectType: 'companies' })).toMatchObject({ created: 1 });
    expect(reasons()).toEqual([
      [3, 'More than one Company has the name "Twin".'],
      [4, 'No Company has the name "Nobody".'],
    ]);
  });

  test('that a spreadsheet may have changed are counted in a dry run, also against records', async () => {
    const request = { objectType: 'companies', match: ['code'] } as const;
    await world.run(put('c.csv', 'code,name', '00123,A', '00777,B'), request);
    const file = put('d.csv', 'code,name', '123,1.23E+15', '777,C', '9,D');
    const report = await world.run(file, { ...request, dryRun: true });
    expect(report.changed_values).toEqual([
      { field: 'code', change: 'zeros', values: 2, example: '123' },
      { field: 'name', change: 'exponents', values: 1, example: '1.23E+15' },
    ]);
    expect((await world.run(file, request)).changed_values).toEqual([]);
  });

  test('go by the mapping that is found for the program that wrote the file', async () => {
    const head = 'Record ID,Deal Name,Amount,Create Date,Pipeline';
    const file = put(
      'h.csv',
      head,
      '7,Ropes,"$1,200.50",2026-01-31,Sales',
      '8,Nets,$7,2026-02-01,Sales',
    );
    const report = await world.run(file, { preset: 'auto' });
    expect(report).toMatchObject({ created: 2, unused_columns: ['Record ID', 'Pipeline'] });
    expect((await world.table('deals')).map(({ amount }) => amount)).toEqual([1200.5, 7]);
    const other = put('o.csv', 'a,b', '1,2');
    await expect(world.run(other, { preset: 'auto' })).rejects.toThrow(
      'Known: HubSpot, Salesforce',
    );
    await expect(world.run(other, { preset: 'Jira' })).rejects.toThrow('headings of Jira');
  });

  test('seconds and milliseconds are times', async () => {
    const path = deals({
      name: 'name',
      at: { field: 'signed', time: 'seconds' },
      ms: { field: 'created_at', time: 'milliseconds' },
      day: { field: 'due', time: 'seconds' },
    });
    const file = put('t.csv', 'name,at,ms,day', 'A,1700000000.5,1700000000123,86399', 'B,soon,,');
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 1, rejected: 1 });
    expect((await world.table('deals'))[0]).toMatchObject({
      signed: '2023-11-14T22:13:20.500Z',
      created_at: '2023-11-14T22:13:20.123Z',
      due: '1970-01-01',
    });
    expect(reasons()).toEqual([[3, 'The value must be a number of seconds since 1970.']]);
    const lines = put('t.jsonl', '{"name":"C","at":-1,"ms":"0","day":0}');
    expect(await world.run(lines, { mapping: path })).toMatchObject({ created: 1 });
  });

  test('times are read as the mapping says that they are written', async () => {
    const at = { field: 'signed', format: 'DD/MMM/YY HH:mm', timezone: 'Europe/Berlin' };
    const path = deals({
      name: 'name',
      at,
      local: { field: 'created_at', timezone: 'America/New_York' },
      day: { field: 'due', format: 'M/D/YYYY' },
    });
    const file = put(
      't.csv',
      'name,at,local,day',
      'A,30/Sep/21 17:20,2026-07-01 10:00:00,1/2/2026',
      'B,2021-09-30,2026-07-01T10:00:00Z,1/2/2026',
      'C,28/Mar/21 02:30,,',
      'D,31/Apr/21 10:00,,',
      'E,31/Oct/21 02:30,,',
    );
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 3, rejected: 2 });
    const [first, skipped, doubled] = await world.table('deals');
    // The clocks go forward, and back: the moment after the gap, and the first of two.
    expect(skipped).toMatchObject({ signed: '2021-03-28T01:00:00.000Z' });
    expect(doubled).toMatchObject({ signed: '2021-10-31T00:30:00.000Z' });
    expect(first).toMatchObject({
      signed: '2021-09-30T15:20:00.000Z',
      created_at: '2026-07-01T14:00:00.000Z',
      due: '2026-01-02',
    });
    expect(reasons()).toEqual([
      [3, 'The value must be a time as DD/MMM/YY HH:mm.'],
      [5, 'The value must be a time as DD/MMM/YY HH:mm.'],
    ]);
  });

  test('a date in another form is refused with the words of the mapping that name it', async () => {
    const file = put('d.csv', 'name,due', 'A,2026/01/31');
    await world.run(file, { mapping: deals({ name: 'name', due: 'due' }) });
    expect(reasons()).toEqual([
      [
        2,
        'The value must be a date as YYYY-MM-DD, or of the form that is chosen for the column ("format" in the mapping).',
      ],
    ]);
    const due = { field: 'due', format: 'YYYY/MM/DD' };
    const named = await world.run(file, { mapping: deals({ name: 'name', due }) });
    expect(named).toMatchObject({ created: 1, rejected: 0 });
  });

  test('times as databases write them need no mapping', async () => {
    const times = [
      ['2026-01-01 10:00:00+00', '2026-01-01T10:00:00.000Z'],
      ['2026-01-01T10:00Z', '2026-01-01T10:00:00.000Z'],
      ['2026-01-01 10:00:00 UTC', '2026-01-01T10:00:00.000Z'],
      ['2026-01-01 10:00:00.123456+05:30', '2026-01-01T04:30:00.123Z'],
    ];
    const rows = times.map(([text], index) => `N${index},${text},2026-01-01 00:00:00`);
    const file = put('d.csv', 'name,signed,due', ...rows, 'X,2026-01-01 10:00:00,01.02.2026');
    expect(await world.run(file, { objectType: 'deals' })).toMatchObject({
      ...{ created: 4, rejected: 1 },
    });
    const found = await world.own.rows(
      `select signed, due from "${world.workspace.schema}".deals order by name`,
    );
    expect(found.map(({ signed }) => signed)).toEqual(times.map(([, time]) => time));
    expect(found.map(({ due }) => due)).toEqual(Array(4).fill('2026-01-01'));
  });

  test.each([
    ['0', 'seconds', '1970-01-01T00:00:00.000Z'],
    [-86400, 'seconds', '1969-12-31T00:00:00.000Z'],
    ['1700000000999', 'milliseconds', '2023-11-14T22:13:20.999Z'],
    ['1700000000.9996', 'seconds', '2023-11-14T22:13:21.000Z'],
    ['99999999999999', 'seconds', undefined],
    ['1e9', 'seconds', undefined],
    ['', 'seconds', undefined],
    [null, 'seconds', undefined],
  ] as const)('%j %s', (value, unit, expected) => {
    const parsed = parseEpoch(value, unit);
    expect('value' in parsed ? parsed.value : undefined).toBe(expected);
  });

  test('numbers are rounded to the places of their field', async () => {
    const path = deals({
      name: 'name',
      r: { field: 'rate', round: true },
      n: { field: 'many', round: true },
    });
    const file = put(
      'r.csv',
      'name,r,n',
      'A,12.349999999999999999,2.5',
      'B,12.35,-2.5',
      'C,x,1e20',
    );
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 2, rejected: 1 });
    const rows = (await world.table('deals')).map(({ rate, many }) => [rate, many]);
    expect(rows.sort()).toEqual([
      [12.3, 3],
      [12.4, -3],
    ]);
    const exact = put('e.csv', 'name,r', 'D,12.35');
    const strict = deals({ name: 'name', r: 'rate' });
    expect(await world.run(exact, { mapping: strict })).toMatchObject({ rejected: 1 });
    const wrong = deals({ name: 'name', r: { field: 'free', round: true } });
    await expect(world.run(exact, { mapping: wrong })).rejects.toThrow(
      'columns.r.round: free has no scale in the definition',
    );
  });

  test.each([
    ['0.005', 2, 0.01],
    ['-0.005', 2, -0.01],
    ['0.0049', 2, 0],
    ['-0.004', 2, 0],
    ['999.995', 2, 1000],
    ['1.005e2', 0, 101],
    ['123456789012345678.4', 1, undefined],
    ['12', 2, 12],
    ['.5', 0, 1],
    ['x', 2, undefined],
    ['9'.repeat(200), 2, undefined],
    [`1.${'0'.repeat(300)}1`, 2, undefined],
  ])('%s with %d places', (text, places, expected) => {
    expect(roundDecimal(text, places)).toBe(expected);
  });

  test('text is replaced, then values are', async () => {
    const path = deals({
      name: {
        field: 'name',
        replace: [
          { text: 'Fa. ', with: '' },
          { text: '&', with: 'and' },
        ],
      },
      price: {
        field: 'amount',
        replace: [
          { text: '.', with: '' },
          { text: ',', with: '.' },
          { text: ' EUR', with: '' },
        ],
        values: { none: null },
      },
    });
    const file = put('p.csv', 'name,price', 'Fa. A & B & C,"1.234,50 EUR"', '$&,none EUR');
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 2, rejected: 0 });
    const rows = (await world.table('deals')).map(({ name, amount }) => [name, amount]);
    expect(rows.sort()).toEqual([
      ['$and', null],
      ['A and B and C', 1234.5],
    ]);
  });

  test('unknown addresses get the fallback', async () => {
    const path = deals({
      name: 'name',
      who: { field: 'contact', fallback: 'ben@acme.test' },
      owner: { field: 'owner_user_id', fallback: null },
    });
    const file = put('u.csv', 'name,who,owner', 'A,no@acme.test,no@acme.test', 'B,anna@acme.test,');
    expect(await world.run(file, { mapping: path })).toMatchObject({ created: 2, rejected: 0 });
    const people = await world.table('_users');
    const nameOf = (id: unknown) => people.find((person) => person.id === id)?.name ?? null;
    const rows = (await world.table('deals')).map((row) => [
      ...[row.name, nameOf(row.contact), nameOf(row.owner_user_id)],
    ]);
    expect(rows.sort()).toEqual([
      ['A', 'Ben', null],
      ['B', 'Anna', null],
    ]);
  });
});

describe('values that do not fit', () => {
  const columns = { code: 'code', name: 'name', signed: 'signed', due: 'due', many: 'many' };
  const lines = [
    'code,name,signed,due,many',
    '1,A,soon,2026-03-01,7',
    `2,${'n'.repeat(100_001)},2026-03-01T10:00:00Z,2026-13-01,7`,
    '3,C,,,seven',
    ',D,,,1',
  ];
  const rows = async () =>
    (await world.table('deals')).map(({ code, name, due, many }) => [code, name, due, many]).sort();

  test('reject their row, or are left out of it: not those of required fields and of the match', async () => {
    const file = put('u.csv', ...lines);
    const strict = deals(columns, { match: ['code'] });
    const refused = await world.run(file, { mapping: strict });
    expect(refused).toMatchObject({ created: 0, rejected: 4, emptied_values: [] });
    const lenient = deals(columns, { match: ['code'], unfit_values: 'leave_out' });
    const expected = {
      ...{ created: 2, rejected: 2 },
      emptied_values: [
        { field: 'signed', values: 1, names: ['soon'] },
        { field: 'many', values: 1, names: ['seven'] },
      ],
    };
    const rehearsed = await world.run(file, { mapping: lenient, dryRun: true });
    expect(rehearsed).toMatchObject(expected);
    expect(await world.run(file, { mapping: lenient })).toMatchObject(expected);
    expect(await rows()).toEqual([
      ['1', 'A', '2026-03-01', 7],
      ['3', 'C', null, null],
    ]);
    const again = put('v.csv', 'code,name,signed,due,many', '1,A2,,31.31.2026,x');
    expect(await world.run(again, { mapping: lenient })).toMatchObject({ updated: 1, rejected: 0 });
    expect((await rows())[0]).toEqual(['1', 'A2', '2026-03-01', 7]);
  });
});

describe('records that are there', () => {
  const path = () => deals({ code: 'code', name: 'name', stage: 'status' }, { match: ['code'] });
  const statuses = async () =>
    (await world.table('deals')).map(({ code, name, status }) => [code, name, status]).sort();

  test('keep their status, and the report says so', async () => {
    const first = put('a.csv', 'code,name,stage', '1,A,won', '2,B,open', '3,C,open');
    expect(await world.run(first, { mapping: path() })).toMatchObject({
      created: 3,
      status_kept: 0,
    });
    const second = put('b.csv', 'code,name,stage', '1,A,open', '2,B2,won', '3,C,open', '4,D,won');
    const expected = { created: 1, updated: 1, unchanged: 2, rejected: 0, status_kept: 2 };
    const rehearsed = await world.run(second, { mapping: path(), dryRun: true });
    expect(rehearsed).toMatchObject(expected);
    expect(await world.run(second, { mapping: path() })).toMatchObject(expected);
    expect(await statuses()).toEqual([
      ['1', 'A', 'won'],
      ['2', 'B2', 'open'],
      ['3', 'C', 'open'],
      ['4', 'D', 'won'],
    ]);
  });

  test('are left alone with --only-new', async () => {
    const first = put('a.csv', 'code,name', '1,A');
    await world.run(first, { mapping: deals({ code: 'code', name: 'name' }, { match: ['code'] }) });
    const second = put('b.csv', 'code,name,stage', '1,Other,won', '2,B,won', '2,C,open');
    const options = { mapping: path(), onlyNew: true };
    const counts = { created: 1, updated: 0, unchanged: 0, skipped: 2, status_kept: 0 };
    expect(await world.run(second, { ...options, dryRun: true })).toMatchObject(counts);
    expect(await world.run(second, options)).toMatchObject(counts);
    expect(await statuses()).toEqual([
      ['1', 'A', 'open'],
      ['2', 'B', 'won'],
    ]);
    expect(await world.run(second, options)).toMatchObject({ created: 0, skipped: 3 });
  });

  test('also when they refer to a new record whose references are a circle', async () => {
    const path = mapping({ object_type: 'companies', match: ['name'] });
    await world.run(put('a.csv', 'name,size', 'Old,1'), { mapping: path });
    const file = put('b.csv', 'name,parent_id', 'A,B', 'B,A', 'Old,A');
    const report = await world.run(file, { mapping: path, onlyNew: true });
    expect(report).toMatchObject({ created: 2, updated: 0, skipped: 1, rejected: 0 });
    const old = (await world.table('companies')).find(({ name }) => name === 'Old');
    expect(old).toMatchObject({ parent_id: null, version: 1 });
  });

  test('and new ones have the initial status with --no-status', async () => {
    const file = put('a.csv', 'code,name,stage', '1,A,won', '2,B,gone');
    const report = await world.run(file, { mapping: path(), noStatus: true });
    expect(report).toMatchObject({ created: 2, rejected: 0, status_kept: 0 });
    expect(await statuses()).toEqual([
      ['1', 'A', 'open'],
      ['2', 'B', 'open'],
    ]);
    const lines = put('a.jsonl', '{"code":"1","name":"A2","status":"won"}');
    const again = { objectType: 'deals', match: ['code'], noStatus: true };
    expect(await world.run(lines, again)).toMatchObject({ updated: 1, status_kept: 0 });
  });
});

test('a mended file of rejects is imported as it is, in any delimiter', async () => {
  const file = files.put('d.csv', 'name;size\n"A;=1";x\n-B;y\nC;3\n');
  const rejectFile = files.path('mended.csv');
  const options = { objectType: 'companies', written: { delimiter: ';' } };
  expect(await world.run(file, { ...options, rejectFile })).toMatchObject({
    created: 1,
    rejected: 2,
  });
  const text = files.read('mended.csv');
  expect(text.split('\n').slice(0, 2)).toEqual([
    '_line;_field;_reason;name;size',
    '2;size;The value must be a number.;"A;=1";x',
  ]);
  writeFileSync(rejectFile, text.replace(';x', ';1').replace(';y', ';none'));
  const second = files.path('again.csv');
  const report = await world.run(rejectFile, { ...options, rejectFile: second });
  expect(report).toMatchObject({ created: 1, rejected: 1, unused_columns: [] });
  expect(files.read('again.csv')).toBe(
    "_line;_field;_reason;name;size\n3;size;The value must be a number.;'-B;none\n",
  );
});

test('a file of rejects that a spreadsheet has saved in another encoding', async () => {
  const text = '_line;_field;_reason;name;size\n3;size;No.;Müller;2\n';
  const file = files.put('saved.csv', Buffer.from(text, 'latin1'));
  const options = { objectType: 'companies', match: ['name'] };
  const written = { delimiter: ';', encoding: 'windows-1252' } as const;
  const source = { encoding: 'windows-1252', delimiter: ';', skip_lines: 3 };
  const path = mapping({ object_type: 'companies', match: ['name'], ...source });
  expect(await world.run(file, { ...options, written })).toMatchObject({ created: 1 });
  expect(await world.run(file, { mapping: path })).toMatchObject({ unchanged: 1 });
  const unsaved = files.put('unsaved.csv', text);
  expect(await world.run(unsaved, { mapping: path })).toMatchObject({ unchanged: 1 });
  expect((await world.table('companies')).map(({ name }) => name)).toEqual(['Müller']);
});

describe('links', () => {
  beforeEach(async () => {
    const made = ['code,name', ...['1', '2', '3'].map((code) => `${code},D${code}`)];
    await world.run(put('d.csv', ...made), { objectType: 'deals', match: ['code'] });
    await world.run(put('c.csv', 'code,name', 'x,X', 'y,Y'), {
      objectType: 'companies',
      match: ['code'],
    });
  });
  const named = (field: string, object_type: string) => ({
    field,
    lookup: { object_type, field: 'code' },
  });
  const pairs = () =>
    mapping({
      ...{ links_of: 'deals', relationship: 'link.peers' },
      columns: { a: named('record_id', 'deals'), b: named('target_id', 'deals') },
    });
  const linked = async () =>
    (await world.own.rows(`select from "${world.workspace.schema}"._links`)).length;

  async function exported(request: Partial<RecordExport>) {
    let text = '';
    const all = {
      ...({ workspace: world.workspace, objectType: 'deals', format: 'csv', raw: false } as const),
      ...{ as: undefined, filters: [], text: undefined, fields: undefined, sort: [] },
    };
    const report = await exportRecords(world.own.db, { ...all, ...request }, async (pieces) => {
      for await (const piece of pieces) text += piece;
    });
    return { text, report };
  }

  test('are made of pairs, several of a record, once', async () => {
    const file = put('l.csv', 'a,b', '1,2', '1,3', '2,1', '1,2', '9,1', '1,', '1,1');
    const dry = await world.run(file, { mapping: pairs(), dryRun: true });
    expect(dry).toMatchObject({ updated: 0, rejected: 3 });
    const report = await world.run(file, { mapping: pairs() });
    expect(report).toMatchObject({ rows_are: 'links', created: 2, unchanged: 2, rejected: 3 });
    expect(reasons()).toEqual([
      [6, 'No Deal has the code "9".'],
      [7, 'The value must not be empty.'],
      [8, 'A record cannot be linked to itself.'],
    ]);
    expect(await linked()).toBe(4);
    expect(await world.run(file, { mapping: pairs() })).toMatchObject({ created: 0, unchanged: 4 });
  });

  test('that there can be one of are refused row by row', async () => {
    const boss = mapping({
      ...{ links_of: 'companies', relationship: 'link.boss' },
      columns: { c: named('record_id', 'companies'), d: named('target_id', 'deals') },
    });
    const file = put('b.csv', 'c,d', 'x,1', 'x,2', 'y,1', 'y,3');
    const report = await world.run(file, { mapping: boss });
    expect(report).toMatchObject({ created: 3, rejected: 1 });
    expect(world.rejections[0]?.row.line).toBe(4);
  });

  test('go out and come back, each pair once', async () => {
    await world.run(put('l.csv', 'a,b', '1,2', '3,1'), { mapping: pairs() });
    const { text, report } = await exported({ relationship: 'link.peers' });
    expect(report.rows).toBe(2);
    expect(text.split('\n')[0]).toBe('record_id,target_id');
    await world.own.rows(`truncate "${world.workspace.schema}"._links`);
    const back = { objectType: 'deals', relationship: 'link.peers' };
    const file = files.put('back.csv', text);
    expect(await world.run(file, back)).toMatchObject({ created: 2, rejected: 0 });
    const again = await exported({ relationship: 'link.peers', format: 'jsonl' });
    const lines = again.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ record_id, target_id }) => `${record_id},${target_id}`)).toEqual(
      text.trimEnd().split('\n').slice(1),
    );
    const filters = [{ param: 'filter', path: ['code'], value: '3' }];
    expect((await exported({ relationship: 'link.peers', filters })).report.rows).toBe(1);
  });

  test('are shown within the reach of both ends only', async () => {
    await world.run(put('l.csv', 'a,b', '1,2', '3,1'), { mapping: pairs() });
    const ben = { relationship: 'link.peers', as: 'ben@acme.test' };
    expect((await exported(ben)).report.rows).toBe(0);
    const [row] = await world.own.rows(
      `update "${world.workspace.schema}".deals set owner_user_id = (
        select id from "${world.workspace.schema}"._users where email = 'ben@acme.test')
        where code in ('1', '2') returning id`,
    );
    const { report, text } = await exported(ben);
    expect(report.rows).toBe(1);
    expect(text).toContain(String(row?.id));
    await expect(exported({ relationship: 'link.nothing' })).rejects.toThrow(
      'There are no links "link.nothing" of deals. Links: ',
    );
  });

  test.each([
    [{ links_of: 'deals' }, 'relationship: there is no relationship of deals ""'],
    [
      { links_of: 'deals', relationship: 'link.x' },
      'relationship: there is no relationship of deals',
    ],
    [{ links_of: 'deals', object_type: 'deals' }, 'cannot be combined with'],
    [{ object_type: 'deals', relationship: 'link.peers' }, 'relationship: needs links_of'],
    [
      { links_of: 'deals', relationship: 'link.peers', columns: { a: 'record_id' } },
      'links_of: a column must give target_id',
    ],
    [
      {
        ...{ links_of: 'deals', relationship: 'link.peers', match: ['record_id'] },
        columns: { a: 'record_id', b: 'target_id' },
      },
      'match: comments and links are identified by the record they belong to',
    ],
  ])('%j cannot be used', async (document, message) => {
    const file = put('l.csv', 'a,b', '1,2');
    await expect(world.run(file, { mapping: mapping(document) })).rejects.toThrow(message);
  });
});
