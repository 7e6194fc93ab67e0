// Imports with --bulk: they leave the same rows as an ordinary import of the same file into another workspace, but
// for the audit; they are refused where there are records; and a failed one leaves no row.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadMomentOf } from '../../src/control/process/moments.ts';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { loadChanged } from '../../src/definitions/apply/prepare/data-builds.ts';
import type { FileImport } from '../../src/import/import-file.ts';
import type { Database, Row } from '../../src/postgres/db.ts';
import { runOnce } from '../../src/postgres/run-once.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../../src/sql/sql.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { lacks } from '../own-database.ts';
import {
  IMPORT_DOCUMENT,
  type ImportWorld,
  openImportWorld,
  openTestFiles,
  type TestFiles,
} from './import-world.ts';

let world: ImportWorld;
let files: TestFiles;
let other: WorkspaceRow;

beforeAll(async () => {
  world = await openImportWorld();
  files = openTestFiles();
  await createWorkspace(world.own.db, { slug: 'bulk', document: IMPORT_DOCUMENT });
  other = (await findWorkspace(world.own.db, 'bulk')) as WorkspaceRow;
});
afterAll(async () => {
  files?.remove();
  await world?.close();
});

const RECORDS = ['work_items', 'deals', 'companies', 'prices'];

beforeEach(async () => {
  for (const { schema } of [world.workspace, other]) {
    for (const table of [...RECORDS, '_search', '_search_words', '_links', '_audit']) {
      await world.own.rows(`delete from "${schema}"."${table}"`);
    }
  }
});

const mapping = (content: object) => files.put('m.yaml', JSON.stringify(content));

function put(name: string, rows: readonly object[]): string {
  return files.put(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

const bulk = (file: string, options: Partial<FileImport> = {}, db?: Database) =>
  world.run(file, { workspace: other, bulk: true, ...options }, db);

/** Everything that is in the tables of a workspace, but for the audit; what was written now has no time. */
async function contentsOf({ schema }: WorkspaceRow): Promise<object> {
  const query = (text: string) => world.own.rows(text.replaceAll('{}', `"${schema}"`));
  const [{ at } = { at: '' }] = await query("select now() - interval '1 hour' as at");
  const isRecent = (value: unknown) =>
    typeof value === 'string' &&
    /^\d{4}-.*T.*Z$/.test(value) &&
    new Date(value) > new Date(String(at));
  const plain = (rows: readonly Row[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, isRecent(value) ? 'now' : value]),
      ),
    );
  const tables: Record<string, unknown> = {};
  for (const table of [...RECORDS, '_links', '_comments']) {
    tables[table] = plain(await query(`select * from {}."${table}" order by 1, 2, 3`));
  }
  const search = await query('select * from {}._search order by record_id, source, place, text');
  tables._search = plain(search);
  tables._search_words = await query(
    'select distinct * from {}._search_words order by word, variant',
  );
  tables.sequences = await world.own.rows(
    `select sequencename, last_value from pg_sequences
      where schemaname = $1 and sequencename not like '\\_%' order by 1`,
    [schema],
  );
  return tables;
}

const rejections = () =>
  world.rejections
    .map(({ row, problems }) => [row.line, problems] as const)
    .sort(([one], [next]) => one - next);

/** Import the file into both workspaces and compare all of it. */
async function compare(file: string, options: Partial<FileImport>): Promise<Row> {
  const { seconds: _, ...ordinary } = await world.run(file, options);
  const refused = rejections();
  const { seconds: __, ...fast } = await bulk(file, options);
  expect(rejections()).toEqual(refused);
  expect(fast).toEqual(ordinary);
  expect(await contentsOf(other)).toEqual(await contentsOf(world.workspace));
  return fast as unknown as Row;
}

const WORDS = [
  'Acme',
  'Größe',
  'naïve',
  "O'Neil",
  'C:\\new\ttab',
  'two\nlines',
  '東京',
  '{a,"b"}',
  '',
  '\\N',
];

describe('the resulting rows', () => {
  test('values of every type, defaults, texts with every difficulty, times and people of the file', async () => {
    const companies = Array.from({ length: 2500 }, (_, index) => ({
      name: `${WORDS[index % WORDS.length]} ${index}`,
      code: index % 7 === 0 ? null : `C-${index}`,
      size: index % 5 === 0 ? null : index + 1,
      note: index % 3 === 0 ? WORDS[index % WORDS.length] : null,
      labels: [[], ['a'], ['a', 'b'], null][index % 4],
      listed: [true, false, null][index % 3],
      extra: [{ x: [1, 'a\\b"c'], y: null }, [], 'text', 1.5, null][index % 5],
    }));
    const report = await compare(put('c.jsonl', companies), { objectType: 'companies' });
    expect(report).toMatchObject({ read: 2500, created: 2500, rejected: 0 });
    const deals = Array.from({ length: 300 }, (_, index) => ({
      name: `Deal ${index}`,
      code: `D-${index}`,
      amount: index % 2 === 0 ? `${index}.25` : null,
      signed: index % 3 === 0 ? '2024-05-06T07:08:09.123+02:00' : null,
      contact: ['anna@acme.test', 'gone@acme.test', null][index % 3],
      owner_user_id: ['ben@acme.test', null, 'anna@acme.test'][index % 3],
      status: ['won', 'open', null][index % 3],
      created_at: index % 4 === 0 ? '2020-01-02T03:04:05.678Z' : null,
      updated_at: index % 4 === 0 ? '2021-01-02T03:04:05Z' : null,
      created_by_user_id: index % 5 === 0 ? 'ben@acme.test' : null,
    }));
    const fields = Object.keys(deals[0] ?? {}).map((key) => [key, key]);
    const deal = { object_type: 'deals', columns: Object.fromEntries(fields) };
    await compare(put('d.jsonl', deals), { mapping: mapping(deal) });
  });

  test('rows that are refused, in words and by the database, are the same ones', async () => {
    const rows = Array.from({ length: 2100 }, (_, index) => ({
      name: index % 400 === 7 ? null : `Company ${index}`,
      // Twice within a batch: of batches that are written at the same time either may be first.
      code: `C-${index % 500 === 3 ? index - 2 : index}`,
      size: index % 300 === 11 ? 'many' : index % 300 === 12 ? 0 : 5,
      labels: index % 700 === 13 ? ['c'] : ['a'],
    }));
    const report = await compare(put('c.jsonl', rows), { objectType: 'companies' });
    expect(report).toMatchObject({ read: 2100 });
    expect(Number(report.rejected)).toBeGreaterThan(20);
  });

  test('a value that a row of an earlier batch has is refused', async () => {
    const rows = Array.from({ length: 2100 }, (_, index) => ({
      ...{ name: `Company ${index}`, code: `C-${index === 2050 ? 1 : index}` },
    }));
    const report = await bulk(put('c.jsonl', rows), { objectType: 'companies' });
    expect(report).toMatchObject({ created: 2099, rejected: 1 });
    const reason = 'Another record has this value already.';
    expect(rejections()).toEqual([[2051, [{ field: 'code', reason, example: 'C-1' }]]]);
  });

  test('rows for a record that an earlier row has made change it; references wait for their record', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({
      code: `C-${index % 350}`,
      name: `Company ${index}`,
      size: index + 1,
      // Further down, before, nowhere, and in a circle.
      parent: index % 90 === 1 ? 'C-999' : index % 5 === 0 ? `C-${(index + 40) % 350}` : null,
    }));
    const content = {
      object_type: 'companies',
      match: ['code'],
      columns: {
        code: 'code',
        name: 'name',
        size: 'size',
        parent: { field: 'parent_id', lookup: { object_type: 'companies', field: 'code' } },
      },
    };
    // Ids of records without ids of the file are made by chance, so they are compared by their codes.
    const file = put('c.jsonl', rows);
    const { seconds: _, ...ordinary } = await world.run(file, { mapping: mapping(content) });
    const refused = rejections();
    const { seconds: __, ...fast } = await bulk(file, { mapping: mapping(content) });
    expect(fast).toEqual(ordinary);
    expect(rejections()).toEqual(refused);
    const byCode = ({ schema }: WorkspaceRow) =>
      world.own.rows(`select c.code, c.name, c.size, c.version, p.code as parent,
          (select json_agg(json_build_array(place, text, source) order by place, text)
            from "${schema}"._search s where s.record_id = c.id) as search
        from "${schema}".companies c left join "${schema}".companies p on p.id = c.parent_id
        order by c.code`);
    expect(await byCode(other)).toEqual(await byCode(world.workspace));
  });

  test('words that a row takes away and the next one brings again', async () => {
    // Before the second row of a code is written, all rows above it are.
    const names = ['Zebra', 'Lion', 'Tiger', 'Zebra Crossing', 'Lion King'];
    const codes = ['C-1', 'C-1', 'C-1', 'C-2', 'C-3'];
    const file = put(
      'w.jsonl',
      names.map((name, index) => ({ name, code: codes[index] })),
    );
    const columns = { code: 'code', name: 'name' };
    const content = mapping({ object_type: 'companies', match: ['code'], columns });
    await world.run(file, { mapping: content });
    await bulk(file, { mapping: content });
    const wordsOf = ({ schema }: WorkspaceRow) =>
      world.own.rows(`select distinct word from "${schema}"._search_words order by 1`);
    const textsOf = ({ schema }: WorkspaceRow) =>
      world.own.rows(`select place, text from "${schema}"._search order by 1, 2`);
    expect(await textsOf(other)).toEqual(await textsOf(world.workspace));
    expect(await wordsOf(other)).toEqual(await wordsOf(world.workspace));
  });

  test.skipIf(lacks('roles'))('the same by a role that may not make temporary tables', async () => {
    const { db, connection } = world.own;
    const role = identifier(String((connection as { database?: string }).database));
    const statement = (text: Sql) => runOnce(db, text);
    await statement(sql`revoke temporary on database ${role} from public`);
    await statement(sql`create role ${role}`);
    for (const schema of [other.schema, CONTROL_SCHEMA].map((name) => identifier(name))) {
      await statement(sql`grant usage on schema ${schema} to ${role}`);
      await statement(sql`grant all on all tables in schema ${schema} to ${role}`);
    }
    const limited: Database = {
      ...db,
      near: () => limited,
      copying: (work) =>
        db.copying(async (tx) => {
          await runOnce(tx, sql`set local role ${role}`);
          return work(tx);
        }),
    };
    const rows = [1, 2, 3].map((number) => ({ name: `Acme ${number}`, code: `C-${number}` }));
    const file = put('c.jsonl', rows);
    await world.run(file, { objectType: 'companies' });
    await bulk(file, { objectType: 'companies' }, limited);
    expect(await contentsOf(other)).toEqual(await contentsOf(world.workspace));
    await statement(sql`drop owned by ${role}`);
    await statement(sql`drop role ${role}`);
  });

  test('work items keep their numbers or draw them, and their trees are checked', async () => {
    const rows = Array.from({ length: 240 }, (_, index) => ({
      id: `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`,
      name: `Item ${index}`,
      work_item_type_id: index % 2 === 0 ? 'bug' : 'sub_task',
      public_id: index % 3 === 0 ? `OLD-${index}` : null,
      // A chain of more levels than there may be.
      parent_work_item_id:
        index % 20 === 0 ? null : `01900000-0000-7000-8000-${String(index - 1).padStart(12, '0')}`,
      status: ['in_review', null][index % 2],
    }));
    const report = await compare(put('w.jsonl', rows), { objectType: 'work_items' });
    expect(report).toMatchObject({ read: 240 });
    expect(Number(report.rejected)).toBeGreaterThan(0);
  });
});

describe('the audit', () => {
  test('has one row for all new records, and no events of them', async () => {
    const file = put('p.jsonl', [
      { item: 'a', price: 1 },
      { item: 'b', price: 2 },
    ]);
    await bulk(file, { objectType: 'prices' });
    const rows = await world.own.rows(
      `select object_type, record_id, source, subject_type, subject_id, action, changed_fields, user_id
        from "${other.schema}"._audit`,
    );
    expect(rows).toEqual([
      {
        object_type: null,
        record_id: null,
        source: 'import',
        subject_type: 'import',
        subject_id: 'prices',
        action: 'load',
        changed_fields: expect.arrayContaining(['id', 'item', 'price']),
        user_id: expect.any(Number),
      },
    ]);
  });

  test('reports to a concurrent build that all records are new', async () => {
    const { db } = world.own;
    const moment = await loadMomentOf(db, other.schema);
    const object = { object_type: 'prices', table: 'prices' };
    expect(await loadChanged(db, other.schema, object, moment)).toEqual([]);
    await bulk(put('p.jsonl', [{ item: 'a' }, { item: 'b' }]), { objectType: 'prices' });
    const made = await world.own.rows(`select id from "${other.schema}".prices order by id`);
    const changed = await loadChanged(db, other.schema, object, moment);
    expect([...changed].sort()).toEqual(made.map(({ id }) => id));
    expect(
      await loadChanged(db, other.schema, object, await loadMomentOf(db, other.schema)),
    ).toEqual([]);
  });

  test('has none of an import that made no record', async () => {
    await bulk(put('p.jsonl', []), { objectType: 'prices' });
    expect(await world.own.rows(`select id from "${other.schema}"._audit`)).toEqual([]);
  });
});

describe('refusals', () => {
  const prices = { objectType: 'prices' };

  test('an object that has a record, comments and links', async () => {
    const file = put('p.jsonl', [{ item: 'a', price: 1 }]);
    await bulk(file, prices);
    await expect(bulk(put('q.jsonl', [{ item: 'b' }]), prices)).rejects.toThrow(
      'Prices have records already, and --bulk is for an object without any. Nothing was written; ' +
        'import the file without --bulk.',
    );
    const comments = mapping({
      comments_on: 'deals',
      columns: { r: 'record_id', id: 'id', b: 'body' },
    });
    const comment = put('c.jsonl', [{ r: 'x', id: '1', b: 'y' }]);
    await expect(bulk(comment, { mapping: comments })).rejects.toThrow('--bulk imports records;');
  });

  test('an object that somebody writes all the time', async () => {
    const file = put('p.jsonl', [{ item: 'a', price: 1 }]);
    await world.own.db.transaction(async (tx) => {
      await tx.query({
        text: `lock table "${other.schema}".prices in row exclusive mode`,
        values: [],
      });
      await expect(bulk(file, prices)).rejects.toThrow('Prices are in use. Nothing was written;');
    });
    expect(await bulk(file, prices)).toMatchObject({ created: 1 });
  });
});

describe('the rest of a failed import', () => {
  /** A database whose connection ends after so many COPY statements. */
  function ending(after: number): Database {
    const { db } = world.own;
    let copies = 0;
    const database: Database = {
      ...db,
      near: () => database,
      copying: (work) =>
        db.copying((tx) =>
          work({
            ...tx,
            async copyIn(text, pieces) {
              copies += 1;
              if (copies > after) {
                const text = 'select pg_terminate_backend(pg_backend_pid())';
                await tx.query({ text, values: [] }, { prepare: false });
              }
              return tx.copyIn(text, pieces);
            },
          }),
        ),
    };
    return database;
  }

  test.each([0, 1, 2, 3, 5])(
    'none, when its connection ends after %i statements',
    async (after) => {
      const rows = Array.from({ length: 5000 }, (_, index) => ({
        name: `Company ${index}`,
        code: `C-${index}`,
      }));
      const file = put('c.jsonl', rows);
      const before = await contentsOf(other);
      await expect(bulk(file, { objectType: 'companies' }, ending(after))).rejects.toThrow(
        'Nothing was written.',
      );
      expect(await contentsOf(other)).toEqual(before);
      expect(await world.own.rows(`select id from "${other.schema}"._audit`)).toEqual([]);
    },
  );

  test('none, when the file is broken at its end', async () => {
    const file = files.put('c.csv', `name,code\n${'Acme,\n'.repeat(3000)}"Acme,x\n`);
    await expect(bulk(file, { objectType: 'companies' })).rejects.toThrow('never closed');
    expect(await world.own.rows(`select id from "${other.schema}".companies`)).toEqual([]);
  });
});
