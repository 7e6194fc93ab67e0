// The reading of `where`: its forms, its limits, and the place of each thing that is wrong.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problems } from '../../src/errors.ts';
import { LIMITS } from '../../src/limits.ts';
import { WHERE_OPERATORS } from '../../src/model/values/field-type.ts';
import { parseWhere } from '../../src/plan/read/parse-where.ts';

const A = { field: 'a', op: 'eq', value: 1 };

function parse(given: unknown, timezone?: string) {
  const problems: Problems = [];
  const where = parseWhere(given, 'where', problems, timezone);
  return { where, problems };
}

function paramsOf(given: unknown): readonly unknown[] {
  const { problems } = parse(given);
  expect(problems.every(({ code }) => code === 'invalid_filter')).toBe(true);
  return problems.map(({ param }) => param);
}

const many = (count: number, part: unknown) => Array.from({ length: count }, () => part);

/** A condition within so many levels of `not`. */
function nested(levels: number): unknown {
  return levels === 0 ? A : { not: nested(levels - 1) };
}

describe('is read', () => {
  const read = { text: false, extended: { timezone: 'UTC' } };

  test('as a tree of conditions that know their places', () => {
    const { where, problems } = parse({ any: [A, { not: { all: [{ ...A, field: 'b.c' }] } }] });
    expect(problems).toEqual([]);
    expect(where).toEqual({
      any: [
        { param: 'where.any[0]', ...A, ...read },
        {
          not: {
            all: [{ param: 'where.any[1].not.all[0]', ...A, through: 'b', field: 'c', ...read }],
          },
        },
      ],
    });
  });

  test('in the time zone of the request', () => {
    expect(parse(A, 'Asia/Tokyo').where).toMatchObject({ extended: { timezone: 'Asia/Tokyo' } });
  });

  test.each(WHERE_OPERATORS)('with the operator %s', (op) => {
    expect(parse({ ...A, op }).problems).toEqual([]);
  });

  test('up to its limits', () => {
    expect(paramsOf(nested(LIMITS.whereLevels))).toEqual([]);
    expect(paramsOf({ any: many(LIMITS.conditions, A) })).toEqual([]);
    const halves = many(LIMITS.conditions / 2, A);
    expect(paramsOf({ all: [{ any: halves }, { not: { all: halves } }] })).toEqual([]);
  });
});

describe('is refused', () => {
  const most = LIMITS.conditions;
  const halves = { any: many(most / 2, A) };

  test.each<readonly [string, unknown, readonly string[]]>([
    ['nothing', null, ['where']],
    ['a list', [A], ['where']],
    ['a text', 'a = 1', ['where']],
    ['an empty object', {}, ['where.field', 'where.op', 'where.value']],
    ['a condition without value', { field: 'a', op: 'eq' }, ['where.value']],
    ['a condition and more', { ...A, values: [] }, ['where.values']],
    ['a group and more', { all: [A], field: 'a' }, ['where.field']],
    ['two groups', { all: [A], any: [A] }, ['where.any']],
    ['an empty group', { all: [] }, ['where.all']],
    ['no list in a group', { any: A }, ['where.any']],
    ['a list in not', { not: [A] }, ['where.not']],
    ['a field that is no key', { ...A, field: 1 }, ['where.field']],
    ['an empty field', { ...A, field: '' }, ['where.field']],
    ['two references', { ...A, field: 'a.b.c' }, ['where.field']],
    ['half a path', { ...A, field: 'a.' }, ['where.field']],
    ['no path', { ...A, field: '.' }, ['where.field']],
    ['an unknown operator', { ...A, op: 'like' }, ['where.op']],
    ['an operator that is no text', { ...A, op: ['eq'] }, ['where.op']],
    ['a property of all objects', { ...A, op: 'toString' }, ['where.op']],
    ['parts that are wrong', { any: [A, 1, { not: null }] }, ['where.any[1]', 'where.any[2].not']],
    ['too many levels', nested(LIMITS.whereLevels + 1), [`where${'.not'.repeat(5)}`]],
    ['too many in a list', { any: many(most + 1, A) }, ['where.any']],
    ['too many in all', { all: [halves, halves, A] }, ['where.all[2]']],
  ])('%s', (_, given, expected) => {
    expect(paramsOf(given)).toEqual(expected);
  });

  test('whatever it is, and never thrown at', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const { problems } = parse(given);
        expect(problems.length).toBeGreaterThan(0);
      }),
    );
  });

  test('without looking at more than the limits allow', () => {
    const wide = (levels: number): unknown =>
      levels === 0 ? A : { any: many(most, wide(levels - 1)) };
    // A million conditions, of which the first of too many is reported.
    expect(paramsOf(wide(4))).toEqual(['where.any[0].any[0].any[1].any[0]']);
  });
});
