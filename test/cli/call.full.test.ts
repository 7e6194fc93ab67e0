// `call`: operations of the interface at the command line, as a person.

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { runCommandHere } from './command-here.ts';

let world: World;
let ada: Client;
const ids: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  for (const name of ['Aster', 'Birch', 'Cedar']) {
    const { body } = await ada.post('/objects/companies/records', { fields: { name } });
    ids.push(body.data.id);
  }
});
afterAll(() => world?.close());

const call = (...args: readonly string[]) =>
  runCommandHere(world.database.environment, 'call', ...args);
const companies = ['-w', 'acme', '--param', 'object_type=companies'] as const;

test('a page is printed as one item a line, and --all prints all pages', async () => {
  const one = ['--param', 'limit=1', '--param', 'sort=name', '--param', 'fields=name'] as const;
  const first = await call('listRecords', ...companies, ...one);
  expect([first.code, first.err]).toEqual([0, 'There is more; --all reads all pages.\n']);
  expect(JSON.parse(first.out)).toMatchObject({ id: ids[0], fields: { name: 'Aster' } });
  const all = await call('listRecords', ...companies, ...one, '--all');
  const lines = all.out.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
});

test('--all continues a query in its body, and --table prints one header', async () => {
  const body = JSON.stringify({
    ...{ limit: 2, fields: ['name'] },
    sort: [{ field: 'name', direction: 'desc' }],
  });
  const given = [...companies, '--body', body, '--all', '--table', 'name,id'] as const;
  const { out, code } = await call('queryRecords', ...given);
  expect(code).toBe(0);
  expect(out.split('\n').map((line) => line.split(/ +/)[0])).toEqual([
    ...['name', 'Cedar', 'Birch', 'Aster', ''],
  ]);
});

test('a write has its author and source in the audit, and takes headers and a file as body', async () => {
  const file = join(tmpdir(), `call-${process.pid}.json`);
  writeFileSync(file, JSON.stringify({ fields: { name: 'Dogwood' } }));
  const made = await call('createRecord', ...companies, '--body', `@${file}`);
  expect([made.code, made.err]).toEqual([0, '']);
  const { id } = JSON.parse(made.out);
  const [row] = await world.rows(
    'select source, user_id, action from _audit where record_id = $1',
    [id],
  );
  expect(row).toEqual({ source: 'cli', user_id: world.users.ada, action: 'create' });
  const stale = await call(
    'updateRecord',
    ...companies,
    '--param',
    `record_id=${id}`,
    '--body',
    '{"fields":{"name":"X"}}',
    '--header',
    'If-Match: "1-0"',
  );
  expect(stale.code).toBe(1);
  expect(stale.err).toContain('"code":"stale_record"');
});

test('--as has the rights of that person', async () => {
  const audit = await call('listAudit', '-w', 'acme', '--table', 'action,user.email');
  expect(audit.out).toMatch(/^action +user.email\n/);
  expect(audit.err).not.toContain('No item has');
  const misspelt = await call('listAudit', '-w', 'acme', '--table', 'action,user.name');
  expect(misspelt.err).toContain('No item has user.name;');
  const refused = await call(
    'createRole',
    '-w',
    'acme',
    '--as',
    'rob@acme.example',
    '--body',
    '{"key":"x","name":"X"}',
  );
  expect(refused.err).toContain('permission_denied');
});

test('wrong calls are explained', async () => {
  expect((await call()).code).toBe(2);
  expect((await call('listRecord', '-w', 'acme')).err).toContain('did you mean listRecords?');
  expect((await call('getMe', '-w', 'nowhere')).err).toContain('There is no workspace "nowhere"');
  expect((await call('getMe', '-w', 'acme', '--param', 'x')).err).toContain('name=value');
  expect((await call('createRecord', ...companies, '--body', '{')).err).toContain('valid JSON');
  const keyed = ['--body', '{}', '--header', 'Idempotency-Key: x'] as const;
  expect((await call('createRecord', ...companies, ...keyed)).err).toContain('a command has none');
  expect((await call('--list')).out).toContain('listRecords');
});

test.each(
  ROUTES.filter(({ events }) => events !== true).map((route) => [route.operationId, route]),
)('%s is called, and answers or is refused in words', async (operation, { path, body }) => {
  const params = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => [
    '--param',
    `${name}=${name === 'object_type' ? 'companies' : (ids[0] ?? '')}`,
  ]);
  const given = body === undefined ? [] : ['--body', '{}'];
  const { code, err } = await call(operation, '-w', 'acme', ...params, ...given);
  if (code === 0) expect(err).toMatch(/^(?:There is more.*\n)?$/);
  else expect(err).toMatch(/"code":"[a-z_]+".*\n4\d\d: /);
});
