// Walks through pages while other connections insert, change and delete records: whatever is not
// touched during a walk is found exactly once and in order, whatever is touched as often as the rules
// allow.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPage } from '../../src/flow/records/read/read-flow.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { Field } from '../../src/model/definition/model.ts';
import { type Caller, isWithinReach } from '../../src/model/rights/access.ts';
import type { ConditionInput } from '../../src/plan/read/filter.ts';
import type { WriteOperation } from '../../src/plan/write/write-operation.ts';
import type { Database, Row } from '../../src/postgres/db.ts';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { listOf } from '../list-request.ts';
import { compareTexts } from '../random-records.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { timesOf } from '../until.ts';

const RUNS = timesOf(75);
/** Records there are at the least and at the most, whatever the walks add and delete. */
const FEWEST = 30;
const MOST = 50;
/** Longer than a cursor carries (D82), and alike for longer than that. */
const LONG = `long ${'x'.repeat(200)} `;
const SHORT_TEXT = 70;

/** Values of the fields that are sorted by; few, so that many are equal. */
const POOLS: Readonly<Record<string, readonly unknown[]>> = {
  name: ['a', 'A', 'b', 'ä', '😀', `${LONG}1`, `${LONG}2`, `${LONG}3`],
  a_text: [null, null, 'a', 'b', `${LONG}1`, `${LONG}2`, '\u{10FFFF}'.repeat(100)],
  a_number: [null, 0, -1.5, 0.1, 0.2, 10],
  a_integer: [null, 1, 2, 3],
  a_boolean: [null, true, false],
  a_date: [null, '2025-01-01', '2025-01-02', '0001-01-01'],
  a_datetime: [null, '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.001Z'],
  a_select: [null, 'red', 'green'],
};
/** Times with equal ones among them (D76). */
const CREATED = ['000', '000', '001', '001', '002'].map(
  (fraction) => `2025-06-01T12:00:00.${fraction}Z`,
);
const SORTED = [...Object.keys(POOLS), 'created_at', 'updated_at', 'status', 'owner_user_id', 'id'];
const READERS = ['anna', 'ben', 'dora'] as const;

interface Change {
  readonly kind: 'create' | 'update' | 'delete';
  /** The records, and their values. */
  readonly numbers: readonly number[];
}

interface Walk {
  readonly reader: (typeof READERS)[number];
  readonly sort: readonly { readonly key: string; readonly direction: 'asc' | 'desc' }[];
  readonly filter: Pick<ConditionInput, 'field' | 'op' | 'value'> | undefined;
  readonly limits: readonly number[];
  /** The changes before each page but the first, and whether the page is read meanwhile. */
  readonly steps: readonly { readonly changes: readonly Change[]; readonly meanwhile: boolean }[];
}

const FILTERS: readonly Walk['filter'][] = [
  undefined,
  undefined,
  undefined,
  { field: 'a_integer', op: 'gte', value: 2 },
  { field: 'a_text', op: 'is_null', value: true },
  { field: 'a_boolean', op: 'ne', value: true },
  { field: 'name', op: 'lt', value: 'b' },
  { field: 'a_select', op: 'in', value: ['red', 'green'] },
];

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('create', 'update', 'update', 'update', 'delete'),
  numbers: fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
});

const walk: fc.Arbitrary<Walk> = fc.record({
  reader: fc.constantFrom(...READERS),
  sort: fc.uniqueArray(
    fc.record({
      key: fc.constantFrom(...SORTED),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    { minLength: 1, maxLength: 3, selector: ({ key }) => key },
  ),
  filter: fc.constantFrom(...FILTERS),
  limits: fc.array(fc.integer({ min: 2, max: 15 }), { minLength: 1, maxLength: 2 }),
  steps: fc.array(
    fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      meanwhile: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

let sample: SampleWorkspace;
/** A pool of its own for the writes. */
let elsewhere: Database;
/** The records as they are now, by id. */
const records = new Map<string, Row>();

beforeAll(async () => {
  sample = await openSampleWorkspace();
  const { connection } = sample.own;
  elsewhere = openDatabase({ connection, poolSize: 4, statementTimeout: 0 });
  const numbers = fc.sample(change, { numRuns: MOST - 10, seed: 5 });
  await write(numbers.map((one) => ({ action: 'create', fields: valuesOf(one) })));
});
afterAll(async () => {
  await elsewhere?.close();
  await sample?.own.drop();
});

function pick(pool: readonly unknown[], at: number | undefined): unknown {
  return pool[(at ?? 0) % pool.length];
}

function ownerOf(at: number | undefined): unknown {
  return pick(
    ['anna', 'ben', 'cleo', 'dora', 'dora'].map((name) => sample.caller(name).user.id),
    at,
  );
}

function valuesOf({ numbers }: Change): Record<string, unknown> {
  const keys = Object.keys(POOLS);
  return {
    ...Object.fromEntries(keys.map((key, index) => [key, pick(POOLS[key] ?? [], numbers[index])])),
    owner_user_id: ownerOf(numbers[9]),
    ...(Number(numbers[10]) % 3 === 0 ? {} : { created_at: pick(CREATED, numbers[11]) }),
  };
}

/** Write through the way of every write, and remember what there is then. */
async function write(operations: readonly WriteOperation[]): Promise<void> {
  const context = { ...sample, db: elsewhere, caller: sample.caller('anna'), requestId: null };
  const request = { operations, source: 'import' as const, batch: true };
  const { results } = await writeRecords(context, sample.object('gadgets'), request);
  for (const { id, row } of results) {
    if (row === undefined) records.delete(id);
    else records.set(id, row);
  }
}

/** The changes as operations, each on a record of its own; the number of records stays in bounds. */
function operationsOf(changes: readonly Change[]): readonly WriteOperation[] {
  const ids = [...records.keys()].sort();
  let total = ids.length;
  return changes.map((one): WriteOperation => {
    const { kind, numbers } = one;
    const wanted = total <= FEWEST && kind === 'delete' ? 'create' : kind;
    const possible = total >= MOST && wanted === 'create' ? 'delete' : wanted;
    if (possible === 'create') {
      total += 1;
      return { action: 'create', fields: valuesOf(one) };
    }
    const [id] = ids.splice(Number(numbers[10]) % ids.length, 1);
    if (possible === 'delete') {
      total -= 1;
      return { action: 'delete', id: id as string };
    }
    const { created_at: _, ...values } = valuesOf(one);
    const some = Object.entries(values).filter(
      (_entry, index) => Number(numbers[11]) & (1 << index),
    );
    return { action: 'update', id: id as string, fields: Object.fromEntries(some) };
  });
}

function columnOf(key: string): string {
  return (sample.object('gadgets').fields.get(key) as Field).column;
}

function isMatch(row: Row, { filter }: Walk): boolean {
  if (filter === undefined) return true;
  const value = row[columnOf(filter.field)] ?? null;
  const { op: operator, value: operand } = filter;
  if (operator === 'is_null') return (value === null) === operand;
  if (operator === 'ne') return value !== operand;
  if (value === null) return false;
  if (operator === 'in') return (operand as readonly unknown[]).includes(value);
  return operator === 'lt' ? compare(value, operand) < 0 : compare(value, operand) >= 0;
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'string') {
    return Buffer.compare(Buffer.from(left), Buffer.from(String(right)));
  }
  return Number(left) - Number(right);
}

/** The ids that a walk finds without changes: nulls last, the id in the direction of the last key. */
function expectedIds(rows: readonly Row[], one: Walk, caller: Caller): readonly string[] {
  const reach = caller.access.objects.get('gadgets')?.reach.read ?? null;
  const last = one.sort[one.sort.length - 1]?.direction ?? 'asc';
  const keys = [...one.sort, { key: 'id', direction: last }];
  const seen = rows.filter(
    (row) => isWithinReach(caller, reach, row.owner_user_id as number) && isMatch(row, one),
  );
  seen.sort((left, right) => {
    for (const { key, direction } of keys) {
      const [a, b] = [left[columnOf(key)] ?? null, right[columnOf(key)] ?? null];
      if ((a === null || b === null) && a !== b) return a === null ? 1 : -1;
      const isText = key === 'name' || key === 'a_text';
      const by = isText ? compareTexts(String(a), String(b)) : compare(a, b);
      const order = a === null ? 0 : by;
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return 0;
  });
  return seen.map((row) => String(row.id));
}

/** The number of changes of each record, and the impossible rows that a page showed. */
interface Course {
  readonly shown: string[];
  readonly touched: Map<string, number>;
  /** True once a page may have started again at the prefix of a long text that was gone (D82). */
  repeated: boolean;
}

function touch(course: Course, operations: readonly WriteOperation[]): void {
  for (const operation of operations) {
    if (!('id' in operation)) continue;
    const id = String(operation.id);
    course.touched.set(id, (course.touched.get(id) ?? 0) + 1);
  }
}

/** True when these change the row that a cursor looks the rest of a long text up in. */
function isAnchorLost(
  last: Row | undefined,
  operations: readonly WriteOperation[],
  { sort }: Walk,
): boolean {
  const isChanged = operations.some((operation) => 'id' in operation && operation.id === last?.id);
  const lengths = sort.map(({ key }) => String(last?.[columnOf(key)] ?? '').length);
  return isChanged && Math.max(...lengths) > SHORT_TEXT;
}

/** Read page after page while the steps of the walk change what there is. */
async function follow(one: Walk, caller: Caller): Promise<Course> {
  const course: Course = { shown: [], touched: new Map(), repeated: false };
  const object = sample.object('gadgets');
  const filters = one.filter === undefined ? [] : [{ ...one.filter, param: 'f', text: false }];
  const sort = one.sort.map(({ key, direction }) => ({ param: 's', field: key, direction }));
  let cursor: string | undefined;
  let last: Row | undefined;
  for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    const step = pages === 0 ? undefined : one.steps[pages - 1];
    const operations = operationsOf(step?.changes ?? []);
    const gone = new Set([...course.touched.keys()].filter((id) => !records.has(id)));
    touch(course, operations);
    course.repeated ||= isAnchorLost(last, operations, one);
    const writing = operations.length === 0 ? undefined : write(operations);
    if (step?.meanwhile !== true) await writing;
    const limit = one.limits[pages % one.limits.length] as number;
    const request = listOf({ filters, sort, limit, cursor });
    const [page] = await Promise.all([readPage({ ...sample, caller }, object, request), writing]);
    const ids = page.rows.map((row) => String(row.id));
    for (const id of ids) expect(gone, 'a deleted record came back').not.toContain(id);
    expect(new Set(ids).size, 'a record twice on one page').toBe(ids.length);
    course.shown.push(...ids);
    last = page.rows[page.rows.length - 1];
    if (step?.meanwhile === true) course.repeated ||= isAnchorLost(last, operations, one);
    cursor = page.next_cursor ?? undefined;
    expect(pages).toBeLessThan(MOST * 2);
  }
  return course;
}

let walks = 0;
let changesSeen = 0;

async function checkWalk(one: Walk): Promise<void> {
  const caller = sample.caller(one.reader);
  const start = [...records.values()];
  const { shown, touched, repeated } = await follow(one, caller);
  const still = start.filter((row) => !touched.has(String(row.id)));
  const expected = expectedIds(still, one, caller);
  const isStill = new Set(still.map((row) => String(row.id)));
  const found = shown.filter((id) => isStill.has(id));
  // A page that starts again repeats, but skips no record and keeps the order.
  expect(repeated ? [...new Set(found)] : found).toEqual(expected);
  const known = new Set([
    ...start.map((row) => String(row.id)),
    ...records.keys(),
    ...touched.keys(),
  ]);
  for (const id of new Set(shown)) {
    expect(known).toContain(id);
    const times = shown.filter((other) => other === id).length;
    if (!repeated) expect(times).toBeLessThanOrEqual(1 + (touched.get(id) ?? 0));
  }
  walks += 1;
  changesSeen += touched.size;
}

test('no walk repeats or skips an unchanged record', async () => {
  await fc.assert(fc.asyncProperty(walk, checkWalk), { numRuns: RUNS, endOnFailure: true });
  expect(walks).toBe(RUNS);
  expect(changesSeen).toBeGreaterThan(RUNS);
});
