// `changes`: what it prints of changes, where it continues, and which calls it refuses.

import { afterAll, beforeAll, expect, test } from 'vitest';
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
  await load('Alder,3', 'Birch,2');
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});

const load = (...rows: readonly string[]) =>
  world.run(files.put('c.csv', ['name,size', ...rows].join('\n')), { objectType: 'companies' });
const run = (...args: readonly string[]) =>
  runCommandHere(world.own.environment, 'changes', '-w', 'acme', ...args);

interface Line {
  readonly type: string;
  readonly source: string;
  readonly record?: { readonly fields: Readonly<Record<string, unknown>> };
  readonly cursor?: string;
}

function linesOf(out: string): readonly Line[] {
  const text = out.trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
}

test('prints the changes that are kept, and continues behind its cursor', async () => {
  const first = await run('--json', '--include', 'record', '--type', 'record.*');
  const lines = linesOf(first.out);
  expect(lines.map(({ type, source, record }) => [type, source, record?.fields.name])).toEqual([
    ['record.created', 'import', 'Alder'],
    ['record.created', 'import', 'Birch'],
  ]);
  expect(lines.map(({ cursor }) => cursor !== undefined)).toEqual([false, true]);
  const cursor = lines.at(-1)?.cursor as string;
  expect(first.err).toBe(`Continue with --cursor ${cursor}\n`);
  await load('Cedar,1');
  const second = await run('--cursor', cursor);
  expect(second.out).toMatch(
    /^\S+Z {2}record\.created {2}companies {2}[0-9a-f-]{36} {2}\S*name\S*\n$/,
  );
  expect(linesOf((await run('--since', '1h', '--json')).out).length).toBe(3);
  expect((await run('--since', '1h', '--object-type', 'deals')).out).toBe('');
});

test.each<[readonly string[], number, RegExp]>([
  [['--include', 'all', '--json'], 2, /^error: --include takes "record"/],
  [['--include', 'record'], 2, /^error: --include needs --json/],
  [['--since', 'soon'], 2, /^error: --since takes a time/],
  [['--since', '1h', '--cursor', 'x'], 2, /^error: give one of --since and --cursor/],
  [['--type', 'record.all'], 1, /^type: There is no type "record\.all"/],
  [['--object-type', 'boats'], 1, /^object_type: There is no such object/],
  [['--cursor', 'x'], 1, /^cursor: /],
  [['--since', '2020-01-01'], 1, /^since: Changes of that time are no longer kept/],
  [['--as', 'nobody@acme.example'], 1, /^There is no user "nobody@acme\.example"/],
])('%j is refused', async (args, code, told) => {
  const said = await run(...args);
  expect([said.code, said.out]).toEqual([code, '']);
  expect(said.err).toMatch(told);
});
