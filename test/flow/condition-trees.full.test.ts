// Trees of conditions against an oracle in memory: every operator of every field, values that records
// have and do not have, empty ones among them; `not` finds everything its part does not find.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGroups, readPage } from '../../src/flow/records/read/read-flow.ts';
import type { Field, ObjectModel } from '../../src/model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../src/model/values/field-types.ts';
import type { Condition } from '../../src/plan/read/filter.ts';
import { type RecordQuery, recordQuery } from '../../src/plan/read/record-query.ts';
import type { Where, WhereInput } from '../../src/plan/read/where.ts';
import type { Row } from '../../src/postgres/db.ts';
import { whereSql } from '../../src/sql/read/where-sql.ts';
import { identifier, joinSql, sql, toStatement } from '../../src/sql/sql.ts';
import {
  conditionOf,
  isMatch,
  openRandomRecords,
  poolOf,
  type RandomRecords,
} from '../random-records.ts';
import type { SampleWorkspace } from '../sample-workspace.ts';
import { timesOf } from '../until.ts';

const RUNS = timesOf(60);
let sample: SampleWorkspace;
let rows: readonly Row[];
let gadgets: ObjectModel;

beforeAll(async () => {
  const made: RandomRecords = await openRandomRecords();
  sample = made.sample;
  rows = made.records.get('gadgets') ?? [];
  gadgets = sample.object('gadgets');
});
afterAll(() => sample?.own.drop());

/** Two values, true and false, whatever is empty. */
function holds(row: Row, where: Where): boolean {
  if ('all' in where) return where.all.every((part) => holds(row, part));
  if ('any' in where) return where.any.some((part) => holds(row, part));
  if ('not' in where) return !holds(row, where.not);
  return isMatch(row, where);
}

function expectedIds(where: Where): readonly unknown[] {
  return rows.filter((row) => holds(row, where)).map(({ id }) => id);
}

function treeOf(leaf: fc.Arbitrary<Condition>): fc.Arbitrary<Where> {
  const { tree } = fc.letrec<{ tree: Where }>((tie) => {
    const parts = fc.array(tie('tree'), { maxLength: 3 });
    return {
      tree: fc.oneof(
        { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
        leaf,
        parts.map((all) => ({ all })),
        parts.map((any) => ({ any })),
        tie('tree').map((not) => ({ not })),
      ),
    };
  });
  return tree;
}

/** As a client would send it. */
function inputOf(where: Where): WhereInput {
  if ('all' in where) return { all: where.all.map(inputOf) };
  if ('any' in where) return { any: where.any.map(inputOf) };
  if ('not' in where) return { not: inputOf(where.not) };
  const { field, op, value } = where;
  return { param: 'where', field: field.key, op, value, text: false };
}

/** Whole or in pages, the ids in the order of the table's ids. */
async function readIds(query: RecordQuery, limit: number): Promise<readonly unknown[]> {
  const context = { ...sample, caller: sample.caller('anna') };
  const found: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(context, gadgets, { endpoint: 'list', query, limit, cursor });
    found.push(...page.rows.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

async function countOf(query: RecordQuery): Promise<unknown> {
  const context = { ...sample, caller: sample.caller('anna') };
  const metrics = [{ name: 'n', op: 'count' as const }];
  const rest = { group_by: [], metrics, order_by: undefined, limit: 1, cursor: undefined };
  const page = await readGroups(context, gadgets, { query, ...rest });
  return page.rows[0]?.m0;
}

test('any tree finds its records, on one page, on many and in an aggregate', async () => {
  const sort = [{ param: 'sort', field: 'id', direction: 'asc' as const }];
  const check = async (where: Where, limit: number) => {
    const query = recordQuery({ where: inputOf(where), sort });
    const expected = expectedIds(where).toSorted();
    expect(await readIds(query, 200)).toEqual(expected);
    const kept = JSON.parse(JSON.stringify(query)) as RecordQuery;
    expect(kept).toEqual(query);
    expect(await readIds(kept, limit)).toEqual(expected);
    expect(await countOf(query)).toBe(expected.length);
    const others = recordQuery({ where: { not: inputOf(where) }, sort });
    expect(await countOf(others)).toBe(rows.length - expected.length);
  };
  const tree = treeOf(conditionOf(gadgets, rows));
  await fc.assert(fc.asyncProperty(tree, fc.integer({ min: 20, max: 60 }), check), {
    numRuns: RUNS,
  });
});

/** Each operator of the field with each value records may have, and `not` of each. */
function conditionsOf(field: Field): readonly Where[] {
  const values = [...new Set(poolOf(field).flat())];
  const conditions = FIELD_TYPE_TRAITS[field.type].operators.flatMap((op): readonly Where[] => {
    if (op === 'is_null') return [true, false].map((value) => ({ field, op, value }));
    if (op === 'in') return [{ field, op, value: values.slice(0, 3) }];
    return values.map((value) => ({ field, op, value }));
  });
  return conditions.flatMap((one) => [one, { not: one }]);
}

test('every operator of every field finds its records, and not the others', async () => {
  const fields = [...gadgets.fields.values()].filter(
    ({ key, storage }) => key.startsWith('a_') && storage === 'physical',
  );
  for (const field of fields) {
    const cases = conditionsOf(field);
    const found = await findEach(cases);
    for (const [index, where] of cases.entries()) {
      const expected = expectedIds(where).toSorted();
      expect(found.get(index) ?? [], JSON.stringify(inputOf(where))).toEqual(expected);
    }
  }
});

/** The ids that each of these trees finds, with one statement. */
async function findEach(cases: readonly Where[]): Promise<ReadonlyMap<number, readonly unknown[]>> {
  const table = identifier(sample.model.schema, gadgets.table);
  const each = cases.map(
    (where, index) =>
      sql`select ${index}::integer as at, array_agg(t.id order by t.id) as ids
        from ${table} t where ${whereSql(where)}`,
  );
  const found = await sample.db.query(toStatement(joinSql(each, ' union all ')));
  return new Map(found.map(({ at, ids }) => [Number(at), (ids ?? []) as readonly unknown[]]));
}
