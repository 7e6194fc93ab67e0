// Files of other systems through the command: encodings, notes above the header, short rows, rows that occur twice, words
// of options, several columns of one list, two-digit years; every problem of a row.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { rejectionLine } from '../../src/import/reject-file.ts';
import { encoded } from '../tables/encoded.ts';
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
  const { companies } = IMPORT_DOCUMENT.objects;
  const options = [
    { value: 'new', label: 'Lead' },
    { value: 'lead', label: 'Qualified' },
    { value: 'won', label: 'Won' },
    { value: 'WON', label: 'Won again' },
    { value: 'a_b', label: 'A; B' },
    { value: 'c', label: 'C' },
  ];
  const more = {
    stage: { type: 'select', options },
    tags: { type: 'multi_select', options },
    born: { type: 'date' },
    mail: { type: 'email' },
    share: { type: 'number' },
    agent: { type: 'user' },
  };
  await applyDefinition(world.own.db, 'acme', {
    ...IMPORT_DOCUMENT,
    objects: {
      ...IMPORT_DOCUMENT.objects,
      companies: { ...companies, fields: { ...companies.fields, ...more } },
    },
  });
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});
beforeEach(async () => {
  await world.own.rows(`truncate "${world.workspace.schema}".companies cascade`);
});

const companies = async (columns: string) =>
  world.own.rows(`select ${columns} from "${world.workspace.schema}".companies order by name`);
const imported = (content: string | Uint8Array, mapping: object, more: object = {}) => {
  const document = { object_type: 'companies', ...mapping };
  const path = files.put('m.yaml', JSON.stringify(document));
  return world.run(files.put('rows.csv', Buffer.from(content)), { mapping: path, ...more });
};
const problems = () =>
  world.rejections.map(({ row, problems: all }) => [
    row.line,
    ...all.map(({ field, reason }) => `${field}: ${reason}`),
  ]);

test('a word of an option is its label or its value, exactly or in another case, or has two meanings', async () => {
  const rows = [
    'Lead',
    'lead',
    'Qualified',
    'qualified',
    'new',
    'Won',
    'WON',
    'LEAD',
    'wOn',
    ' C ',
  ];
  const text = `name,stage\n${rows.map((word, index) => `${index},${word}`).join('\n')}\n`;
  const report = await imported(text, {});
  expect([report.created, report.rejected]).toEqual([8, 2]);
  const stored = await companies('name, stage');
  expect(stored.map(({ stage }) => stage)).toEqual([
    ...['new', 'lead', 'lead', 'lead', 'new', 'won', 'WON', 'c'],
  ]);
  expect(problems()).toEqual([
    [9, 'stage: The value means "new" (Lead) or "lead" (Qualified).'],
    [10, 'stage: The value means "won" (Won) or "WON" (Won again).'],
  ]);
  await imported('name,stage\nx,LEAD\n', {
    columns: { name: 'name', stage: { field: 'stage', values: { LEAD: 'new' } } },
  });
  expect(await companies("stage, name = 'x' as is_x")).toContainEqual({ stage: 'new', is_x: true });
});

test('several columns feed one list, and a label may have the separator', async () => {
  const text = 'name,Labels,Labels,Other\nx,Lead,C,lead; C\ny,"A; B",,\nz,,,\n';
  await imported(text, {
    columns: { name: 'name', Labels: 'tags', 'Labels (2)': 'tags', Other: 'tags' },
  });
  expect(await companies('name, tags')).toEqual([
    { name: 'x', tags: ['new', 'c', 'lead'] },
    { name: 'y', tags: ['a_b'] },
    { name: 'z', tags: null },
  ]);
});

test('other fields are still written by one column', async () => {
  await expect(imported('a,b\n1,2\n', { columns: { a: 'name', b: 'name' } })).rejects.toThrow(
    'name: is written more than once',
  );
});

test('an encoding, lines above the header and short rows, as the mapping says', async () => {
  const text = 'Отчёт\n\nКод;Имя;Размер\n1;Иван;5\nИтого;5\nКонфиденциально\n';
  const mapping = {
    ...{ encoding: 'windows-1251', delimiter: ';', skip_lines: 2 },
    columns: { Код: 'code', Имя: 'name', Размер: 'size' },
  };
  const report = await imported(encoded(text, 'windows-1251'), mapping);
  expect([report.created, report.rejected]).toEqual([1, 2]);
  expect(problems()).toEqual([
    [5, ': The row has 2 columns, the header has 3.'],
    [6, ': The row has 1 columns, the header has 3.'],
  ]);
  expect(await companies('code, name, size')).toEqual([{ code: '1', name: 'Иван', size: 5 }]);
  const skipped = await imported(encoded(text, 'windows-1251'), {
    ...mapping,
    match: ['code'],
    uneven_rows: 'skip',
  });
  expect(skipped).toMatchObject({ unchanged: 1, blank: 2, rejected: 0 });
  await expect(
    imported(encoded(text, 'koi8-r'), { ...mapping, encoding: undefined }),
  ).rejects.toThrow('it may be koi8-r');
});

test('rows with the match values of an earlier row are counted, and the first or the last is written', async () => {
  const text = 'code,name\n1,Ann\n2,Bo\n1,Ann Lee\n2,Bo Ray\n2,Bo R\n3,Cy\n';
  const doubles: unknown[] = [];
  const dry = await imported(text, { match: ['code'] }, { dryRun: true });
  expect(dry).toMatchObject({ created: 3, updated: 3, doubles: 3 });
  expect(doubles).toEqual([]);
  for (const [choice, names, counts] of [
    ['both', ['Ann Lee', 'Bo R', 'Cy'], { created: 3, updated: 3, blank: 0 }],
    ['first', ['Ann', 'Bo', 'Cy'], { created: 3, updated: 0, blank: 3 }],
    ['last', ['Ann Lee', 'Bo R', 'Cy'], { created: 3, updated: 0, blank: 3 }],
  ] as const) {
    await world.own.rows(`truncate "${world.workspace.schema}".companies cascade`);
    expect(await imported(text, { match: ['code'], doubles: choice })).toMatchObject(counts);
    expect((await companies('name')).map(({ name }) => name)).toEqual(names);
  }
  await expect(imported(text, { doubles: 'first' })).rejects.toThrow('doubles: needs match');
});

test('two-digit years are of the hundred years that the mapping says', async () => {
  const text = 'name,born\na,3/14/52\nb,12/31/26\nc,1/1/27\n';
  const born = (more: object) => ({
    columns: { name: 'name', born: { field: 'born', format: 'M/D/YY', ...more } },
  });
  const days = async () => (await companies('born::text')).map(({ born: day }) => day);
  await imported(text, born({ first_year: 1927 }));
  expect(await days()).toEqual(['1952-03-14', '2026-12-31', '1927-01-01']);
  await world.own.rows(`truncate "${world.workspace.schema}".companies cascade`);
  await imported(text, born({}));
  expect(await days()).toEqual(['2052-03-14', '2026-12-31', '2027-01-01']);
  await expect(imported(text, born({ format: 'M/D/YYYY', first_year: 1927 }))).rejects.toThrow(
    'first_year: needs a format with two digits of the year (YY)',
  );
});

test('all problems of a row are named, and those of dates by the form of their column', async () => {
  await imported(
    'name,born,mail,share,size\nx,31.02.2026,no mail,many,0\ny,1.2.2026, A@B.example ,5,7\n',
    {
      columns: {
        ...{ name: 'name', mail: 'mail', share: 'share', size: 'size' },
        born: { field: 'born', format: 'D.M.YYYY' },
      },
    },
  );
  const [[line, ...all] = []] = problems();
  expect(line).toBe(2);
  expect(all.toSorted()).toEqual([
    'born: The value must be a date as D.M.YYYY.',
    'mail: The value must be an e-mail address.',
    'share: The value must be a number.',
    'size: The value must be at least 1.',
  ]);
  expect(await companies('mail, born::text')).toEqual([
    { mail: 'a@b.example', born: '2026-02-01' },
  ]);
});

test('a heading on two lines is the column of either spelling', async () => {
  await imported('name,"Company\nsize"\nx,5\n', {
    columns: { name: 'name', 'Company\nsize': 'size' },
  });
  await imported('name,"Company\nsize"\ny,6\n', {
    columns: { name: 'name', 'Company size': 'size' },
  });
  expect((await companies('size')).map(({ size }) => size)).toEqual([5, 6]);
});

test('a sheet and contact cards are imported as CSV is, and rejected rows are CSV', async () => {
  const columns = {
    Customer: 'name',
    Ordered: 'born',
    Amount: 'share',
    Lasted: 'mail',
  };
  const mapping = files.put(
    'm.yaml',
    JSON.stringify({ object_type: 'companies', columns, skip_lines: 2 }),
  );
  const workbook = join(import.meta.dirname, '..', 'tables', 'files', 'orders-1904.xlsx');
  const rejectFile = files.put('rejects.csv', '');
  const report = await world.run(workbook, { mapping, rejectFile });
  expect([report.created, report.rejected]).toEqual([1, 2]);
  expect(await companies('name, born::text, share::float')).toEqual([
    { name: 'Cy & Sons', born: '1904-03-15', share: 1e-7 },
  ]);
  expect(problems().map(([line]) => line)).toEqual([4, 5]);
  const [head, first] = readFileSync(rejectFile, 'utf8').split('\n');
  expect(head).toMatch(/^_line,_field,_reason,Customer,Ordered,Paid at/);
  expect(first).toMatch(/^4,mail,.*,Ann Ödegård,2026-03-01,2026-03-01 14:30:15,/);
  const cards = 'BEGIN:VCARD\nVERSION:3.0\nFN:Bo Lee\nEMAIL:bo@example.com\nEND:VCARD\n';
  const contacts = { object_type: 'companies', columns: { Name: 'name', 'E-mail': 'mail' } };
  const contactMapping = files.put('c.yaml', JSON.stringify(contacts));
  const cardFile = files.put('contacts.vcf', cards + cards.replace('bo@example.com', 'nobody'));
  const rejections: string[] = [];
  await world.run(cardFile, {
    mapping: contactMapping,
    onReject: (rejection) => rejections.push(rejectionLine(rejection, cardFile)),
  });
  expect(rejections).toEqual([expect.stringMatching(/^card 2: mail: /)]);
  expect(await companies('name, mail')).toContainEqual({ name: 'Bo Lee', mail: 'bo@example.com' });
  const other = files.put('o.yaml', JSON.stringify({ ...contacts, sheet: 'Other' }));
  await expect(world.run(workbook, { mapping: other })).rejects.toThrow('has no sheet or list');
});

test('days of times in a zone, members chosen for names, and unknown names that are left out and counted', async () => {
  const when = { field: 'born', timezone: 'Europe/Berlin' };
  const owner = {
    ...{ field: 'agent', user: 'name', fallback: null },
    values: { Bee: 'ben@acme.test' },
  };
  const report = await imported(
    [
      'name,when,owner',
      'A,2026-01-31T23:30:00.000Z,Anna',
      'B,2026-07-01 23:30,Bee',
      'C,2026-06-30T21:59:59+00:00,Nobody',
      'D,2026-02-30T10:00:00Z,Nobody',
      'E,2026-03-01,Stranger',
    ].join('\n'),
    { columns: { name: 'name', when, owner } },
  );
  expect([report.created, report.rejected]).toEqual([4, 1]);
  expect(await companies('name, born::text, agent is null as nobody')).toEqual([
    { name: 'A', born: '2026-02-01', nobody: false },
    { name: 'B', born: '2026-07-01', nobody: false },
    { name: 'C', born: '2026-06-30', nobody: true },
    { name: 'E', born: '2026-03-01', nobody: true },
  ]);
  expect(report.emptied_values).toEqual([
    { field: 'agent', values: 2, names: ['Nobody', 'Stranger'] },
  ]);
});
