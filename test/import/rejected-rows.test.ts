// Rows that cannot be imported: they cost no statement each, in a dry run no more than in the import, all that is wrong
// with a row is said, and the problems that many rows have are counted together.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { groupLine, openProblemGroups } from '../../src/import/problem-groups.ts';
import { rejectLine } from '../../src/model/text/reject-text.ts';
import type { Database } from '../../src/postgres/db.ts';
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
beforeEach(() => world.own.rows(`truncate "${world.workspace.schema}".deals cascade`));

const put = (name: string, ...lines: readonly string[]) => files.put(name, `${lines.join('\n')}\n`);
const objectType = 'deals';

test('a dry run costs as many statements as the import', async () => {
  const rows = Array.from({ length: 1200 }, (_, index) =>
    index % 2 === 0 ? `N${index},2026-01-01,` : `N${index},30/Sep/21 17:20,x`,
  );
  const file = put('a.csv', 'name,signed,amount', ...rows);
  const spent: number[] = [];
  for (const dryRun of [true, false]) {
    const before = world.own.stats.statements;
    const report = await world.run(file, { objectType, dryRun });
    spent.push(world.own.stats.statements - before);
    expect(report).toMatchObject({ created: 600, rejected: 600 });
    expect(report.problem_groups).toEqual([
      {
        ...{ field: 'signed', rows: 600, line: 3, example: '30/Sep/21 17:20' },
        reason:
          'The value must be a date and time as RFC 3339 with an offset, or of the form that is chosen for the column ("format" and "timezone" in the mapping).',
      },
      {
        ...{ field: 'amount', rows: 600, line: 3, example: 'x' },
        reason: 'The value must be a number.',
      },
    ]);
    expect(world.rejections.every(({ problems }) => problems.length === 2)).toBe(true);
  }
  const [rehearsed = 0, imported = 0] = spent;
  expect(rehearsed).toBeLessThanOrEqual(imported);
  // A batch of a hundred rows has some statements, twice when rows of it are rejected.
  expect(imported).toBeLessThan(200);
});

test('rows with values that records have cost no statement each', async () => {
  const rows = (name: string) =>
    Array.from({ length: 400 }, (_, index) => `${name},C${index % 300}`);
  const first = put('first.csv', 'name,code', ...rows('A'));
  expect(await world.run(first, { objectType: 'companies' })).toMatchObject({
    ...{ created: 300, rejected: 100 },
  });
  const second = put('second.csv', 'name,code', ...rows('B'));
  const before = world.own.stats.statements;
  const report = await world.run(second, { objectType: 'companies' });
  expect(report).toMatchObject({ created: 0, rejected: 400 });
  expect(report.problem_groups).toMatchObject([
    { field: 'code', rows: 400, reason: 'Another record has this value already.' },
  ]);
  expect(world.own.stats.statements - before).toBeLessThan(60);
});

test('a row whose answer lacks some problems is sent again', async () => {
  const rows = Array.from({ length: 100 }, (_, index) => `,soon,x${index}`);
  const report = await world.run(put('b.csv', 'name,signed,amount', ...rows), { objectType });
  expect(report).toMatchObject({ created: 0, rejected: 100 });
  expect(new Set(world.rejections.map(({ problems }) => problems.length))).toEqual(new Set([3]));
});

test('conflicting rows are still distinguished', async () => {
  const rows = ['A,1', 'B,1', 'C,2', 'D,x'];
  for (const dryRun of [true, false]) {
    const file = put('c.csv', 'name,code', ...rows);
    expect(await world.run(file, { objectType, dryRun })).toMatchObject({
      created: 3,
      rejected: 1,
    });
  }
});

test.each([1, 3])('of %i rows one whose record another writer creates meanwhile', async (count) => {
  const ids = [1, 2, 3]
    .slice(0, count)
    .map((number) => `0190a000-0000-7000-8000-00000000000${number}`);
  const file = put(
    'i.csv',
    'id,name,amount',
    ...ids.map((id, index) => `${id},N${index},${index}`),
  );
  let isFirst = true;
  const db: Database = {
    ...world.own.db,
    near: () => db,
    async transaction(...asked) {
      if (isFirst) {
        isFirst = false;
        const deals = `"${world.workspace.schema}".deals`;
        const other = `insert into ${deals} (id, name, status, owner_user_id, created_by_user_id)
          values ($1, 'Other', 'open', 1, 1)`;
        await world.own.rows(other, [ids[0]]);
      }
      return world.own.db.transaction(...asked);
    },
  };
  expect(await world.run(file, { objectType }, db)).toMatchObject({
    ...{ created: count - 1, updated: 1, rejected: 0 },
  });
  const versions = (await world.table('deals')).map(({ version }) => Number(version));
  expect(versions).toEqual([2, 1, 1].slice(0, count));
});

test('a dry run waits only for rows that meet', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => `N${index}`);
  const most = async (lines: readonly string[]) => {
    const seen: number[] = [];
    const db: Database = {
      ...world.own.db,
      near: () => db,
      async transaction(...asked) {
        seen.push((seen.at(-1) ?? 0) + 1);
        return world.own.db.transaction(...asked).finally(() => seen.push((seen.at(-1) ?? 0) - 1));
      },
    };
    await world.run(put('m.csv', ...lines), { objectType, dryRun: true }, db);
    return Math.max(...seen);
  };
  expect(await most(['name', ...rows])).toBeGreaterThan(1);
  expect(await most(['name,code', ...rows.map((name) => `${name},${name}`)])).toBeGreaterThan(1);
  const meeting = rows.slice(0, 20).map((name, index) => `${name},C${index >> 1}`);
  expect(await most(['name,code', ...meeting])).toBe(1);
});

test('an example is of the cell that the problem is about, and can be stored', async () => {
  const mapping = {
    ...{ object_type: 'deals', columns: { text: 'amount', name: 'code' } },
    fields: { signed: { template: '{nothing}soon' } },
  };
  const path = files.put('m.json', JSON.stringify(mapping));
  const text = `${'x'.repeat(58)}😀`;
  const report = await world.run(put('e.csv', 'text,name,nothing,signed', `${text}y,N,,x`), {
    mapping: path,
  });
  expect(report.problem_groups.map(({ field, example }) => [field, example])).toEqual([
    ['amount', `${'x'.repeat(58)}…`],
    ['signed', undefined],
    ['name', undefined],
  ]);
});

test('a line of JSON keeps its numbers, also when it has notes of an earlier import', () => {
  const problems = [{ field: 'a', reason: 'Wrong.' }];
  const written = (line: number, text: string) =>
    rejectLine({ kind: 'json_lines' }, { line, problems, texts: [text] }).trimEnd();
  const notes = (line: number) => `"_line":${line},"_field":"a","_reason":"Wrong."`;
  const first = written(7, '{"a":12345678901234567890,"b":1e400}');
  expect(first).toBe(`{${notes(7)},"a":12345678901234567890,"b":1e400}`);
  expect(written(1, ` ${first} `)).toBe(`${first.slice(0, -1)},${notes(1)}}`);
  expect(written(1, '{}')).toBe(`{${notes(1)}}`);
  expect(written(1, '[1]')).toBe(`{${notes(1)},"_row":"[1]"}`);
});

test('a group keeps the example of its first row that has one', () => {
  const groups = openProblemGroups();
  const told = { field: 'a', reason: 'Wrong.' };
  groups.add(5, [told]);
  groups.add(7, [{ ...told, example: 'seven' }]);
  groups.add(9, [{ ...told, example: 'nine' }]);
  expect(groups.most()).toEqual([{ ...told, rows: 3, line: 5, example: 'seven' }]);
  groups.add(3, [{ ...told, example: 'three' }]);
  expect(groups.most()).toEqual([{ ...told, rows: 4, line: 3, example: 'three' }]);
});

test('of many different problems the most frequent are shown', () => {
  const groups = openProblemGroups();
  for (let line = 2; line < 5000; line += 1) {
    groups.add(line, [{ field: 'a', reason: `No ${line}.` }]);
    if (line % 2 === 0) groups.add(line, [{ field: 'b', reason: 'Wrong.', example: 'x' }]);
  }
  const most = groups.most();
  expect(most).toHaveLength(20);
  expect(most[0]).toEqual({ field: 'b', reason: 'Wrong.', example: 'x', rows: 2499, line: 2 });
  expect(groupLine(most[0] as never)).toBe('2,499 × b: Wrong. Such as: x');
  expect(groupLine({ field: '', reason: 'Wrong.', rows: 1, line: 2 })).toBe('1 × Wrong.');
});
