// `import`: exit codes, what goes to which stream, while others use the database. One that writes and has
// something to report is a process of its own.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENDINGS_TEXT } from '../../src/import/rows/read-rows.ts';
import {
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from '../import/import-world.ts';
import { until } from '../until.ts';
import { runCommandHere } from './command-here.ts';
import { PATIENCE, startCommand } from './command-process.ts';

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

const run = (...args: readonly string[]) =>
  runCommandHere(world.own.environment, 'import', ...args);
const runApart = (...args: readonly string[]) =>
  startCommand(world.own.environment, 'import', ...args).outcome;

const acme = ['--workspace', 'acme'];

/** A busy machine takes long enough for a rate. */
const unhurried = (text: string) => text.replaceAll(/ \([\d,]+\/s\)/g, '');

test('rows go in, bad ones are reported and end with 1', { timeout: PATIENCE }, async () => {
  const file = files.put('c.csv', 'name,size,why\nAcme,1,x\nBad,many,y\nBlue,2,z\n');
  const mapping = files.put('m.yaml', 'columns: { name: name, size: size }\n');
  const args = [...acme, '--object', 'companies', '--mapping', mapping, '--match', 'name', file];
  const rehearsed = await run(...args, '--dry-run');
  expect(rehearsed.out).toMatch(
    /^Not imported: why\.\ncompanies: 3 rows read, would be 2 created, 0 updated, 0 unchanged, 1 rejected \(.*\)\.\nNothing was written \(dry run\)\.\n/,
  );
  expect(await world.table('companies')).toEqual([]);
  const reject = files.path('rejects.csv');
  const { code, out, err } = await runApart(...args, '--reject', reject, '--json');
  expect([code, JSON.parse(out)]).toMatchObject([
    1,
    {
      workspace: 'acme',
      dry_run: false,
      object_type: 'companies',
      read: 3,
      created: 2,
      updated: 0,
      unchanged: 0,
      rejected: 1,
      unused_columns: ['why'],
      reject_file: reject,
    },
  ]);
  expect(unhurried(err)).toBe('companies: 3 of 3 rows\n');
  expect(files.read('rejects.csv')).toBe(
    '_line,_field,_reason,name,size,why\n3,size,The value must be a number.,Bad,many,y\n',
  );
  const again = await run(...args);
  expect(again.code).toBe(1);
  expect(unhurried(again.err)).toBe(
    'companies: 3 of 3 rows\nline 3: size: The value must be a number.\n',
  );
  expect(again.out).toContain('3 rows read, 0 created, 0 updated, 2 unchanged, 1 rejected');
  const good = files.put('good.csv', 'name\nCyan\n');
  expect(await run(...acme, '--object', 'companies', good)).toMatchObject({ code: 0 });
});

test('comments go in, and are known again', { timeout: PATIENCE }, async () => {
  await world.run(files.put('d.csv', 'name\nBig deal\n'), { objectType: 'deals' });
  const file = files.put('said.csv', 'deal,no,text\nBig deal,1,Hello\nBig deal,2, \n');
  const mapping = files.put(
    'said.yaml',
    'comments_on: deals\ncolumns:\n  no: id\n  text: body\n' +
      '  deal: { field: record_id, lookup: { object_type: deals, field: name } }\n',
  );
  const args = [...acme, '--mapping', mapping, file];
  const { code, out, err } = await run(...args);
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/^comments on deals: 2 rows read, 1 created, .* 1 rejected /),
  ]);
  expect(unhurried(err)).toBe(
    'comments on deals: 2 of 2 rows\nline 3: body: The comment must not be empty.\n',
  );
  const again = await run(...args, '--json');
  expect(JSON.parse(again.out)).toMatchObject({
    object_type: 'deals',
    rows_are: 'comments',
    created: 0,
    unchanged: 1,
    rejected: 1,
  });
});

test('--bulk fills an object that is empty, and only such a one', {
  timeout: PATIENCE,
}, async () => {
  const file = files.put('prices.csv', 'item,price\na,1\nb,much\n');
  const args = [...acme, '--object', 'prices', '--bulk', file];
  const { code, out } = await run(...args);
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/ 2 rows read, 1 created, .* 1 rejected /),
  ]);
  const refused = await run(...args);
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain('Prices have records already, and --bulk is for an object without');
  expect(await world.table('prices')).toMatchObject([{ item: 'a' }]);
});

test('a killed bulk import leaves no records', { timeout: PATIENCE }, async () => {
  const rows = Array.from({ length: 100_000 }, (_, index) => `Bug ${index},bug`);
  const file = files.put('bugs.csv', `title,work_item_type_id\n${rows.join('\n')}\n`);
  const args = [...acme, '--object', 'work_items', '--bulk', file];
  const { child, outcome } = startCommand(world.own.environment, 'import', ...args);
  const sessions = (condition: string) =>
    world.own.rows(`select pid from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid() and backend_xid is not null and ${condition}`);
  await until(async () => (await sessions(`query like 'copy%_search%'`)).length > 0);
  child.kill('SIGKILL');
  expect(await outcome).toMatchObject({ signal: 'SIGKILL' });
  await until(async () => (await sessions('true')).length === 0);
  expect(await world.table('work_items')).toEqual([]);
  const left = `select from "${world.workspace.schema}"`;
  expect(await world.own.rows(`${left}._search where source like 'work_items%'`)).toEqual([]);
  expect(await world.own.rows(`${left}._audit where subject_id = 'work_items'`)).toEqual([]);
});

test('a wrong call ends with 2 and one line', { timeout: PATIENCE }, async () => {
  const object = ['--object', 'companies'];
  const calls = [
    [[...object, 'c.csv'], "error: required option '-w, --workspace <slug>' not specified"],
    [[...acme, ...object], "error: missing required argument 'files'"],
    [[...acme, 'c.csv'], 'error: --object, --mapping or --preset is missing'],
    [[...acme, ...object, 'c.pdf'], `error: the file must end in ${ENDINGS_TEXT}`],
    [
      [...acme, ...object, '--match', 'a,b,c,d', 'c.csv'],
      'error: --match takes 1 to 3 field keys joined by commas',
    ],
    [
      [...acme, ...object, '--reject', './c.csv', 'c.csv'],
      'error: --reject would overwrite a file that is read',
    ],
    [
      [...acme, ...object, '--bulk', '--dry-run', 'c.csv'],
      'error: --dry-run says the same without --bulk',
    ],
  ] as const;
  const outcomes = await Promise.all(calls.map(([args]) => run(...args)));
  outcomes.forEach(({ code, out, err }, index) => {
    expect([code, out]).toEqual([2, '']);
    expect(err).toBe(`${calls[index]?.[1]}\nSee "workspace-records import --help".\n`);
  });
});

test('a failure ends with 1 and says why', { timeout: PATIENCE }, async () => {
  const object = ['--object', 'companies'];
  const mapping = files.put('bad.yaml', 'columns: { a: nam }\nmatch: [size]\n');
  const file = files.put('a.csv', 'a\n1\n');
  const outcomes = await Promise.all([
    run('--workspace', 'none', ...object, file),
    run(...acme, ...object, files.path('missing.csv')),
    run(...acme, ...object, '--mapping', mapping, file),
  ]);
  expect(outcomes.map(({ code, out }) => [code, out])).toEqual([1, 1, 1].map((code) => [code, '']));
  expect(outcomes.map(({ err }) => err)).toEqual([
    'There is no workspace "none"; "workspaces list" shows all.\n',
    `Cannot read ${files.path('missing.csv')}: there is no such file.\n`,
    `${mapping} cannot be used:\n  columns.a: there is no field of companies "nam"; did you mean "name"?\n` +
      '  match: no column gives size\n',
  ]);
});

test('--help explains columns, match keys and the mapping file', {
  timeout: PATIENCE,
}, async () => {
  const { code, out } = await run('--help');
  expect(code).toBe(0);
  for (const word of [
    '--workspace',
    '--match',
    '--dry-run',
    '--reject',
    'lookup:',
    'template:',
    'comments_on:',
  ]) {
    expect(out).toContain(word);
  }
});

test('several files in their order, each with its mapping and its rejects', {
  timeout: PATIENCE,
}, async () => {
  const parents = files.put('parents.csv', 'title,code\nNorth,P1\nSouth,P2\n');
  const children = files.put('children.csv', 'title,above\nEast,P1\nWest,P3\n');
  const columns = '{ title: name, code: code }';
  const first = files.put('parents.yaml', `object_type: companies\ncolumns: ${columns}\n`);
  const above = '{ field: parent_id, lookup: { object_type: companies, field: code } }';
  const second = files.put(
    'children.yaml',
    `object_type: companies\ncolumns: { title: name, above: ${above} }\n`,
  );
  const args = [...acme, parents, children, '--mapping', first, '--mapping', second];
  const dry = await run(...args, '--dry-run', '--json');
  const [one, other] = [files.path('p.csv'), files.path('q.csv')];
  const { code, out } = await runApart(...args, '--reject', one, '--reject', other, '--json');
  const counted = [
    { object_type: 'companies', read: 2, created: 2, rejected: 0 },
    { object_type: 'companies', read: 2, created: 1, rejected: 1 },
  ];
  expect(JSON.parse(dry.out)).toMatchObject({ dry_run: true, files: counted });
  expect([code, JSON.parse(out)]).toMatchObject([1, { workspace: 'acme', files: counted }]);
  expect(files.read('p.csv')).toBe('_line,_field,_reason,title,code\n');
  expect(files.read('q.csv')).toMatch(
    /^_line,_field,_reason,title,above\n3,parent_id,.*,West,P3\n$/,
  );
  const told = await run(...args, '--dry-run');
  expect(told.err).toContain(`${children} line 3: parent_id: `);
  expect(told.out.match(/^companies: 2 rows read/gm)).toHaveLength(2);
});

test.each([
  [['a.csv', 'b.csv', '--mapping', 'a.yaml'], 'each file needs one --mapping'],
  [['a.csv', 'b.csv', '--object', 'companies'], 'several files take --mapping'],
  [
    ['a.csv', 'b.csv', '--mapping', 'a.yaml', '--mapping', 'b.yaml', '--reject', 'r.csv'],
    'each file needs one --reject',
  ],
  [
    [
      ...['a.csv', 'b.csv', '--mapping', 'a.yaml', '--mapping', 'b.yaml'],
      ...['--reject', 'r.csv', '--reject', './r.csv'],
    ],
    '--reject names a file twice',
  ],
])('%j is refused before anything is opened', async (args, message) => {
  const { code, err } = await run(...acme, ...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
