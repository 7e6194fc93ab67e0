// Indexes by what values are equal by (D267): they serve filters, and come and go with types and renames.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { exported, restored } from '../moved-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;

beforeAll(async () => {
  own = await createMigratedDatabase();
});
afterAll(() => own?.drop());

const LINES = {
  objects: {
    lines: {
      ...{ name: 'Lines', singular_name: 'Line', owned: false, searchable: false },
      fields: { number: { type: 'phone', unique: true, indexed: true } },
    },
  },
};
const numberWith = (patch: unknown) =>
  mergePatch(LINES, { objects: { lines: { fields: { number: patch } } } });

const make = (slug: string, document: unknown = LINES) =>
  createWorkspace(own.db, { slug, document });
const apply = (slug: string, document: unknown) => applyDefinition(own.db, slug, document);

async function indexesOf(slug: string, table = 'lines'): Promise<readonly string[]> {
  const rows = await own.rows(
    `select indexname as name from pg_indexes where schemaname = $1 and tablename = $2
      and indexname not like '%.id.key' and indexname not like '%.created_at.index'
      and indexname not like '%.part' order by 1`,
    [`ws_${slug}`, table],
  );
  return rows.map(({ name }) => String(name));
}

async function put(slug: string, ...numbers: readonly string[]): Promise<void> {
  await own.rows(
    `insert into ws_${slug}.lines (id, created_by_user_id, number)
      select gen_random_uuid(), 1, n from unnest($1::text[]) n`,
    [numbers],
  );
}

const ALL = ['lines.number.by2a633a', 'lines.number.distinct', 'lines.number.equal'];

test('a filter by digits reads the index', async () => {
  await make('served');
  await own.rows(
    `insert into ws_served.lines (id, created_by_user_id, number)
      select gen_random_uuid(), 1, '+' || n from generate_series(100, 20000) n`,
  );
  await own.rows('analyze ws_served.lines');
  const where = (condition: string) =>
    own.rows(`explain select id from ws_served.lines t where ${condition}`);
  const key = `regexp_replace(t."number", '[^0-9]', '', 'g')`;
  for (const condition of [`${key} = '4711'`, `${key} = any(array['4711', '815'])`]) {
    const plan = JSON.stringify(await where(condition));
    expect(plan).toMatch(/lines\.number\.(?:distinct|equal)/);
  }
});

test('a field that is renamed keeps its indexes, and one no longer unique has the others, also in a file', async () => {
  await make('moved');
  await put('moved', '112', '11 3');
  const { file } = await exported(own, 'moved');
  await restored(own, file, { slug: 'moved2' });
  expect(await indexesOf('moved2')).toEqual(ALL);
  const renamed = mergePatch(numberWith(null), {
    objects: {
      lines: {
        fields: { tel: { type: 'phone', unique: true, indexed: true, renamed_from: 'number' } },
      },
    },
  });
  await apply('moved', renamed);
  expect(await indexesOf('moved')).toEqual(ALL);
  await apply('moved2', numberWith({ unique: false }));
  expect(await indexesOf('moved2')).toEqual(['lines.number.by2a633a', 'lines.number.equal']);
});

test('an index that is missing is built by the next change', async () => {
  await make('missing');
  await own.rows('drop index ws_missing."lines.number.equal"');
  await apply('missing', LINES);
  expect(await indexesOf('missing')).toEqual(ALL);
});

const TEXTS = ['lines.number.by2a633a', 'lines.number.eq_nfc', 'lines.number.one_nfc'];

test('a field that becomes a phone number, or is one no more, is compared by another key', async () => {
  await make('retyped', numberWith({ type: 'text' }));
  expect(await indexesOf('retyped')).toEqual(TEXTS);
  await put('retyped', '+1 234', '1-234');
  await expect(apply('retyped', LINES)).rejects.toThrow(
    'lines.number cannot be unique: 1 value is in more than one record',
  );
  expect(await indexesOf('retyped')).toEqual(TEXTS);
  await own.rows(`delete from ws_retyped.lines where number = '1-234'`);
  await apply('retyped', LINES);
  expect(await indexesOf('retyped')).toEqual(ALL);
  await apply('retyped', numberWith({ type: 'text' }));
  expect(await indexesOf('retyped')).toEqual(TEXTS);
});

test('a file with values that count as equal is refused, and the refusal names the index', async () => {
  await make('twice', numberWith({ type: 'text' }));
  await own.rows('drop index ws_twice."lines.number.one_nfc"');
  await put('twice', 'Zo\u00eb', 'Zoe\u0308');
  const { file } = await exported(own, 'twice');
  await expect(restored(own, file, { slug: 'twice2' })).rejects.toThrow(
    'could not create unique index "lines.number.one_nfc" in the table lines. Nothing was restored.',
  );
});
