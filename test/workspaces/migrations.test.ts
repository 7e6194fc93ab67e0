// The service tables on a real PostgreSQL: made once, whoever starts, and the function they need.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeCollations } from '../../src/definitions/apply/collations.ts';
import type { Row } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { statementsOf } from '../../src/workspaces/migration-files.ts';
import { checkServer, migrate } from '../../src/workspaces/migrations.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createOwnDatabase();
});

afterAll(() => own?.drop());

test('several processes can start at once, and again', async () => {
  await Promise.all([migrate(own.db), migrate(own.db), migrate(own.db)]);
  await migrate(own.db);
  const files = await own.rows('select schema_name, file from workspace_records.migrations');
  expect(files).toContainEqual({ schema_name: 'workspace_records', file: '001-control.sql' });
});

test('a workspace that misses a file gets it', async () => {
  await createWorkspace(own.db, { slug: 'late' });
  const folder = `from workspace_records.migrations where schema_name = 'ws_late'`;
  const before = await own.rows(`select file ${folder} order by file`);
  expect(before).toContainEqual({ file: '001-workspace.sql' });
  await own.rows('drop schema ws_late cascade');
  await own.rows('create schema ws_late');
  await own.rows(`delete ${folder}`);
  await Promise.all([migrate(own.db), migrate(own.db)]);
  expect(await own.rows(`select file ${folder} order by file`)).toEqual(before);
  expect(await own.rows('select count(*) as users from ws_late._users')).toEqual([{ users: 0 }]);
  expect(
    await own.rows(`select tgrelid::regclass::text as name from pg_trigger
      where tgname = 'note_change' and tgrelid::regclass::text like 'ws_late.%' order by 1`),
  ).toEqual([{ name: 'ws_late._team_members' }, { name: 'ws_late._users' }]);
});

test('what is migrated before a failure stays, and the next start goes on behind it', async () => {
  const { db, rows } = own;
  for (const slug of ['one', 'two', 'three']) await createWorkspace(db, { slug });
  const forget = `delete from workspace_records.migrations
    where file = '045-views.sql' and schema_name in ('ws_one', 'ws_two', 'ws_three')`;
  await rows(forget);
  await rows(
    'drop table ws_one._views, ws_one._view_orders, ws_three._views, ws_three._view_orders',
  );
  await expect(migrate(db)).rejects.toThrow('relation "_views" already exists');
  await rows('drop table ws_two._views, ws_two._view_orders');
  expect(await migrate(db)).toEqual(['ws_two', 'ws_three']);
  expect(await migrate(db)).toEqual([]);
});

test('work items that are older than their public ids get them in the order they were made', async () => {
  const { db, rows } = own;
  const flow = { name: 'Flow', initial: 'open', statuses: { open: { name: 'Open' } } };
  const type = { name: 'Type', workflow: 'flow' };
  const work_item_types = { bug: { ...type, prefix: 'BUG' }, idea: { ...type, prefix: 'IDEA' } };
  const document = { workflows: { flow }, work_item_types };
  await createWorkspace(db, { slug: 'aged', document });
  await rows('drop sequence ws_aged."_public_id_BUG", ws_aged."_public_id_IDEA"');
  await rows('alter table ws_aged.work_items drop column public_id');
  await rows(`delete from workspace_records.migrations
    where schema_name = 'ws_aged' and file = '008-work-items.sql'`);
  await rows(`insert into ws_aged.work_items
      (id, created_at, created_by_user_id, status, title, work_item_type_id)
    select gen_random_uuid(), now() - n * interval '1 day', 1, 'open', 'Item ' || n,
      case when n % 3 = 0 then 'idea' else 'bug' end from generate_series(1, 9) n`);
  await migrate(db);
  const numbered = await rows(
    'select title, public_id from ws_aged.work_items order by created_at',
  );
  expect(numbered.map(({ title, public_id }) => [title, public_id])).toEqual([
    ['Item 9', 'IDEA-1'],
    ['Item 8', 'BUG-1'],
    ['Item 7', 'BUG-2'],
    ['Item 6', 'IDEA-2'],
    ['Item 5', 'BUG-3'],
    ['Item 4', 'BUG-4'],
    ['Item 3', 'IDEA-3'],
    ['Item 2', 'BUG-5'],
    ['Item 1', 'BUG-6'],
  ]);
  expect(await rows(`select workspace_records.next_public_id('ws_aged', 'BUG') as next`)).toEqual([
    { next: 'BUG-7' },
  ]);
  const found = await rows(`select text from ws_aged._search
    where source = 'work_items.public_id' and text = 'bug 6'`);
  expect(found).toHaveLength(1);
});

test('a number that an import has used is not given out again', async () => {
  await own.rows(`update ws_aged.work_items set public_id = 'BUG-9' where public_id = 'BUG-1'`);
  const next = `select workspace_records.next_public_id('ws_aged', 'BUG') as next`;
  expect([...(await own.rows(next)), ...(await own.rows(next))]).toEqual([
    { next: 'BUG-8' },
    { next: 'BUG-10' },
  ]);
});

test.each([
  ['Plain ASCII 1-2', 'plain ascii 1-2'],
  ['ÅÉÑ ДЖ', 'åéñ дж'],
  ['ΟΔΥΣΣΕΥΣ ΑΕ', 'οδυσσευσ αε'],
  ['Οδυσσεύς', 'οδυσσεύσ'],
  ['İ', 'i̇'],
  ['T̈', 'ẗ'],
])('%s is folded to %s, in whichever form it comes', async (text, expected) => {
  const rows = await own.rows(
    `select workspace_records.folded(t) as text from unnest($1::text[]) t`,
    [[text, text.normalize('NFD'), text.normalize('NFC')]],
  );
  expect(rows.map((row) => row.text)).toEqual(Array(3).fill(expected.normalize('NFC')));
});

test('folded disappears from the plan', async () => {
  const plan = await own.rows(
    'explain (verbose, costs off) select workspace_records.folded(email) from ws_late._users',
  );
  expect(JSON.stringify(plan)).toContain('lower(');
});

test('a start tells of orders that the server does not have, or has in another version', async () => {
  expect(await describeCollations(own.db)).toEqual([]);
  await own.rows('create collation workspace_records."xx" from pg_catalog."C"');
  const [plain, ...others] = await describeCollations(own.db);
  expect(plain).toMatch(/has no ICU\. Lists sort texts by code points/);
  expect(others).toEqual([]);
  await own.rows('drop collation workspace_records."xx"');
  const version = (text: string) =>
    own.rows(`update pg_collation set collversion = ${text} where collname = 'und-u-kn-true'`);
  await version(`'1.0'`);
  const told: string[] = [];
  await migrate(own.db, (sentence) => told.push(sentence));
  expect(told).toEqual([expect.stringContaining('"und-u-kn-true" REFRESH VERSION')]);
  await version('pg_collation_actual_version(oid)');
});

test('the server of the tests is good enough', async () => {
  await expect(checkServer(own.db, true)).resolves.toBeUndefined();
});

const GOOD = { version: 180_000, encoding: 'UTF8', fsync: 'on', full_page_writes: 'on' };

test('a server that is good is accepted, one that may lose data only when that is wanted', async () => {
  const server = (row: object) => ({ query: async () => [row as Row] });
  await expect(checkServer(server(GOOD))).resolves.toBeUndefined();
  await expect(checkServer(server({ ...GOOD, fsync: 'off' }), true)).resolves.toBeUndefined();
});

test.each([
  [{ version: 140_012, name: '14.12', encoding: 'UTF8' }, 'PostgreSQL 15 or newer is needed'],
  [{ version: 150_000, name: '15.0', encoding: 'LATIN1' }, 'must have the encoding UTF8'],
  [{ ...GOOD, fsync: 'off' }, 'lose acknowledged writes in a crash: turn on fsync, or'],
  [
    { ...GOOD, full_page_writes: 'off', synchronous_commit: 'off' },
    'turn on full_page_writes, synchronous_commit, or',
  ],
])('server %j is refused', async (server, message) => {
  await expect(checkServer({ query: async () => [server] })).rejects.toThrow(message);
});

test('the files are sent statement by statement, and nothing of them is lost', () => {
  const folder = join(import.meta.dirname, '..', '..', 'migrations');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.sql')) continue;
    const text = readFileSync(join(folder, file), 'utf8').trimEnd();
    const statements = statementsOf(text).map((statement) => statement.text);
    expect(statements.join('\n'), file).toBe(text);
    for (const statement of statements) {
      const words = statement
        .replaceAll(/^\s*--.*$/gm, '')
        .replaceAll(/\$\$.*\$\$|\bbegin atomic\n.*\nend;$/gs, ';');
      expect(words.replaceAll(/'[^']*'/g, ''), statement).toMatch(/^[^;]*;+$/);
    }
  }
});
