// The search index of records that are there already: it is filled just as writes do.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadModel } from '../../src/control/workspace/workspaces.ts';
import { rebuildSearch } from '../../src/definitions/apply/prepare/search-index.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { WorkspaceModel } from '../../src/model/definition/model.ts';
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

test('rows that are made again are those that writes make', async () => {
  const { db, rows } = database;
  const before = await contents();
  expect(before[0]).toHaveLength(RECORDS * 9);
  await rows('truncate ws_old._search, ws_old._search_words');
  const rebuild = () =>
    db.transaction((tx) => rebuildSearch(tx, 'ws_old', objectOf(model, 'contacts')));
  await rebuild();
  expect(await contents()).toEqual(before);
  await rebuild();
  expect(await contents()).toEqual(before);
});
