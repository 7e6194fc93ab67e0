// Filters in both spellings: well-formed ones, the canonical values, the code of each mistake.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Problems } from '../../src/errors.ts';
import { FIELD_TYPES } from '../../src/model/values/field-types.ts';
import { planCondition } from '../../src/plan/read/condition.ts';
import {
  type ConditionInput,
  parseBodyFilters,
  parseQueryFilters,
  parseTextQuery,
  type QueryFilter,
} from '../../src/plan/read/filter.ts';
import { callerOf, fieldOf, objectOf, sampleModel } from '../sample-definition.ts';
import { leastWork } from '../until.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const caller = callerOf(model, ['organisation']);

/** `a[gte]=5` as the query string reader hands it over: `filter[a][gte]=5`. */
function queryFilter(text: string): QueryFilter {
  const [name = '', ...value] = text.split('=');
  const path = name === '' ? [] : name.replaceAll(']', '').split('[');
  const param = path.length === 0 ? 'filter' : `filter[${path.join('][')}]`;
  return { param, path, value: value.join('=') };
}

function parseQuery(...texts: readonly string[]) {
  const problems: Problems = [];
  const inputs = parseQueryFilters(texts.map(queryFilter), problems);
  return { inputs, problems };
}

function parseBody(filters: Readonly<Record<string, unknown>>) {
  const problems: Problems = [];
  return { inputs: parseBodyFilters(filters, problems), problems };
}

function planAll(inputs: readonly ConditionInput[]) {
  const problems: Problems = [];
  const conditions = inputs.map((input) => {
    const condition = planCondition(
      { input, field: fieldOf(gadgets, input.field), object: gadgets, caller },
      problems,
    );
    return condition && [condition.field.key, condition.op, condition.value];
  });
  return { conditions: conditions.filter((condition) => condition !== undefined), problems };
}

function refusal(param: string, message: RegExp = /./) {
  return {
    param,
    code: 'invalid_filter',
    message: expect.objectContaining({ text: expect.stringMatching(message) }),
  };
}

describe('in a query string', () => {
  test('a value alone means eq, an operator is in brackets', () => {
    const { inputs, problems } = parseQuery('a=1', 'b[gte]=2', 'b[lt]=3', 'c[is_null]=true');
    expect(problems).toEqual([]);
    expect(inputs).toEqual([
      { param: 'filter[a]', field: 'a', op: 'eq', value: '1', text: true },
      { param: 'filter[b][gte]', field: 'b', op: 'gte', value: '2', text: true },
      { param: 'filter[b][lt]', field: 'b', op: 'lt', value: '3', text: true },
      { param: 'filter[c][is_null]', field: 'c', op: 'is_null', value: 'true', text: true },
    ]);
  });

  const malformed: readonly (readonly [title: string, filters: QueryFilter[], params: string[]])[] =
    [
      ['no key', [{ param: 'filter', path: [], value: '1' }], ['filter']],
      ['an empty key', [{ param: 'filter[]', path: [''], value: '1' }], ['filter[]']],
      ['three keys', [queryFilter('a[b][c]=1')], ['filter[a][b][c]']],
      ['three keys with an operator', [queryFilter('a[eq][eq]=1')], ['filter[a][eq][eq]']],
      [
        'an empty operator',
        [{ param: 'filter[a][]', path: ['a', ''], value: '1' }],
        ['filter[a][]'],
      ],
      [
        'a prototype',
        [queryFilter('constructor[prototype]=1')],
        ['filter[constructor][prototype]'],
      ],
      ['a length', [queryFilter('a[length]=1e9')], ['filter[a][length]']],
      ...['like', 'EQ', 'Eq', '$eq', 'or', 'not', 'regex', ' eq', '__proto__', 'toString'].map(
        (operator) =>
          [
            `operator ${operator}`,
            [{ param: `filter[a][${operator}]`, path: ['a', operator], value: '1' }],
            [`filter[a][${operator}]`],
          ] as [string, QueryFilter[], string[]],
      ),
      ['a value and an operator', [queryFilter('a=1'), queryFilter('a[gt]=2')], ['filter[a][gt]']],
      ['an operator and a value', [queryFilter('a[gt]=2'), queryFilter('a=1')], ['filter[a]']],
      ['a value twice', [queryFilter('a=1'), queryFilter('a=1')], ['filter[a]']],
      ['an operator twice', [queryFilter('a[gt]=1'), queryFilter('a[gt]=2')], ['filter[a][gt]']],
      ['eq both ways', [queryFilter('a=1'), queryFilter('a[eq]=1')], ['filter[a][eq]']],
    ];

  test.each(malformed)('%s is invalid', (_, filters, params) => {
    const problems: Problems = [];
    parseQueryFilters(filters, problems);
    expect(problems).toEqual(params.map((param) => refusal(param)));
  });

  test.each(["{'gte': 5}", '{"gte": 5}', '{gte: 5}', ' { "in" : [1] }', "{'is_null': true}"])(
    'the object %s as text is refused with both right ways (§4.3)',
    (value) => {
      const problems: Problems = [];
      const path = ['a'];
      expect(parseQueryFilters([{ param: 'filter[a]', path, value }], problems)).toEqual([]);
      expect(problems).toEqual([refusal('filter[a]', /filter\[field\]\[gte\]=value.*search/)]);
    },
  );

  test.each(['a', 'a[eq]', 'a[in]'])('an object that the client lost in %s is refused', (place) => {
    const { inputs, problems } = parseQuery(`${place}=[object Object]`);
    expect(inputs).toEqual([]);
    expect(problems).toMatchObject([{ code: 'invalid_filter' }]);
    expect(problems[0]?.message.text).toMatch(/filter\[field\]\[gte\]=value.*search/);
  });

  test.each(['{}', '{"like": 5}', '{ braces }', '[gte]', 'gte: 5', '{"gte" 5}'])(
    'the text %s is only text',
    (value) => {
      const problems: Problems = [];
      const filters = [{ param: 'filter[a]', path: ['a'], value }];
      expect(parseQueryFilters(filters, problems)).toMatchObject([{ value: value }]);
      expect(problems).toEqual([]);
    },
  );

  test('the object as text is only text when an operator was named', () => {
    const { inputs, problems } = parseQuery('a[eq]={"gte": 5}');
    expect(inputs).toMatchObject([{ op: 'eq', value: '{"gte": 5}' }]);
    expect(problems).toEqual([]);
  });

  test('16 pairs of field and operator are possible, 17 are not (D33)', () => {
    const filters = Array.from(
      { length: 17 },
      (_, index) => `f${index >> 1}[${index % 2 ? 'lt' : 'gt'}]=1`,
    );
    expect(parseQuery(...filters.slice(0, 16)).problems).toEqual([]);
    expect(parseQuery(...filters).problems).toEqual([refusal('filter', /16/)]);
  });

  test('every problem is reported', () => {
    const { problems } = parseQuery('a[like]=1', 'b[b][c]=1', 'c=1', 'c=2');
    expect(problems.map(({ param }) => param)).toEqual([
      'filter[a][like]',
      'filter[b][b][c]',
      'filter[c]',
    ]);
  });
});

describe('in a body', () => {
  test('values, null and operator objects', () => {
    const { inputs, problems } = parseBody({
      a: 1,
      b: null,
      c: { gte: 1, lt: 2 },
      d: false,
      e: '',
    });
    expect(problems).toEqual([]);
    expect(inputs.map(({ param, field, op, value }) => [param, field, op, value])).toEqual([
      ['filters.a', 'a', 'eq', 1],
      ['filters.b', 'b', 'is_null', true],
      ['filters.c.gte', 'c', 'gte', 1],
      ['filters.c.lt', 'c', 'lt', 2],
      ['filters.d', 'd', 'eq', false],
      ['filters.e', 'e', 'eq', ''],
    ]);
    expect(inputs.every(({ text }) => !text)).toBe(true);
  });

  test.each([
    [{ a: [] }, 'filters.a'],
    [{ a: [1] }, 'filters.a'],
    [{ a: {} }, 'filters.a'],
    [{ a: { like: 1 } }, 'filters.a.like'],
    [{ a: { EQ: 1 } }, 'filters.a.EQ'],
    [{ a: { $eq: 1 } }, 'filters.a.$eq'],
    [{ a: { or: [] } }, 'filters.a.or'],
    [{ a: { '': 1 } }, 'filters.a.'],
    [{ a: JSON.parse('{"__proto__": 1}') }, 'filters.a.__proto__'],
  ])('%j is invalid', (filters, param) => {
    expect(parseBody(filters).problems).toEqual([refusal(param)]);
  });

  test('16 pairs are possible over all fields, 17 are not', () => {
    const pair = { gt: 1, lt: 2 };
    const eight = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, pair]));
    expect(parseBody(eight).problems).toEqual([]);
    expect(parseBody({ ...eight, g: 1 }).problems).toEqual([refusal('filters', /16/)]);
  });

  test('however much is wrong, the answer stays short', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`k${index}`, {}]),
    );
    expect(parseBody(many)).toEqual({ inputs: [], problems: [refusal('filters', /16/)] });
    expect(parseBody({ a: many })).toEqual({ inputs: [], problems: [refusal('filters.a')] });
    const long = 'k'.repeat(100_000);
    const shown = `${long.slice(0, 99)}…`;
    expect(parseBody({ [long]: {} }).problems).toEqual([refusal(`filters.${shown}`)]);
    expect(parseBody({ a: { [long]: 1 } }).problems).toEqual([refusal(`filters.a.${shown}`)]);
    expect(parseBody({ [long]: 1 }).inputs).toMatchObject([{ param: `filters.${shown}` }]);
  });

  test('keys that look like prototypes are keys', () => {
    const filters = JSON.parse('{"__proto__": 1, "constructor": null}');
    expect(parseBody(filters).inputs.map(({ field }) => field)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

describe('conditions', () => {
  const id = '01900000-0000-7000-8000-00000000000a';
  const accepted: readonly (readonly [string, string, string, unknown])[] = [
    ['a_text=null', 'a_text', 'eq', 'null'],
    ['a_text=', 'a_text', 'eq', ''],
    ["a_text=' or 1=1--", 'a_text', 'eq', "' or 1=1--"],
    ['a_number[gte]=-1.5', 'a_number', 'gte', -1.5],
    ['a_integer[in]=1,2,1', 'a_integer', 'in', [1, 2]],
    ['a_boolean=true', 'a_boolean', 'eq', true],
    ['a_boolean[in]=true,false', 'a_boolean', 'in', [true, false]],
    ['a_date[lt]=2025-01-01', 'a_date', 'lt', '2025-01-01'],
    ['created_at[gt]=2025-01-01', 'created_at', 'gt', '2025-01-01T00:00:00.000Z'],
    ['a_email=A@B.Co', 'a_email', 'eq', 'a@b.co'],
    ['a_user=5', 'a_user', 'eq', 5],
    ['owner_user_id[in]=5,6', 'owner_user_id', 'in', [5, 6]],
    ['a_user[ne]=007', 'a_user', 'ne', 7],
    [`id=${id.toUpperCase()}`, 'id', 'eq', id],
    [`id[gt]=${id}`, 'id', 'gt', id],
    [`a_reference[in]=${id}`, 'a_reference', 'in', [id]],
    ['status=no such status', 'status', 'eq', 'no such status'],
    ['a_multi_select=red', 'a_multi_select', 'eq', 'red'],
    ['a_multi_select[in]=red,blue', 'a_multi_select', 'in', ['red', 'blue']],
    ['a_json[is_null]=false', 'a_json', 'is_null', false],
    ['a_multi_select[is_null]=true', 'a_multi_select', 'is_null', true],
  ];

  test.each(accepted)('%s', (text, ...expected) => {
    const { inputs, problems } = parseQuery(text);
    expect(problems).toEqual([]);
    expect(planAll(inputs)).toEqual({ conditions: [expected], problems: [] });
  });

  const refused: readonly (readonly [string, string])[] = [
    ...['gt', 'gte', 'lt', 'lte'].flatMap((operator): (readonly [string, string])[] =>
      ['a_select', 'a_boolean', 'a_reference', 'a_user', 'status', 'a_multi_select', 'a_json'].map(
        (key) => [`${key}[${operator}]=1`, `filter[${key}][${operator}]`],
      ),
    ),
    ['a_multi_select[ne]=red', 'filter[a_multi_select][ne]'],
    ['a_json=1', 'filter[a_json]'],
    ['a_json[in]=1', 'filter[a_json][in]'],
    ['a_number=', 'filter[a_number]'],
    ['a_number=five', 'filter[a_number]'],
    ['a_number=NaN', 'filter[a_number]'],
    ['a_number=Infinity', 'filter[a_number]'],
    ['a_number=1e400', 'filter[a_number]'],
    ['a_number=0x10', 'filter[a_number]'],
    ['a_integer=1.5', 'filter[a_integer]'],
    ['a_integer[in]=1,x', 'filter[a_integer][in]'],
    ['a_date=2025-02-29', 'filter[a_date]'],
    ['a_datetime=yesterday', 'filter[a_datetime]'],
    ['a_boolean=yes', 'filter[a_boolean]'],
    ['id=9223372036854775808', 'filter[id]'],
    ['id[gt]=1', 'filter[id][gt]'],
    ['a_reference=x', 'filter[a_reference]'],
    ['a_user=9223372036854775808', 'filter[a_user]'],
    ['a_user=0', 'filter[a_user]'],
    ['a_user=x', 'filter[a_user]'],
    ['a_text=a\0b', 'filter[a_text]'],
    ['a_text[in]=', 'filter[a_text][in]'],
    ['a_text[in]=,', 'filter[a_text][in]'],
    ['a_text[in]=a,', 'filter[a_text][in]'],
    ['a_text[in]=,a', 'filter[a_text][in]'],
    ['a_text[in]=a,,b', 'filter[a_text][in]'],
    ['a_text[in]=""', 'filter[a_text][in]'],
    ['a_text[in]="a', 'filter[a_text][in]'],
    ['a_text[in]=a"b', 'filter[a_text][in]'],
    ['a_text[in]="a"b', 'filter[a_text][in]'],
    ['a_text[in]="a" ,b', 'filter[a_text][in]'],
    ['a_text[is_null]=1', 'filter[a_text][is_null]'],
    ['a_text[is_null]=TRUE', 'filter[a_text][is_null]'],
    ['a_text[is_null]=', 'filter[a_text][is_null]'],
    ['a_text[is_null]=null', 'filter[a_text][is_null]'],
  ];

  test.each(refused)('%s is refused', (text, param) => {
    const { inputs, problems } = parseQuery(text);
    expect(problems).toEqual([]);
    expect(planAll(inputs)).toEqual({ conditions: [], problems: [refusal(param)] });
  });

  const bodies: readonly (readonly [Readonly<Record<string, unknown>>, unknown])[] = [
    [{ a_number: '5' }, ['a_number', 'eq', 5]],
    [{ a_number: { in: [1, '2', 2] } }, ['a_number', 'in', [1, 2]]],
    [{ a_text: { in: ['a,b', '"'] } }, ['a_text', 'in', ['a,b', '"']]],
    [{ a_text: null }, ['a_text', 'is_null', true]],
    [{ a_user: { in: [1] } }, ['a_user', 'in', [1]]],
    [{ a_boolean: { ne: false } }, ['a_boolean', 'ne', false]],
    [{ a_boolean: 'true' }, 'filters.a_boolean'],
    [{ a_boolean: 1 }, 'filters.a_boolean'],
    [{ a_text: 1 }, 'filters.a_text'],
    [{ a_text: true }, 'filters.a_text'],
    [{ a_text: '\ud800' }, 'filters.a_text'],
    [{ a_date: 20250101 }, 'filters.a_date'],
    [{ a_user: '1' }, 'filters.a_user'],
    [{ a_number: { eq: null } }, 'filters.a_number.eq'],
    [{ a_number: { eq: {} } }, 'filters.a_number.eq'],
    [{ a_number: { eq: [1] } }, 'filters.a_number.eq'],
    [{ a_number: { in: [] } }, 'filters.a_number.in'],
    [{ a_number: { in: [1, null] } }, 'filters.a_number.in'],
    [{ a_text: { in: [null] } }, 'filters.a_text.in'],
    [{ a_text: { in: ['a', ['b']] } }, 'filters.a_text.in'],
    [{ a_number: { in: '1,2' } }, 'filters.a_number.in'],
    [{ a_number: { in: { 0: 1, length: 1 } } }, 'filters.a_number.in'],
    [{ a_text: { is_null: 'true' } }, 'filters.a_text.is_null'],
    [{ a_text: { is_null: 1 } }, 'filters.a_text.is_null'],
    [{ a_text: { is_null: null } }, 'filters.a_text.is_null'],
    [{ a_json: {} }, 'filters.a_json'],
  ];

  test.each(bodies)('%j in a body', (filters, expected) => {
    const { inputs, problems } = parseBody(filters);
    const planned = planAll(inputs);
    const all = [...problems, ...planned.problems];
    if (typeof expected === 'string') {
      expect(planned.conditions).toEqual([]);
      expect(all).toEqual([refusal(expected)]);
    } else expect({ ...planned, problems: all }).toEqual({ conditions: [expected], problems: [] });
  });

  test('in takes 100 values, not 101', () => {
    const values = Array.from({ length: 101 }, (_, index) => index);
    const plan = (list: readonly number[]) => [
      planAll(parseQuery(`a_number[in]=${list.join(',')}`).inputs).problems,
      planAll(parseBody({ a_number: { in: list } }).inputs).problems,
    ];
    expect(plan(values.slice(1))).toEqual([[], []]);
    expect(plan(values)).toEqual([
      [refusal('filter[a_number][in]', /100/)],
      [refusal('filters.a_number.in', /100/)],
    ]);
  });

  test('quotes keep commas and quotes inside one value of in', () => {
    const list = (text: string) =>
      planAll(parseQuery(`a_text[in]=${text}`).inputs).conditions[0]?.[2];
    expect(list('a,b')).toEqual(['a', 'b']);
    expect(list('"a,b",c')).toEqual(['a,b', 'c']);
    expect(list('"a""b"')).toEqual(['a"b']);
    expect(list('""""')).toEqual(['"']);
    expect(list(' a , b ')).toEqual([' a ', ' b ']);
    expect(list('null,"null"')).toEqual(['null']);
    expect(list('a\nb,c')).toEqual(['a\nb', 'c']);
  });

  test('any list of texts survives quoting', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(texts, (items) => {
        const value = items.map((item) => `"${item.replaceAll('"', '""')}"`).join(',');
        const input = {
          param: 'p',
          field: 'a_text',
          op: 'in',
          value: value,
          text: true,
        } as const;
        expect(planAll([input]).conditions[0]?.[2]).toEqual([...new Set(items)]);
      }),
    );
  });

  test('a list ten times as long takes about ten times as long, also without end', async () => {
    const planOf = (value: string) => {
      const input = { param: 'p', field: 'a_text', op: 'in', value, text: true } as const;
      expect(planAll([input]).problems).toHaveLength(1);
    };
    for (const of of [
      (length: number) => '"'.repeat(length + 1),
      (length: number) => `"${'a'.repeat(length)}`,
      (length: number) => ','.repeat(length),
    ]) {
      const short = await leastWork(() => planOf(of(100_000)));
      expect(await leastWork(() => planOf(of(1_000_000)))).toBeLessThan(40 * short + 20);
    }
  });

  test.each([
    ['a_text', 500],
    ['a_email', 500],
    ['a_long_text', 100_000],
    ['a_select', 500],
    ['a_multi_select', 20_000],
  ])('%s: an operand of %i characters, and one more', (field, most) => {
    for (const [op, wrap] of [
      ['eq', (value: string) => value],
      ['in', (value: string) => ['a', value]],
    ] as const) {
      for (const letter of ['x', '😀']) {
        const plan = (length: number) =>
          planAll([{ param: 'p', field, op, value: wrap(letter.repeat(length)), text: false }]);
        expect(plan(most).problems).toEqual([]);
        expect(plan(most + 1).problems).toEqual([refusal('p', /not be longer than \d+ char/)]);
      }
    }
  });

  test('no input throws, and each gives a condition or a problem', () => {
    const operators = fc.constantFrom('eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'is_null');
    const otherJson = fc.constantFrom(null, true, 1, [], ['a'], [null], [[1]], {}, { eq: 1 });
    fc.assert(
      fc.property(
        fc.constantFrom(...FIELD_TYPES),
        operators,
        fc.oneof(fc.string({ unit: 'binary' }), fc.double(), otherJson),
        fc.boolean(),
        (type, op, value, asText) => {
          const text = asText && typeof value === 'string';
          const input = { param: 'p', field: `a_${type}`, op, value, text };
          const { conditions, problems } = planAll([input as ConditionInput]);
          expect(conditions.length + problems.length).toBe(1);
          for (const { code } of problems) expect(code).toBe('invalid_filter');
        },
      ),
    );
  });
});

describe('text queries', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['  \t\n', undefined],
    ['\u00a0\u3000', undefined],
    [' a b ', 'a b'],
    ['%_\\', '%_\\'],
    ['İ', 'İ'],
  ])('%j means %j', (text, expected) => {
    const problems: Problems = [];
    expect(parseTextQuery(text, 'q', problems)).toBe(expected);
    expect(problems).toEqual([]);
  });

  test.each(['a\0', '\ud800'])('%j is a problem of shape', (text) => {
    const problems: Problems = [];
    parseTextQuery(text, 'query', problems);
    expect(problems).toMatchObject([{ param: 'query', code: 'validation_failed' }]);
  });
});
