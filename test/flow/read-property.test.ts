// Walks through pages against an oracle in memory: random filters, sorts, page sizes and callers find
// exactly the records they should, in order, each once.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problems } from '../../src/errors.ts';
import { type Page, readPage } from '../../src/flow/records/read/read-flow.ts';
import { LIMITS } from '../../src/limits.ts';
import type { Field, ObjectModel } from '../../src/model/definition/model.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../src/model/values/field-types.ts';
import {
  type Condition,
  type ConditionInput,
  parseBodyFilters,
  parseQueryFilters,
} from '../../src/plan/read/filter.ts';
import type { Row } from '../../src/postgres/db.ts';
import { listOf } from '../list-request.ts';
import {
  compareInSort,
  conditionOf,
  isMatch,
  openRandomRecords,
  type RandomRecords,
  ROWS,
} from '../random-records.ts';
import { objectOf, sampleModel } from '../sample-definition.ts';
import type { SampleWorkspace } from '../sample-workspace.ts';
import { timesOf } from '../until.ts';

const RUNS = timesOf(300);
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
let records: RandomRecords['records'];

beforeAll(async () => {
  ({ sample, records } = await openRandomRecords());
});

afterAll(() => sample?.own.drop());

interface Walk {
  readonly reader: Reader;
  readonly object: ObjectModel;
  readonly filters: readonly Condition[];
  readonly inBody: boolean;
  readonly sort: readonly { readonly field: Field; readonly direction: 'asc' | 'desc' }[];
  readonly text: string | undefined;
  readonly fields: readonly Field[] | undefined;
  readonly limits: readonly number[];
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
    filters: fc.uniqueArray(conditionOf(object, records.get(object.object_type) ?? []), {
      maxLength: 2,
      selector: ({ field, op }) => `${field.key} ${op}`,
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
  for (const { field, op, value } of filters) {
    body[field.key] = { ...body[field.key], [op]: value };
  }
  const query = filters.map(({ field, op, value: operand }) => {
    const quoted = (item: unknown) => `"${String(item).replaceAll('"', '""')}"`;
    const value = Array.isArray(operand) ? operand.map(quoted).join(',') : String(operand);
    return { param: 'p', path: [field.key, op], value };
  });
  const inputs = inBody ? parseBodyFilters(body, problems) : parseQueryFilters(query, problems);
  expect(problems).toEqual([]);
  return inputs;
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
      const order = compareInSort(field, a, b);
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
    // Its own: on a cluster the place of the workspace is queried meanwhile.
    const sent = { statements: 0, roundTrips: 0 };
    const db = sample.own.tenants.forTenant({ workspace: 1, principal: 'reader' }, sent);
    const page = await readPage({ ...sample, db, caller }, walk.object, { ...list, limit, cursor });
    expect(sent).toEqual({ statements: 1, roundTrips: 1 });
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
    'any walk finds its records, in order, each once',
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
  const starts = [
    `shared ${'x'.repeat(292)} `,
    `y${'\u{10FFFF}'.repeat(90)}`,
    '\u{10FFFF}'.repeat(90),
  ];
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
