// The search index of records that were there before it: the migration fills it just as writes do.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../src/control/workspaces.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WorkspaceModel } from '../../src/model/model.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';
import { callerOf, objectOf } from '../sample-definition.ts';

const USERS = { 'ada@old.example': { name: 'Ada', roles: ['admin'] } };
/** More than a batch. */
const RECORDS = 1200;

let database: OwnDatabase;
let model: WorkspaceModel;

beforeAll(async () => {
  database = await createOwnDatabase();
  const { db } = database;
  await migrate(db);
  const workspace = await createWorkspace(db, { slug: 'old', document: { users: USERS } });
  model = (await loadModel(db, workspace.id)) as WorkspaceModel;
  const context = { db, model, caller: callerOf(model, ['admin']), requestId: null };
  const operations = Array.from({ length: RECORDS }, (_, index) => {
    const fields = { name: `Jane Doe ${index}`, email: `jane${index}@x.example`, phone: '030 123' };
    return { action: 'create', fields } as const;
  });
  const request = { operations, source: 'import', batch: true } as const;
  await writeRecords(context, objectOf(model, 'contacts'), request);
});

afterAll(() => database?.drop());

async function contents(): Promise<readonly unknown[]> {
  return [
    await database.rows(`select record_id, source, place, text, reach_user_id, created_at, words::text
      from ws_old._search order by 1, 2, 3, 4`),
    await database.rows('select distinct t::text from ws_old._search_words t order by 1'),
  ];
}

test('the migration makes the rows that writes make', async () => {
  const { db, rows } = database;
  const before = await contents();
  expect(before[0]).toHaveLength(RECORDS * 9);
  await rows('drop table ws_old._search, ws_old._search_words');
  await rows(`delete from workspace_records.migrations
    where schema_name = 'ws_old' and file in ('002-search.sql', '060-search-words.sql')`);
  await migrate(db);
  expect(await contents()).toEqual(before);
  await migrate(db);
  expect(await contents()).toEqual(before);
});

test('an index that is older than the words of records gets them', async () => {
  const { db, rows } = database;
  const before = await contents();
  await rows('alter table ws_old._search drop column words');
  await rows(`delete from workspace_records.migrations
    where schema_name = 'ws_old' and file = '060-search-words.sql'`);
  await migrate(db);
  expect(await contents()).toEqual(before);
});

test('an index that is older than the ends of numbers gets them', async () => {
  const { db, rows } = database;
  const before = await contents();
  await rows(`delete from ws_old._search where starts_with(text, '<')`);
  await rows(`delete from workspace_records.migrations
    where schema_name = 'ws_old' and file = '011-search-ends.sql'`);
  expect(await contents()).not.toEqual(before);
  await migrate(db);
  expect(await contents()).toEqual(before);
});
