// `audit`: which rows it finds, as a table and as JSON lines, and that no value is in them.

import { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { addAuditCommand } from '../../src/cli/audit.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let deal: string;
let company: string;
let prefix: string;

beforeAll(async () => {
  world = await openWorld();
  for (const [name, value] of Object.entries(world.database.environment)) vi.stubEnv(name, value);
  const ada = await world.as('ada');
  const mia = await world.as('mia');
  prefix = mia.secret.slice(0, 12);
  const create = async (client: typeof ada, type: string) =>
    (await client.post(`/objects/${type}/records`, { fields: { name: 'Hidden value' } })).body.data
      .id;
  company = await create(ada, 'companies');
  deal = await create(mia, 'deals');
  await mia.patch(`/objects/deals/records/${deal}`, { fields: { amount: 77.5 } });
  await mia.post(`/objects/deals/records/${deal}/status`, { status_id: 'won' });
  await world.database.rows(
    `update ws_acme._audit set at = now() - interval '3 days' where id = 1`,
  );
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.close();
});

/** Run the command; returns its output. */
async function audit(...args: readonly string[]): Promise<string> {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addAuditCommand(program);
  for (const command of program.commands) command.exitOverride().copyInheritedSettings(program);
  try {
    await program.parseAsync(['audit', '--workspace', 'acme', ...args], { from: 'user' });
  } finally {
    vi.restoreAllMocks();
  }
  return out;
}

async function rows(...args: readonly string[]) {
  const out = await audit('--json', ...args);
  return out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function actions(...args: readonly string[]): Promise<readonly string[]> {
  return (await rows(...args)).map(({ object_type, action }) => `${object_type} ${action}`);
}

const ALL = ['deals status', 'deals update', 'deals create', 'companies create'];

test('every write is there, newest first, with keys and without values', async () => {
  expect(await actions()).toEqual(ALL);
  const [newest] = await rows('--limit', '1');
  expect(newest).toEqual({
    id: expect.any(Number),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    user: 'mia@acme.example',
    user_id: world.users.mia,
    api_key_id: expect.any(String),
    api_key_prefix: prefix,
    session_id: null,
    source: 'api',
    object_type: 'deals',
    record_id: deal,
    subject_type: null,
    subject_id: null,
    action: 'status',
    changed_fields: ['status'],
    request_id: expect.stringMatching(/^req_/),
    batch_id: null,
  });
  const everything = (await audit('--all')) + (await audit('--all', '--json'));
  for (const value of ['Hidden value', '77.5', 'won']) expect(everything).not.toContain(value);
});

test.each([
  ['--record', () => deal, ALL.slice(0, 3)],
  ['--object', () => 'companies', ALL.slice(3)],
  ['--action', () => 'create', ALL.slice(2)],
  ['--user', () => 'ada@acme.example', ALL.slice(3)],
  ['--key', () => prefix, ALL.slice(0, 3)],
  ['--since', () => '1d', ALL.slice(0, 3)],
  ['--until', () => '1d', ALL.slice(3)],
  ['--until', () => '2020-01-01', []],
  ['--since', () => '2020-01-01T00:00:00Z', ALL],
  ['--limit', () => '2', ALL.slice(0, 2)],
])('%s selects the matching rows', async (option, value, expected) => {
  expect(await actions(option, value())).toEqual(expected);
});

test('a person reads a table', async () => {
  const lines = (await audit('--record', company)).split('\n');
  expect(lines[0]).toMatch(/^at +user +key +action +object +record +fields$/);
  expect(lines[1]).toContain(`create  companies  ${company}  name`);
  expect(await audit('--until', '2020-01-01')).toBe('There are no such rows.\n');
});

test('the list includes actions on other things than records', async () => {
  const person = world.users.ada;
  await world.database.rows(
    `insert into ws_acme._audit (user_id, subject_type, subject_id, action, changed_fields, source,
        session_id, at)
      values (null, 'definition', '3', 'apply', '{roles}', 'cli', null, now() + interval '1 second'),
        ($1, 'key', 'K', 'revoke', '{}', 'api', gen_random_uuid(), now() + interval '2 seconds')`,
    [person],
  );
  const lines = (await audit('--limit', '2')).split('\n');
  expect(lines[1]).toMatch(/ada@acme.example +session \S{8} +revoke +key +K *$/);
  expect(lines[2]).toMatch(/Z +cli +apply +definition +3 +roles$/);
  expect(await rows('--subject', 'definition', '--action', 'apply')).toHaveLength(1);
  await world.database.rows('delete from ws_acme._audit where subject_type is not null');
});

test('many rows are read in pages', async () => {
  await world.database.rows(
    `insert into ws_acme._audit (user_id, object_type, record_id, action, changed_fields, source)
      select 1, 'boats', gen_random_uuid(), 'create', '{}', 'import' from generate_series(1, 2500)`,
  );
  const found = await rows('--object', 'boats', '--all');
  expect(new Set(found.map(({ id }) => id)).size).toBe(2500);
  expect((await audit('--object', 'boats', '--all')).match(/^at /gm)).toHaveLength(1);
  expect(await rows('--object', 'boats')).toHaveLength(100);
});

test.each([
  [['--record', 'x'], '--record must be the id of a record, not "x".'],
  [['--user', 'no@one'], 'There is no user "no@one" in the workspace "acme".'],
  [
    ['--action', 'Create it'],
    '--action must be a word such as create, update, status, delete, link, unlink, comment, not "Create it".',
  ],
  [['--subject', 'person'], 'There is no subject "person". Subjects: session, '],
  [['--limit', '0'], '--limit must be a whole number'],
  [['--since', 'soon'], '--since must be a time such as'],
])('%j is refused in one line', async (args, message) => {
  await expect(audit(...args)).rejects.toThrow(message);
});
