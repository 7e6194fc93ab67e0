// Imports that are repeated, cut off and continued: the same command ends with the same records, with
// and without anything in the file that identifies them.

import { linkSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { ImportedLine } from '../../src/control/jobs/import-rows.ts';
import { notesIn } from '../../src/import/import-report.ts';
import { PATIENCE, startCommand } from '../cli/command-process.ts';
import {
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
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});
beforeEach(async () => {
  await world.own.rows(`truncate "${world.workspace.schema}".companies cascade`);
});

const put = (name: string, ...lines: readonly string[]) => files.put(name, `${lines.join('\n')}\n`);
const objectType = 'companies';
const names = async () => (await world.table('companies')).map(({ name }) => name).sort();

test('without anything that identifies its rows a file makes its records once', async () => {
  const file = put('c.csv', 'name,size', 'A,1', 'A,1', 'B,none', 'C,3');
  expect(await world.run(file, { objectType })).toMatchObject({ created: 3, rejected: 1 });
  const first = await world.table('companies');
  expect(await world.run(file, { objectType })).toMatchObject({ unchanged: 3, rejected: 1 });
  expect(await world.table('companies')).toEqual(first);
  const copied = files.put('elsewhere.csv', readFileSync(file));
  expect(await world.run(copied, { objectType })).toMatchObject({ created: 0, unchanged: 3 });
  const rehearsed = await world.run(copied, { objectType, dryRun: true });
  expect(rehearsed).toMatchObject({ created: 0, unchanged: 3 });
  // Another file, and the same one as something else, make records of their own.
  const longer = put('longer.csv', 'name,size', 'A,1', 'A,1', 'B,none', 'C,3', 'D,4');
  expect(await world.run(longer, { objectType })).toMatchObject({ created: 4 });
  const mapping = put('m.yaml', 'columns: { name: name, size: custom_fields.note }');
  expect(await world.run(file, { objectType, mapping })).toMatchObject({ created: 4 });
  expect(await names()).toEqual([...'AAAAAABCCCD']);
});

test.each([
  ['without match keys', []],
  ['with match keys', ['--match', 'code']],
])(
  'a run that is killed is continued by the same command, %s',
  { timeout: PATIENCE },
  async (_, match) => {
    const { schema } = world.workspace;
    const rows = Array.from({ length: 4000 }, (_, index) => `N${index},K${index},${index + 1}`);
    const file = put('long.csv', 'name,code,size', ...rows);
    const args = ['import', '-w', 'acme', '--object', objectType, ...match, file];
    const { child, outcome } = startCommand(world.own.environment, ...args);
    const count = async () =>
      Number((await world.own.rows(`select count(*) as rows from "${schema}".companies`))[0]?.rows);
    await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 5,
    });
    child.kill('SIGKILL');
    await outcome;
    const options = { objectType, match: match[1] === undefined ? undefined : [match[1]] };
    const { created, unchanged, rejected } = await world.run(file, options);
    expect([created + unchanged, rejected]).toEqual([4000, 0]);
    expect(unchanged).toBeGreaterThan(0);
    const table = await world.table('companies');
    expect(new Set(table.map(({ code }) => code)).size).toBe(4000);
    expect(table).toHaveLength(4000);
  },
);

test('a later attempt completes the records that were written, and none that is left alone', () => {
  const noted: ImportedLine[] = [];
  const note = (lines: readonly ImportedLine[]) => {
    noted.push(...lines);
    return [];
  };
  const notesOf = notesIn({ imported: [], rejected: [], note, store: async () => undefined });
  const write = (line: number) => ({ row: { line }, isOpen: true, isCompletion: false });
  notesOf([write(2), write(3)])([
    { id: 'a', created: true, changed: true },
    { id: 'b', created: false, changed: false, kept: 'record' },
  ]);
  expect(noted.map(({ line, outcome, open_id }) => [line, outcome, open_id])).toEqual([
    [2, 'created', 'a'],
    [3, 'skipped', null],
  ]);
});

const ID = '0a000000-0000-4000-8000-00000000000';

test('ids of a file are kept, and identify its rows', async () => {
  const file = put(
    'ids.csv',
    'id,name,parent_id',
    `${ID}1,A,${ID.toUpperCase()}2`,
    `${ID}2,B,`,
    'x,C,',
    ',D,',
  );
  expect(await world.run(file, { objectType })).toMatchObject({ created: 2, rejected: 2 });
  expect(world.rejections.map(({ row, problems }) => [row.line, ...problems])).toEqual([
    [4, { field: 'id', reason: 'The value must be a record id.', example: 'x' }],
    [5, { field: 'id', reason: 'The value must not be empty, because records are matched by it.' }],
  ]);
  const [one, two] = await world.table('companies');
  expect([one, two]).toMatchObject([
    { id: `${ID}1`, name: 'A', parent_id: `${ID}2` },
    { id: `${ID}2`, name: 'B', parent_id: null },
  ]);
  const changed = put('ids.jsonl', `{"id":"${ID}1","name":"A2"}`, `{"id":"${ID}3","name":"E"}`);
  expect(await world.run(changed, { objectType })).toMatchObject({ created: 1, updated: 1 });
  const lost = put('lost.csv', 'id,parent_id', `${ID}4,${ID}9`);
  expect(await world.run(lost, { objectType })).toMatchObject({ created: 0, rejected: 1 });
  expect(world.rejections[0]?.problems[0]?.reason).toMatch(/^No \w+ has the id "/);
  const both = world.run(file, { objectType, match: ['name'] });
  await expect(both).rejects.toThrow('id: already identifies records: match by it alone');
  expect(await names()).toEqual(['A2', 'B', 'E']);
});

test('the same id twice in a file: the later row changes the record of the first', async () => {
  const file = put('twice.csv', 'id,name', `${ID}1,A`, `${ID}1,B`, `${ID}1,B`);
  const report = await world.run(file, { objectType });
  expect(report).toMatchObject({ created: 1, updated: 1, unchanged: 1, rejected: 0 });
});

test('an address names everybody there is, those who have left as well', async () => {
  const file = put(
    'people.csv',
    'name,owner_user_id,contact',
    'One,GONE@acme.test,ben@acme.test',
    'Two,who@acme.test,1',
  );
  const report = await world.run(file, { objectType: 'deals' });
  expect(report).toMatchObject({ created: 1, rejected: 1 });
  expect(world.rejections[0]?.problems).toEqual([
    {
      ...{ field: 'owner_user_id', reason: 'No person has the e-mail "who@acme.test".' },
      example: 'who@acme.test',
    },
  ]);
  const [deal] = await world.table('deals');
  const [gone] = await world.own.rows(
    `select id from "${world.workspace.schema}"._users where email = 'gone@acme.test'`,
  );
  expect(deal?.owner_user_id).toBe(gone?.id);
});

test('reject files: formulas are guarded, sources are kept, a full disk ends the import', async () => {
  const file = put('bad.csv', 'name,size', '=HYPERLINK(1),x', 'Good,1');
  const rejectFile = files.path('rejects.csv');
  await world.run(file, { objectType, rejectFile });
  expect(files.read('rejects.csv')).toBe(
    `_line,_field,_reason,name,size\n2,size,The value must be a number.,'=HYPERLINK(1),x\n`,
  );
  const linked = files.path('linked.csv');
  linkSync(file, linked);
  const over = world.run(file, { objectType, rejectFile: linked });
  await expect(over).rejects.toThrow(`${linked} would overwrite a file that is read.`);
  expect(files.read('bad.csv')).toContain('Good,1');
  const full = world.run(file, { objectType, rejectFile: '/dev/full' });
  await expect(full).rejects.toThrow('Cannot write the reject file /dev/full: ENOSPC.');
});

test.each([
  ['a header only', 'empty.csv', 'name,size\n', { read: 0 }],
  ['an empty file of JSON lines', 'empty.jsonl', '', { read: 0 }],
  ['blank lines only', 'blank.jsonl', '\n\r\n \n', { read: 0 }],
  [
    'too few and too many cells',
    'ragged.csv',
    'name,size\nA\nB,1,2\nC,3\n',
    { created: 1, rejected: 2 },
  ],
  ['U+0000 in a cell', 'nul.csv', 'name,size\nA\0,1\nB,2\0\nC,3\n', { created: 1, rejected: 2 }],
  ['no objects', 'odd.jsonl', '1\n[1]\n"x"\nnull\n{"name":"A"}\n', { created: 1, rejected: 4 }],
  [
    'wrong names',
    'names.jsonl',
    '{"nam":"A"}\n{"__proto__":1}\n{"name":"A"}\n',
    { created: 1, rejected: 2 },
  ],
  [
    'text that is much too long',
    'long.jsonl',
    `{"name":"${'x'.repeat(5_000_000)}"}\n{"name":"A"}`,
    { created: 1, rejected: 1 },
  ],
])('%s', async (_, name, content, expected) => {
  writeFileSync(files.path(name), content);
  const report = await world.run(files.path(name), { objectType });
  expect(report).toMatchObject(expected);
});
