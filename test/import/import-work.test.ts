// Imports of work items as trackers export them: ids, types and statuses by name, parents further down,
// lists, people who have left, times of creation and of the last change.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../src/postgres/db.ts';
import {
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from './import-world.ts';

let world: ImportWorld;
let files: TestFiles;

beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});
beforeEach(async () => {
  const { schema } = world.workspace;
  for (const table of ['work_items', 'companies', '_audit']) {
    await world.own.rows(`delete from "${schema}"."${table}"`);
  }
});

const item = { object_type: 'work_items', field: 'public_id' };
const person = { user: 'name', values: { benny: 'Ben' }, fallback: null };
const MAPPING = {
  object_type: 'work_items',
  match: ['public_id'],
  columns: {
    key: 'public_id',
    type: { field: 'work_item_type_id', values: { Bug: 'bug', 'Sub-task': 'sub_task' } },
    summary: 'title',
    status: { field: 'status', values: { Open: 'open', 'In Review': 'in_review' } },
    created: 'created_at',
    updated: 'updated_at',
    parent: { field: 'parent_work_item_id', lookup: item },
    epic: { field: 'epic_id', lookup: item, fallback: null },
    assignee: { field: 'owner_user_id', ...person },
    reporter: [{ field: 'reporter', ...person }, 'custom_fields.reporter_name'],
    labels: { field: 'labels', values: { A: 'a', B: 'b', old: null } },
    components: 'parts',
  },
};

const ISSUE = {
  key: 'HARBOUR-1',
  type: 'Bug',
  summary: 'The crane stops',
  status: 'In Review',
  created: '2012-05-16T07:56:13.000+0000',
  updated: '2014-06-22T13:23:11.250+0200',
  parent: null,
  epic: null,
  assignee: null,
  reporter: 'benny',
  labels: ['A', 'old', 'B'],
  components: ['Crane', 'Quay'],
};

const mapping = (content: object) => ({ mapping: files.put('m.yaml', JSON.stringify(content)) });
const put = (...rows: readonly object[]) =>
  files.put('i.jsonl', `${rows.map((row) => JSON.stringify({ ...ISSUE, ...row })).join('\n')}\n`);
const run = (...rows: readonly object[]) => world.run(put(...rows), mapping(MAPPING));
const reasons = () =>
  world.rejections.flatMap(({ row, problems }) =>
    problems.map(({ field, reason }) => [row.line, field, reason] as const),
  );

async function items(): Promise<ReadonlyMap<unknown, Row>> {
  const rows = await world.table('work_items');
  return new Map(rows.map((row) => [row.public_id, row]));
}

describe('a work item', () => {
  test('keeps its id, its times, its lists and the names of people', async () => {
    const users = await world.table('_users');
    const ben = users.find(({ name }) => name === 'Ben')?.id;
    const other = { key: 'HARBOUR-2', assignee: 'benny', reporter: 'Nobody', labels: [] };
    expect(await run({}, { ...other, components: [] })).toMatchObject({ created: 2, rejected: 0 });
    const all = await items();
    expect(all.get('HARBOUR-1')).toMatchObject({
      work_item_type_id: 'bug',
      status: 'in_review',
      title: 'The crane stops',
      created_at: '2012-05-16T07:56:13.000Z',
      updated_at: '2014-06-22T11:23:11.250Z',
      owner_user_id: null,
      reporter: ben,
      labels: ['a', 'b'],
      parts: 'Crane; Quay',
      custom_fields: { reporter_name: 'benny' },
      version: 1,
    });
    expect(all.get('HARBOUR-2')).toMatchObject({
      owner_user_id: ben,
      reporter: null,
      custom_fields: { reporter_name: 'Nobody' },
      parts: null,
    });
    expect(await run({}, { ...other, components: [] })).toMatchObject({ unchanged: 2 });
    expect(await items()).toEqual(all);
  });

  test('has a status of its type', async () => {
    await run({ status: 'won' }, { key: 'HARBOUR-2', status: 'gone' }, { key: 'HARBOUR-3' });
    expect(reasons()).toEqual([
      [1, 'status', 'The workflow "work" of this type has no status "won".'],
      [2, 'status', 'The workflow "work" of this type has no status "gone".'],
    ]);
    expect([...(await items()).keys()]).toEqual(['HARBOUR-3']);
  });

  test('without an id in the file gets the next of its type', async () => {
    const { key: _, ...columns } = MAPPING.columns;
    const { match: __, ...unmatched } = MAPPING;
    const file = put({}, { type: 'Sub-task' });
    await world.run(file, mapping({ ...unmatched, columns }));
    const [bug, task] = [...(await items()).keys()];
    expect([bug, task]).toEqual([
      expect.stringMatching(/^BUG-\d+$/),
      expect.stringMatching(/^SUB-\d+$/),
    ]);
  });
});

test('items of another type are not doubles', async () => {
  const { key: _, ...columns } = MAPPING.columns;
  const named = { ...MAPPING, match: ['title'], columns };
  const rows = [{}, { type: 'Sub-task' }, { summary: 'Other' }, {}];
  const dry = await world.run(put(...rows), { ...mapping(named), dryRun: true });
  expect(dry).toMatchObject({ created: 3, updated: 1, doubles: 1 });
  for (const doubles of ['first', 'last']) {
    const counts = { created: doubles === 'first' ? 3 : 0, blank: 1, rejected: 0 };
    expect(await world.run(put(...rows), mapping({ ...named, doubles }))).toMatchObject(counts);
  }
  const types = [...(await items()).values()].map(({ work_item_type_id: type }) => type);
  expect(types.toSorted()).toEqual(['bug', 'bug', 'sub_task']);
});

describe('parents', () => {
  test('come later in the file, over more than a batch, and change no other field', async () => {
    const children = Array.from({ length: 150 }, (_, index) => ({
      key: `HARBOUR-${index + 10}`,
      type: 'Sub-task',
      parent: `HARBOUR-${index % 3}`,
    }));
    const parents = [0, 1, 2].map((index) => ({ key: `HARBOUR-${index}` }));
    const report = await run(...children, ...parents);
    expect(report).toMatchObject({ read: 153, created: 153, rejected: 0 });
    const all = await items();
    for (const { key, parent } of children) {
      expect(all.get(key)).toMatchObject({
        parent_work_item_id: all.get(parent)?.id,
        updated_at: '2014-06-22T11:23:11.250Z',
        version: 1,
      });
    }
  });

  test('of parents, in any order: each item is written once', async () => {
    const levels = [4, 2, 5, 1, 3].map((level) => ({
      key: `HARBOUR-${level}`,
      parent: level === 1 ? null : `HARBOUR-${level - 1}`,
    }));
    expect(await run(...levels)).toMatchObject({ created: 5, rejected: 0 });
    const all = await items();
    for (const { key, parent } of levels) {
      const parentId = parent === null ? null : all.get(parent)?.id;
      expect(all.get(key)).toMatchObject({ version: 1, parent_work_item_id: parentId });
    }
    expect(await world.table('_audit')).toHaveLength(5);
  });

  test('no item refers to itself', async () => {
    expect(await run({})).toMatchObject({ created: 1 });
    const itself = [{ parent: 'HARBOUR-1' }, { epic: 'HARBOUR-1' }];
    expect(await run(itself[0] as object)).toMatchObject({ rejected: 1 });
    expect(reasons()).toEqual([[1, 'parent_work_item_id', 'A record cannot refer to itself.']]);
    expect(await run(itself[1] as object)).toMatchObject({ rejected: 1 });
    expect(reasons().at(-1)).toEqual([1, 'epic_id', 'A record cannot refer to itself.']);
    expect((await items()).get('HARBOUR-1')).toMatchObject({ epic_id: null, version: 1 });
  });

  test('that are nowhere are refused, or left out when the mapping says so', async () => {
    const rows = [
      { parent: 'ELSEWHERE-1' },
      { key: 'HARBOUR-2', epic: 'ELSEWHERE-1' },
      { key: 'HARBOUR-3', epic: 'HARBOUR-4' },
      { key: 'HARBOUR-4' },
    ];
    const dry = await world.run(put(...rows), { ...mapping(MAPPING), dryRun: true });
    expect(dry).toMatchObject({ created: 3, rejected: 1 });
    expect(await run(...rows)).toMatchObject({ created: 3, rejected: 1 });
    expect(reasons()).toEqual([
      [1, 'parent_work_item_id', 'No Work item has the public_id "ELSEWHERE-1".'],
    ]);
    const all = await items();
    expect(all.get('HARBOUR-2')?.epic_id).toBeNull();
    expect(all.get('HARBOUR-3')?.epic_id).toBe(all.get('HARBOUR-4')?.id);
    // A value that is missing in a later file is cleared.
    await run({ key: 'HARBOUR-3', epic: 'ELSEWHERE-1' });
    expect((await items()).get('HARBOUR-3')?.epic_id).toBeNull();
  });

  test('in another place than nowhere: the fallback is looked up as well', async () => {
    await run({ key: 'HARBOUR-9' });
    const columns = {
      ...MAPPING.columns,
      epic: { ...MAPPING.columns.epic, fallback: 'HARBOUR-9' },
    };
    const file = put({ key: 'HARBOUR-2', epic: 'ELSEWHERE-1' }, { key: 'HARBOUR-3' });
    await world.run(file, mapping({ ...MAPPING, columns }));
    const all = await items();
    expect(all.get('HARBOUR-2')?.epic_id).toBe(all.get('HARBOUR-9')?.id);
    expect(all.get('HARBOUR-3')?.epic_id).toBeNull();
  });
});

describe('the time of the last change', () => {
  test('is that of the file whenever the file changes something', async () => {
    await run({});
    await run({ summary: 'The crane stops again' });
    const [first] = (await items()).values();
    expect(first).toMatchObject({ version: 2, updated_at: '2014-06-22T11:23:11.250Z' });
    const audit = await world.table('_audit');
    expect(audit.map(({ changed_fields }) => changed_fields).at(-1)).toEqual(['title']);
    await run({ summary: 'The crane stops again', updated: '2015-01-01' });
    const [later] = (await items()).values();
    expect(later).toMatchObject({ version: 3, updated_at: '2015-01-01T00:00:00.000Z' });
  });

  test('is now when the file has none', async () => {
    const before = Date.now() - 60_000;
    await run({ updated: null }, { key: 'HARBOUR-2' });
    expect(Date.parse(String((await items()).get('HARBOUR-1')?.updated_at))).toBeGreaterThan(
      before,
    );
    await run({ key: 'HARBOUR-2', summary: 'Changed', updated: null });
    expect(Date.parse(String((await items()).get('HARBOUR-2')?.updated_at))).toBeGreaterThan(
      before,
    );
  });

  test('outlives references in a circle, which are written last', async () => {
    const circle = {
      object_type: 'companies',
      match: ['name'],
      columns: {
        name: 'name',
        updated: 'updated_at',
        parent: { field: 'parent_id', lookup: { object_type: 'companies', field: 'name' } },
      },
    };
    const file = files.put('t.csv', 'name,updated,parent\nA,2020-01-01,B\nB,2020-01-02,A\n');
    expect(await world.run(file, mapping(circle))).toMatchObject({ created: 2, rejected: 0 });
    const [a, b] = await world.table('companies');
    expect([a?.parent_id, b?.parent_id]).toEqual([b?.id, a?.id]);
    expect([a?.updated_at, b?.updated_at]).toEqual([
      '2020-01-01T00:00:00.000Z',
      '2020-01-02T00:00:00.000Z',
    ]);
  });
});
