// The second decision of a write: rows in, changes or the problems of the earliest stage out.

import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/errors.ts';
import { FIELD_TYPES } from '../../src/model/values/field-types.ts';
import { validateWrites } from '../../src/plan/write/validate-write.ts';
import type { FieldValues, WriteOperation } from '../../src/plan/write/write-operation.ts';
import { planWrites } from '../../src/plan/write/write-plan.ts';
import {
  type Change,
  type LookupResults,
  NO_LOOKUP_RESULTS,
  type Referring,
} from '../../src/plan/write/write-validation.ts';
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
  readonly lookedUp?: Partial<LookupResults>;
}

function validate(
  operations: readonly WriteOperation[],
  {
    roles = ['organisation'],
    object = gadgets,
    batch = false,
    lookedUp = {},
    ...caller
  }: Setting = {},
): readonly Change[] {
  const someone = callerOf(model, roles, { id: SELF, colleagues: [COLLEAGUE], ...caller });
  const plan = planWrites(model, someone, object, { operations, source: 'api', batch });
  const changes = validateWrites(plan, { ...NO_LOOKUP_RESULTS, ...lookedUp });
  return changes.map((change) => {
    const { before: _, ...told } = { before: undefined, ...change };
    return told as Change;
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

function rows(...list: readonly Readonly<Record<string, unknown>>[]): Partial<LookupResults> {
  return { rows: new Map(list.map((row) => [String(row.id), row])) };
}

function matching(...list: readonly Readonly<Record<string, unknown>>[]): Partial<LookupResults> {
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
    const [change] = validate([create(fields)]);
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

  test('a sent value or null replaces the default', () => {
    const fields = { name: 'n', rating: 5, due: null, custom_fields: { x_level: null } };
    const [change] = validate([create(fields)]);
    expect(change).toMatchObject({ columns: { rating: 5, due: null } });
    expect(change).not.toHaveProperty('columns.custom_fields');
  });

  test('objects without owner and workflow get neither', () => {
    const [change] = validate([create({ label: 'l' })], { object: parts });
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
    expect(problemsOf(() => validate([create(fields)]))).toEqual(problems);
  });

  test('a required jsonb field is required under custom_fields', () => {
    const lookedUp = { references: new Map([['parts', new Set([A])]]) };
    const attempt = () => validate([create({ part_id: A })], { object: fittings, lookedUp });
    expect(problemsOf(attempt)).toEqual([['invalid_write', 'fields.custom_fields.note']]);
  });
});

describe('owner (D45)', () => {
  const lookedUp = { activeUsers: new Set([COLLEAGUE]) };
  const none = { activeUsers: new Set<number>() };
  const cases: readonly (readonly [
    roles: string[],
    owner: unknown,
    Partial<LookupResults>,
    Told,
  ])[] = [
    [['organisation'], COLLEAGUE, lookedUp, []],
    [['organisation'], SELF, none, []],
    [['organisation'], null, none, []],
    [['organisation'], STRANGER, lookedUp, [['invalid_write', 'fields.owner_user_id']]],
    [['own'], SELF, none, []],
    [['own'], COLLEAGUE, lookedUp, [['permission_denied', 'fields.owner_user_id']]],
    [['own'], STRANGER, none, [['permission_denied', 'fields.owner_user_id']]],
    [['own'], null, none, [['permission_denied', 'fields.owner_user_id']]],
  ];

  test.each(cases)('%j name %j', (roles, owner, lookedUp, problems) => {
    const writes: readonly (readonly [WriteOperation, Partial<LookupResults>])[] = [
      [create({ name: 'n', owner_user_id: owner }), lookedUp],
      [update({ owner_user_id: owner }), { ...lookedUp, ...rows(rowOf({ owner_user_id: SELF })) }],
    ];
    for (const [operation, known] of writes) {
      const attempt = () => validate([operation], { roles, lookedUp: known });
      if (problems.length === 0) expect(attempt()).toHaveLength(1);
      else expect(problemsOf(attempt)).toEqual(problems);
    }
  });

  test('an unchanged owner needs no right and may have left', () => {
    const row = rowOf({ owner_user_id: COLLEAGUE });
    const [change] = validate([update({ owner_user_id: COLLEAGUE, a_number: 1 })], {
      roles: ['team'],
      lookedUp: rows(row),
    });
    expect(setOf(change)).toEqual({ a_number: 1 });
  });

  test('a service user owns the records it creates', () => {
    const [change] = validate([create({ name: 'n' })], { kind: 'agent' });
    expect(change).toMatchObject({ columns: { owner_user_id: SELF } });
  });
});

describe('references and users', () => {
  const fields = { part_id: A, custom_fields: { note: 'n' } };

  test('must be readable records and active people', () => {
    const references = new Map([['parts', new Set([A])]]);
    expect(validate([create(fields)], { object: fittings, lookedUp: { references } })).toHaveLength(
      1,
    );
    for (const wrong of [
      new Map(),
      new Map([['parts', new Set([B])]]),
      new Map([['gadgets', new Set([A])]]),
    ]) {
      const attempt = () =>
        validate([create(fields)], { object: fittings, lookedUp: { references: wrong } });
      expect(problemsOf(attempt)).toEqual([['invalid_write', 'fields.part_id']]);
    }
    const reviewer = () => validate([create({ name: 'n', a_user: STRANGER })]);
    expect(problemsOf(reviewer)).toEqual([['invalid_write', 'fields.a_user']]);
    expect(validate([create({ name: 'n', a_user: SELF })])).toHaveLength(1);
  });

  test('that stay are not checked again', () => {
    const row = rowOf({ a_reference: B, a_user: STRANGER });
    const operation = update({ a_reference: B, a_user: STRANGER });
    expect(validate([operation], { lookedUp: rows(row) })).toEqual([{ kind: 'none', id: A }]);
  });
});

describe('update', () => {
  test('sets only fields that differ', () => {
    const row = rowOf({ name: 'n', a_number: 1, a_text: null, custom_fields: { x_text: 'x' } });
    const operation = update({
      name: 'n',
      a_number: 2,
      a_text: '',
      a_boolean: false,
      custom_fields: { x_text: 'x', x_number: 3, x_date: null },
    });
    const [change] = validate([operation], { lookedUp: rows(row) });
    expect(change).toMatchObject({ action: 'update', keys: ['a_number', 'a_boolean', 'x_number'] });
    expect(setOf(change)).toEqual({ a_number: 2, a_boolean: false, x_number: 3 });
  });

  test.each(FIELD_TYPES)('the same %s again is not a change', (type) => {
    for (const [given, canonical] of ACCEPTED[type]) {
      const lookedUp: Partial<LookupResults> = rows(
        rowOf({ [`a_${type}`]: structuredClone(canonical) }),
      );
      const change = validate([update({ [`a_${type}`]: given })], { lookedUp });
      expect(change).toEqual([{ kind: 'none', id: A }]);
      if (!gadgets.fields.has(`x_${type}`)) continue;
      const custom_fields = canonical === null ? {} : { [`x_${type}`]: structuredClone(canonical) };
      const nested = update({ custom_fields: { [`x_${type}`]: given } });
      expect(validate([nested], { lookedUp: rows(rowOf({ custom_fields })) })).toEqual([
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
    const [change] = validate([update({ [key]: given })], {
      lookedUp: rows(rowOf({ [key]: current })),
    });
    expect(change).toMatchObject({ kind: 'update', keys: [key] });
  });

  test('the order of keys in JSON is not a difference', () => {
    const row = rowOf({ a_json: { b: { d: 1, c: 2 }, a: 1 } });
    const operation = update({ a_json: { a: 1, b: { c: 2, d: 1 } } });
    expect(validate([operation], { lookedUp: rows(row) })).toEqual([{ kind: 'none', id: A }]);
  });

  test('a jsonb field may be named like a property of every object', () => {
    const clear = update({ custom_fields: { constructor: null } });
    expect(validate([clear], { lookedUp: rows(rowOf()) })).toEqual([{ kind: 'none', id: A }]);
    const set = update({ custom_fields: { constructor: 'c' } });
    expect(setOf(validate([set], { lookedUp: rows(rowOf()) })[0])).toEqual({ constructor: 'c' });
  });

  test('a required field cannot be cleared', () => {
    const attempt = () =>
      validate([update({ name: '' })], { lookedUp: rows(rowOf({ name: 'n' })) });
    expect(problemsOf(attempt)).toEqual([['invalid_write', 'fields.name']]);
  });

  test('broken rules count although no other field would change', () => {
    const attempt = () => validate([update({ rating: 9 })], { lookedUp: rows(rowOf()) });
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
    const attempt = () => validate([move(to)], { lookedUp: rows(rowOf({ status: from })) });
    if (allowed) {
      const [change] = attempt();
      expect(change).toMatchObject({ kind: 'update', action: 'status', id: A, keys: ['status'] });
      expect(setOf(change)).toEqual({ status: to });
    } else expect(problemsOf(attempt)).toEqual([['invalid_write', 'status_id']]);
  });

  test('the refusal names the moves that are allowed', () => {
    const from = (status: string) => () =>
      validate([move('x')], { lookedUp: rows(rowOf({ status })) });
    expect(from('new')).toThrow(/built, new\./);
    expect(from('sold')).toThrow(/none\./);
  });

  test('an object without workflow has no moves', () => {
    const attempt = () => validate([move('new')], { object: parts, lookedUp: rows(rowOf()) });
    expect(problemsOf(attempt)).toEqual([['invalid_write', 'status_id']]);
  });
});

describe('delete', () => {
  test('names the record', () => {
    const change = validate([{ action: 'delete', id: A }], { lookedUp: rows(rowOf()) });
    expect(change).toEqual([{ kind: 'delete', id: A, keys: [], cleared: {} }]);
  });

  const referring = (one: Partial<Referring>): Partial<LookupResults> => {
    const all = { needing: {}, cleared: {}, hidden: false, ...one };
    return { ...rows(rowOf()), referring: new Map([[A, all]]) };
  };
  const refusalOf = (lookedUp: Partial<LookupResults>) => {
    try {
      validate([{ action: 'delete', id: A }], { lookedUp });
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
      message: 'Other records require this one: 2 fittings, 1 parts.',
      records: needing,
    });
  });

  test('reports records out of sight only by their existence, and together with others not even that', () => {
    const [one, both] = [{ fittings: 2 }, { hidden: true }];
    expect(refusalOf(referring(both))).toEqual({
      code: 'conflict',
      message: 'Other records require this one.',
      records: undefined,
    });
    const [some, more] = [{ needing: one }, { needing: one, ...both }].map(referring);
    expect(refusalOf(more ?? {})).toEqual(refusalOf(some ?? {}));
  });

  test('says which references it clears', () => {
    const cleared = { fittings: 6 };
    const change = validate([{ action: 'delete', id: A }], { lookedUp: referring({ cleared }) });
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
    const lookedUp = rows(rowOf({ owner_user_id: owner, created_by_user_id: SELF }));
    for (const operation of operations) {
      const attempt = () => validate([operation], { roles: [role], lookedUp });
      if (allowed) expect(attempt()).toHaveLength(1);
      else expect(problemsOf(attempt)).toEqual([['permission_denied', undefined]]);
    }
  });

  test('without owner the author counts', () => {
    const mine = rows({ id: A, created_by_user_id: SELF, custom_fields: {} });
    const other = rows({ id: A, created_by_user_id: STRANGER, custom_fields: {} });
    const attempt = (lookedUp: Partial<LookupResults>) =>
      validate([update({ label: 'l' })], { roles: ['own'], object: parts, lookedUp });
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
      const attempt = () => validate([operation], { lookedUp: rows(rowOf()) });
      if (isStale) expect(problemsOf(attempt)[0]).toEqual(['stale_record', undefined]);
      else expect(attempt()).toHaveLength(1);
    }
  });

  const order: readonly (readonly [title: string, WriteOperation, Setting, Told])[] = [
    [
      'absent before everything',
      { action: 'update', id: B, fields: { rating: 9 }, precondition: stale },
      { lookedUp: rows(rowOf()) },
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
      { lookedUp: rows(rowOf()) },
      [['record_not_found', 'record_id']],
    ],
    [
      'forbidden before stale and broken',
      { action: 'update', id: A, fields: { rating: 9 }, precondition: stale },
      { roles: ['own'], lookedUp: rows(rowOf({ owner_user_id: STRANGER })) },
      [['permission_denied', undefined]],
    ],
    [
      'a forbidden owner before stale',
      { action: 'update', id: A, fields: { owner_user_id: COLLEAGUE }, precondition: stale },
      { roles: ['own'], lookedUp: rows(rowOf()) },
      [['permission_denied', 'fields.owner_user_id']],
    ],
    [
      'stale before broken',
      { action: 'update', id: A, fields: { rating: 9 }, precondition: stale },
      { lookedUp: rows(rowOf()) },
      [['stale_record', undefined]],
    ],
    [
      'stale before a move that is not allowed',
      { action: 'status', id: A, status_id: 'sold', precondition: stale },
      { lookedUp: rows(rowOf()) },
      [['stale_record', undefined]],
    ],
    [
      'stale before what needs the record',
      { action: 'delete', id: A, precondition: stale },
      {
        lookedUp: {
          ...rows(rowOf()),
          referring: new Map([[A, { needing: { fittings: 1 }, cleared: {}, hidden: true }]]),
        },
      },
      [['stale_record', undefined]],
    ],
  ];

  test.each(order)('%s', (_, operation, setting, problems) => {
    expect(problemsOf(() => validate([operation], setting))).toEqual(problems);
  });

  test('hold over all operations of a batch', () => {
    const operations: readonly WriteOperation[] = [
      create({ rating: 9 }),
      { action: 'update', id: A, fields: { rating: 9 }, precondition: stale },
      { action: 'delete', id: B },
    ];
    const other = rowOf({ id: B, owner_user_id: STRANGER });
    const setting = { batch: true, roles: ['own'], lookedUp: rows(rowOf(), other) };
    expect(problemsOf(() => validate(operations, setting))).toEqual([
      ['permission_denied', 'operations[2]'],
    ]);
    const withRight = { ...setting, roles: ['organisation'] };
    expect(problemsOf(() => validate(operations, withRight))).toEqual([
      ['stale_record', 'operations[1]'],
    ]);
  });

  test('name operation and action of a batch', () => {
    const operations = [create({ name: 'n' }), update({ rating: 9 }, B)];
    expect(() => validate(operations, { batch: true })).toThrow(
      expect.objectContaining({
        param: 'operations[1].id',
        details: {
          errors: [expect.objectContaining({ operation_index: 1, action: 'update' })],
        },
      }),
    );
    const lookedUp = rows(rowOf({ id: B }));
    expect(() => validate(operations, { batch: true, lookedUp })).toThrow(
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
    const [change] = validate([upsert({ code: 'AB' }, { name: 'n' })]);
    expect(change).toMatchObject({
      kind: 'insert',
      columns: { code: 'AB', name: 'n', ...DEFAULTS },
    });
  });

  test('one hit updates, without defaults', () => {
    const row = rowOf({ code: 'AB', name: 'n' });
    const operation = upsert({ code: 'AB' }, { a_number: 1 });
    const [change] = validate([operation], { lookedUp: matching(row) });
    expect(setOf(change)).toEqual({ a_number: 1 });
    const same = validate([upsert({ code: 'AB' })], { lookedUp: matching(row) });
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
    ['two hits', { lookedUp: matching(mine, theirs) }, 'conflict', /more than one/i],
    [
      'a hit, no right to update',
      { roles: ['creator'], lookedUp: matching(mine) },
      'permission_denied',
      /update/,
    ],
    [
      'a hit beyond the reach',
      { roles: ['updater'], lookedUp: matching(theirs) },
      'permission_denied',
      /update/,
    ],
    ['no hit, no right to create', { roles: ['updater'] }, 'permission_denied', /create/],
  ];

  test.each(cases)('%s', (_, setting, code, message) => {
    expect(() => validate([operation], setting)).toThrow(
      expect.objectContaining({
        code,
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      }),
    );
  });

  test('problems of the request come before problems of its records', () => {
    const broken = upsert({ code: 'AB' }, { a_number: 'five' });
    const problem: Told = [['invalid_write', 'fields.a_number']];
    const finds = [{}, matching(mine), matching(theirs), matching(mine, theirs)];
    for (const roles of [['organisation'], ['updater'], ['creator']]) {
      for (const lookedUp of finds) {
        expect(problemsOf(() => validate([broken], { roles, lookedUp }))).toEqual(problem);
      }
    }
    const twice = { matches: new Map([0, 1].map((index) => [index, [mine]] as const)) };
    expect(problemsOf(() => validate([broken, broken], { batch: true, lookedUp: twice }))).toEqual(
      [0, 1].map((index) => ['invalid_write', `operations[${index}].fields.a_number`]),
    );
  });

  test('without a right to write it reveals nothing about existing records', () => {
    for (const lookedUp of [{}, matching(mine), matching(theirs), matching(mine, theirs)]) {
      const attempt = () => validate([operation], { roles: ['reader'], lookedUp });
      expect(problemsOf(attempt)).toEqual([['permission_denied', undefined]]);
    }
  });

  test('a create cannot take a match that may not be written', () => {
    const veiled = { roles: ['veiled'] };
    const attempt = () => validate([upsert({ a_text: 'x' }, { name: 'n' })], veiled);
    expect(problemsOf(attempt)).toEqual([['permission_denied', 'match.a_text']]);
    for (const match of [
      { id: A },
      { status: 'new' },
      { created_at: '2025-01-01' },
      { serial: 's' },
    ]) {
      const readOnly = () => validate([upsert(match, { name: 'n' })]);
      expect(problemsOf(readOnly)).toEqual([['invalid_write', `match.${Object.keys(match)[0]}`]]);
      const hit = () =>
        validate([upsert(match, { name: 'n' })], { lookedUp: matching(rowOf(match)) });
      expect(problemsOf(hit)).toEqual(problemsOf(readOnly));
    }
    const byRole = validate([upsert({ a_text: 'x' }, { a_number: 1 })], {
      ...veiled,
      lookedUp: matching(rowOf({ a_text: 'x' })),
    });
    expect(setOf(byRole[0])).toEqual({ a_number: 1 });
  });

  test('a create lacks required fields like any other', () => {
    expect(problemsOf(() => validate([upsert({ code: 'AB' })]))).toEqual([
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
  const lookedUp: readonly (readonly [
    title: string,
    WriteOperation[],
    Partial<LookupResults>,
    Told,
  ])[] = [
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

  test.each(lookedUp)('%s', (_, operations, lookedUp, problems) => {
    const attempt = () => validate(operations, { batch: true, lookedUp: lookedUp });
    expect(problemsOf(attempt)).toEqual(problems);
  });

  test('different records are fine', () => {
    const operations = [update({}), update({}, B), create({ name: 'n' }), create({ name: 'n' })];
    expect(validate(operations, { batch: true, lookedUp: both })).toHaveLength(4);
    const upserts = [upsert({ code: 'AB' }, { name: 'n' }), upsert({ code: 'AC' }, { name: 'n' })];
    expect(validate(upserts, { batch: true })).toHaveLength(2);
    const after = [update({ code: 'AB' }), upsert({ code: 'AB', a_number: 1 }, { name: 'n' })];
    expect(validate(after, { batch: true, lookedUp: both })).toHaveLength(2);
    const before = [upsert({ code: 'AB' }, { name: 'n' }), create({ name: 'n', code: 'AB' })];
    expect(validate(before, { batch: true })).toHaveLength(2);
  });
});

test('a change names keys, never values', () => {
  const secretValue = 'do not log';
  const [change] = validate([update({ secret: secretValue })], { lookedUp: rows(rowOf()) });
  expect(change).toHaveProperty('keys', ['secret']);
  expect(setOf(change)).toEqual({ secret: secretValue });
  expect(fieldOf(gadgets, 'secret').storage).toBe('physical');
});
