// The second decision of a write: rows in, changes or the problems of the earliest stage out.

import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/errors.ts';
import { FIELD_TYPES } from '../../src/model/field-types.ts';
import type { Change, Found, Referring } from '../../src/plan/write-case.ts';
import type { FieldValues } from '../../src/plan/write-fields.ts';
import { planWrites, type WriteOperation } from '../../src/plan/write-plan.ts';
import { judgeWrites } from '../../src/plan/write-verdict.ts';
import {
  type CallerOptions,
  callerOf,
  fieldOf,
  objectOf,
  sampleModel,
} from '../sample-definition.ts';
import { ACCEPTED } from '../sample-values.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const fittings = objectOf(model, 'fittings');
const parts = objectOf(model, 'parts');
const A = '01900000-0000-7000-8000-00000000000a';
const B = '01900000-0000-7000-8000-00000000000b';
const SELF = 1;
const COLLEAGUE = 2;
const STRANGER = 3;

interface Setting extends CallerOptions {
  readonly roles?: readonly string[];
  readonly object?: typeof gadgets;
  readonly batch?: boolean;
  readonly found?: Partial<Found>;
}

function judge(
  operations: readonly WriteOperation[],
  {
    roles = ['organisation'],
    object = gadgets,
    batch = false,
    found = {},
    ...caller
  }: Setting = {},
): readonly Change[] {
  const someone = callerOf(model, roles, { id: SELF, colleagues: [COLLEAGUE], ...caller });
  const plan = planWrites(model, someone, object, { operations, source: 'api', batch });
  return judgeWrites(plan, {
    rows: new Map(),
    matches: new Map(),
    references: new Map(),
    activeUsers: new Set(),
    referring: new Map(),
    publicIds: new Map(),
    approvingTeams: new Set(),
    links: new Set(),
    ...found,
  });
}

function rowOf(values: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    id: A,
    version: 1,
    status: 'new',
    owner_user_id: SELF,
    created_by_user_id: SELF,
    custom_fields: {},
    ...values,
  };
}

function rows(...list: readonly Readonly<Record<string, unknown>>[]): Partial<Found> {
  return { rows: new Map(list.map((row) => [String(row.id), row])) };
}

function matching(...list: readonly Readonly<Record<string, unknown>>[]): Partial<Found> {
  return { matches: new Map([[0, list]]) };
}

function create(fields: FieldValues): WriteOperation {
  return { action: 'create', fields };
}

function update(fields: FieldValues, id = A): WriteOperation {
  return { action: 'update', id, fields };
}

function upsert(match: FieldValues, fields: FieldValues = {}): WriteOperation {
  return { action: 'upsert', target: 'gadgets', match, fields };
}

type Told = readonly (readonly [code: string, param: string | undefined])[];

function problemsOf(action: () => unknown): Told {
  try {
    action();
  } catch (error) {
    const { errors } = (error as ApiError).details as {
      errors: { code: string; param?: string }[];
    };
    return errors.map(({ code, param }) => [code, param]);
  }
  return expect.fail('nothing was thrown');
}

function setOf(change: Change | undefined): Readonly<Record<string, unknown>> | undefined {
  if (change?.kind !== 'update') return undefined;
  return Object.fromEntries([...change.set].map(([field, value]) => [field.key, value]));
}

const DEFAULTS = { rating: 3, due: '2030-01-01T00:00:00.000Z' };

describe('create', () => {
  test('adds id, author, owner, initial status and defaults', () => {
    const fields = {
      name: 'n',
      a_number: 5,
      a_text: null,
      custom_fields: { x_text: 'x', x_number: null },
    };
    const [change] = judge([create(fields)]);
    expect(change).toEqual({
      kind: 'insert',
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/),
      columns: {
        id: change?.id,
        created_by_user_id: SELF,
        owner_user_id: SELF,
        status: 'new',
        name: 'n',
        a_number: 5,
        a_text: null,
        ...DEFAULTS,
        custom_fields: { x_text: 'x', x_level: 'red' },
      },
      keys: ['name', 'a_number', 'x_text', 'rating', 'due', 'x_level', 'owner_user_id'],
    });
  });

  test('a value or a null that was sent stands in for the default', () => {
    const fields = { name: 'n', rating: 5, due: null, custom_fields: { x_level: null } };
    const [change] = judge([create(fields)]);
    expect(change).toMatchObject({ columns: { rating: 5, due: null } });
    expect(change).not.toHaveProperty('columns.custom_fields');
  });

  test('objects without owner and workflow get neither', () => {
    const [change] = judge([create({ label: 'l' })], { object: parts });
    expect(change).toMatchObject({ kind: 'insert', keys: ['label'] });
    const columns = { id: expect.any(String), created_by_user_id: SELF, label: 'l' };
    expect(change).toHaveProperty('columns', columns);
  });

  const required: readonly (readonly [FieldValues, Told])[] = [
    [{}, [['invalid_write', 'fields.name']]],
    [{ name: null }, [['invalid_write', 'fields.name']]],
    [{ name: '' }, [['invalid_write', 'fields.name']]],
    [{ name: 5 }, [['invalid_write', 'fields.name']]],
    [
      { rating: 9, status: 'new' },
      [
        ['invalid_write', 'fields.rating'],
        ['invalid_write', 'fields.status'],
        ['invalid_write', 'fields.name'],
      ],
    ],
  ];

  test.each(required)('%j misses a field or breaks a rule', (fields, problems) => {
    expect(problemsOf(() => judge([create(fields)]))).toEqual(problems);
  });

  test('a required jsonb field is required under custom_fields', () => {
    const found = { references: new Map([['parts', new Set([A])]]) };
    const attempt = () => judge([create({ part_id: A })], { object: fittings, found });
    expect(problemsOf(attempt)).toEqual([['invalid_write', 'fields.custom_fields.note']]);
  });
});

describe('owner (D45)', () => {
  const found = { activeUsers: new Set([COLLEAGUE]) };
  const none = { activeUsers: new Set<number>() };
  const cases: readonly (readonly [roles: string[], owner: unknown, Partial<Found>, Told])[] = [
    [['organisation'], COLLEAGUE, found, []],
    [['organisation'], SELF, none, []],
    [['organisation'], null, none, []],
    [['organisation'], STRANGER, found, [['invalid_write', 'fields.owner_user_id']]],
    [['own'], SELF, none, []],
    [['own'], COLLEAGUE, found, [['permission_denied', 'fields.owner_user_id']]],
    [['own'], STRANGER, none, [['permission_denied', 'fields.owner_user_id']]],
    [['own'], null, none, [['permission_denied', 'fields.owner_user_id']]],
  ];

  test.each(cases)('%j name %j', (roles, owner, lookedUp, problems) => {
    const writes: readonly (readonly [WriteOperation, Partial<Found>])[] = [
      [create({ name: 'n', owner_user_id: owner }), lookedUp],
      [update({ owner_user_id: owner }), { ...lookedUp, ...rows(rowOf({ owner_user_id: SELF })) }],
    ];
    for (const [operation, known] of writes) {
      const attempt = () => judge([operation], { roles, found: known });
      if (problems.length === 0) expect(attempt()).toHaveLength(1);
      else expect(problemsOf(attempt)).toEqual(problems);
    }
  });

  test('an owner who stays needs no right and may have left', () => {
    const row = rowOf({ owner_user_id: COLLEAGUE });
    const [change] = judge([update({ owner_user_id: COLLEAGUE, a_number: 1 })], {
      roles: ['team'],
      found: rows(row),
    });
    expect(setOf(change)).toEqual({ a_number: 1 });
  });

  test('a service user owns what it creates', () => {
    const [change] = judge([create({ name: 'n' })], { kind: 'agent' });
    expect(change).toMatchObject({ columns: { owner_user_id: SELF } });
  });
});

describe('references and users', () => {
  const fields = { part_id: A, custom_fields: { note: 'n' } };

  test('must be readable records and active people', () => {
    const references = new Map([['parts', new Set([A])]]);
    expect(judge([create(fields)], { object: fittings, found: { references } })).toHaveLength(1);
    for (const wrong of [
      new Map(),
      new Map([['parts', new Set([B])]]),
      new Map([['gadgets', new Set([A])]]),
    ]) {
      const attempt = () =>
        judge([create(fields)], { object: fittings, found: { references: wrong } });
      expect(problemsOf(attempt)).toEqual([['invalid_write', 'fields.part_id']]);
    }
    const reviewer = () => judge([create({ name: 'n', a_user: STRANGER })]);
    expect(problemsOf(reviewer)).toEqual([['invalid_write', 'fields.a_user']]);
    expect(judge([create({ name: 'n', a_user: SELF })])).toHaveLength(1);
  });

  test('that stay are not looked at again', () => {
    const row = rowOf({ a_reference: B, a_user: STRANGER });
    const operation = update({ a_reference: B, a_user: STRANGER });
    expect(judge([operation], { found: rows(row) })).toEqual([{ kind: 'none', id: A }]);
  });
});

describe('update', () => {
  test('sets what differs and nothing else', () => {
    const row = rowOf({ name: 'n', a_number: 1, a_text: null, custom_fields: { x_text: 'x' } });
    const operation = update({
      name: 'n',
      a_number: 2,
      a_text: '',
      a_boolean: false,
      custom_fields: { x_text: 'x', x_number: 3, x_date: null },
    });
    const [change] = judge([operation], { found: rows(row) });
    expect(change).toMatchObject({ action: 'update', keys: ['a_number', 'a_boolean', 'x_number'] });
    expect(setOf(change)).toEqual({ a_number: 2, a_boolean: false, x_number: 3 });
  });

  test.each(FIELD_TYPES)('the same %s again changes nothing', (type) => {
    for (const [given, canonical] of ACCEPTED[type]) {
      const found: Partial<Found> = rows(rowOf({ [`a_${type}`]: structuredClone(canonical) }));
      const change = judge([update({ [`a_${type}`]: given })], { found });
      expect(change).toEqual([{ kind: 'none', id: A }]);
      if (!gadgets.fields.has(`x_${type}`)) continue;
      const custom_fields = canonical === null ? {} : { [`x_${type}`]: structuredClone(canonical) };
      const nested = update({ custom_fields: { [`x_${type}`]: given } });
      expect(judge([nested], { found: rows(rowOf({ custom_fields })) })).toEqual([
        { kind: 'none', id: A },
      ]);
    }
  });

  const differing: readonly (readonly [key: string, current: unknown, given: unknown])[] = [
    ['a_json', { a: 1, b: [1, 2] }, { a: 1, b: [2, 1] }],
    ['a_json', { a: 1 }, { a: 1, b: null }],
    ['a_json', [], {}],
    ['a_json', '1', 1],
    ['a_json', null, { a: 1 }],
    ['a_json', { a: 1 }, null],
    ['a_multi_select', ['red', 'blue'], ['blue', 'red']],
    ['a_multi_select', ['red'], ['red', 'blue']],
    ['a_multi_select', ['red'], []],
    ['a_text', 'a', 'A'],
    ['a_text', 'é', 'e\u0301'],
    ['a_boolean', null, false],
    ['a_number', null, 0],
  ];

  test.each(differing)('%s: %j becomes %j', (key, current, given) => {
    const [change] = judge([update({ [key]: given })], { found: rows(rowOf({ [key]: current })) });
    expect(change).toMatchObject({ kind: 'update', keys: [key] });
  });

  test('the order of keys in JSON is no difference', () => {
    const row = rowOf({ a_json: { b: { d: 1, c: 2 }, a: 1 } });
    const operation = update({ a_json: { a: 1, b: { c: 2, d: 1 } } });
    expect(judge([operation], { found: rows(row) })).toEqual([{ kind: 'none', id: A }]);
  });

  test('a jsonb field may be named like a property of every object', () => {
    const clear = update({ custom_fields: { constructor: null } });
    expect(judge([clear], { found: rows(rowOf()) })).toEqual([{ kind: 'none', id: A }]);
    const set = update({ custom_fields: { constructor: 'c' } });
    expect(setOf(judge([set], { found: rows(rowOf()) })[0])).toEqual({ constructor: 'c' });
  });

  test('a required field cannot be cleared', () => {
    const attempt = () => judge([update({ name: '' })], { found: rows(rowOf({ name: 'n' })) });
    expect(problemsOf(attempt)).toEqual([['invalid_write', 'fields.name']]);
  });

  test('broken rules count although nothing else would change', () => {
    const attempt = () => judge([update({ rating: 9 })], { found: rows(rowOf()) });
    expect(problemsOf(attempt)).toEqual([['invalid_write', 'fields.rating']]);
  });
});

describe('status (D49)', () => {
  const move = (status_id: string): WriteOperation => ({ action: 'status', id: A, status_id });

  test.each([
    ['new', 'built', true],
    ['new', 'new', true],
    ['built', 'sold', true],
    ['new', 'sold', false],
    ['built', 'built', false],
    ['sold', 'new', false],
    ['new', 'unknown', false],
    ['new', 'NEW', false],
    ['new', '\0', false],
    ['new', '\ud800', false],
    ['new', 'constructor', false],
  ])('from %s to %j: %s', (from, to, allowed) => {
    const attempt = () => judge([move(to)], { found: rows(rowOf({ status: from })) });
    if (allowed) {
      const [change] = attempt();
      expect(change).toMatchObject({ kind: 'update', action: 'status', id: A, keys: ['status'] });
      expect(setOf(change)).toEqual({ status: to });
    } else expect(problemsOf(attempt)).toEqual([['invalid_write', 'status_id']]);
  });

  test('the refusal names the moves that are allowed', () => {
    const from = (status: string) => () => judge([move('x')], { found: rows(rowOf({ status })) });
    expect(from('new')).toThrow(/built, new\./);
    expect(from('sold')).toThrow(/none\./);
  });

  test('an object without workflow has no moves', () => {
    const attempt = () => judge([move('new')], { object: parts, found: rows(rowOf()) });
    expect(problemsOf(attempt)).toEqual([['invalid_write', 'status_id']]);
  });
});

describe('delete', () => {
  test('names the record', () => {
    const change = judge([{ action: 'delete', id: A }], { found: rows(rowOf()) });
    expect(change).toEqual([{ kind: 'delete', id: A, keys: [], cleared: {} }]);
  });

  const referring = (one: Partial<Referring>): Partial<Found> => {
    const all = { needing: {}, cleared: {}, hidden: false, ...one };
    return { ...rows(rowOf()), referring: new Map([[A, all]]) };
  };
  const refusalOf = (found: Partial<Found>) => {
    try {
      judge([{ action: 'delete', id: A }], { found });
    } catch (error) {
      const { code, message, details } = error as ApiError;
      return { code, message, records: details?.records };
    }
    return expect.fail('nothing was thrown');
  };

  test('is a conflict while other records need it (D54)', () => {
    const needing = { fittings: 2, parts: 1 };
    expect(refusalOf(referring({ needing }))).toEqual({
      code: 'conflict',
      message: 'Other records cannot be without this one: 2 fittings, 1 parts.',
      records: needing,
    });
  });

  test('tells of records out of sight that there are some, and beside others not even that', () => {
    const [one, both] = [{ fittings: 2 }, { hidden: true }];
    expect(refusalOf(referring(both))).toEqual({
      code: 'conflict',
      message: 'Other records cannot be without this one.',
      records: undefined,
    });
    const [some, more] = [{ needing: one }, { needing: one, ...both }].map(referring);
    expect(refusalOf(more ?? {})).toEqual(refusalOf(some ?? {}));
  });

  test('says which references it clears', () => {
    const cleared = { fittings: 6 };
    const change = judge([{ action: 'delete', id: A }], { found: referring({ cleared }) });
    expect(change).toEqual([{ kind: 'delete', id: A, keys: [], cleared }]);
  });
});

describe('reach', () => {
  const operations: readonly WriteOperation[] = [
    update({ a_number: 1 }),
    { action: 'status', id: A, status_id: 'built' },
    { action: 'delete', id: A },
  ];
  const cases: readonly (readonly [role: string, owner: number | null, allowed: boolean])[] = [
    ['own', SELF, true],
    ['own', COLLEAGUE, false],
    ['own', null, false],
    ['team', SELF, true],
    ['team', COLLEAGUE, true],
    ['team', STRANGER, false],
    ['team', null, false],
    ['organisation', STRANGER, true],
    ['organisation', null, true],
  ];

  test.each(cases)('%s over a record of %s: %s', (role, owner, allowed) => {
    const found = rows(rowOf({ owner_user_id: owner, created_by_user_id: SELF }));
    for (const operation of operations) {
      const attempt = () => judge([operation], { roles: [role], found });
      if (allowed) expect(attempt()).toHaveLength(1);
      else expect(problemsOf(attempt)).toEqual([['permission_denied', undefined]]);
    }
  });

  test('without owner it is the author who counts', () => {
    const mine = rows({ id: A, created_by_user_id: SELF, custom_fields: {} });
    const other = rows({ id: A, created_by_user_id: STRANGER, custom_fields: {} });
    const attempt = (found: Partial<Found>) =>
      judge([update({ label: 'l' })], { roles: ['own'], object: parts, found });
    expect(attempt(mine)).toHaveLength(1);
    expect(problemsOf(() => attempt(other))).toEqual([['permission_denied', undefined]]);
  });
});

describe('stages (D1)', () => {
  const stale = { any_of: ['9-00000000000a'] };
  const current = { any_of: ['1-00000000000a'] };

  test.each([
    [current, false],
    ['exists' as const, false],
    [undefined, false],
    [stale, true],
    [{ any_of: [] }, true],
    [{ any_of: ['1-00000000000b'] }, true],
  ])('precondition %j is stale: %s', (precondition, isStale) => {
    const operations: readonly WriteOperation[] = [
      { action: 'update', id: A, fields: { a_number: 1 }, precondition },
      { action: 'status', id: A, status_id: 'built', precondition },
      { action: 'delete', id: A, precondition },
    ];
    for (const operation of operations) {
      const attempt = () => judge([operation], { found: rows(rowOf()) });
      if (isStale) expect(problemsOf(attempt)[0]).toEqual(['stale_record', undefined]);
      else expect(attempt()).toHaveLength(1);
    }
  });

  const order: readonly (readonly [title: string, WriteOperation, Setting, Told])[] = [
    [
      'absent before everything',
      { action: 'update', id: B, fields: { rating: 9 }, precondition: stale },
      { found: rows(rowOf()) },
      [['record_not_found', 'record_id']],
    ],
    [
      'absent although any version would do',
      { action: 'update', id: B, fields: {}, precondition: 'exists' },
      {},
      [['record_not_found', 'record_id']],
    ],
    [
      'no id at all is absent',
      { action: 'delete', id: 'no id' },
      { found: rows(rowOf()) },
      [['record_not_found', 'record_id']],
    ],
    [
      'forbidden before stale and broken',
      { action: 'update', id: A, fields: { rating: 9 }, precondition: stale },
      { roles: ['own'], found: rows(rowOf({ owner_user_id: STRANGER })) },
      [['permission_denied', undefined]],
    ],
    [
      'a forbidden owner before stale',
      { action: 'update', id: A, fields: { owner_user_id: COLLEAGUE }, precondition: stale },
      { roles: ['own'], found: rows(rowOf()) },
      [['permission_denied', 'fields.owner_user_id']],
    ],
    [
      'stale before broken',
      { action: 'update', id: A, fields: { rating: 9 }, precondition: stale },
      { found: rows(rowOf()) },
      [['stale_record', undefined]],
    ],
    [
      'stale before a move that is not allowed',
      { action: 'status', id: A, status_id: 'sold', precondition: stale },
      { found: rows(rowOf()) },
      [['stale_record', undefined]],
    ],
    [
      'stale before what needs the record',
      { action: 'delete', id: A, precondition: stale },
      {
        found: {
          ...rows(rowOf()),
          referring: new Map([[A, { needing: { fittings: 1 }, cleared: {}, hidden: true }]]),
        },
      },
      [['stale_record', undefined]],
    ],
  ];

  test.each(order)('%s', (_, operation, setting, problems) => {
    expect(problemsOf(() => judge([operation], setting))).toEqual(problems);
  });

  test('hold over all operations of a batch', () => {
    const operations: readonly WriteOperation[] = [
      create({ rating: 9 }),
      { action: 'update', id: A, fields: { rating: 9 }, precondition: stale },
      { action: 'delete', id: B },
    ];
    const other = rowOf({ id: B, owner_user_id: STRANGER });
    const setting = { batch: true, roles: ['own'], found: rows(rowOf(), other) };
    expect(problemsOf(() => judge(operations, setting))).toEqual([
      ['permission_denied', 'operations[2]'],
    ]);
    const withRight = { ...setting, roles: ['organisation'] };
    expect(problemsOf(() => judge(operations, withRight))).toEqual([
      ['stale_record', 'operations[1]'],
    ]);
  });

  test('name operation and action of a batch', () => {
    const operations = [create({ name: 'n' }), update({ rating: 9 }, B)];
    expect(() => judge(operations, { batch: true })).toThrow(
      expect.objectContaining({
        param: 'operations[1].id',
        details: {
          errors: [expect.objectContaining({ operation_index: 1, action: 'update' })],
        },
      }),
    );
    const found = rows(rowOf({ id: B }));
    expect(() => judge(operations, { batch: true, found })).toThrow(
      expect.objectContaining({
        param: 'operations[1].fields.rating',
        details: {
          errors: [
            expect.objectContaining({
              param: 'operations[1].fields.rating',
              operation_index: 1,
              action: 'update',
            }),
          ],
        },
      }),
    );
  });
});

describe('upsert (D52)', () => {
  test('no hit creates with the match among the fields', () => {
    const [change] = judge([upsert({ code: 'AB' }, { name: 'n' })]);
    expect(change).toMatchObject({
      kind: 'insert',
      columns: { code: 'AB', name: 'n', ...DEFAULTS },
    });
  });

  test('one hit updates, without defaults', () => {
    const row = rowOf({ code: 'AB', name: 'n' });
    const operation = upsert({ code: 'AB' }, { a_number: 1 });
    const [change] = judge([operation], { found: matching(row) });
    expect(setOf(change)).toEqual({ a_number: 1 });
    const same = judge([upsert({ code: 'AB' })], { found: matching(row) });
    expect(same).toEqual([{ kind: 'none', id: A }]);
  });

  const mine = rowOf({ code: 'AB', name: 'n' });
  const theirs = rowOf({ id: B, code: 'AB', name: 'n', owner_user_id: STRANGER });
  const operation = upsert({ code: 'AB' }, { a_number: 1 });
  const cases: readonly (readonly [
    title: string,
    Setting,
    code: string,
    message: string | RegExp,
  ])[] = [
    ['two hits', { found: matching(mine, theirs) }, 'conflict', /more than one/i],
    [
      'a hit, no right to update',
      { roles: ['creator'], found: matching(mine) },
      'permission_denied',
      /update/,
    ],
    [
      'a hit beyond the reach',
      { roles: ['updater'], found: matching(theirs) },
      'permission_denied',
      /update/,
    ],
    ['no hit, no right to create', { roles: ['updater'] }, 'permission_denied', /create/],
  ];

  test.each(cases)('%s', (_, setting, code, message) => {
    expect(() => judge([operation], setting)).toThrow(
      expect.objectContaining({
        code,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    );
  });

  test('what is wrong with the request comes before what it finds', () => {
    const broken = upsert({ code: 'AB' }, { a_number: 'five' });
    const problem: Told = [['invalid_write', 'fields.a_number']];
    const finds = [{}, matching(mine), matching(theirs), matching(mine, theirs)];
    for (const roles of [['organisation'], ['updater'], ['creator']]) {
      for (const found of finds) {
        expect(problemsOf(() => judge([broken], { roles, found }))).toEqual(problem);
      }
    }
    const twice = { matches: new Map([0, 1].map((index) => [index, [mine]] as const)) };
    expect(problemsOf(() => judge([broken, broken], { batch: true, found: twice }))).toEqual(
      [0, 1].map((index) => ['invalid_write', `operations[${index}].fields.a_number`]),
    );
  });

  test('without a right to write it tells nothing about what exists', () => {
    for (const found of [{}, matching(mine), matching(theirs), matching(mine, theirs)]) {
      const attempt = () => judge([operation], { roles: ['reader'], found });
      expect(problemsOf(attempt)).toEqual([['permission_denied', undefined]]);
    }
  });

  test('a create cannot take a match that may not be written', () => {
    const veiled = { roles: ['veiled'] };
    const attempt = () => judge([upsert({ a_text: 'x' }, { name: 'n' })], veiled);
    expect(problemsOf(attempt)).toEqual([['permission_denied', 'match.a_text']]);
    for (const match of [
      { id: A },
      { status: 'new' },
      { created_at: '2025-01-01' },
      { serial: 's' },
    ]) {
      const readOnly = () => judge([upsert(match, { name: 'n' })]);
      expect(problemsOf(readOnly)).toEqual([['invalid_write', `match.${Object.keys(match)[0]}`]]);
      const hit = () => judge([upsert(match, { name: 'n' })], { found: matching(rowOf(match)) });
      expect(problemsOf(hit)).toEqual(problemsOf(readOnly));
    }
    const byRole = judge([upsert({ a_text: 'x' }, { a_number: 1 })], {
      ...veiled,
      found: matching(rowOf({ a_text: 'x' })),
    });
    expect(setOf(byRole[0])).toEqual({ a_number: 1 });
  });

  test('a create misses what is required like any other', () => {
    expect(problemsOf(() => judge([upsert({ code: 'AB' })]))).toEqual([
      ['invalid_write', 'fields.name'],
    ]);
  });
});

describe('a record in two operations (D51)', () => {
  const both = rows(rowOf(), rowOf({ id: B }));
  const matched = (index: number) => ({
    ...both,
    matches: new Map([[index, [rowOf({ code: 'AB', name: 'n' })]]]),
  });
  const status: WriteOperation = { action: 'status', id: A, status_id: 'built' };
  const found: readonly (readonly [title: string, WriteOperation[], Partial<Found>, Told])[] = [
    ['two updates', [update({}), update({})], both, [['validation_failed', 'operations[1].id']]],
    [
      'another spelling of the id',
      [update({}), update({}, A.toUpperCase())],
      both,
      [['validation_failed', 'operations[1].id']],
    ],
    [
      'update, status and delete',
      [update({}), status, { action: 'delete', id: A }],
      both,
      [
        ['validation_failed', 'operations[1].id'],
        ['validation_failed', 'operations[2].id'],
      ],
    ],
    [
      'an upsert after',
      [update({}), upsert({ code: 'AB' })],
      matched(1),
      [['conflict', 'operations[1].match']],
    ],
    [
      'an upsert before',
      [upsert({ code: 'AB' }), update({})],
      matched(0),
      [['conflict', 'operations[0].match']],
    ],
    [
      'two upserts that create the same',
      [
        upsert({ code: 'AB', a_number: 1 }, { name: 'n' }),
        upsert({ a_number: 1, code: 'AB' }, { name: 'n' }),
      ],
      both,
      [['conflict', 'operations[1].match']],
    ],
    [
      'an upsert of what a create makes',
      [create({ name: 'n', code: 'AB' }), upsert({ code: 'AB', rating: 3 }, { name: 'n' })],
      both,
      [['conflict', 'operations[1].match']],
    ],
    [
      'an upsert of what an update makes',
      [update({ code: 'AB' }), upsert({ code: 'AB', name: 'n' })],
      rows(rowOf({ name: 'n' })),
      [['conflict', 'operations[1].match']],
    ],
    [
      'an upsert of a part of what another makes',
      [upsert({ code: 'AB', a_number: 1 }, { name: 'n' }), upsert({ code: 'AB' })],
      both,
      [
        ['conflict', 'operations[1].match'],
        ['invalid_write', 'operations[1].fields.name'],
      ],
    ],
  ];

  test.each(found)('%s', (_, operations, lookedUp, problems) => {
    const attempt = () => judge(operations, { batch: true, found: lookedUp });
    expect(problemsOf(attempt)).toEqual(problems);
  });

  test('different records are fine', () => {
    const operations = [update({}), update({}, B), create({ name: 'n' }), create({ name: 'n' })];
    expect(judge(operations, { batch: true, found: both })).toHaveLength(4);
    const upserts = [upsert({ code: 'AB' }, { name: 'n' }), upsert({ code: 'AC' }, { name: 'n' })];
    expect(judge(upserts, { batch: true })).toHaveLength(2);
    const after = [update({ code: 'AB' }), upsert({ code: 'AB', a_number: 1 }, { name: 'n' })];
    expect(judge(after, { batch: true, found: both })).toHaveLength(2);
    const before = [upsert({ code: 'AB' }, { name: 'n' }), create({ name: 'n', code: 'AB' })];
    expect(judge(before, { batch: true })).toHaveLength(2);
  });
});

test('a change names keys, never values', () => {
  const secretValue = 'do not log';
  const [change] = judge([update({ secret: secretValue })], { found: rows(rowOf()) });
  expect(change).toHaveProperty('keys', ['secret']);
  expect(setOf(change)).toEqual({ secret: secretValue });
  expect(fieldOf(gadgets, 'secret').storage).toBe('physical');
});
