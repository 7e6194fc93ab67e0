// Changes and the statements they become: text and order. That PostgreSQL takes them is tested in
// apply-definition.test.ts.

import { expect, test } from 'vitest';
import { type DdlOptions, ddlSql } from '../../src/definitions/changes/ddl-sql.ts';
import { diffDefinitions } from '../../src/definitions/changes/diff/diff.ts';
import { renameSteps } from '../../src/definitions/changes/diff/diff-renames.ts';
import { requirementSql } from '../../src/definitions/changes/requirement-sql.ts';
import { findRenames } from '../../src/definitions/document/renames.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import { type DefinitionDocument, mergePatch } from '../../src/model/definition/definition.ts';
import type { Field, ObjectModel } from '../../src/model/definition/model.ts';
import {
  foreignKeyName,
  indexName,
  textIndexName,
  uniqueIndexName,
} from '../../src/model/definition/physical-names.ts';
import { NO_NAMES, type StorageNames } from '../../src/model/definition/storage-names.ts';
import { runSteps } from '../../src/model/steps.ts';
import { FIELD_TYPE_TRAITS, FIELD_TYPES } from '../../src/model/values/field-types.ts';
import { toStatement } from '../../src/sql/sql.ts';
import { indexesOfField } from '../../src/sql/write/index-sql.ts';
import { nfc, sorted } from '../sql/nfc.ts';

const identity = {
  id: 1,
  slug: 'demo',
  name: 'Demo',
  schema: 'ws_demo',
  revision: 1,
  cursor_secret: Buffer.alloc(32),
};

const names = { name: 'Cars', singular_name: 'Car' };
const document = {
  objects: {
    cars: { ...names, fields: { name: { type: 'text' }, maker_id: reference('makers') } },
    makers: { ...names, owned: false, fields: { best_id: reference('cars') } },
  },
  workflows: { flow: { name: 'Flow', initial: "it's", statuses: { "it's": { name: 'X' } } } },
};

function reference(target: string) {
  return { type: 'reference', reference_object_type: target };
}

function define(merged: unknown, storage: StorageNames = NO_NAMES) {
  const checked = merged as DefinitionDocument;
  return { document: checked, storage, model: compileModel(identity, checked, storage) };
}

function ddl(
  patch: unknown,
  start: unknown = document,
  options: DdlOptions = {},
): readonly string[] {
  const changes = diffDefinitions(define(start), define(mergePatch(start, patch)));
  return ddlSql('ws_demo', changes, { trigrams: 'ext', ...options }).map(({ statement }) => {
    const { text, values } = toStatement(statement);
    expect(values).toEqual([]);
    return text.replaceAll('"ws_demo".', '');
  });
}

const cars = (patch: unknown) => ({ objects: { cars: patch } });
const field = (patch: unknown) => cars({ fields: { x: patch } });
const with_ = (definition: unknown) => mergePatch(document, field(definition));

test('keys to people and to its own table come with a table', () => {
  const fields = { driver_id: { type: 'user' }, next_id: reference('cars') };
  const [table, ...others] = ddl(cars({ ...names, owned: false, fields }), { objects: {} });
  expect(table).toMatch(
    /, constraint "cars.driver_id.fkey" foreign key \("driver_id"\) references "_users" \(id\), constraint "cars.next_id.fkey" foreign key \("next_id"\) references "cars" \(id\) on delete set null deferrable initially immediate\)$/,
  );
  expect(others.filter((statement) => !statement.startsWith('create index'))).toEqual([]);
});

test('the formulas of an object are added by one statement', () => {
  const formula = { type: 'formula', expression: '1', result_type: 'number' };
  const statements = ddl(cars({ fields: { x: formula, y: formula } }));
  expect(statements.map((text) => text.replaceAll(/ numeric generated .*? stored/g, ''))).toEqual([
    'alter table "cars" add column "x", add column "y"',
  ]);
});

test('tables come before the foreign keys that may point in circles', () => {
  const statements = ddl(document, { objects: {} });
  expect(statements).toEqual([
    'create table "cars" (id uuid constraint "cars.id.key" primary key, version bigint not null default 1, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(), created_by_user_id integer not null, owner_user_id integer, custom_fields jsonb not null default \'{}\', "name" text collate "C", "maker_id" uuid, constraint "cars.owner_user_id.fkey" foreign key ("owner_user_id") references "_users" (id))',
    'create table "makers" (id uuid constraint "makers.id.key" primary key, version bigint not null default 1, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(), created_by_user_id integer not null, custom_fields jsonb not null default \'{}\', "best_id" uuid)',
    'create index "cars.created_at.index" on "cars" (created_at desc, id desc)',
    'create index "cars.owner_user_id.index" on "cars" (owner_user_id, created_at desc, id desc)',
    'alter table "cars" add constraint "cars.maker_id.fkey" foreign key ("maker_id") references "makers" (id) on delete set null deferrable initially immediate',
    'create index "cars.maker_id.index" on "cars" ("maker_id", id)',
    'create index "makers.created_at.index" on "makers" (created_at desc, id desc)',
    'alter table "makers" add constraint "makers.best_id.fkey" foreign key ("best_id") references "cars" (id) on delete set null deferrable initially immediate',
    'create index "makers.best_id.index" on "makers" ("best_id", id)',
  ]);
});

/** The rows that depend on the records of a removed object. */
const forgotten = (objectType: string) => [
  ...['_leftovers', '_history', '_merged'].map(
    (table) => `delete from "${table}" where table_name = '${objectType}'`,
  ),
  ...['_comments', '_notifications', '_follows', '_status_requests'].map(
    (table) => `delete from "${table}" where object_type = '${objectType}'`,
  ),
];

test('tables that refer to each other can go together', () => {
  expect(ddl({ objects: { cars: null, makers: null } })).toEqual([
    'alter table "cars" drop constraint "cars.maker_id.fkey"',
    'alter table "makers" drop constraint "makers.best_id.fkey"',
    'drop table "cars"',
    ...forgotten('cars'),
    'drop table "makers"',
    ...forgotten('makers'),
  ]);
});

test.each<readonly [string, unknown, unknown, readonly string[]]>([
  [
    'new indexed field',
    null,
    { type: 'date', indexed: true },
    ['alter table "cars" add column "x" date', 'create index "cars.x.index" on "cars" ("x", id)'],
  ],
  [
    'new unique field',
    null,
    { type: 'email', unique: true },
    [
      'alter table "cars" add column "x" text collate "C"',
      `create unique index "cars.x.one_mail" on "cars" ((case when octet_length("x") = length("x") then "x" else replace(normalize("x", nfc), 'ς', 'σ') end))`,
      `create index "cars.x.by2a633a" on "cars" (${sorted('"x"')}, id)`,
    ],
  ],
  [
    'new user field',
    null,
    { type: 'user' },
    [
      'alter table "cars" add column "x" integer',
      'alter table "cars" add constraint "cars.x.fkey" foreign key ("x") references "_users" (id)',
    ],
  ],
  [
    'new required reference',
    null,
    { ...reference('makers'), required: true },
    [
      'alter table "cars" add column "x" uuid',
      'alter table "cars" add constraint "cars.x.fkey" foreign key ("x") references "makers" (id) on delete restrict deferrable initially immediate',
      'create index "cars.x.index" on "cars" ("x", id)',
    ],
  ],
  ['new field in jsonb', null, { type: 'text', storage: 'jsonb' }, []],
  ['dropped field', { type: 'text' }, null, ['alter table "cars" drop column "x"']],
  ['dropped field in jsonb', { type: 'text', storage: 'jsonb' }, null, []],
  [
    'index',
    { type: 'text' },
    { indexed: true },
    [
      `create index "cars.x.by2a633a" on "cars" (${sorted('"x"')}, id)`,
      `create index "cars.x.eq_nfc" on "cars" ((${nfc('"x"')}), id)`,
      'create index "cars.x.part" on "cars" using gin ("workspace_records"."folded"("x") "ext"."gin_trgm_ops") with (gin_pending_list_limit = 512)',
      'alter index "cars.x.part" alter column 1 set statistics 1000',
    ],
  ],
  [
    'no index',
    { type: 'text', indexed: true },
    { indexed: false },
    [
      'drop index if exists "cars.x.by2a633a"',
      'drop index if exists "cars.x.eq_nfc"',
      'drop index if exists "cars.x.part"',
    ],
  ],
  ['index of a reference', reference('cars'), { indexed: true }, []],
  [
    'unique',
    { type: 'text' },
    { unique: true },
    [
      `create unique index "cars.x.one_nfc" on "cars" ((${nfc('"x"')}))`,
      `create index "cars.x.by2a633a" on "cars" (${sorted('"x"')}, id)`,
    ],
  ],
  [
    'not unique',
    { type: 'text', unique: true },
    { unique: false },
    ['drop index if exists "cars.x.one_nfc"', 'drop index if exists "cars.x.by2a633a"'],
  ],
  [
    'another target',
    reference('cars'),
    reference('makers'),
    [
      'alter table "cars" drop constraint "cars.x.fkey"',
      'alter table "cars" add constraint "cars.x.fkey" foreign key ("x") references "makers" (id) on delete set null deferrable initially immediate',
    ],
  ],
  ['text to long text', { type: 'text' }, { type: 'long_text' }, []],
  ['number to percent', { type: 'number' }, { type: 'percent' }, []],
])('%s', (_, start, patch, statements) => {
  expect(ddl(field(patch), start === null ? document : with_(start))).toEqual(statements);
});

/** The statements for a field whose values were rebuilt before. */
function swapped(start: object, patch: object): readonly string[] {
  const [before, after] = [with_(start), mergePatch(with_(start), field(patch))].map(
    (one) => define(one).model.objects.get('cars') as ObjectModel,
  ) as [ObjectModel, ObjectModel];
  const [from, into] = [before, after].map(({ fields }) => fields.get('x')) as [Field, Field];
  const [change] = diffDefinitions(
    define(with_(start)),
    define(mergePatch(with_(start), field(patch))),
  );
  if (change === undefined) throw new Error('there is no change');
  const build = { object: after, field: into, object_type: 'cars', from, statuses: [], change };
  const indexes = indexesOfField(after, into);
  const without = new Set(indexes.map(({ name }) => name));
  const options = { values: [{ build, name: 'x#2', indexes }], without };
  return ddl(field(patch), with_(start), options);
}

test.each<readonly [string, object, object, readonly string[]]>([
  [
    'integer to number',
    { type: 'integer', indexed: true },
    { type: 'number' },
    ['alter table "cars" drop column "x"'],
  ],
  ['date to datetime in jsonb', { type: 'date', storage: 'jsonb' }, { type: 'datetime' }, []],
  [
    'jsonb to column',
    { type: 'number', storage: 'jsonb' },
    { storage: 'physical', indexed: true },
    [],
  ],
  [
    'column to jsonb',
    { type: 'date', indexed: true },
    { storage: 'jsonb', indexed: false },
    ['drop index if exists "cars.x.index"', 'alter table "cars" drop column "x"'],
  ],
])('rebuilt data takes its place: %s', (_, start, patch, statements) => {
  expect(swapped(start, patch)).toEqual(statements);
});

test.each<readonly [string, unknown, unknown, readonly string[]]>([
  [
    'owner',
    { owned: false },
    { owned: true },
    [
      'alter table "cars" add column owner_user_id integer',
      'alter table "cars" add constraint "cars.owner_user_id.fkey" foreign key ("owner_user_id") references "_users" (id)',
      'create index "cars.owner_user_id.index" on "cars" (owner_user_id, created_at desc, id desc)',
    ],
  ],
  ['no owner', {}, { owned: false }, ['alter table "cars" drop column "owner_user_id"']],
  [
    'workflow',
    {},
    { workflow: 'flow' },
    [
      'alter table "cars" add column status text collate "C" not null default \'it\'\'s\'',
      'alter table "cars" alter column status drop default',
    ],
  ],
  [
    'no workflow',
    { workflow: 'flow' },
    { workflow: null },
    ['alter table "cars" drop column "status"'],
  ],
])('%s', (_, start, patch, statements) => {
  expect(ddl(cars(patch), mergePatch(document, cars(start)))).toEqual(statements);
});

test('the display field has an index of texts, which moves with it', () => {
  const shown = mergePatch(document, cars({ display_field: 'name' }));
  const index = (column: string, trigrams: string) =>
    `create index "cars.${column}.part" on "cars" using gin ("workspace_records"."folded"("${column}") "${trigrams}"."gin_trgm_ops") with (gin_pending_list_limit = 512)`;
  expect(ddl(shown, { objects: {} })).toContain(index('name', 'ext'));
  const moved = cars({ display_field: 'x', fields: { x: { type: 'text' }, name: null } });
  expect(ddl(moved, shown, { trigrams: 'public' })).toEqual([
    'drop index if exists "cars.name.part"',
    'alter table "cars" drop column "name"',
    'alter table "cars" add column "x" text collate "C"',
    index('x', 'public'),
    'alter index "cars.x.part" alter column 1 set statistics 1000',
  ]);
  expect(ddl(moved, shown, { trigrams: undefined }).join()).not.toContain('create index');
});

test('an index that is there, or comes later, is left out', () => {
  const patch = field({ type: 'date', indexed: true, unique: true });
  const without = new Set(['cars.x.index']);
  expect(ddl(patch, document, { without })).toEqual([
    'alter table "cars" add column "x" date',
    'create unique index "cars.x.unique" on "cars" ("x")',
  ]);
});

test('every field type has a column', () => {
  const extra = { options: [{ value: 'a' }], reference_object_type: 'cars' };
  for (const type of FIELD_TYPES) {
    const [statement] = ddl(field({ ...extra, type }));
    const { columnType } = FIELD_TYPE_TRAITS[type];
    expect(statement).toBe(`alter table "cars" add column "x" ${columnType}`);
  }
});

test('derived names fit, differ, and are those of their table and column', () => {
  const tables = ['a', 'a_b', 'a'.repeat(48), `${'a'.repeat(47)}b`];
  const columns = ['c', 'b_c', 'x'.repeat(50), `${'x'.repeat(49)}y`];
  const all = tables.flatMap((table) =>
    columns.flatMap((column) => [
      uniqueIndexName(table, column),
      textIndexName(table, column),
      indexName(table, column),
      foreignKeyName(table, column),
    ]),
  );
  expect(new Set(all).size).toBe(64);
  for (const name of all) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
});

test('values of a requirement are parameters', () => {
  const stage = { type: 'select', options: [{ value: "o'" }, { value: 'b' }] };
  const start = define(with_(stage));
  const end = define(with_({ ...stage, options: [{ value: 'b' }] }));
  const requirement = diffDefinitions(start, end)[0]?.requirements[0];
  if (requirement?.kind !== 'options_unused') throw new Error('no requirement');
  expect(toStatement(requirementSql('ws_demo', requirement))).toEqual({
    text: 'select value, count(*) as records from (select "x" as value from "ws_demo"."cars") r where value = any($1::text[]) group by value order by value limit 20',
    values: [["o'"]],
  });
});

test('a rename makes no statement about a table of records, a column, an index or a key', () => {
  const { cars, makers } = document.objects;
  const best = { ...makers.fields.best_id, reference_object_type: 'vans' };
  const after = mergePatch(document, {
    objects: {
      cars: null,
      vans: { ...cars, renamed_from: 'cars' },
      makers: { fields: { best_id: null, top_id: { ...best, renamed_from: 'best_id' } } },
    },
  }) as DefinitionDocument;
  const found = findRenames(document as DefinitionDocument, after);
  const { before, changes } = runSteps(
    renameSteps(define(document), found, function* (renamed, storage) {
      yield;
      return define(renamed, storage);
    }),
  );
  expect(before.storage).toMatchObject({
    vans: { table: 'cars', search: 'cars' },
    makers: { columns: { top_id: 'best_id' } },
  });
  const { objects } = before.model;
  expect(objects.get('makers')?.fields.get('top_id')).toMatchObject({
    ...{ column: 'best_id', reference_object_type: 'vans', reference_table: 'cars' },
  });
  const statements = ddlSql('ws_demo', changes, {}).map(({ statement }) =>
    toStatement(statement).text.replaceAll('"ws_demo".', '').replaceAll(/\s+/g, ' '),
  );
  expect(statements).toEqual([
    ...['_idempotency', '_comments', '_notifications', '_follows', '_status_requests'].map(
      (table) => `update "${table}" set object_type = 'vans' where object_type = 'cars'`,
    ),
    "update \"_idempotency\" set fields = array_replace(fields, 'best_id', 'top_id') where object_type = 'makers' and 'best_id' = any(fields)",
  ]);
});
