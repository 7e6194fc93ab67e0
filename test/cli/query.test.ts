// `query` and `export --where`: a question on the command line, its answer in three forms, and its refusals.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import {
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from '../import/import-world.ts';
import { runCommandHere } from './command-here.ts';

let world: ImportWorld;
let files: TestFiles;

beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
  const rows = ['Alder,3', 'Birch,2', '=Cedar,1', 'Dogwood,'];
  await world.run(files.put('c.csv', ['name,size', ...rows].join('\n')), {
    objectType: 'companies',
  });
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});

const run = (command: string, ...args: readonly string[]) =>
  runCommandHere(world.own.environment, command, 'companies', '-w', 'acme', ...args);
const asked = (...args: readonly string[]) => run('query', ...args, '--fields', 'name,size');

const SMALL =
  '{"any":[{"field":"size","op":"lt","value":3},{"field":"size","op":"is_null","value":true}]}';

test('as a table, as CSV, as JSON lines', async () => {
  const small = [SMALL, '--sort', '-size'];
  expect(await asked(...small, '--format', 'table')).toEqual({
    code: 0,
    out: 'name     size\nBirch    2\n=Cedar   1\nDogwood\n',
    err: '',
  });
  expect((await asked(...small, '--format', 'csv')).out).toBe(
    "name,size\nBirch,2\n'=Cedar,1\nDogwood,\n",
  );
  const { out } = await asked(...small);
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).fields)).toEqual([
    { name: 'Birch', size: 2 },
    { name: '=Cedar', size: 1 },
    { name: 'Dogwood', size: null },
  ]);
});

test('says how many there are, and that there are more', async () => {
  const counted = await run(
    'query',
    '--limit',
    '1',
    '--count',
    '--format',
    'csv',
    '--sort',
    'name',
  );
  expect([counted.code, counted.out.split('\n')[0], counted.err]).toEqual([
    0,
    'id,display',
    '1 of 4 records.\n',
  ]);
  expect((await run('query', '--limit', '3')).err).toBe('The first 3; --limit shows more.\n');
});

test('exports the records that match a condition', async () => {
  const out = files.path('small.csv');
  const written = await run('export', '--where', SMALL, '--fields', 'name', '--out', out);
  expect([written.code, readFileSync(out, 'utf8')]).toEqual([0, "name\nBirch\n'=Cedar\nDogwood\n"]);
  const recent = '{"field":"created_at","op":"gte","value":{"relative":"-1d"}}';
  const all = await run('export', '--where', recent, '--fields', 'name', '--out', '-');
  expect(all.err).toMatch(/^Exported 4 records/m);
});

test.each<[readonly string[], number, RegExp]>([
  [['{'], 2, /^error: the condition is not valid JSON/],
  [['--limit', '101'], 2, /^error: --limit takes 1 to 100/],
  [['--format', 'xml'], 2, /^error: --format is one of table, csv, jsonl/],
  [['{"field":"sise","op":"eq","value":1}'], 1, /^where\.field: There is no field "sise"\.\n$/],
  [['--timezone', 'Mars'], 1, /^timezone: The value must be a time zone/],
  [['--as', 'nobody@acme.example'], 1, /^There is no user "nobody@acme\.example"/],
])('%j is refused', async (args, code, told) => {
  const said = await run('query', ...args);
  expect([said.code, said.out]).toEqual([code, '']);
  expect(said.err).toMatch(told);
});

test('of more than are counted it says how many there are at least', async () => {
  const most = LIMITS.exactCount;
  await world.own.rows(
    `insert into ws_acme.companies (id, created_by_user_id, name)
      select gen_random_uuid(), (select min(id) from ws_acme._users), 'Of many'
      from generate_series(1, $1)`,
    [most],
  );
  const { err } = await run('query', '--limit', '1', '--count');
  expect(err).toBe(`1 of at least ${most} records.\n`);
});
