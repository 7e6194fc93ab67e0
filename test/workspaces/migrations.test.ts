// The service tables on a real PostgreSQL: made once, by any of the starting processes, and the function they need.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeCollations } from '../../src/definitions/apply/collations.ts';
import type { Row } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import {
  allows,
  controlMigrations,
  isOfTrigger,
  isUnpublished,
  readMigration,
  statementsOf,
  workspaceMigrations,
} from '../../src/workspaces/migration-files.ts';
import { checkServer, migrate } from '../../src/workspaces/migrations.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createOwnDatabase();
});

afterAll(() => own?.drop());

test('several processes can start at once, and again', async () => {
  await Promise.all([migrate(own.db), migrate(own.db), migrate(own.db)]);
  expect(await migrate(own.db)).toEqual([]);
  const files = await own.rows('select schema_name, file from workspace_records.migrations');
  expect(files).toEqual(
    controlMigrations().map((file) => ({ schema_name: 'workspace_records', file })),
  );
});

test('a workspace has its triggers, and the note of its files', async () => {
  await createWorkspace(own.db, { slug: 'acme' });
  expect(
    await own.rows(`select file from workspace_records.migrations where schema_name = 'ws_acme'`),
  ).toEqual(workspaceMigrations().map((file) => ({ file })));
  expect(
    await own.rows(`select tgrelid::regclass::text as name from pg_trigger
      where tgname = 'note_change' and tgrelid::regclass::text like 'ws_acme.%' order by 1`),
  ).toEqual([{ name: 'ws_acme._team_members' }, { name: 'ws_acme._users' }]);
});

test.each([
  ['create trigger t after insert on a for each row execute function f();', true],
  ['-- Why.\n\ncreate or replace trigger t before update on a execute function f();', true],
  ['create constraint trigger t after insert on a execute function f();', true],
  ['drop trigger if exists t on a;', true],
  ['alter trigger t on a rename to u;', true],
  ['-- create trigger t\ncreate table a (trigger text);', false],
  ['create function f() returns trigger language plpgsql as $$ begin end $$;', false],
  ['comment on trigger t on a is null;', false],
])('of %j it is %s that it makes, changes or drops a trigger', (text, expected) => {
  expect(isOfTrigger({ text, values: [] })).toBe(expected);
});

test.each([
  ['014-more.sql', true],
  ['014-less-needs-011.sql', true],
  ['014-less-needs-012.sql', true],
  ['014-less-needs-013.sql', false],
  ['012-known-needs-013.sql', true],
])('a release whose last file is 012 works with %s: %s', (file, expected) => {
  expect(allows(file, ['001-all.sql', '012-known-needs-013.sql'])).toBe(expected);
});

test.each([
  ['this release', controlMigrations(), false],
  ['1.0.0-rc.1', ['001-shared.sql', '002-epochs.sql', '008-mail.sql'], false],
  ['a later release', [...controlMigrations(), '900-later.sql'], false],
  ['a version from before 1.0.0-rc.1', ['001-shared.sql', '002-epochs.sql'], true],
  ['a version from before the migrations', ['001-older.sql'], true],
  ['a version between the candidates', ['001-shared.sql', '008-mail.sql', '013-oauth.sql'], true],
])(
  'a database of %s with %j is of a version that was not published: %s',
  (_, applied, expected) => {
    expect(isUnpublished('control', applied)).toBe(expected);
  },
);

test('comments of renamed objects get the key of their object', async () => {
  await createWorkspace(own.db, { slug: 'renamed' });
  const rename = (path: string, from: string) => ({ path, from, action: 'rename', summary: '' });
  const steps = [rename('objects.ships', 'boats'), rename('objects.vessels', 'ships')];
  for (const [index, step] of steps.entries()) {
    await own.rows(
      `insert into ws_renamed._definitions (revision, document, patch, applied_at, changes)
        values ($1, '{}', '{}', $2, $3)`,
      [90 + index, `2026-0${index + 2}-01`, JSON.stringify([step])],
    );
  }
  const keys = ['boats', 'ships', 'companies', 'boats'];
  for (const [index, key] of keys.entries()) {
    await own.rows(
      `insert into ws_renamed._comments (id, object_type, record_id, body, author_user_id, created_at)
        values (gen_random_uuid(), $1, gen_random_uuid(), $2, 1, $3)`,
      [key, String(index), index === 3 ? '2026-04-01' : '2026-01-15'],
    );
  }
  const file = '018-comments-of-renamed-objects.sql';
  for (const { text } of readMigration('workspace', file, 'ws_renamed')) await own.rows(text);
  const rows = await own.rows('select object_type from ws_renamed._comments order by body');
  // The last one is of another object, which got the key later.
  expect(rows.map(({ object_type }) => object_type)).toEqual([
    ...['vessels', 'vessels', 'companies', 'boats'],
  ]);
});

test('numbers of work items begin with those that no import has used', async () => {
  const flow = { name: 'Flow', initial: 'open', statuses: { open: { name: 'Open' } } };
  const work_item_types = { bug: { name: 'Bug', workflow: 'flow', prefix: 'BUG' } };
  const document = { workflows: { flow }, work_item_types };
  await createWorkspace(own.db, { slug: 'bugs', document });
  await own.rows(`insert into ws_bugs.work_items
      (id, created_by_user_id, status, title, work_item_type_id, public_id)
    values (gen_random_uuid(), 1, 'open', 'Item', 'bug', 'BUG-2')`);
  const next = `select workspace_records.next_public_id('ws_bugs', 'BUG') as next`;
  expect([...(await own.rows(next)), ...(await own.rows(next))]).toEqual([
    { next: 'BUG-1' },
    { next: 'BUG-3' },
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
    'explain (verbose, costs off) select workspace_records.folded(email) from ws_acme._users',
  );
  expect(JSON.stringify(plan)).toContain('lower(');
});

test('a start reports sort orders that the server does not have, or has in another version', async () => {
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

test('a safe server is accepted, one that may lose data only on request', async () => {
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

test('the files are sent statement by statement, without a loss', () => {
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
