// Indexes by what values are equal by (D267): they serve filters, come with types and renames, and workspaces from
// before them get them with the next start, or keep what they had when their records stand against it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../src/control/jobs.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { runIndexJob } from '../../src/definitions/apply/index-builds.ts';
import { mergePatch } from '../../src/model/definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { migrate } from '../../src/workspaces/migrations.ts';
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

/** What the release before D267 has made of it. */
async function makeOlder(
  slug: string,
  [distinct, equal]: readonly [string, string] = ['distinct', 'equal'],
): Promise<void> {
  // One by one, as Citus wants it.
  await own.rows(`drop index ws_${slug}."lines.number.${distinct}"`);
  await own.rows(`drop index ws_${slug}."lines.number.${equal}"`);
  await own.rows(`create unique index "lines.number.unique" on ws_${slug}.lines (number)`);
  await own.rows(
    `delete from workspace_records.migrations where schema_name = $1 and file = 'equal indexes'`,
    [`ws_${slug}`],
  );
}

async function started(): Promise<readonly string[]> {
  const told: string[] = [];
  await migrate(own.db, (sentence) => told.push(sentence));
  return told;
}

const ALL = ['lines.number.by2a633a', 'lines.number.distinct', 'lines.number.equal'];
const OLDER = ['lines.number.by2a633a', 'lines.number.unique'];
const PENDING = ['lines.number.by2a633a', 'lines.number.equal', 'lines.number.unique'];

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

test('a workspace from before gets them with the next start, once', async () => {
  await make('older');
  await put('older', '112', '11 3');
  await makeOlder('older');
  expect(await indexesOf('older')).toEqual(OLDER);
  expect(await started()).toEqual([]);
  expect(await indexesOf('older')).toEqual(ALL);
  await own.rows('drop index ws_older."lines.number.equal"');
  await started();
  expect(await indexesOf('older')).toEqual(['lines.number.by2a633a', 'lines.number.distinct']);
  await apply('older', LINES);
  expect(await indexesOf('older')).toEqual(ALL);
});

test('values that stand against it are told at each start and apply, and nothing else changes', async () => {
  await make('twice');
  await makeOlder('twice');
  await put('twice', '(503) 1', '503-1');
  const note = expect.stringMatching(
    /lines\.number is not unique: .* equal but written differently/,
  );
  expect(await started()).toEqual([note]);
  expect(await indexesOf('twice')).toEqual(PENDING);
  expect(await started()).toEqual([note]);
  expect((await apply('twice', LINES)).notes).toEqual([note]);
  expect((await apply('twice', numberWith({ name: 'Line' }))).notes).toEqual([note]);
  expect(await indexesOf('twice')).toEqual(PENDING);
  await expect(put('twice', '503-1')).rejects.toThrow('lines.number.unique');
  await own.rows(`delete from ws_twice.lines where number = '503-1'`);
  expect(await started()).toEqual([]);
  expect(await indexesOf('twice')).toEqual(ALL);
});

test('what stands for it is renamed with its field, kept by a file, and goes with its reason', async () => {
  await make('moved');
  await makeOlder('moved');
  await put('moved', '1 23', '12 3');
  await started();
  const { file } = await exported(own, 'moved');
  await restored(own, file, { slug: 'moved2' });
  expect(await indexesOf('moved2')).toEqual(PENDING);
  const renamed = mergePatch(numberWith(null), {
    objects: {
      lines: {
        fields: { tel: { type: 'phone', unique: true, indexed: true, renamed_from: 'number' } },
      },
    },
  });
  await apply('moved', renamed);
  expect(await indexesOf('moved')).toEqual(PENDING.map((name) => name.replace('number', 'tel')));
  await apply('moved2', numberWith({ unique: false }));
  expect(await indexesOf('moved2')).toEqual(['lines.number.by2a633a', 'lines.number.equal']);
  expect(await started()).toEqual([expect.stringContaining('moved: lines.tel')]);
  await own.rows('truncate ws_moved.lines cascade');
  expect(await started()).toEqual([]);
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

test('a job of indexes that values stand against is told by the next start', async () => {
  const document = numberWith({ type: 'text' });
  await make('composed', document);
  await makeOlder('composed', ['one_nfc', 'eq_nfc']);
  await own.rows(
    `insert into workspace_records.migrations (schema_name, file) values ('ws_composed', 'equal indexes')`,
  );
  await put('composed', 'Zo\u00eb', 'Zoe\u0308');
  const [{ id } = {}] = await own.rows(
    `select id from workspace_records.workspaces where slug = 'composed'`,
  );
  const job = { workspace_id: Number(id) } as Job;
  await runIndexJob(own.db, job, new AbortController().signal);
  expect(await indexesOf('composed')).toEqual([
    'lines.number.by2a633a',
    'lines.number.eq_nfc',
    'lines.number.unique',
  ]);
  expect(await started()).toEqual([expect.stringContaining('composed: lines.number')]);
  await own.rows(`delete from ws_composed.lines where number = 'Zoe\u0308'`);
  expect(await started()).toEqual([]);
  expect(await indexesOf('composed')).toEqual(TEXTS);
});
