// Aggregates against an oracle in memory: random groups, metrics, filters, orders, page sizes and callers of every
// grant give the groups they should, in order, each once, and no value of a field the caller may not read.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGroups } from '../../src/flow/records/read/read-flow.ts';
import { writeRecords } from '../../src/flow/records/write-flow.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { isWithinReach } from '../../src/model/rights/access.ts';
import type { AggregateRequest, MetricInput } from '../../src/plan/read/aggregate-plan.ts';
import type { Row } from '../../src/postgres/db.ts';
import { queryOf } from '../list-request.ts';
import { compareTexts } from '../random-records.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';
import { timesOf } from '../until.ts';

const RUNS = timesOf(200);
const ROWS = 150;
const LONG = 'x'.repeat(300);

/** Few values each, so that groups have several records; sums of these are exact. */
const POOLS: Readonly<Record<string, readonly unknown[]>> = {
  a_text: ['a', 'B', 'ä', `${LONG}1`, `${LONG}2`, '😀', null],
  a_number: [1, 2.25, -3.5, 100_000_000_000.125, null],
  a_integer: [0, 7, -7, 2_147_483_647, null],
  a_boolean: [true, false, null],
  a_date: ['2026-01-31', '0001-01-01', '9999-12-31', null],
  a_datetime: ['2026-01-31T10:00:00.123Z', '2026-01-31T10:00:00.124Z', null],
  a_select: ['red', 'null', 'Ünï😀', null],
  status: ['new', 'built', 'sold'],
  secret: ['hush', 'psst', null],
};
const KEYS = [...Object.keys(POOLS), 'owner_user_id'];
const MEASURES: Readonly<Record<string, readonly string[]>> = {
  count: KEYS,
  count_distinct: KEYS,
  sum: ['a_number', 'a_integer'],
  avg: ['a_number', 'a_integer'],
  min: ['a_text', 'a_number', 'a_integer', 'a_date', 'a_datetime', 'secret'],
  max: ['a_text', 'a_number', 'a_integer', 'a_date', 'a_datetime', 'secret'],
};

/** Every reach, with and without the right to read the field `secret`. */
const READERS = (
  [
    ['anna', 'admin'],
    ['cleo', 'organisation'],
    ['ben', 'team'],
    ['dora', 'own'],
  ] as const
).flatMap(([name, role]) => [false, true].map((veiled) => ({ name, role, veiled })));

let sample: SampleWorkspace;
let rows: readonly Row[];

beforeAll(async () => {
  sample = await openSampleWorkspace();
  const people = ['anna', 'ben', 'cleo', 'dora'].map((name) => sample.caller(name).user.id);
  const random = fc.sample(fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), {
    numRuns: ROWS,
    seed: 7,
  });
  const pick = (pool: readonly unknown[], at: number | undefined) => pool[(at ?? 0) % pool.length];
  rows = random.map((numbers) => ({
    ...Object.fromEntries(
      Object.keys(POOLS).map((key, at) => [key, pick(POOLS[key] ?? [], numbers[at])]),
    ),
    owner_user_id: pick(people, numbers[11]),
    name: 'gadget',
  }));
  const context = { ...sample, caller: sample.caller('anna'), requestId: null };
  for (let start = 0; start < ROWS; start += 100) {
    const operations = rows
      .slice(start, start + 100)
      .map((fields) => ({ action: 'create' as const, fields }));
    const request = { operations, source: 'import' as const, batch: true };
    await writeRecords(context, sample.object('gadgets'), request);
  }
});
afterAll(() => sample?.own.drop());

function callerOf({ name, role, veiled }: AggregateCase['reader']): Caller {
  const caller = sample.caller(name, [role]);
  const gadgets = caller.access.objects.get('gadgets');
  if (gadgets === undefined || !veiled) return caller;
  const readable = new Set([...gadgets.readable].filter((key) => key !== 'secret'));
  const objects = new Map([...caller.access.objects, ['gadgets', { ...gadgets, readable }]]);
  return { ...caller, access: { ...caller.access, objects } };
}

/** True when the caller may read every field that is grouped by or measured. */
function isAllowed({ reader, group_by, metrics }: AggregateCase): boolean {
  const keys = [...group_by, ...metrics.map(({ field }) => field)];
  return !reader.veiled || !keys.includes('secret');
}

function order(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') {
    return compareTexts(left, right);
  }
  return Number(left) - Number(right);
}

/** Nulls last in both directions. */
function orderValues(left: unknown, right: unknown, direction: 'asc' | 'desc'): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return direction === 'asc' ? order(left, right) : order(right, left);
}

function measure({ op, field }: MetricInput, group: readonly Row[]): unknown {
  const values = field === undefined ? group : group.map((row) => row[field] ?? null);
  const known = values.filter((value) => value !== null);
  if (op === 'count') return known.length;
  if (op === 'count_distinct') return new Set(known).size;
  if (known.length === 0) return null;
  const sorted = [...known].sort(order);
  if (op === 'min') return sorted[0];
  if (op === 'max') return sorted[sorted.length - 1];
  const sum = (known as number[]).reduce((total, value) => total + value, 0);
  return op === 'sum' ? sum : sum / known.length;
}

type AggregateCase = Pick<AggregateRequest, 'metrics' | 'order_by'> & {
  readonly group_by: readonly string[];
  readonly reader: (typeof READERS)[number];
  readonly status: string | undefined;
  readonly limit: number;
};

type Group = Readonly<Record<string, unknown>>;

/** The groups of the oracle, in no order. */
function measuredGroups(aggregateCase: AggregateCase, caller: Caller): readonly Group[] {
  const { group_by: keys, metrics, status } = aggregateCase;
  const reach = caller.access.objects.get('gadgets')?.reach.read ?? null;
  const seen = rows.filter(
    (row) =>
      isWithinReach(caller, reach, row.owner_user_id as number) &&
      (status === undefined || row.status === status),
  );
  const groups = new Map<string, Row[]>(keys.length === 0 ? [['', []]] : []);
  for (const row of seen) {
    const name = keys.length === 0 ? '' : nameOf(row, keys);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].map(([name, group]) => ({
    ...Object.fromEntries(keys.map((key, at) => [key, JSON.parse(name)[at]])),
    ...Object.fromEntries(metrics.map((metric) => [metric.name, measure(metric, group)])),
  }));
}

function nameOf(row: Row, keys: readonly string[]): string {
  return JSON.stringify(keys.map((key) => row[key] ?? null));
}

/**
 * The oracle's groups with the averages of the answer, where they are the same but for the last digits of a division:
 * groups are ordered by the printed value (D85).
 */
function withAnsweredAverages(
  groups: readonly Group[],
  { group_by: keys, metrics }: AggregateCase,
  answered: readonly Group[],
): readonly Group[] {
  const byName = new Map(answered.map((group) => [nameOf(group, keys), group]));
  const averages = metrics.filter(({ op }) => op === 'avg');
  return groups.map((group) => {
    const near = averages.flatMap(({ name }) => {
      const [exact, given] = [group[name], byName.get(nameOf(group, keys))?.[name]];
      if (typeof exact !== 'number' || typeof given !== 'number') return [];
      return Math.abs(exact - given) <= Math.abs(exact) * 1e-14 ? [[name, given]] : [];
    });
    return { ...group, ...Object.fromEntries(near) };
  });
}

function inOrder(groups: readonly Group[], { group_by: keys, order_by: by }: AggregateCase) {
  const first = by === undefined ? [] : [[by.name, by.direction] as const];
  const rest = keys.filter((key) => key !== by?.name).map((key) => [key, 'asc'] as const);
  return [...groups].sort((left, right) => {
    for (const [key, direction] of [...first, ...rest]) {
      const compared = orderValues(left[key], right[key], direction);
      if (compared !== 0) return compared;
    }
    return 0;
  });
}

async function readAll(aggregateCase: AggregateCase, caller: Caller): Promise<readonly Group[]> {
  const { group_by, metrics, order_by, limit, status } = aggregateCase;
  const filter = {
    param: 'p',
    field: 'status',
    op: 'eq' as const,
    value: status,
    text: false,
  };
  const groups: Group[] = [];
  let cursor: string | undefined;
  do {
    const page = await readGroups({ ...sample, caller }, sample.object('gadgets'), {
      query: queryOf({ filters: status === undefined ? [] : [filter] }),
      group_by,
      metrics,
      order_by,
      limit,
      cursor,
    });
    const columns = [...page.plan.groups, ...page.plan.metrics];
    for (const row of page.rows) {
      const shown = columns.map(({ name, alias }) => [name, row[alias] ?? null]);
      groups.push(Object.fromEntries(shown));
    }
    cursor = page.next_cursor ?? undefined;
    if (cursor !== undefined) expect(cursor.length).toBeLessThanOrEqual(500);
    expect(groups.length).toBeLessThanOrEqual(ROWS);
  } while (cursor !== undefined);
  return groups;
}

const metric = fc
  .constantFrom(...Object.keys(MEASURES))
  .chain((op) => fc.constantFrom(...(MEASURES[op] ?? [])).map((field) => ({ op, field })));

const aggregateCase: fc.Arbitrary<AggregateCase> = fc
  .record({
    reader: fc.constantFrom(...READERS),
    group_by: fc.uniqueArray(fc.constantFrom(...KEYS), { maxLength: 3 }),
    measures: fc.array(metric, { minLength: 1, maxLength: 4 }),
    status: fc.constantFrom(undefined, undefined, 'built', 'nowhere'),
    limit: fc.integer({ min: 1, max: 40 }),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    by: fc.nat(),
  })
  .map(({ measures, direction, by, ...rest }) => {
    const metrics = measures.map((one, at) => ({ ...one, name: `m${at}` }) as MetricInput);
    const names = [...rest.group_by, ...metrics.map(({ name }) => name)];
    const name = names[by % (names.length + 1)];
    return { ...rest, metrics, order_by: name === undefined ? undefined : { name, direction } };
  });

test('any aggregate gives the groups it should, in order, each once', async () => {
  const check = async (one: AggregateCase) => {
    const caller = callerOf(one.reader);
    if (!isAllowed(one)) {
      await expect(readAll(one, caller)).rejects.toMatchObject({ code: 'permission_denied' });
      return;
    }
    const answered = await readAll(one, caller);
    const groups = withAnsweredAverages(measuredGroups(one, caller), one, answered);
    expect(answered).toEqual(inOrder(groups, one));
  };
  await fc.assert(fc.asyncProperty(aggregateCase, check), { numRuns: RUNS });
});
