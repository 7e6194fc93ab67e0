// `workspaces create --from`: the form of a file, refusals before any workspace is made, and that the same command
// continues where one ended.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';
import { runCommandHere } from './command-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'create-many-'));
let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await own?.drop();
});

const create = (...args: readonly string[]) =>
  runCommandHere(own.environment, 'workspaces', 'create', ...args);

function put(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const slugs = async () =>
  (await own.rows('select slug from workspace_records.workspaces order by id')).map(
    ({ slug }) => slug,
  );

const told = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line) => {
      const { line: row, slug, result } = JSON.parse(line);
      return [row, slug, result];
    });

test('a row a workspace, with its name, its definition and its first administrator', async () => {
  mkdirSync(join(folder, 'kinds'), { recursive: true });
  put(
    'kinds/cars.yaml',
    'name: Cars',
    'objects: { cars: { name: Cars, singular_name: Car, fields: {} } }',
  );
  const file = put(
    'all.csv',
    'slug,name,definition,admin_email,admin_name',
    'acme,"Acme, Inc.",,ada@acme.example,Ada',
    'zeta,,kinds/cars.yaml,,',
  );
  const { code, out, err } = await create('--from', file);
  expect([code, told(out)]).toEqual([
    0,
    [
      [2, 'acme', 'created'],
      [3, 'zeta', 'created'],
    ],
  ]);
  expect(err).toContain('workspaces: 2 of 2');
  const made = await own.rows(
    'select slug, name, revision from workspace_records.workspaces order by id',
  );
  expect(made).toEqual([
    { slug: 'acme', name: 'Acme, Inc.', revision: 1 },
    { slug: 'zeta', name: 'Cars', revision: 1 },
  ]);
  expect(await own.rows('select email, name, roles from ws_acme._users')).toEqual([
    { email: 'ada@acme.example', name: 'Ada', roles: ['admin'] },
  ]);
  expect(await own.rows('select count(*) as cars from ws_zeta.cars')).toEqual([{ cars: 0 }]);
  const patch = await own.rows('select patch from ws_acme._definitions');
  // With an administrator, a workspace has two more roles for the others.
  expect(patch).toEqual([
    {
      patch: {
        users: { 'ada@acme.example': { name: 'Ada', roles: ['admin'] } },
        roles: {
          member: expect.objectContaining({ name: 'Member' }),
          viewer: expect.objectContaining({ name: 'Viewer' }),
        },
      },
    },
  ]);
});

test('the same command again makes the missing workspaces', async () => {
  const file = put(
    'more.jsonl',
    '{"slug":"acme","name":"Another","definition":null}',
    '',
    '{"slug":"more","admin_email":"mo@more.example","admin_name":"Mo"}',
  );
  const cars = join(folder, 'kinds', 'cars.yaml');
  const first = await create('--from', file, '--definition', cars);
  expect(told(first.out)).toEqual([
    [1, 'acme', 'exists'],
    [3, 'more', 'created'],
  ]);
  const again = await create('--from', file, '--definition', cars);
  expect([again.code, told(again.out)]).toEqual([
    0,
    [
      [1, 'acme', 'exists'],
      [3, 'more', 'exists'],
    ],
  ]);
  expect(
    await own.rows(`select name from workspace_records.workspaces where slug = 'acme'`),
  ).toEqual([{ name: 'Acme, Inc.' }]);
  expect(await own.rows('select count(*) as cars from ws_more.cars')).toEqual([{ cars: 0 }]);
});

test('workspaces made before a failure stay, and the command continues after it', async () => {
  // An object with the name of the schema blocks the workspace.
  await own.rows('create schema ws_second');
  const file = put('three.csv', 'slug', 'first', 'second', 'third');
  const { code, out, err } = await create('--from', file);
  expect([code, told(out)]).toEqual([1, [[2, 'first', 'created']]]);
  expect(err).toContain('Line 3: ');
  await own.rows('drop schema ws_second');
  const again = await create('--from', file);
  expect([again.code, told(again.out)]).toEqual([
    0,
    [
      [2, 'first', 'exists'],
      [3, 'second', 'created'],
      [4, 'third', 'created'],
    ],
  ]);
});

test('unusable rows are listed with their lines, and no workspace is made', async () => {
  const before = await slugs();
  put('broken.yaml', 'objects: { cars: 7 }');
  const file = put(
    'bad.csv',
    'slug,name,definition,admin_email,admin_name',
    'good,,,,',
    'Bad,,,,',
    'good,,,,',
    'third,,none.yaml,,',
    'fourth,,broken.yaml,,',
    'fifth,,,,Eve',
    'sixth,,,no address,Sue',
    'seventh,,',
    '"eighth","two\nlines",,,',
  );
  const { code, out, err } = await create('--from', file);
  expect([code, out]).toEqual([1, '']);
  const problems = [
    /:3: "Bad" cannot be a workspace/,
    /:4: "good" is in line 2 already/,
    /:5: Cannot read .*none\.yaml: there is no such file/,
    /:6: The definition cannot be used:/,
    /:7: "admin_email" and "admin_name" go together/,

    /:8: The definition cannot be used:/,
    /:9: The row has 3 columns, the header has 5/,
    /:10: A name has 1 to/,
  ];
  for (const problem of problems) expect(err).toMatch(problem);
  expect(err).not.toContain('bad.csv:2:');
  expect(await slugs()).toEqual(before);
});

test.each([
  ['columns.csv', ['slug,owner', 'x,y'], /There is no column "owner"\. Columns: slug, name/],
  ['types.jsonl', ['{"slug":7}'], /:1: "slug" is not text/],
  ['json.jsonl', ['{"slug":'], /:1: The line is not valid JSON/],
  ['empty.csv', ['slug'], /empty\.csv has no rows/],
  ['list.pdf', ['slug'], /--from takes a file that ends in \.csv, /],
])('refused: %s', async (name, lines, message) => {
  const { code, err } = await create('--from', put(name, ...lines));
  expect([code, err]).toEqual([1, expect.stringMatching(message)]);
});

test('a slug or a file, and names of many in the file', async () => {
  const file = put('one.csv', 'slug', 'one');
  for (const args of [[], ['one', '--from', file], ['--from', file, '--name', 'One']]) {
    expect((await create(...args)).code, args.join(' ')).toBe(2);
  }
  expect(await slugs()).not.toContain('one');
});
