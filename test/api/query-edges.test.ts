// The edges of every query: each limit at its maximum and one beyond, each malformed filter, sort,
// field, group and metric with its exact status, code and param, on all endpoints that take it; and
// that no refused request reaches the records.

import { describe, expect, test } from 'vitest';
import {
  AGGREGATE,
  COUNT,
  emoji,
  filter,
  fine,
  LIST,
  type Outcome,
  SEARCH,
  shape,
  times,
  titled,
  useOutcomes,
} from './outcomes.ts';

const { opened, outcomeOf, listed, searched, aggregated } = useOutcomes();

const many = (count: number, make: (index: number) => string) => times(count, make).join('&');
const OPERATORS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in'];
/** Pairs of field and operator, as many as one likes. */
const pair = (index: number) =>
  [index % 2 === 0 ? 'a_number' : 'a_integer', OPERATORS[index >> 1] ?? 'is_null'] as const;

describe('GET list', () => {
  const cases: readonly (readonly [query: string, expected: Outcome])[] = [
    ['limit=1', fine],
    ['limit=100', fine],
    ['limit=0', shape('limit')],
    ['limit=101', shape('limit')],
    ['limit=', shape('limit')],
    ['limit=0x10', shape('limit')],
    ['limit=1e1', shape('limit')],
    [`q=${emoji(200)}`, fine],
    [`q=${emoji(201)}`, shape('q')],
    ['q=%00', shape('q')],
    ['q=%ed%a0%80', shape('q')],
    [`cursor=${'A'.repeat(500)}`, [400, 'invalid_cursor', 'cursor']],
    [`cursor=${'A'.repeat(501)}`, shape('cursor')],
    ['cursor=x', [400, 'invalid_cursor', 'cursor']],
    ['fields=', fine],
    ['fields=label,label,id', fine],
    [`fields=${'label,'.repeat(333)}id`, fine],
    [`fields=${'label,'.repeat(333)} id`, shape('fields')],
    [`fields=${times(21, (index) => `a${index}`).join(',')}`, shape('fields')],
    [`fields=${times(20, (index) => `a${index}`).join(',')}`, filter('fields')],
    ['fields=label,', shape('fields')],
    ['fields=nope', filter('fields')],
    ['fields=custom_fields', filter('fields')],
    ['fields=custom_fields.note', filter('fields')],
    ['fields=note', fine],
    ['sort=label,-a_number,a_date', fine],
    ['sort=label,a_number,a_date,a_text', shape('sort')],
    ['sort=', shape('sort')],
    ['sort=,label', shape('sort')],
    ['sort=label,', shape('sort')],
    ['sort=-', shape('sort')],
    ['sort=--label', shape('sort')],
    ['sort=label,-label', shape('sort')],
    [`sort=${'x'.repeat(200)}`, filter('sort')],
    [`sort=${'x'.repeat(201)}`, shape('sort')],
    ['sort=nope', filter('sort')],
    ['sort=note', filter('sort')],
    ['sort=a_json', filter('sort')],
    ['sort=a_multi_select', filter('sort')],
    ['filter=1', filter('filter')],
    ['filter[]=1', filter('filter[]')],
    ['filter[label]', filter('filter[label]')],
    ['filter[a][b][c]=1', filter('filter[a][b][c]')],
    ['filter[label][]=1', filter('filter[label][]')],
    ['filter[label=1', filter('filter[label')],
    ['filter]label[=1', filter('filter]label[')],
    ['filter[label]=a&filter[label][gt]=b', filter('filter[label][gt]')],
    ['filter[label][gt]=a&filter[label][gt]=b', filter('filter[label][gt]')],
    ['filter[__proto__][eq]=1', filter('filter[__proto__][eq]')],
    ['filter[constructor][prototype]=1', filter('filter[constructor][prototype]')],
    ['a[length]=1e9', shape('a[length]')],
    [many(1500, () => 'a=1'), shape(undefined)],
    [many(16, (index) => `filter[${pair(index)[0]}][${pair(index)[1]}]=${index < 14}`), fine],
    ['filter[label][in]=', filter('filter[label][in]')],
    ['filter[label][in]=,', filter('filter[label][in]')],
    [`filter[a_number][in]=${times(100, String).join(',')}`, fine],
    [`filter[a_number][in]=${times(101, String).join(',')}`, filter('filter[a_number][in]')],
    ['filter[label]=%00', filter('filter[label]')],
    ['filter[label]=%ed%a0%80', filter('filter[label]')],
    ['filter[%00]=1', filter('filter[\0]')],
    ['filter[nope]=1', filter('filter[nope]')],
    ['filter[note]=1', filter('filter[note]')],
    ['filter[custom_fields.note]=1', filter('filter[custom_fields.note]')],
    ['filter[custom_fields]=1', filter('filter[custom_fields]')],
    ['filter[custom_fields->note]=1', filter('filter[custom_fields->note]')],
    ['x=1', shape('x')],
    ['q=a&q=b', shape('q')],
  ];
  // 14 pairs take a number, the two is_null a boolean.
  const numbered = cases.map(
    ([query, expected]) =>
      [query.replace(/=true(?=&|$)/g, '=1').replace(/=false(?=&|$)/g, '=true'), expected] as const,
  );
  test.each(titled(numbered))('%s', async (_, query, expected) => {
    expect(await listed(query)).toEqual(expected);
  });

  test('17 filters', async () => {
    const seventeen = `${many(16, (index) => `filter[${pair(index)[0]}][${pair(index)[1]}]=1`)}&filter[label]=a`;
    expect(await listed(seventeen)).toEqual(filter('filter'));
  });

  test.each(['like', 'EQ', '$eq', 'or', 'not', 'regex', ' eq', '__proto__', 'toString'])(
    'operator %s',
    async (operator) => {
      const param = `filter[label][${operator}]`;
      expect(await listed(`${param}=1`)).toEqual(filter(param));
    },
  );
});

/** Values that no field of the type takes in a filter: as text, and as JSON. */
const WRONG_VALUES: readonly (readonly [key: string, texts: readonly unknown[]])[] = [
  ['a_number', ['x', 'NaN', 'Infinity', '1e400', '0x10', '', '1,5', '1e15', '0.1234567890123456']],
  ['a_integer', ['1.5', '2147483648', 'x', '-2147483649']],
  ['a_percent', ['5%', '٣']],
  ['a_currency', ['$5', '5 EUR']],
  ['a_date', ['2025-02-29', 'now', 'infinity', '0000-01-01', '10000-01-01', '2025-1-1', '']],
  ['a_datetime', ['now', '2016-12-31T23:59:60Z', '2025-01-01T00:00:00', 'infinity', '-infinity']],
  ['a_boolean', ['yes', 'TRUE', '1', '']],
  ['a_reference', ['1', '9223372036854775808', 'x', '{01900000-0000-7000-8000-000000000001}']],
  ['a_user', ['0', '-1', 'x', '2147483648', '9223372036854775808', '1.0']],
  ['id', ['1', '9223372036854775808', '01900000000070008000000000000001']],
  ['a_json', ['{}', 'null', '1']],
];

describe('filters in a body', () => {
  const filters: readonly (readonly [filters: object, expected: Outcome])[] = [
    [{ nope: 1 }, filter('filters.nope')],
    [{ note: 'x' }, filter('filters.note')],
    [{ 'custom_fields.note': 'x' }, filter('filters.custom_fields.note')],
    [{ custom_fields: { note: 'x' } }, filter('filters.custom_fields.note')],
    [{ label: { like: 'x' } }, filter('filters.label.like')],
    [{ label: { $eq: 'x' } }, filter('filters.label.$eq')],
    [{ label: {} }, filter('filters.label')],
    [{ label: ['x'] }, filter('filters.label')],
    [{ label: { in: [] } }, filter('filters.label.in')],
    [{ label: { in: 'a,b' } }, filter('filters.label.in')],
    [{ label: { in: ['a', null] } }, filter('filters.label.in')],
    [{ label: { eq: null } }, filter('filters.label.eq')],
    [{ label: { is_null: 'true' } }, filter('filters.label.is_null')],
    [{ label: { is_null: 1 } }, filter('filters.label.is_null')],
    [{ label: 'a\0b' }, filter('filters.label')],
    [{ label: '\ud800' }, filter('filters.label')],
    [{ label: { in: ['a', '\udfff'] } }, filter('filters.label.in')],
    [{ 'a\0': 1 }, filter('filters.a\0')],
    [{ a_number: { in: times(100, Number) } }, fine],
    [{ a_number: { in: times(101, Number) } }, filter('filters.a_number.in')],
    [Object.fromEntries(times(17, (index) => [`f${index}`, 1])), filter('filters')],
    [{ a_number: 0.1 + 0.2 }, filter('filters.a_number')],
    [{ a_number: '9007199254740993' }, filter('filters.a_number')],
    [{ a_number: '12.5', a_boolean: { ne: true }, a_json: null, label: '' }, fine],
    [JSON.parse('{"__proto__": 1}'), filter('filters.__proto__')],
    [JSON.parse('{"label": {"__proto__": 1}}'), filter('filters.label.__proto__')],
  ];
  test.each(titled(filters))('%s', async (_, given, expected) => {
    expect(await searched({ filters: given })).toEqual(expected);
    expect(await aggregated({ filters: given })).toEqual(expected);
  });

  test('16 pairs of field and operator, and one more', async () => {
    const operand = (operator: string) => ({ in: [1], is_null: true })[operator] ?? 1;
    const sixteen: Record<string, Record<string, unknown>> = {};
    for (const [key, operator] of times(16, pair)) {
      sixteen[key] = { ...sixteen[key], [operator]: operand(operator) };
    }
    const seventeen = { ...sixteen, label: 'a' };
    expect(await searched({ filters: sixteen })).toEqual(fine);
    expect(await aggregated({ filters: sixteen })).toEqual(fine);
    expect(await searched({ filters: seventeen })).toEqual(filter('filters'));
    expect(await aggregated({ filters: seventeen })).toEqual(filter('filters'));
  });

  test('a number beyond every number', async () => {
    const text =
      '{"filters": {"a_number": {"lt": 1e400}}, "metrics": [{"name": "n", "op": "count"}]}';
    expect(await outcomeOf('POST', AGGREGATE, text)).toEqual(filter('filters.a_number.lt'));
  });

  test.each(WRONG_VALUES)('values that %s does not take', async (key, texts) => {
    for (const text of texts) {
      const query = `filter[${key}]=${encodeURIComponent(String(text))}`;
      expect(await listed(query), query).toEqual(filter(`filter[${key}]`));
      expect(await searched({ filters: { [key]: text } })).toEqual(filter(`filters.${key}`));
    }
  });

  test.each(['a_select', 'a_boolean', 'a_reference', 'a_user', 'a_multi_select', 'a_json'])(
    'ranges on %s',
    async (key) => {
      for (const operator of ['gt', 'gte', 'lt', 'lte']) {
        const param = `filter[${key}][${operator}]`;
        expect(await listed(`${param}=1`)).toEqual(filter(param));
        expect(await aggregated({ filters: { [key]: { [operator]: 1 } } })).toEqual(
          filter(`filters.${key}.${operator}`),
        );
      }
    },
  );

  test.each([[null], [[]], ['x'], [1], [true]])('filters %j', async (filters) => {
    expect(await searched({ filters })).toEqual(shape('filters'));
    expect(await aggregated({ filters })).toEqual(shape('filters'));
  });
});

describe('the common part of search and aggregate', () => {
  test.each(
    titled<object>([
      [{ limit: 1 }, fine],
      [{ limit: 100 }, fine],
      [{ limit: 0 }, shape('limit')],
      [{ limit: 101 }, shape('limit')],
      [{ limit: 1.5 }, shape('limit')],
      [{ limit: '5' }, shape('limit')],
      [{ limit: null }, shape('limit')],
      [{ query: '😀'.repeat(200) }, fine],
      [{ query: '😀'.repeat(201) }, shape('query')],
      [{ query: 'a\0b' }, shape('query')],
      [{ query: '\ud800' }, shape('query')],
      [{ query: null }, shape('query')],
      [{ cursor: '' }, fine],
      [{ cursor: 'A'.repeat(500) }, [400, 'invalid_cursor', 'cursor']],
      [{ cursor: 'A'.repeat(501) }, shape('cursor')],
      [{ cursor: '\0' }, [400, 'invalid_cursor', 'cursor']],
      [{ cursor: null }, shape('cursor')],
      [{ extra: 1 }, shape('extra')],
      [JSON.parse('{"__proto__": {"polluted": 1}}'), shape('__proto__')],
      [{ constructor: { prototype: { polluted: 1 } } }, shape('constructor')],
    ]),
  )('%s', async (_, body, expected) => {
    expect(await searched(body)).toEqual(expected);
    expect(await aggregated(body)).toEqual(expected);
  });

  test.each(['null', '[]', '"x"', '1', 'true'])('the body %s', async (body) => {
    expect(await searched(body)).toEqual(shape(undefined));
    expect(await outcomeOf('POST', AGGREGATE, body)).toEqual(shape(undefined));
  });

  test('an empty body means {} where all is optional', async () => {
    expect(await searched('')).toEqual(fine);
    expect(await outcomeOf('POST', AGGREGATE, '')).toEqual([400, 'invalid_json', undefined]);
    expect(await outcomeOf('POST', `${SEARCH}?limit=1`, {})).toEqual(shape('limit'));
  });
});

describe('search', () => {
  test.each(
    titled<object>([
      [{ fields: times(20, () => 'label') }, fine],
      [{ fields: times(21, () => 'label') }, shape('fields')],
      [{ fields: ['nope'] }, filter('fields')],
      [{ fields: [''] }, filter('fields')],
      [{ fields: ['a\0'] }, filter('fields')],
      [{ fields: 'label' }, shape('fields')],
      [{ fields: [1] }, shape('fields[0]')],
      [{ sort: ['label', 'a_number', 'a_date'].map((field) => ({ field })) }, fine],
      [{ sort: ['label', 'a_number', 'a_date', 'id'].map((field) => ({ field })) }, shape('sort')],
      [{ sort: [{ field: 'label' }, { field: 'label' }] }, shape('sort[1].field')],
      [{ sort: [{ field: 'label' }, { field: '-id' }] }, filter('sort[1].field')],
      [{ sort: [{ field: 'a_json' }] }, filter('sort[0].field')],
      [{ sort: [{ field: 'label', direction: 'ASC' }] }, shape('sort[0].direction')],
      [{ sort: [{ field: 'label', nulls: 'first' }] }, shape('sort[0].nulls')],
      [{ sort: [{ direction: 'asc' }] }, shape('sort[0].field')],
      [{ sort: ['label'] }, shape('sort[0]')],
      [{ metrics: [COUNT] }, shape('metrics')],
    ]),
  )('%s', async (_, body, expected) => {
    expect(await searched(body)).toEqual(expected);
  });
});

const metric = (given: object) => ({ metrics: [{ ...COUNT, ...given }] });

describe('aggregate', () => {
  test.each(
    titled<object>([
      [{ metrics: [] }, shape('metrics')],
      [{ metrics: times(8, (index) => ({ ...COUNT, name: `n${index}` })) }, fine],
      [{ metrics: times(9, (index) => ({ ...COUNT, name: `n${index}` })) }, shape('metrics')],
      [metric({ name: `a${'_'.repeat(39)}` }), fine],
      [metric({ name: `a${'_'.repeat(40)}` }), shape('metrics[0].name')],
      ...['A', '1a', 'a-b', '_a', '', 'ä', 'a\n', '__proto__'].map(
        (name) => [metric({ name }), shape('metrics[0].name')] as const,
      ),
      [metric({ name: 'constructor' }), fine],
      [metric({ op: 'median' }), shape('metrics[0].op')],
      [metric({ filter: {} }), shape('metrics[0].filter')],
      [{ metrics: [COUNT, COUNT] }, shape('metrics[1].name')],
      [{ ...metric({ name: 'label' }), group_by: ['label'] }, shape('metrics[0].name')],
      [{ order_by: { name: 'm', direction: 'asc' } }, shape('order_by.name')],
      [{ order_by: { name: 'label', direction: 'asc' } }, shape('order_by.name')],
      [{ order_by: { name: 'n' } }, shape('order_by.direction')],
      [{ order_by: { direction: 'asc' } }, shape('order_by.name')],
      [{ order_by: { name: 'n', direction: 'up' } }, shape('order_by.direction')],
      [{ order_by: { name: 'n', direction: 'asc', nulls: 1 } }, shape('order_by.nulls')],
      [{ order_by: [] }, shape('order_by')],
      ...['count_distinct', 'sum', 'avg', 'min', 'max'].map(
        (op) => [metric({ op }), shape('metrics[0].field')] as const,
      ),
      ...['sum', 'avg'].flatMap((op) =>
        ['label', 'a_date', 'a_boolean', 'a_user', 'id'].map(
          (field) => [metric({ op, field }), filter('metrics[0].field')] as const,
        ),
      ),
      ...['min', 'max'].flatMap((op) => [
        ...['a_boolean', 'a_select', 'a_reference', 'a_user', 'a_json', 'a_multi_select', 'id'].map(
          (field) => [metric({ op, field }), filter('metrics[0].field')] as const,
        ),
        ...[
          'a_text',
          'a_long_text',
          'a_url',
          'a_date',
          'a_datetime',
          'a_percent',
          'updated_at',
        ].map((field) => [metric({ op, field }), fine] as const),
      ]),
      ...['a_json', 'a_multi_select', 'id', 'a_boolean', 'a_user'].map(
        (field) => [metric({ op: 'count_distinct', field }), fine] as const,
      ),
      [metric({ op: 'count', field: 'note' }), filter('metrics[0].field')],
      [metric({ op: 'max', field: 'nope' }), filter('metrics[0].field')],
      [{ group_by: ['label', 'a_number', 'id'] }, fine],
      [{ group_by: ['label', 'a_number', 'id', 'a_date'] }, shape('group_by')],
      [{ group_by: ['label', 'label'] }, shape('group_by[1]')],
      [{ group_by: ['label', 'nope'] }, filter('group_by[1]')],
      [{ group_by: ['note'] }, filter('group_by[0]')],
      [{ group_by: ['custom_fields.note'] }, filter('group_by[0]')],
      [{ group_by: ['a_json'] }, filter('group_by[0]')],
      [{ group_by: ['a_multi_select'] }, filter('group_by[0]')],
      [{ group_by: 'label' }, shape('group_by')],
      [{ fields: ['label'] }, shape('fields')],
    ]),
  )('%s', async (_, body, expected) => {
    expect(await aggregated(body)).toEqual(expected);
  });

  test('every type of field can be a group, an order and a cursor', async () => {
    const { body } = await opened.ada.get('/objects/gauges');
    const physical = body.data.fields.filter(
      (field: { type: string; storage: string }) =>
        field.storage === 'physical' && !['json', 'multi_select', 'file'].includes(field.type),
    );
    for (const { key } of physical) {
      for (const direction of ['asc', 'desc']) {
        const order_by = { name: key, direction };
        expect(await aggregated({ group_by: [key], order_by }), key).toEqual(fine);
      }
    }
  });
});

test('an unknown key is named where a parameter has several', async () => {
  for (const query of ['sort=label,-nope', 'fields=label,nope']) {
    const { body } = await opened.ada.get(`${LIST}?${query}`);
    expect(body.error.message).toBe('There is no field "nope".');
  }
});
