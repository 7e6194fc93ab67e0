// `erase` at the command line: the counts of a dry run, the erasure, refusals, and the rewrite of the tables.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { runCommandHere } from './command-here.ts';

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const run = (...args: readonly string[]) =>
  runCommandHere(world.database.environment, 'erase', ...args, '-w', 'acme');

async function company(name: string): Promise<string> {
  const { body } = await ada.post('/objects/companies/records', { fields: { name } });
  return body.data.id;
}

const statusOf = async (id: string) => (await ada.get(`/objects/companies/records/${id}`)).status;

test('a dry run counts and changes nothing; without it the record is erased', async () => {
  const id = await company('Erased by command');
  const dry = await run(`companies/${id}`, '--dry-run');
  expect(dry).toMatchObject({ code: 0, err: '' });
  expect(dry.out).toMatch(/would be erased\s+records\s+1\n/);
  expect(await statusOf(id)).toBe(200);
  const real = await run(`companies/${id}`);
  expect(real).toMatchObject({ code: 0, err: '' });
  expect(real.out).toMatch(/erased\s+records\s+1\n/);
  expect(await statusOf(id)).toBe(404);
  const rows = await world.rows(
    `select source, action, subject_type from _audit where subject_type = 'erasure' order by id`,
  );
  expect(rows).toHaveLength(2);
  expect(rows[1]).toEqual({ source: 'cli', action: 'create', subject_type: 'erasure' });
});

test('refused records are named, and end with 1', async () => {
  const id = await company('Needed');
  await ada.post('/objects/boats/records', { fields: { name: 'Boat', company_id: id } });
  const { code, err } = await run(`companies/${id}`);
  expect([code, err]).toEqual([1, `${id}: Other records require this one: 1 boats.\n`]);
  expect(await statusOf(id)).toBe(200);
});

test('the tables are rewritten without records, too', async () => {
  const { code, out } = await run('--rewrite');
  expect([code, out]).toEqual([0, 'The tables of acme are rewritten.\n']);
});

test.each([
  [[], 'name at least one record'],
  [['companies'], 'name each record like contacts/ID'],
  [['companies/x/y'], 'name each record like contacts/ID'],
  [['companies/x', '--rewrite', '--dry-run'], '--rewrite does not go with --dry-run'],
])('the call %j is refused', async (args, message) => {
  const { code, err } = await run(...args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('a person who is no administrator is refused', async () => {
  const { code, err } = await run('companies/x', '--user', 'mia@acme.example');
  expect([code, err]).toEqual([1, expect.stringContaining('Only an administrator may do this.')]);
});
