// `export`: files that are whole or not there, standard output, exit codes, Ctrl-C.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from '../import/import-world.ts';
import { runCommandHere } from './command-here.ts';
import { PATIENCE, startCommand } from './command-process.ts';

let world: ImportWorld;
let files: TestFiles;

beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
  const rows = Array.from({ length: 3 }, (_, index) => `Company ${index},${index + 1}`);
  await world.run(files.put('c.csv', ['name,size', ...rows].join('\n')), {
    objectType: 'companies',
  });
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});

const start = (...args: readonly string[]) => startCommand(world.own.environment, ...args);
const run = (...args: readonly string[]) =>
  runCommandHere(world.own.environment, 'export', ...args);
const acme = ['companies', '--workspace', 'acme'];

test('to a file, or to standard output', { timeout: PATIENCE }, async () => {
  const out = files.path('out.jsonl');
  const fields = ['--fields', 'name,size'];
  const [written, piped] = await Promise.all([
    run(...acme, ...fields, '--sort', '-size', '--filter', 'size[lt]=3', '--out', out),
    start('export', ...acme, ...fields, '--out', '-').outcome,
  ]);
  expect(written.code).toBe(0);
  expect(written.out).toMatch(/^Exported 2 records of companies to .+out\.jsonl, \d+ B \(/);
  expect(readFileSync(out, 'utf8')).toBe(
    '{"name":"Company 1","size":2}\n{"name":"Company 0","size":1}\n',
  );
  expect(statSync(out).mode & 0o777).toBe(0o600);
  expect(piped.out).toBe('name,size\nCompany 0,1\nCompany 1,2\nCompany 2,3\n');
  expect(piped.err).toMatch(/(?:^|\n)Exported 3 records of companies \([\d.]+ s\)\.\n$/);
});

test('a failed export leaves no file', { timeout: PATIENCE }, async () => {
  const there = files.path('there.csv');
  writeFileSync(there, 'precious');
  const none = files.path('none.csv');
  const calls = [
    [[...acme, '--out', there], 1, /^There is a file .+ already; --force replaces it\.\n$/],
    [
      [...acme, '--out', none, '--filter', 'size=many', '--filter', 'sise=1'],
      1,
      /^filter\[size\]: The value must be a number\.\nfilter\[sise\]: There is no field "sise"\.\n$/,
    ],
    [[...acme, '--out', none, '--filter', 'size'], 2, /^error: --filter takes field=value or/],
    [[...acme, '--out', none, '--sort', 'a,a'], 2, /^error: --sort: Name 1 to 3 different/],
    [
      [...acme, '--out', files.path('none')],
      2,
      /^error: the file must end in \.csv, \.jsonl, \.xlsx or \.vcf/,
    ],
    [['companies', '-w', 'none', '--out', none], 1, /^There is no workspace "none"/],
  ] as const;
  const outcomes = await Promise.all(calls.map(([args]) => run(...args)));
  outcomes.forEach(({ code, out, err }, index) => {
    expect([code, out]).toEqual([calls[index]?.[1], '']);
    expect(err).toMatch(calls[index]?.[2] as RegExp);
  });
  expect(readFileSync(there, 'utf8')).toBe('precious');
  expect(readdirSync(files.path('.')).filter((name) => /none|part/.test(name))).toEqual([]);
});

test('Ctrl-C leaves no file', { timeout: PATIENCE }, async () => {
  const { schema } = world.workspace;
  const parts = () => readdirSync(files.path('.')).filter((name) => name.endsWith('.part'));
  const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock'
    and datname = current_database()`;
  await world.own.db.transaction(async (tx) => {
    // Both have opened their file and wait for the first rows.
    await tx.query({
      text: `lock table "${schema}".companies in access exclusive mode`,
      values: [],
    });
    const started = [
      start('export', ...acme, '--out', files.path('cut.csv')),
      start('workspaces', 'export', 'acme', '--out', files.path('cut.gz')),
    ];
    await vi.waitFor(
      async () =>
        expect([parts(), await world.own.rows(waiting)]).toMatchObject([
          { length: 2 },
          { length: 2 },
        ]),
      { timeout: 60_000, interval: 100 },
    );
    for (const { child } of started) child.kill('SIGINT');
    for (const { outcome } of started) {
      expect(await outcome).toMatchObject({ code: null, signal: 'SIGINT', out: '' });
    }
  });
  expect(readdirSync(files.path('.')).filter((name) => /cut|part/.test(name))).toEqual([]);
});
