// Questions against an oracle in memory: random trees, orders, references, counts and groups of readers with every
// reach, with and without the right to read fields, find exactly the expected records, or are refused.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiError, Problems } from '../../src/errors.ts';
import { readGroups, readPage } from '../../src/flow/records/read/read-flow.ts';
import type { Field, ObjectModel } from '../../src/model/definition/model.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { FIELD_TYPE_TRAITS } from '../../src/model/values/field-types.ts';
import { parseWhere } from '../../src/plan/read/parse-where.ts';
import {
  parseGroupedQuestion,
  parseQuestion,
  type Question,
} from '../../src/plan/read/question.ts';
import { basePlan } from '../../src/plan/read/read-plan.ts';
import { recordQuery } from '../../src/plan/read/record-query.ts';
import { planWhere, whereAt } from '../../src/plan/read/where.ts';
import type { Row } from '../../src/postgres/db.ts';
import { allOf, fieldsOf, selectionSql, sourceSql } from '../../src/sql/read/where-sql.ts';
import { joinSql, sql, toStatement } from '../../src/sql/sql.ts';
import {
  type Asking,
  holds,
  type Known,
  leafOf,
  placeOf,
  type Tree,
  treeOf,
} from '../random-questions.ts';
import { compareInSort, openRandomRecords } from '../random-records.ts';
import type { SampleWorkspace } from '../sample-workspace.ts';
import { timesOf } from '../until.ts';

const RUNS = timesOf(60);
const THROUGH = 'a_reference';
const NOW = new Date('2025-06-01T12:00:00.000Z');
const LABELS = ['Alpha one', 'alpha TWO', 'beta', null];

let sample: SampleWorkspace;
let known: Known;

beforeAll(async () => {
  const made = await openRandomRecords();
  sample = made.sample;
  const parts = made.records.get('parts') ?? [];
  const referred: readonly Row[] = parts.slice(-4).map((row, index) => ({
    ...row,
    label: LABELS[index] ?? null,
    weight: index === 1 ? null : index * 1.5,
  }));
  for (const { id, label, weight } of referred) {
    await sample.own.rows(
      `update "${sample.model.schema}".parts set label = $2, weight = $3 where id = $1`,
      [id, label, weight],
    );
  }
  known = {
    object: sample.object('gadgets'),
    rows: made.records.get('gadgets') ?? [],
    through: THROUGH,
    target: sample.object('parts'),
    targets: new Map([...parts, ...referred].map((row) => [row.id, row])),
  };
});
afterAll(() => sample?.own.drop());

interface Reader {
  readonly name: string;
  readonly roles: readonly string[];
  readonly parts: 'organisation' | 'team' | null;
  readonly hidden: readonly string[];
}

const READERS: readonly Reader[] = (
  [
    ['anna', 'admin'],
    ['ben', 'team'],
    ['dora', 'own'],
    ['cleo', 'organisation'],
  ] as const
).flatMap(([name, role]) => [
  { name, roles: [role], parts: 'organisation', hidden: [] },
  { name, roles: [role], parts: 'organisation', hidden: ['a_number', 'parts.weight', 'due'] },
  { name, roles: [role], parts: 'team', hidden: [] },
  { name, roles: [role], parts: null, hidden: [] },
  { name, roles: [role], parts: 'organisation', hidden: [THROUGH, 'parts.label'] },
]);

function callerOf({ name, roles, parts, hidden }: Reader): Caller {
  const caller = sample.caller(name, roles);
  const objects = new Map(
    [...caller.access.objects].map(([type, access]) => {
      const isHidden = (key: string) => hidden.includes(type === 'parts' ? `parts.${key}` : key);
      const readable = new Set([...access.readable].filter((key) => !isHidden(key)));
      const reach = type === 'parts' ? { ...access.reach, read: parts } : access.reach;
      return [type, { ...access, readable, reach }];
    }),
  );
  return { ...caller, access: { ...caller.access, objects } };
}

const askingOf = ({ user, colleague_ids }: Caller): Asking => ({
  ...{ id: user.id, colleagues: colleague_ids, now: NOW },
});

/** Whether this reader may use a path to select, order or group by. */
function mayUse({ parts, hidden }: Reader, path: string): boolean {
  const [first = '', second] = path.split('.');
  if (hidden.includes(first)) return false;
  return second === undefined || (parts === 'organisation' && !hidden.includes(`parts.${second}`));
}

function pathsOf(tree: Tree): readonly string[] {
  if ('field' in tree) return [tree.field];
  if ('not' in tree) return pathsOf(tree.not);
  return ('all' in tree ? tree.all : tree.any).flatMap(pathsOf);
}

function isWithin(row: Row, { user, colleague_ids, access }: Caller): boolean {
  const reach = access.objects.get('gadgets')?.reach.read;
  const owner = row.owner_user_id as number | null;
  if (reach === 'organisation') return true;
  return owner !== null && (reach === 'team' ? colleague_ids : [user.id]).includes(owner);
}

interface Order {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

function sorted(rows: readonly Row[], order: readonly Order[]): readonly Row[] {
  const keys = [...order, { field: 'id', direction: order.at(-1)?.direction ?? 'asc' }];
  return rows.toSorted((left, right) => {
    for (const { field: path, direction } of keys) {
      const { field } = placeOf(known, left, path);
      const [one, two] = [left, right].map(
        (row) => placeOf(known, row, path).row[field.column] ?? null,
      );
      if (one === two) continue;
      if (one === null || two === null) return one === null ? 1 : -1;
      const by = compareInSort(field, one, two);
      if (by !== 0) return direction === 'asc' ? by : -by;
    }
    return 0;
  });
}

interface Case {
  readonly reader: Reader;
  readonly where: Tree;
  readonly sort: readonly Order[];
  readonly limit: number;
}

function caseOf(): fc.Arbitrary<Case> {
  const sortable = ({ storage, type }: Field) =>
    storage === 'physical' && FIELD_TYPE_TRAITS[type].sortable;
  const keysOf = ({ fields }: ObjectModel) =>
    [...fields.values()].filter(sortable).map(({ key }) => key);
  const paths = [
    ...keysOf(known.object),
    ...keysOf(known.target).flatMap((key) => Array(4).fill(`${THROUGH}.${key}`)),
  ];
  const key = fc.record({
    field: fc.constantFrom<string>(...paths.filter((path) => path !== 'id')),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
  });
  return fc.record({
    reader: fc.constantFrom(...READERS),
    where: treeOf(leafOf(known)),
    sort: fc.uniqueArray(key, { minLength: 1, maxLength: 3, selector: ({ field }) => field }),
    limit: fc.integer({ min: 15, max: 60 }),
  });
}

const parsed = (question: Question) => parseQuestion(question, '', () => known.object);

async function walk(caller: Caller, question: Question) {
  const context = { ...sample, caller, now: () => NOW.getTime() };
  const pages = [];
  let cursor: string | undefined;
  do {
    const { object, ...asked } = parsed({ ...question, ...(cursor ? { cursor } : {}) });
    const page = await readPage(context, object, { endpoint: 'query', ...asked });
    pages.push(page);
    cursor = page.next_cursor ?? undefined;
    // Pages after the first are relative to its moment, at any later time.
    context.now = () => NOW.getTime() + 86_400_000 * 400;
  } while (cursor !== undefined);
  return pages;
}

async function codeOf(asked: Promise<unknown>): Promise<string | undefined> {
  return asked.then(
    () => undefined,
    (error: ApiError) => error.code,
  );
}

test('any question finds its records, in order, on as many pages as it has, and counts them', async () => {
  const check = async ({ reader, where, sort, limit }: Case) => {
    const caller = callerOf(reader);
    const question = { where, sort, limit, count: 'exact', expand: [THROUGH] } as const;
    const paths = [...pathsOf(where), ...sort.map(({ field }) => field)];
    if (!paths.every((path) => mayUse(reader, path))) {
      expect(await codeOf(walk(caller, question))).toBe('permission_denied');
      return;
    }
    const visible = known.rows.filter((row) => isWithin(row, caller));
    const found = visible.filter((row) => holds(known, row, where, askingOf(caller)));
    const pages = await walk(caller, question);
    const rows = pages.flatMap((page) => page.rows);
    expect(rows.map(({ id }) => id)).toEqual(sorted(found, sort).map(({ id }) => id));
    expect(pages.map(({ count }) => count)).toEqual(pages.map(() => found.length));
    const others = await walk(caller, { ...question, where: { not: where }, limit: 1 }).catch(
      // One level more than a question can have.
      ({ code }: ApiError) => expect(code).toBe('invalid_filter'),
    );
    if (others) expect(others[0]?.count).toBe(visible.length - found.length);
    for (const { plan, expanded, rows: some } of pages) {
      const [expansion] = plan.expand ?? [];
      expect(plan.expand).toHaveLength(reader.hidden.includes(THROUGH) ? 0 : 1);
      for (const row of some) {
        const part = expanded?.get('parts')?.get(row[expansion?.column ?? '']);
        const source = known.targets.get(row[expansion?.column ?? '']);
        const author = source?.created_by_user_id as number;
        const isSeen =
          reader.parts === 'organisation' ||
          (reader.parts === 'team' && caller.colleague_ids.includes(author));
        expect(part?.id).toBe(isSeen ? source?.id : undefined);
        if (part !== undefined && !reader.hidden.includes('parts.label')) {
          expect(part.label).toBe(source?.label ?? null);
        }
      }
    }
  };
  await fc.assert(fc.asyncProperty(caseOf(), check), { numRuns: RUNS });
});

const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;

function periodOf(value: unknown, by: (typeof PERIODS)[number]): unknown {
  if (value === null || value === undefined) return null;
  const day = new Date(`${String(value).slice(0, 10)}T00:00:00Z`);
  const [month, date] = [day.getUTCMonth(), day.getUTCDate()];
  if (by === 'week') day.setUTCDate(date - ((day.getUTCDay() + 6) % 7));
  else if (by !== 'day') day.setUTCDate(1);
  if (by === 'quarter') day.setUTCMonth(month - (month % 3));
  if (by === 'year') day.setUTCMonth(0);
  return day.toISOString().slice(0, 10);
}

test("any groups are those of the question's records", async () => {
  const item = fc.oneof(
    fc.constantFrom<string>('a_select', `${THROUGH}.label`, `${THROUGH}.weight`, 'owner_user_id'),
    fc.record({
      field: fc.constantFrom('a_date', 'created_at', 'due'),
      by: fc.constantFrom(...PERIODS),
    }),
  );
  type Item = string | { readonly field: string; readonly by: (typeof PERIODS)[number] };
  const nameOf = (one: Item) => (typeof one === 'string' ? one : `${one.field}:${one.by}`);
  const pathOf = (one: Item) => (typeof one === 'string' ? one : one.field);
  const groups = fc.uniqueArray(item as fc.Arbitrary<Item>, {
    minLength: 1,
    maxLength: 2,
    selector: nameOf,
  });
  const check = async ({ reader, where }: Case, group_by: readonly Item[], measured?: string) => {
    const caller = callerOf(reader);
    const context = { ...sample, caller, now: () => NOW.getTime() };
    const most = measured === undefined ? [] : [{ name: 'm', op: 'max' as const, field: measured }];
    const metrics = [{ name: 'n', op: 'count' as const }, ...most];
    const question = { where, group_by, metrics };
    const { object, ...asked } = parseGroupedQuestion(question, '', () => known.object);
    const request = { ...asked, order_by: undefined, limit: 200, cursor: undefined };
    const answer = readGroups(context, object, request);
    const paths = [...pathsOf(where), ...group_by.map(pathOf), ...most.map(({ field }) => field)];
    if (!paths.every((path) => mayUse(reader, path))) {
      expect(await codeOf(answer)).toBe('permission_denied');
      return;
    }
    const groupsFound = new Map<string, { n: number; m: number | null }>();
    for (const row of known.rows) {
      if (!isWithin(row, caller) || !holds(known, row, where, askingOf(caller))) continue;
      const values = group_by.map((one) => {
        const { field, row: seen } = placeOf(known, row, pathOf(one));
        const value = seen[field.column] ?? null;
        return typeof one === 'string' ? value : periodOf(value, one.by);
      });
      const key = JSON.stringify(values);
      const group = groupsFound.get(key) ?? { n: 0, m: null };
      group.n += 1;
      for (const { field: path } of most) {
        const { field, row: seen } = placeOf(known, row, path);
        const value = seen[field.column] ?? null;
        if (value !== null) group.m = Math.max(group.m ?? Number.NEGATIVE_INFINITY, Number(value));
      }
      groupsFound.set(key, group);
    }
    const { plan, rows } = await answer;
    const found = rows.map((row) => [
      JSON.stringify(plan.groups.map(({ alias }) => row[alias] ?? null)),
      { n: row.m0, m: (row.m1 ?? null) === null ? null : Number(row.m1) },
    ]);
    expect(new Map(found as [string, object][])).toEqual(groupsFound);
  };
  const measure = fc.constantFrom(undefined, `${THROUGH}.weight`, 'a_number');
  await fc.assert(fc.asyncProperty(caseOf(), groups, measure, check), { numRuns: RUNS });
});

const TREES = timesOf(30);
const AT_ONCE = 50;

test(`${TREES * AT_ONCE} trees find their records`, async () => {
  const caller = callerOf(READERS[0] as Reader);
  const scope = { model: sample.model, caller, object: known.object };
  const base = basePlan(sample.model, caller, known.object);
  const statementOf = (tree: Tree, at: number) => {
    const problems: Problems = [];
    const { where: input } = recordQuery({ where: parseWhere(tree, 'where', problems) });
    const where = whereAt(planWhere(scope, input, problems), NOW.getTime() / 1000);
    expect(problems, JSON.stringify(tree)).toEqual([]);
    return sql`select ${at}::integer as at, array_agg(t.id) as ids
      from ${sourceSql(base, fieldsOf(where))} where ${allOf(selectionSql({ ...base, where }))}`;
  };
  const check = async (trees: readonly Tree[]) => {
    const found = await sample.db.query(
      toStatement(joinSql(trees.map(statementOf), ' union all ')),
      { prepare: false },
    );
    for (const { at, ids } of found) {
      const tree = trees[Number(at)] as Tree;
      const expected = known.rows.filter((row) => holds(known, row, tree, askingOf(caller)));
      const [one, two] = [ids ?? [], expected.map(({ id }) => id)].map(
        (some) => new Set(some as unknown[]),
      );
      expect(one, JSON.stringify(tree)).toEqual(two);
    }
  };
  const trees = fc.array(treeOf(leafOf(known)), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(fc.asyncProperty(trees, check), { numRuns: TREES });
});

test('a time zone that the database does not know is refused', async () => {
  const where = { field: 'created_at', op: 'gt', value: { relative: 'start_of_day' } };
  const problems: Problems = [];
  const query = recordQuery({ where: parseWhere(where, 'where', problems, 'Nowhere/City') });
  const context = { ...sample, caller: sample.caller('anna'), now: () => NOW.getTime() };
  const asked = { endpoint: 'query', query, limit: 1, cursor: undefined };
  await expect(readPage(context, known.object, asked)).rejects.toMatchObject({
    code: 'validation_failed',
    param: 'timezone',
  });
});
