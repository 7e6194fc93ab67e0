// The plan of a read: the keys that resolve for each caller, the order of rows, the scope of a cursor.

import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/errors.ts';
import type { ConditionInput } from '../../src/plan/read/filter.ts';
import {
  cursorAfter,
  isPlainWalk,
  planGet,
  planList,
  type ReadPlan,
  reachPredicate,
  readableFields,
  requireObject,
} from '../../src/plan/read/read-plan.ts';
import type { SortInput } from '../../src/plan/read/record-query.ts';
import { type ListParts, listOf } from '../list-request.ts';
import { callerOf, fieldOf, objectOf, SAMPLE_IDENTITY, sampleModel } from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const anyone = callerOf(model, ['organisation']);
const veiled = callerOf(model, ['veiled']);

function equals(key: string, value: unknown = 'x'): ConditionInput {
  return { param: `filter[${key}]`, field: key, op: 'eq', value, text: true };
}

function sortBy(...keys: readonly string[]): readonly SortInput[] {
  return keys.map((text) => {
    const descending = text.startsWith('-');
    return {
      param: 'sort',
      field: descending ? text.slice(1) : text,
      direction: descending ? 'desc' : 'asc',
    };
  });
}

function list(request: ListParts, caller = anyone, object = gadgets): ReadPlan {
  return planList(model, caller, object, listOf(request));
}

function errorOf(action: () => unknown): ApiError {
  try {
    action();
  } catch (error) {
    return error as ApiError;
  }
  return expect.fail('nothing was thrown');
}

describe('objects', () => {
  test.each([
    ['gadgets', ['organisation'], true],
    ['gadgets', ['reader'], true],
    ['ledgers', ['reader'], false],
    ['gadgets', [], false],
    ['unknown', ['admin'], false],
    ['__proto__', ['admin'], false],
    ['constructor', ['admin'], false],
    ['_users', ['admin'], false],
  ])('%s for %j: %s', (objectType, roles, available) => {
    const caller = callerOf(model, roles);
    if (available) {
      expect(requireObject(model, caller, objectType).object_type).toBe(objectType);
    } else {
      const error = errorOf(() => requireObject(model, caller, objectType));
      expect(error).toMatchObject({ code: 'object_not_available', param: 'object_type' });
    }
  });

  test('reach becomes a predicate on the owner, or the author where there is no owner', () => {
    const caller = callerOf(model, ['own'], { id: 4, colleagues: [5] });
    const parts = objectOf(model, 'parts');
    const column = 'owner_user_id';
    expect(reachPredicate(caller, gadgets, 'organisation')).toEqual({
      column,
      user_ids: undefined,
    });
    expect(reachPredicate(caller, gadgets, 'team')).toEqual({ column, user_ids: [4, 5] });
    expect(reachPredicate(caller, gadgets, 'own')).toEqual({ column, user_ids: [4] });
    expect(reachPredicate(caller, gadgets, null)).toEqual({ column, user_ids: [] });
    expect(reachPredicate(caller, parts, 'own').column).toBe('created_by_user_id');
  });

  test.each(['own', 'team', 'organisation'] as const)('%s is part of every plan', (reach) => {
    const caller = callerOf(model, [reach], { id: 4, colleagues: [5] });
    const expected = reachPredicate(caller, gadgets, reach);
    expect(list({}, caller).reach).toEqual(expected);
    const request = { ids: ['x'], fields: undefined };
    expect(planGet(model, caller, gadgets, request).reach).toEqual(expected);
  });
});

const HOSTILE_KEYS: readonly string[] = [
  'unknown',
  '',
  'NAME',
  ' name',
  'name ',
  'id; drop table x',
  'name"',
  "name' or 1=1--",
  'a::int',
  't.name',
  't1.password',
  '(select 1)',
  'x'.repeat(2000),
  'custom_fields',
  'custom_fields.x_text',
  'custom_fields.a.b',
  'custom_fields->x_text',
  '*',
  '__proto__',
  'version',
  'created_by_user_id',
  'custom_status_id',
];

describe('unknown keys', () => {
  test.each(HOSTILE_KEYS)('%j is invalid_filter everywhere', (key) => {
    const requests: readonly (readonly [ListParts, string])[] = [
      [
        { filters: [equals(key)] },
        key.length > 290 ? `filter[${key.slice(0, 292)}…` : `filter[${key}]`,
      ],
      [{ sort: sortBy(key) }, 'sort'],
      [{ fields: [key] }, 'fields'],
    ];
    for (const [request, param] of requests) {
      const error = errorOf(() => list(request));
      expect(error).toMatchObject({ code: 'invalid_filter', status: 400, param });
    }
    const get = () => planGet(model, anyone, gadgets, { ids: [], fields: [key] });
    expect(errorOf(get)).toMatchObject({ code: 'invalid_filter', param: 'fields' });
  });
});

describe('fields the caller may not read (D37)', () => {
  test.each(['secret', 'serial', 'x_secret'])('%s is 403 in filter and sort', (key) => {
    const filter = errorOf(() => list({ filters: [equals(key)] }, veiled));
    expect(filter).toMatchObject({ code: 'permission_denied', param: `filter[${key}]` });
    const sort = errorOf(() => list({ sort: sortBy(`-${key}`) }, veiled));
    expect(sort).toMatchObject({ code: 'permission_denied', param: 'sort' });
  });

  test('even when the value is wrong, so that the answer reveals nothing about it', () => {
    const input = { ...equals('secret', null), operator: 'gt', text: false } as const;
    expect(errorOf(() => list({ filters: [input] }, veiled)).code).toBe('permission_denied');
  });

  test('are left out of fields without a word', () => {
    const plan = list({ fields: ['name', 'secret', 'x_secret', 'a_text'] }, veiled);
    expect(plan.fields?.map(({ key }) => key)).toEqual(['name', 'a_text']);
    const get = planGet(model, veiled, gadgets, { ids: [], fields: ['secret'] });
    expect(get.fields).toEqual([]);
    const keys = readableFields(veiled, gadgets).map(({ key }) => key);
    const hidden = ['secret', 'serial', 'x_secret'];
    expect(keys).toEqual([...gadgets.fields.keys()].filter((key) => !hidden.includes(key)));
    const all = planGet(model, veiled, gadgets, { ids: [], fields: undefined });
    expect(all.fields?.map(({ key }) => key)).toEqual(keys);
  });

  test('a display field among them is not shown and not searched', () => {
    const nameless = callerOf(model, ['nameless']);
    expect(list({}, nameless).display).toBeUndefined();
    expect(list({}).display?.key).toBe('name');
    const error = errorOf(() => list({ text: 'x' }, nameless));
    expect(error).toMatchObject({ code: 'permission_denied', param: 'q' });
  });
});

describe('jsonb fields (D24)', () => {
  test('cannot be filtered or sorted by, and the message says what to do', () => {
    for (const request of [{ filters: [equals('x_text')] }, { sort: sortBy('x_text') }]) {
      const error = errorOf(() => list(request));
      expect(error.code).toBe('invalid_filter');
      expect(error.message).toContain('storage: physical');
    }
  });

  test('can be selected by their bare key', () => {
    expect(list({ fields: ['x_text'] }).fields?.map(({ column }) => column)).toEqual([
      'custom_fields',
    ]);
  });
});

test('text needs a display field (D22)', () => {
  const fittings = objectOf(model, 'fittings');
  const error = errorOf(() => list({ text: 'x', textParam: 'query' }, anyone, fittings));
  expect(error).toMatchObject({ code: 'search_not_supported', status: 403, param: 'query' });
  expect(list({ text: 'a%' }).text).toEqual({ field: fieldOf(gadgets, 'name'), value: 'a%' });
});

test('all problems are reported, the first decides', () => {
  const request = {
    filters: [equals('unknown'), equals('secret'), equals('a_number', 'five')],
    sort: sortBy('a_json'),
    fields: ['name', 'nothing'],
  };
  const error = errorOf(() => list(request, veiled));
  expect(error).toMatchObject({ code: 'invalid_filter', param: 'filter[unknown]' });
  const { errors } = error.details as { errors: { code: string; param: string }[] };
  expect(errors.map(({ code, param }) => [code, param])).toEqual([
    ['invalid_filter', 'filter[unknown]'],
    ['permission_denied', 'filter[secret]'],
    ['invalid_filter', 'filter[a_number]'],
    ['invalid_filter', 'sort'],
    ['invalid_filter', 'fields'],
  ]);
});

describe('order (D29)', () => {
  const cases: readonly (readonly [sort: string[], order: string[]])[] = [
    [[], ['-created_at', '-id']],
    [['name'], ['name', 'id']],
    [['-name'], ['-name', '-id']],
    [
      ['-a_number', 'name'],
      ['-a_number', 'name', 'id'],
    ],
    [
      ['a_number', '-name'],
      ['a_number', '-name', '-id'],
    ],
    [
      ['status', '-owner_user_id', 'a_date'],
      ['status', '-owner_user_id', 'a_date', 'id'],
    ],
    [['id'], ['id']],
    [['-id'], ['-id']],
    [
      ['name', '-id'],
      ['name', '-id'],
    ],
    [
      ['id', 'name'],
      ['id', 'name'],
    ],
  ];

  test.each(cases)('%j is %j', (sort, order) => {
    const plan = list({ sort: sortBy(...sort) });
    const keys = plan.order.map(
      ({ field, direction }) => (direction === 'desc' ? '-' : '') + field.key,
    );
    expect(keys).toEqual(order);
  });

  test.each(['a_multi_select', 'a_json'])('%s has none', (key) => {
    const error = errorOf(() => list({ sort: sortBy(key) }));
    expect(error).toMatchObject({ code: 'invalid_filter', param: 'sort' });
  });
});

test('repeated fields count once, identity keys are fields (D38)', () => {
  const keys = ['name', 'id', 'name', 'status', 'owner_user_id', 'created_at', 'updated_at', 'id'];
  expect(list({ fields: keys }).fields?.map(({ key }) => key)).toEqual([...new Set(keys)]);
  expect(list({}).fields).toBeUndefined();
  expect(list({ fields: [] }).fields).toEqual([]);
});

describe('plain walks', () => {
  const colleagues = { id: 4, colleagues: [5] };

  test.each([
    ['everything', list({}), true],
    ['everything, with fields', list({ fields: ['name'] }), true],
    ['own records', list({}, callerOf(model, ['own'], colleagues)), true],
    ['records of a team', list({}, callerOf(model, ['team'], colleagues)), false],
    ['the oldest first', list({ sort: sortBy('created_at') }), false],
    ['another order', list({ sort: sortBy('-name') }), false],
    ['a filter', list({ filters: [equals('name')] }), false],
    ['a text', list({ text: 'x' }), false],
    ['single records', planGet(model, anyone, gadgets, { ids: ['x'], fields: [] }), false],
  ])('%s', (_, plan, expected) => {
    expect(isPlainWalk(plan)).toBe(expected);
  });
});

describe('cursors (D40)', () => {
  const request: ListParts = {
    filters: [equals('a_text'), equals('a_number', '1')],
    sort: sortBy('-a_number', 'name'),
    fields: ['name', 'a_text'],
    text: 'x',
  };
  const id = '01900000-0000-7000-8000-000000000001';
  const row = { id, name: 'n'.repeat(300), a_number: 1.5 };
  const cursor = cursorAfter(model, anyone, list(request), row);

  test('belong to their request, whatever the page size', () => {
    expect(list({ ...request, cursor }).after).toEqual([
      1.5,
      { prefix: 'n'.repeat(58), digest: expect.stringMatching(/^[0-9a-f]{12}$/) },
      id,
    ]);
    expect(list({ ...request, cursor, limit: 1 }).after).toBeDefined();
    expect(list({ ...request, cursor: '' }).after).toBeUndefined();
    expect(list({ ...request, cursor: undefined }).after).toBeUndefined();
  });

  test('of an empty value say so', () => {
    const after = cursorAfter(model, anyone, list(request), { id, name: null, a_number: null });
    expect(list({ ...request, cursor: after }).after).toEqual([null, null, id]);
  });

  const others: readonly (readonly [string, ListParts])[] = [
    ['a filter less', { filters: [equals('a_text')] }],
    ['another operator', { filters: [{ ...equals('a_text'), op: 'ne' }, equals('a_number', '1')] }],
    ['another value', { filters: [equals('a_text', 'y'), equals('a_number', '1')] }],
    ['another direction', { sort: sortBy('a_number', 'name') }],
    ['another sort', { sort: sortBy('-a_number') }],
    ['the default sort', { sort: [] }],
    ['other fields', { fields: ['name'] }],
    ['no fields', { fields: undefined }],
    ['another text', { text: 'y' }],
    ['no text', { text: undefined }],
    ['another endpoint', { endpoint: 'search' }],
  ];

  test.each(others)('do not fit %s', (_, change) => {
    const error = errorOf(() => list({ ...request, ...change, cursor }));
    expect(error).toMatchObject({ code: 'invalid_cursor', status: 400, param: 'cursor' });
  });

  test('do not fit another user, object type, workspace or secret', () => {
    const plain = cursorAfter(model, anyone, list({}), {
      id,
      created_at: '2025-01-01T00:00:00.000Z',
    });
    expect(list({ cursor: plain }).after).toHaveLength(2);
    const elsewhere = sampleModel();
    const attempts = [
      () => list({ cursor: plain }, callerOf(model, ['organisation'], { id: 2 })),
      () => list({ cursor: plain }, anyone, objectOf(model, 'parts')),
      () => {
        const workspace = { ...elsewhere.workspace, id: 8 };
        const caller = callerOf(elsewhere, ['organisation']);
        const object = objectOf(elsewhere, 'gadgets');
        return planList({ ...elsewhere, workspace }, caller, object, listOf({ cursor: plain }));
      },
      () => {
        const cursor_secret = Buffer.from(SAMPLE_IDENTITY.cursor_secret.map((byte) => byte ^ 1));
        return planList({ ...model, cursor_secret }, anyone, gadgets, listOf({ cursor: plain }));
      },
    ];
    for (const attempt of attempts) expect(errorOf(attempt).code).toBe('invalid_cursor');
  });

  test('are looked at only when the request is in order', () => {
    const attempt = () => list({ filters: [equals('unknown')], cursor: 'x' });
    expect(errorOf(attempt).code).toBe('invalid_filter');
  });
});
