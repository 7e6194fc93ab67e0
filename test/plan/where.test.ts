// Trees of conditions and the queries that hold them: refusals, the scope of cursors, the resulting statement. Their
// results are tested in flow/.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/errors.ts';
import type { ConditionInput } from '../../src/plan/read/filter.ts';
import { isPlainWalk, ownBinding, planList } from '../../src/plan/read/read-plan.ts';
import { parseRecordQuery, recordQuery } from '../../src/plan/read/record-query.ts';
import type { WhereInput } from '../../src/plan/read/where.ts';
import { readSql } from '../../src/sql/read/read-sql.ts';
import { toStatement } from '../../src/sql/sql.ts';
import { callerOf, objectOf, sampleModel } from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const anyone = callerOf(model, ['organisation']);

function planOf(where: WhereInput, caller = anyone) {
  const request = { endpoint: 'list', query: recordQuery({ where }), limit: 25, cursor: undefined };
  return planList(model, caller, gadgets, request);
}

function condition(field: string, op: ConditionInput['op'], value: unknown): ConditionInput {
  return { param: `where ${field}`, field, op, value, text: false };
}

const A = condition('a_number', 'eq', 1);
const B = condition('a_text', 'is_null', true);

describe('statements', () => {
  const cases: readonly (readonly [WhereInput, string, readonly number[]])[] = [
    [A, 't."a_number" = $1::numeric', [1]],
    [{ all: [] }, 'true', []],
    [{ any: [] }, 'false', []],
    [{ all: [A, B] }, 't."a_number" = $1::numeric and t."a_text" is null', [1]],
    [{ any: [A, B] }, '(t."a_number" = $1::numeric or t."a_text" is null)', [1]],
    [{ not: A }, '(t."a_number" = $1::numeric) is not true', [1]],
    [{ not: { all: [] } }, '(true) is not true', []],
    [
      { all: [B, { any: [{ all: [A, B] }, { not: { any: [A] } }] }] },
      't."a_text" is null and ((t."a_number" = $1::numeric and t."a_text" is null) or ((t."a_number" = $2::numeric)) is not true)',
      [1, 1],
    ],
  ];

  test.each(cases)('%j', (where, expected, values) => {
    const { text, values: given } = toStatement(readSql(planOf(where)));
    expect(/ where (.*) order by /.exec(text)?.[1]).toBe(expected);
    expect(given.slice(0, -1)).toEqual(values);
  });
});

describe('cursors', () => {
  const leaf = fc.constantFrom<WhereInput>(A, B, condition('a_number', 'eq', 2));
  const { tree } = fc.letrec<{ tree: WhereInput }>((tie) => {
    const parts = fc.array(tie('tree'), { maxLength: 2 });
    return {
      tree: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        leaf,
        parts.map((all) => ({ all })),
        parts.map((any) => ({ any })),
        tie('tree').map((not) => ({ not })),
      ),
    };
  });

  test('are bound to the tree: two that differ, differ, but for an outermost all of one', () => {
    const plain = (where: WhereInput) => JSON.stringify('all' in where ? where : { all: [where] });
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const isSame = planOf(one).binding === planOf(other).binding;
        expect(isSame).toBe(plain(one) === plain(other));
      }),
      { numRuns: 500 },
    );
  });

  test('of a list of filters are bound as they always were', () => {
    const { binding } = planOf({ all: [A, B] });
    expect(JSON.parse(ownBinding(model, anyone, binding)).slice(0, 3)).toEqual([
      [7, 1, 'list', 'gadgets'],
      [
        ['a_number', 'eq', 1],
        ['a_text', 'is_null', true],
      ],
      null,
    ]);
  });
});

test.each<readonly [WhereInput, boolean]>([
  [{ all: [] }, true],
  [{ all: [{ all: [] }] }, true],
  [{ any: [] }, false],
  [{ not: { any: [] } }, false],
  [B, false],
])('%j is a walk over everything: %s', (where, isPlain) => {
  expect(isPlainWalk(planOf(where))).toBe(isPlain);
});

test('a part that cannot be applied is refused wherever it is, and none is dropped', () => {
  const veiled = callerOf(model, ['veiled']);
  const where = { any: [A, { not: condition('secret', 'eq', 'x') }, { all: [] }] };
  const refused = (tried: WhereInput, caller = anyone) => {
    try {
      planOf(tried, caller);
    } catch (error) {
      return error as ApiError;
    }
    return expect.fail('nothing was thrown');
  };
  expect(refused(where, veiled)).toMatchObject({
    code: 'permission_denied',
    param: 'where secret',
  });
  const wrong = { not: { any: [condition('a_date', 'eq', 'soon'), condition('none', 'eq', 1)] } };
  expect(refused(wrong)).toMatchObject({
    code: 'invalid_filter',
    details: { errors: [{ param: 'where a_date' }, { param: 'where none' }] },
  });
});

describe('queries', () => {
  function isFrozen(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return true;
    return Object.isFrozen(value) && Object.values(value).every(isFrozen);
  }

  const sources = [
    {
      text: ' x ',
      textParam: 'q',
      filters: [{ param: 'filter[a_number][gte]', path: ['a_number', 'gte'], value: '5' }],
      fields: 'name,a_text',
      sort: '-a_date,name',
    },
    {
      text: undefined,
      textParam: 'query',
      filters: { a_select: { in: ['red'] }, a_text: null, a_number: { gt: 1 } },
      fields: ['name'],
      sort: [{ field: 'name' }],
    },
    { text: undefined, textParam: 'query', filters: {} },
  ];

  test.each(sources)('are plain JSON that never changes: %j', (source) => {
    const { query } = parseRecordQuery(source, () => gadgets);
    expect(isFrozen(query)).toBe(true);
    const kept = JSON.parse(JSON.stringify(query));
    expect(kept).toEqual(query);
    const page = { endpoint: 'list', limit: 25, cursor: undefined };
    expect(planList(model, anyone, gadgets, { ...page, query: kept })).toEqual(
      planList(model, anyone, gadgets, { ...page, query }),
    );
  });

  test('report problems of the shape before the object, and of filters after it', () => {
    const asked: string[] = [];
    const attempt = (source: Parameters<typeof parseRecordQuery>[0]) => {
      try {
        parseRecordQuery(source, () => {
          asked.push('object');
          return gadgets;
        });
      } catch (error) {
        return (error as ApiError).code;
      }
      return undefined;
    };
    const filters = { a_text: [] };
    expect(attempt({ text: '\0', textParam: 'q', filters })).toBe('validation_failed');
    expect(asked).toEqual([]);
    expect(attempt({ text: '', textParam: 'q', filters })).toBe('invalid_filter');
    expect(asked).toEqual(['object']);
  });
});
