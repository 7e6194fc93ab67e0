// `trash`: deleted records at the command line, listed, restored and removed for good.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { runCommandHere } from './command-here.ts';

let world: World;
let ada: Client;
let company: string;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  company = await make('companies', { name: 'Owner' });
});
afterAll(() => world?.close());

async function make(type: string, fields: object): Promise<string> {
  return (await ada.post(`/objects/${type}/records`, { fields })).body.data.id;
}

const run = (...args: readonly string[]) =>
  runCommandHere(world.database.environment, 'trash', ...args, '-w', 'acme');

test('a deleted record is listed, restored, and removed for good', async () => {
  const id = await make('boats', { name: 'Dory', company_id: company });
  await ada.delete(`/objects/boats/records/${id}`);
  const listed = await run('list', 'boats', '-q', 'dor');
  expect([listed.code, listed.err]).toEqual([0, '']);
  expect(listed.out).toMatch(
    new RegExp(`^id +display +deleted at +restorable until\\n${id} +Dory `),
  );
  const [line] = (await run('list', 'boats', '--json')).out.trim().split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ id, display: 'Dory' });
  const restored = await run('restore', 'boats', id);
  expect(JSON.parse(restored.out)).toMatchObject({
    record: { id, display: 'Dory' },
    not_restored: { links: 0, references: 0, fields: [] },
  });
  const [entry] = await world.rows(
    `select source, user_id from _audit where record_id = $1 and action = 'restore'`,
    [id],
  );
  expect(entry).toEqual({ source: 'cli', user_id: world.users.ada });
  await ada.delete(`/objects/boats/records/${id}`);
  expect((await run('purge', 'boats', id)).code).toBe(0);
  expect((await run('restore', 'boats', id)).code).toBe(1);
});

test('refusals are sentences', async () => {
  const off = await run('list', 'readings');
  expect([off.code, off.err]).toEqual([1, 'Deleted records of Readings are not kept.\n']);
  const nobody = await run('list', 'boats', '--user', 'nobody@acme.example');
  expect(nobody.code).toBe(1);
});
