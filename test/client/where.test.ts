// The JSON of the client's conditions: each operator by its own name, and none is missing.

import { expect, test } from 'vitest';
import { whereOf } from '../../packages/client/src/index.ts';
import { WHERE_OPERATORS } from '../../src/model/values/field-type.ts';

const { all, any, not, field } = whereOf();
const name = field('name');

test('every operator has its method', () => {
  const conditions = [
    name.eq(1),
    name.ne(1),
    name.lt(1),
    name.lte(1),
    name.gt(1),
    name.gte(1),
    name.in([1]),
    name.isNull(),
    name.notIn([1]),
    name.between(1, 2),
    name.contains('a'),
    name.startsWith('a'),
    name.endsWith('a'),
    name.hasAny(['a']),
    name.hasAll(['a']),
    name.hasNone(['a']),
  ];
  const operators = conditions.map((condition) => (condition as { readonly op: string }).op);
  expect(operators).toEqual(WHERE_OPERATORS);
});

test('values are sent as they are given', () => {
  expect(name.between(1, 2)).toEqual({ field: 'name', op: 'between', value: [1, 2] });
  expect([name.isNull(), name.isNull(false)].map((one) => 'value' in one && one.value)).toEqual([
    true,
    false,
  ]);
  const parts = [name.eq({ me: true }), field('company_id.name').eq('a')];
  expect(all(any(...parts), not(parts[0] as (typeof parts)[0]))).toEqual({
    all: [
      {
        any: [
          { field: 'name', op: 'eq', value: { me: true } },
          { field: 'company_id.name', op: 'eq', value: 'a' },
        ],
      },
      { not: { field: 'name', op: 'eq', value: { me: true } } },
    ],
  });
});
