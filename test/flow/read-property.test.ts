// Walks through pages against an oracle in memory: random filters, sorts, page sizes and callers find
// exactly the records they should, in order, each once.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Page, readPage } from '../../src/flow/read-flow.ts';
import { writeRecords } from '../../src/flow/write-flow.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Caller } from '../../src/model/access.ts';
import type { FilterOperator } from '../../src/model/field-type.ts';
import { FIELD_TYPE_TRAITS, type FieldType } from '../../src/model/field-types.ts';
import type { Field, ObjectModel } from '../../src/model/model.ts';
import {
  type ConditionInput,
  type Problems,
  parseBodyFilters,
  parseQueryFilters,
} from '../../src/plan/filter.ts';
import type { Row } from '../../src/store/db.ts';
import { listOf } from '../list-request.ts';
import { timesOf } from '../patience.ts';
import { objectOf, sampleModel } from '../sample-definition.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

const RUNS = timesOf(300);
const ROWS = 120;
const SHARED = `shared ${'x'.repeat(292)} `;

const TEXTS = [
  ...['a', 'A', 'b', 'ä', 'Ä', 'ß', 'e\u0301', '\u00e9', 'i', 'İ', '😀', '\u{10FFFF}', '\uE000'],
  ...[
    '\uFFFD',
    'a b',
    'a\u0001b',
    '%',
    '_',
    '\\',
    '"',
    "'",
    ',',
    'a,"b"',
    'null',
    'true',
    '9',
    '10',
  ],
  ...['a', 'b', '', '😀', '\uE000'].map((end) => SHARED + end),
  ...['a', 'b'].map((end) => '\u0001'.repeat(300) + end),
  ...['a', '\u{10FFFF}'].map((end) => '\u{10FFFF}'.repeat(300) + end),
];
const PART_IDS = Array.from(
  { length: 4 },
  (_, index) => `01900000-0000-7000-8000-${'a'.repeat(11)}${index}`,
);

/** Values that records have; few, so that many are equal. */
const POOLS: Readonly<Record<FieldType, readonly unknown[]>> = {
  text: TEXTS,
  long_text: [...TEXTS, 'y'.repeat(50_000), `${'y'.repeat(50_000)}z`],
  number: [0, -1.5, 0.1, 1, 9, 10, 1e-7, 999_999_999_999_999, -999_999_999_999_999],
  integer: [0, 1, -1, 9, 10, 2_147_483_647, -2_147_483_648],
  currency: [0, 0.01, 12.34, 12.3],
  percent: [0, 50, 100, 33.3],
  boolean: [true, false],
  date: ['0001-01-01', '2024-02-29', '2025-01-01', '2025-01-02', '9999-12-31'],
  datetime: ['0001-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.001Z'],
  select: ['red', 'green', 'off "white", really', 'null', 'Ünï😀'],
  multi_select: [
    ['red'],
    ['red', 'green'],
    ['green', 'red'],
    ['off "white", really'],
    ['null', 'Ünï😀'],
  ],
  email: ['a@b.co', 'b@b.co', 'ä@b.co', 'a_b@b.co'],
  phone: ['112', '+49 30', '113'],
  url: ['https://a.example/X', 'https://a.example/x', `https://a.example/${'x'.repeat(300)}`],
  reference: PART_IDS,
  user: [1, 2, 3, 4],
  json: [{ a: 1 }, [], '', 0, false],
};

const NOT_WRITTEN = ['id', 'updated_at', 'serial', 'code'];
/** Fields with rules of their own. */
const SPECIAL: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>([
  ['rating', [1, 2, 3]],
  ['price', [0, 1.5]],
  ['status', ['new', 'built', 'sold']],
  [
    'created_at',
    ['2025-01-01T00:00:00.000Z', '2025-06-01T12:00:00.500Z', '2025-06-01T12:00:00.501Z'],
  ],
]);

function poolOf(field: Field): readonly unknown[] {
  return SPECIAL.get(field.key) ?? POOLS[field.type];
}

const definition = sampleModel();
interface Reader {
  readonly name: string;
  readonly roles?: readonly string[];
}

const READERS: readonly Reader[] = [
  { name: 'anna' },
  { name: 'ben' },
  { name: 'cleo', roles: ['own'] },
  { name: 'dora' },
  { name: 'dora', roles: ['team'] },
  { name: 'cleo', roles: ['reader'] },
  { name: 'bot' },
];

let sample: SampleWorkspace;
const records = new Map<string, readonly Row[]>();

beforeAll(async () => {
  sample = await openSampleWorkspace();
  const admin = sample.caller('anna');
  const parts = PART_IDS.map((id) => ({ id, created_by_user_id: admin.user.id }));
  await sample.own.rows(
    `insert into "${sample.model.schema}".parts (id, created_by_user_id)
     select id, created_by_user_id from jsonb_to_recordset($1)
       as p (id uuid, created_by_user_id integer)`,
    [JSON.stringify(parts)],
  );
  records.set('gadgets', await writeRandom('gadgets'));
  const written = await writeRandom('parts');
  const { rows } = await readPage({ ...sample, caller: admin }, sample.object('parts'), {
    ...listOf({
      fields: ['label', 'weight', 'updated_at'],
      limit: 100,
      filters: [{ param: 'p', field: 'id', op: 'in', value: PART_IDS, text: false }],
    }),
  });
  const author = { created_by_user_id: admin.user.id };
  records.set('parts', [...written, ...rows.map((row) => ({ ...row, ...author }))]);
});

afterAll(() => sample?.own.drop());

/** Import records with random values; answers them as the oracle knows them. */
async function writeRandom(objectType: string): Promise<readonly Row[]> {
  const object = sample.object(objectType);
  const random = sequence(objectType.length);
  const people = ['anna', 'ben', 'cleo', 'dora'].map((name) => sample.caller(name).user.id);
  const sent = Array.from({ length: ROWS }, () => {
    const values: Record<string, unknown> = { created_by_user_id: random.one(people) };
    const custom: Record<string, unknown> = {};
    for (const field of object.fields.values()) {
      if (NOT_WRITTEN.includes(field.key)) continue;
      const isEmpty = field.nullable && !field.required && random.below(4) === 0;
      const value = isEmpty ? null : random.one(poolOf(field));
      if (field.storage === 'jsonb') custom[field.key] = value;
      else values[field.key] = value;
    }
    return { ...values, ...(Object.keys(custom).length > 0 ? { custom_fields: custom } : {}) };
  });
  const { results } = await writeRecords(
    { db: sample.db, model: sample.model, caller: sample.caller('anna'), requestId: null },
    object,
    {
      operations: sent.map((fields) => ({ action: 'create', fields })),
      source: 'import',
      batch: true,
    },
  );
  return sent.map((values, index) => {
    const { row } = results[index] ?? {};
    return { serial: null, code: null, ...values, id: row?.id, updated_at: row?.updated_at };
  });
}

/** Pseudo-random choices, the same in every run. */
function sequence(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  return { below, one: <Item>(items: readonly Item[]) => items[below(items.length)] as Item };
}

interface Filter {
  readonly field: Field;
  readonly operator: FilterOperator;
  /** What is meant, in canonical form; a list for `in`. */
  readonly operand: unknown;
}

interface Walk {
  readonly reader: Reader;
  readonly object: ObjectModel;
  readonly filters: readonly Filter[];
  readonly inBody: boolean;
  readonly sort: readonly { readonly field: Field; readonly direction: 'asc' | 'desc' }[];
  readonly text: string | undefined;
  readonly fields: readonly Field[] | undefined;
  readonly limits: readonly number[];
}

function filterOf(object: ObjectModel): fc.Arbitrary<Filter> {
  const physical = [...object.fields.values()].filter((field) => field.storage === 'physical');
  const pairs = physical.flatMap((field) =>
    FIELD_TYPE_TRAITS[field.type].operators.map((operator) => ({ field, operator })),
  );
  return fc.constantFrom(...pairs).chain(({ field, operator }) => {
    const members = poolOf(field).flat();
    const one = fc.constantFrom(...(field.key === 'id' ? idsOf(object) : members));
    const list = fc.array(one, { minLength: 1, maxLength: 5 });
    const operands = { is_null: fc.boolean(), in: list };
    const operand = operands[operator as keyof typeof operands] ?? one;
    return (operand as fc.Arbitrary<unknown>).map((value) => ({ field, operator, operand: value }));
  });
}

function idsOf(object: ObjectModel): readonly unknown[] {
  return (records.get(object.object_type) ?? []).map((row) => row.id);
}

function walkOf(object: ObjectModel): fc.Arbitrary<Walk> {
  const all = [...object.fields.values()];
  const sortable = all.filter(
    (field) => field.storage === 'physical' && FIELD_TYPE_TRAITS[field.type].sortable,
  );
  const key = fc.record({
    field: fc.constantFrom(...sortable),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  });
  return fc.record({
    reader: fc.constantFrom(...READERS),
    object: fc.constant(object),
    filters: fc.uniqueArray(filterOf(object), {
      maxLength: 2,
      selector: ({ field, operator }) => `${field.key} ${operator}`,
    }),
    inBody: fc.boolean(),
    sort: fc.uniqueArray(key, { maxLength: LIMITS.sortKeys, selector: ({ field }) => field.key }),
    text: fc.option(fc.constantFrom('a', 'Ä', '%', '_', '\\', '😀', 'XXX', 'i\u0307'), {
      freq: 4,
      nil: undefined,
    }),
    fields: fc.option(
      fc.subarray(all, { maxLength: Math.min(all.length, LIMITS.selectedFields) }),
      { nil: undefined },
    ),
    limits: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
  });
}

/** The filters as a client would send them. */
function sentFilters({ filters, inBody }: Walk): readonly ConditionInput[] {
  const problems: Problems = [];
  const body: Record<string, Record<string, unknown>> = Object.create(null);
  for (const { field, operator, operand } of filters) {
    body[field.key] = { ...body[field.key], [operator]: operand };
  }
  const query = filters.map(({ field, operator, operand }) => {
    const quoted = (item: unknown) => `"${String(item).replaceAll('"', '""')}"`;
    const value = Array.isArray(operand) ? operand.map(quoted).join(',') : String(operand);
    return { param: 'p', path: [field.key, operator], value };
  });
  const inputs = inBody ? parseBodyFilters(body, problems) : parseQueryFilters(query, problems);
  expect(problems).toEqual([]);
  return inputs;
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'boolean') return Number(left) - Number(right);
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

function isMatch(row: Row, { field, operator, operand }: Filter): boolean {
  const value = row[field.column] ?? null;
  if (operator === 'is_null') return (value === null) === operand;
  if (operator === 'ne') return value !== operand;
  if (value === null) return false;
  if (field.type === 'multi_select') {
    return [operand].flat().some((item) => (value as readonly unknown[]).includes(item));
  }
  if (operator === 'in') return (operand as readonly unknown[]).includes(value);
  const order = compare(value, operand);
  const holds = { eq: order === 0, lt: order < 0, lte: order <= 0, gt: order > 0, gte: order >= 0 };
  return holds[operator];
}

function isReadable(row: Row, caller: Caller, object: ObjectModel): boolean {
  const reach = caller.access.objects.get(object.object_type)?.reach.read;
  const person = row[object.owned ? 'owner_user_id' : 'created_by_user_id'] as number | null;
  if (reach === 'organisation') return true;
  if (person === null) return false;
  if (reach === 'team') return caller.colleague_ids.includes(person);
  return person === caller.user.id;
}

function expectedRows({ object, filters, sort, text }: Walk, caller: Caller): readonly Row[] {
  const display = object.fields.get(object.display_field ?? '')?.column ?? '';
  const found = (records.get(object.object_type) ?? []).filter(
    (row) =>
      isReadable(row, caller, object) &&
      filters.every((filter) => isMatch(row, filter)) &&
      (text === undefined ||
        String(row[display] ?? '')
          .toLowerCase()
          .includes(text.toLowerCase())),
  );
  const created = object.fields.get('created_at') as Field;
  const id = object.fields.get('id') as Field;
  const keys = sort.length > 0 ? sort : [{ field: created, direction: 'desc' as const }];
  const last = keys[keys.length - 1]?.direction ?? 'asc';
  return found.sort((left, right) => {
    for (const { field, direction } of [...keys, { field: id, direction: last }]) {
      const [a, b] = [left[field.column] ?? null, right[field.column] ?? null];
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1;
        continue;
      }
      const order = compare(a, b);
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return 0;
  });
}

/** All pages of a walk; the page size changes on the way. */
async function readAll(walk: Walk, caller: Caller): Promise<readonly Page[]> {
  const pages: Page[] = [];
  const keys = walk.fields?.map(({ key }) => key);
  const list = listOf({
    fields: keys,
    filters: sentFilters(walk),
    text: walk.text,
    sort: walk.sort.map(({ field, direction }) => ({ param: 's', field: field.key, direction })),
  });
  let cursor: string | undefined;
  do {
    const limit = walk.limits[pages.length % walk.limits.length] as number;
    const before = sample.db.statementCount();
    const page = await readPage({ ...sample, caller }, walk.object, { ...list, limit, cursor });
    expect(sample.db.statementCount() - before).toBe(1);
    pages.push(page);
    cursor = page.next_cursor ?? undefined;
    if (cursor !== undefined) {
      expect(cursor.length).toBeLessThanOrEqual(LIMITS.cursorLength);
      expect(page.rows).toHaveLength(limit);
    } else expect(page.rows.length).toBeLessThanOrEqual(limit);
    expect(pages.length).toBeLessThanOrEqual(ROWS * 2);
  } while (cursor !== undefined);
  return pages;
}

async function checkWalk(walk: Walk): Promise<void> {
  const caller = sample.caller(walk.reader.name, walk.reader.roles);
  const pages = await readAll(walk, caller);
  const rows = pages.flatMap((page) => page.rows);
  const expected = expectedRows(walk, caller);
  expect(rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  const shown = (walk.fields ?? []).filter((field) => field.storage === 'physical');
  rows.forEach((row, index) => {
    for (const { column } of shown) expect(row[column]).toEqual(expected[index]?.[column] ?? null);
  });
}

const TIMEOUT = 120_000 + RUNS * 400;

describe.each([
  ['gadgets', Math.ceil(RUNS * 0.9)],
  ['parts', Math.ceil(RUNS * 0.1)],
])('%s', (objectType, numRuns) => {
  test(
    'any walk finds what it should, in order, each record once',
    async () => {
      const object = objectOf(definition, objectType);
      await fc.assert(fc.asyncProperty(walkOf(object), checkWalk), { numRuns });
    },
    TIMEOUT,
  );

  test.each(READERS)('$name as $roles sees the right records at all', async (reader) => {
    const object = objectOf(definition, objectType);
    const walk: Walk = {
      reader,
      object,
      filters: [],
      inBody: false,
      sort: [],
      text: undefined,
      fields: [...object.fields.values()],
      limits: [100],
    };
    await checkWalk(walk);
    const count = expectedRows(walk, sample.caller(reader.name, reader.roles)).length;
    if (objectType === 'gadgets') expect(count).toBeGreaterThan(10);
  });
});

describe('while records change (D82)', () => {
  const changes: readonly (readonly [title: string, statement: string])[] = [
    ['is deleted', 'delete from ledgers where id = $1'],
    ['changes its text', "update ledgers set title = 'changed' where id = $1"],
    ['loses its text', 'update ledgers set title = null where id = $1'],
    ['changes something else', 'update ledgers set version = version + 1 where id = $1'],
  ];
  /** Starts of long texts, among them those after which no character comes. */
  const starts = [SHARED, `y${'\u{10FFFF}'.repeat(90)}`, '\u{10FFFF}'.repeat(90)];
  const cases = changes.flatMap(([title, statement]) =>
    starts.flatMap((start) =>
      (['asc', 'desc'] as const).map((direction) => ({ title, statement, direction, start })),
    ),
  );

  test.each(cases)(
    'no other record is skipped when the last of each page $title, $direction',
    async ({ statement, direction, start }) => {
      const { own, model } = sample;
      const table = `"${model.schema}".ledgers`;
      const titles = Array.from({ length: 40 }, (_, index) => start + String(index % 25));
      await own.rows(`delete from ${table}`);
      await own.rows(
        `insert into ${table} (id, created_by_user_id, title)
         select gen_random_uuid(), 1, title from unnest($1::text[]) t (title)`,
        [titles],
      );
      const left = new Set((await own.rows(`select id from ${table}`)).map((row) => row.id));
      const object = sample.object('ledgers');
      const list = listOf({ limit: 3, sort: [{ param: 's', field: 'title', direction }] });
      let cursor: string | undefined;
      let pages = 0;
      do {
        const caller = sample.caller('anna');
        const page = await readPage({ ...sample, caller }, object, { ...list, cursor });
        for (const row of page.rows) left.delete(row.id);
        cursor = page.next_cursor ?? undefined;
        pages += 1;
        const last = page.rows[page.rows.length - 1];
        if (pages <= 20) await own.rows(statement.replace('ledgers', table), [last?.id]);
      } while (cursor !== undefined && pages < 200);
      expect(left.size).toBe(0);
      expect(cursor).toBeUndefined();
    },
  );
});
