// The service tables on a real PostgreSQL: made once, whoever starts, and the function they need.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkServer, migrate } from '../../src/store/migrations.ts';
import { createWorkspace } from '../../src/store/provision.ts';
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

test('fold lowers all of Unicode, and disappears from the plan', async () => {
  const [row] = await own.rows(`select workspace_records.fold('ÅÉÑ ДЖ') as text`);
  expect(row?.text).toBe('åéñ дж');
  const plan = await own.rows(
    'explain (verbose, costs off) select workspace_records.fold(email) from ws_late._users',
  );
  expect(JSON.stringify(plan)).toContain('lower(');
});

test('the server of the tests is good enough', async () => {
  await expect(checkServer(own.db)).resolves.toBeUndefined();
});

test.each([
  [{ version: 140_012, name: '14.12', encoding: 'UTF8' }, 'PostgreSQL 15 or newer is needed'],
  [{ version: 150_000, name: '15.0', encoding: 'LATIN1' }, 'must have the encoding UTF8'],
])('server %j is refused', async (server, message) => {
  await expect(checkServer({ query: async () => [server] })).rejects.toThrow(message);
});
