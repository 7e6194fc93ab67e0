// `bulk`: one change of many records at the command line, its output, and its refusals.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ImportWorld, openImportWorld } from '../import/import-world.ts';
import { until } from '../until.ts';
import { runCommandHere } from './command-here.ts';

let world: ImportWorld;
beforeAll(async () => {
  world = await openImportWorld();
});
afterAll(() => world?.close());

const SMALL = '{"field":"size","op":"lt","value":3}';

beforeEach(async () => {
  await world.own.rows('delete from workspace_records.jobs');
  await world.own.rows(`delete from ${schema()}.companies`);
  await world.own.rows(
    `insert into ${schema()}.companies (id, name, size, created_by_user_id)
      select gen_random_uuid(), 'C' || n, n, 1 from generate_series(1, 4) n`,
  );
});

const schema = () => `"${world.workspace.schema}"`;
const bulk = (...args: readonly string[]) =>
  runCommandHere(world.own.environment, 'bulk', 'companies', '-w', 'acme', ...args);
const sizes = async () =>
  (await world.table('companies')).map(({ name, size }) => [name, size]).sort();

test('a dry run describes the change', async () => {
  const { code, out } = await bulk(SMALL, '--set', '{"size":9}', '--dry-run');
  expect(code).toBe(0);
  expect(out).toMatch(/^companies: 2 records, none of them changed \(dry run\)\.\nid +display\n/);
  expect(out.split('\n').filter((line) => / C[12]$/.test(line))).toHaveLength(2);
  expect(await sizes()).toEqual([
    ['C1', 1],
    ['C2', 2],
    ['C3', 3],
    ['C4', 4],
  ]);
});

test('changes them as the person, with audit rows of one command', async () => {
  const set = ['--set', '{"size":9}', '--expect', '2'];
  expect(await bulk(SMALL, ...set)).toEqual({
    code: 0,
    out: 'companies: 2 changed, 0 unchanged, 0 refused.\n',
    err: '',
  });
  expect(await sizes()).toEqual([
    ['C1', 9],
    ['C2', 9],
    ['C3', 3],
    ['C4', 4],
  ]);
  const rows = await world.own.rows(
    `select source, action, subject_type, count(*)::integer as rows, min(request_id) as request_id
      from ${schema()}._audit where request_id like 'cmd_%' group by 1, 2, 3 order by 1`,
  );
  expect(rows).toMatchObject([
    { source: 'bulk', action: 'update', subject_type: null, rows: 2 },
    { source: 'cli', action: 'create', subject_type: 'bulk', rows: 1 },
  ]);
  expect(rows[0]?.request_id).toBe(rows[1]?.request_id);
});

test('deletes', async () => {
  expect((await bulk(SMALL, '--delete', '--expect', '2')).out).toContain('2 changed');
  expect(await sizes()).toEqual([
    ['C3', 3],
    ['C4', 4],
  ]);
});

test('refused records are listed, the others are changed', async () => {
  const set = ['--set', '{"code":"K"}', '--expect', '2'];
  const { code, out, err } = await bulk(SMALL, ...set);
  expect({ code, out }).toEqual({
    code: 1,
    out: 'companies: 1 changed, 0 unchanged, 1 refused.\n',
  });
  expect(err).toMatch(/^[0-9a-f-]{36} code: .*\n$/);
});

test('another number of records than expected changes none', async () => {
  const { code, err } = await bulk(SMALL, '--set', '{"size":9}', '--expect', '3');
  expect({ code, err }).toEqual({
    code: 1,
    err: 'expected_count: The conditions now match 2 records, not 3.\n',
  });
  expect(await sizes()).toContainEqual(['C1', 1]);
});

test('a job that a service has taken is waited for', async () => {
  // As if a service were faster, always.
  await world.own.rows(`create function taken() returns trigger language plpgsql as $$
    begin
      new.state = 'running'; new.attempts = 1; new.started_at = now();
      new.lease_holder = 'a service'; new.lease_until = now() + interval '1 hour';
      return new;
    end $$`);
  await world.own.rows(`create trigger taken before insert on workspace_records.jobs
    for each row execute function taken()`);
  const running = bulk(SMALL, '--set', '{"size":9}', '--expect', '2');
  const found = 'select id from workspace_records.jobs';
  await until(async () => (await world.own.rows(found)).length > 0);
  await world.own.rows('drop function taken cascade');
  expect(await sizes()).toContainEqual(['C1', 1]);
  await world.own.rows(`update workspace_records.jobs set state = 'done', finished_at = now(),
    lease_holder = null, lease_until = null, progress = progress || '{"changed": 2}'`);
  expect((await running).out).toBe('companies: 2 changed, 0 unchanged, 0 refused.\n');
  expect(await sizes()).toContainEqual(['C1', 1]);
});

test.each([
  [['{', '--set', '{}', '--expect', '1'], 'error: the condition is not valid JSON'],
  [[SMALL, '--expect', '1'], 'error: give one of --set, --status and --delete'],
  [[SMALL, '--set', '{}', '--delete', '--expect', '1'], 'error: give one of --set'],
  [[SMALL, '--set', '[]', '--expect', '1'], 'error: --set takes a JSON object'],
  [[SMALL, '--delete'], 'error: --expect is missing'],
  [[SMALL, '--delete', '--expect', '0'], 'error: --expect takes a number'],
])('%j is a wrong call', async (args, said) => {
  const { code, err } = await bulk(...args);
  expect(code).toBe(2);
  expect(err).toContain(said);
});

test('a person without the right gets a refusal', async () => {
  const set = ['--set', '{"size":9}', '--expect', '2'];
  expect((await bulk(SMALL, ...set, '--user', 'nobody@acme.example')).err).toBe(
    'There is no user "nobody@acme.example" in the workspace "acme".\n',
  );
  expect((await bulk(SMALL, '--set', '{"nonsense":9}', '--expect', '2')).err).toContain(
    'fields.nonsense',
  );
});
