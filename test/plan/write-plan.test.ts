// The first decision of a write: the fields it may set, their canonical values, and the errors that end it before
// anything is read.

import { describe, expect, test } from 'vitest';
import type { ApiError } from '../../src/errors.ts';
import type { Caller } from '../../src/model/rights/access.ts';
import { AUTHOR_KEY } from '../../src/plan/write/write-fields.ts';
import type {
  FieldValues,
  PlannedWrite,
  WriteOperation,
  WritePlan,
  WriteSource,
} from '../../src/plan/write/write-operation.ts';
import { planWrites } from '../../src/plan/write/write-plan.ts';
import { callerOf, objectOf, sampleModel } from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const anyone = callerOf(model, ['organisation']);
const veiled = callerOf(model, ['veiled']);
const ID = '01900000-0000-7000-8000-00000000000a';

interface Setting {
  readonly caller?: Caller;
  readonly object?: typeof gadgets;
  readonly source?: WriteSource;
  readonly batch?: boolean;
}

function plan(
  operations: readonly WriteOperation[],
  { caller = anyone, object = gadgets, source = 'api', batch = false }: Setting = {},
): WritePlan {
  return planWrites(model, caller, object, { operations, source, batch });
}

function planOne(operation: WriteOperation, setting?: Setting): PlannedWrite {
  return plan([operation], setting).writes[0] as PlannedWrite;
}

function planFields(fields: FieldValues, setting?: Setting): PlannedWrite {
  return planOne({ action: 'create', fields }, setting);
}

function valuesOf(write: PlannedWrite): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...write.values].map(([field, value]) => [field.key, value]));
}

function problemsOf(action: () => unknown): readonly (readonly [string, string | undefined])[] {
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

function upsert(match: FieldValues, fields: FieldValues = {}, target = 'gadgets'): WriteOperation {
  return { action: 'upsert', target, match, fields };
}

describe('fields', () => {
  test('become canonical values; null and empty text clear', () => {
    const write = planFields({
      name: 'N',
      a_email: 'A@B.Co',
      a_integer: -0,
      a_text: '',
      a_number: null,
      a_datetime: '2025-01-01T01:00:00+01:00',
      owner_user_id: 5,
      custom_fields: { x_multi_select: ['red', 'red'], x_text: null, constructor: 'c' },
    });
    expect(write.problems).toEqual([]);
    expect(valuesOf(write)).toEqual({
      name: 'N',
      a_email: 'a@b.co',
      a_integer: 0,
      a_text: null,
      a_number: null,
      a_datetime: '2025-01-01T00:00:00.000Z',
      owner_user_id: 5,
      x_multi_select: ['red'],
      x_text: null,
      constructor: 'c',
    });
  });

  const unknown: readonly (readonly [FieldValues, string])[] = [
    [{ unknown: 1 }, 'fields.unknown'],
    [{ NAME: 1 }, 'fields.NAME'],
    [{ '': 1 }, 'fields.'],
    [{ "name' or 1=1--": 1 }, "fields.name' or 1=1--"],
    [{ 'a\0b': 1 }, 'fields.a\0b'],
    [{ version: 1 }, 'fields.version'],
    [{ [AUTHOR_KEY]: 1 }, 'fields.created_by_user_id'],
    [{ custom_status_id: 'new' }, 'fields.custom_status_id'],
    [{ x_text: 'jsonb' }, 'fields.x_text'],
    [{ 'custom_fields.x_text': 'dots' }, 'fields.custom_fields.x_text'],
    [{ custom_fields: { name: 'physical' } }, 'fields.custom_fields.name'],
    [{ custom_fields: { unknown: 1 } }, 'fields.custom_fields.unknown'],
    [{ custom_fields: { custom_fields: {} } }, 'fields.custom_fields.custom_fields'],
    [JSON.parse('{"__proto__": {"name": 1}}'), 'fields.__proto__'],
    [JSON.parse('{"custom_fields": {"__proto__": 1}}'), 'fields.custom_fields.__proto__'],
  ];

  test.each(unknown)('%j is unknown: 400 invalid_filter (D44)', (fields, param) => {
    expect(problemsOf(() => planFields(fields))).toEqual([['invalid_filter', param]]);
    expect('polluted' in {}).toBe(false);
  });

  const notWritable: readonly (readonly [FieldValues, string])[] = [
    [{ a_text: 'x' }, 'fields.a_text'],
    [{ secret: 'x' }, 'fields.secret'],
    [{ secret: null }, 'fields.secret'],
    [{ secret: 5 }, 'fields.secret'],
    [{ serial: 'read-only and hidden' }, 'fields.serial'],
    [{ custom_fields: { x_secret: 'x' } }, 'fields.custom_fields.x_secret'],
  ];

  test.each(notWritable)('%j without the permission: 403', (fields, param) => {
    const attempt = () => planFields(fields, { caller: veiled });
    expect(problemsOf(attempt)).toEqual([['permission_denied', param]]);
  });

  const broken: readonly (readonly [FieldValues, string])[] = [
    [{ a_number: 'five' }, 'fields.a_number'],
    [{ a_text: 5 }, 'fields.a_text'],
    [{ a_text: ['a'] }, 'fields.a_text'],
    [{ a_text: 'a\0' }, 'fields.a_text'],
    [{ a_select: 'purple' }, 'fields.a_select'],
    [{ rating: 6 }, 'fields.rating'],
    [{ code: 'lower' }, 'fields.code'],
    [{ a_reference: 'x' }, 'fields.a_reference'],
    [{ owner_user_id: '5' }, 'fields.owner_user_id'],
    [{ owner_user_id: 2 ** 40 }, 'fields.owner_user_id'],
    [{ serial: 'read-only' }, 'fields.serial'],
    [{ serial: null }, 'fields.serial'],
    [{ id: ID }, 'fields.id'],
    [{ status: 'built' }, 'fields.status'],
    [{ created_at: '2025-01-01' }, 'fields.created_at'],
    [{ updated_at: null }, 'fields.updated_at'],
    [{ custom_fields: { x_number: '5' } }, 'fields.custom_fields.x_number'],
    [{ custom_fields: null }, 'fields.custom_fields'],
    [{ custom_fields: [] }, 'fields.custom_fields'],
    [{ custom_fields: 'x' }, 'fields.custom_fields'],
  ];

  test.each(broken)('%j breaks a rule: 422, when the record is in order', (fields, param) => {
    const write = planFields(fields);
    expect(write.problems).toMatchObject([{ code: 'invalid_write', param }]);
    expect(valuesOf(write)).toEqual({});
  });

  test('a status names the way to move it', () => {
    const [problem] = planFields({ status: 'built' }).problems;
    expect(problem?.message.text).toContain('/status');
  });

  test('an unknown or forbidden key ends the write although rules are broken as well', () => {
    const fields = { a_number: 'five', unknown: 1, secret: 's', status: 'new' };
    expect(problemsOf(() => planFields(fields, { caller: veiled }))).toEqual([
      ['invalid_filter', 'fields.unknown'],
      ['permission_denied', 'fields.secret'],
    ]);
  });

  test('at most 500 at once, counting nested ones, and without looking at each', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const attempt = () => planFields({ ...many(300), custom_fields: many(201) });
    expect(problemsOf(attempt)).toEqual([['validation_failed', 'fields']]);
    let looks = 0;
    const tooMany = new Proxy(many(100_000), {
      get(fields, key) {
        looks += 1;
        return fields[String(key)];
      },
    });
    expect(problemsOf(() => planFields(tooMany))).toHaveLength(1);
    expect(looks).toBeLessThan(1000);
    const nested = () => planFields({ custom_fields: many(150_000) });
    expect(problemsOf(nested)).toEqual([['validation_failed', 'fields']]);
  });
});

describe('permission for the object', () => {
  const operations: readonly WriteOperation[] = [
    { action: 'create', fields: {} },
    { action: 'update', id: ID, fields: {} },
    { action: 'status', id: ID, status_id: 'built' },
    { action: 'delete', id: ID },
    upsert({ name: 'x' }),
  ];

  const allowed: readonly (readonly [role: string, actions: string[]])[] = [
    ['organisation', ['create', 'update', 'status', 'delete', 'upsert']],
    ['own', ['create', 'update', 'status', 'delete', 'upsert']],
    ['reader', []],
    ['creator', ['create', 'upsert']],
    ['updater', ['update', 'status', 'upsert']],
    ['admin', ['create', 'update', 'status', 'delete', 'upsert']],
  ];

  test.each(allowed)('%s may %j', (role, actions) => {
    const caller = callerOf(model, [role]);
    for (const operation of operations) {
      const attempt = () => plan([operation], { caller });
      if (actions.includes(operation.action)) expect(attempt).not.toThrow();
      else expect(problemsOf(attempt)).toEqual([['permission_denied', undefined]]);
    }
  });

  test('actions that the object does not support are refused to an administrator as well', () => {
    const caller = callerOf(model, ['admin']);
    const object = objectOf(model, 'ledgers');
    for (const operation of [...operations.slice(0, 4), upsert({ title: 'x' }, {}, 'ledgers')]) {
      const attempt = () => plan([operation], { caller, object });
      expect(problemsOf(attempt)).toEqual([['write_not_supported', undefined]]);
    }
  });

  test('comes before the fields', () => {
    const caller = callerOf(model, ['reader']);
    const attempt = () => planFields({ unknown: 1 }, { caller });
    expect(problemsOf(attempt)).toEqual([['permission_denied', undefined]]);
  });
});

describe('ids', () => {
  test.each([
    [ID.toUpperCase(), ID],
    ['42', null],
    ['', null],
    ["x' or 1=1", null],
    ['\0', null],
  ])('%j is %j', (id, expected) => {
    expect(planOne({ action: 'delete', id }).id).toBe(expected);
    expect(planOne({ action: 'update', id, fields: {} }).id).toBe(expected);
    expect(planOne({ action: 'status', id, status_id: 'new' }).id).toBe(expected);
  });

  test('are none of a create or an upsert', () => {
    expect(planFields({}).id).toBeUndefined();
    expect(planOne(upsert({ name: 'x' })).id).toBeUndefined();
  });
});

describe('batches', () => {
  test('name the operation in param and in the problem', () => {
    const attempt = () =>
      plan(
        [
          { action: 'create', fields: {} },
          { action: 'update', id: ID, fields: { unknown: 1, custom_fields: { nope: 1 } } },
          { action: 'create', fields: { secret: 1 } },
          upsert({ secret: 'x' }),
        ],
        { caller: veiled, batch: true },
      );
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'permission_denied',
        param: 'operations[2].fields.secret',
        details: {
          errors: [
            expect.objectContaining({
              param: 'operations[2].fields.secret',
              code: 'permission_denied',
              operation_index: 2,
              action: 'create',
            }),
            expect.objectContaining({ param: 'operations[3].match.secret', action: 'upsert' }),
            expect.objectContaining({ operation_index: 1, action: 'update' }),
            expect.objectContaining({ param: 'operations[1].fields.custom_fields.nope' }),
          ],
        },
      }),
    );
  });

  test('that are not allowed name the operation', () => {
    const caller = callerOf(model, ['creator']);
    const operations: WriteOperation[] = [
      { action: 'create', fields: {} },
      { action: 'delete', id: ID },
    ];
    const attempt = () => plan(operations, { caller, batch: true });
    expect(problemsOf(attempt)).toEqual([['permission_denied', 'operations[1]']]);
  });

  test('carry broken rules with their operation', () => {
    const operations: WriteOperation[] = [
      { action: 'create', fields: { name: 'fine' } },
      { action: 'create', fields: { name: 5 } },
    ];
    const { writes } = plan(operations, { batch: true });
    expect(
      writes.map(({ index, problems }) => [index, problems.map(({ param }) => param)]),
    ).toEqual([
      [0, []],
      [1, ['operations[1].fields.name']],
    ]);
  });
});

describe('upsert (D52)', () => {
  test('match is merged into the fields, keys in one order', () => {
    const one = planOne(upsert({ name: 'n', a_email: 'A@B.Co' }, { a_number: 1 }));
    const other = planOne(upsert({ a_email: 'a@b.co', name: 'n' }, { a_number: 1 }));
    const expected = [
      ['a_email', 'a@b.co'],
      ['name', 'n'],
    ];
    for (const write of [one, other]) {
      expect([...write.match].map(([field, value]) => [field.key, value])).toEqual(expected);
      expect(valuesOf(write)).toEqual({ a_email: 'a@b.co', name: 'n', a_number: 1 });
    }
  });

  const refused: readonly (readonly [WriteOperation, string, string])[] = [
    [upsert({}), 'validation_failed', 'match'],
    [
      upsert({ name: 'a', a_text: 'b', a_number: 1, a_date: '2025-01-01' }),
      'validation_failed',
      'match',
    ],
    [upsert({ name: 'a' }, {}, 'parts'), 'validation_failed', 'target'],
    [upsert({ name: 'a' }, {}, 'GADGETS'), 'validation_failed', 'target'],
    [upsert({ name: 'a' }, { name: 'b' }), 'validation_failed', 'match.name'],
    [upsert({ name: 'a' }, { name: null }), 'validation_failed', 'match.name'],
    [upsert({ unknown: 'a' }), 'invalid_filter', 'match.unknown'],
    [upsert({ x_text: 'a' }), 'invalid_filter', 'match.x_text'],
    [upsert({ custom_fields: {} }), 'invalid_filter', 'match.custom_fields'],
    [upsert({ name: null }), 'invalid_filter', 'match.name'],
    [upsert({ name: '' }), 'invalid_filter', 'match.name'],
    [upsert({ name: 5 }), 'invalid_filter', 'match.name'],
    [upsert({ name: ['a'] }), 'invalid_filter', 'match.name'],
    [upsert({ name: { eq: 'a' } }), 'invalid_filter', 'match.name'],
    [upsert({ name: '\0' }), 'invalid_filter', 'match.name'],
    [upsert({ a_number: '1' }), 'invalid_filter', 'match.a_number'],
    [upsert({ a_multi_select: ['red'] }), 'invalid_filter', 'match.a_multi_select'],
    [upsert({ a_json: { a: 1 } }), 'invalid_filter', 'match.a_json'],
    [upsert({ a_json: 'text' }), 'invalid_filter', 'match.a_json'],
    [upsert({ a_reference: 'x' }), 'invalid_filter', 'match.a_reference'],
    [upsert({ name: 'a' }, { unknown: 1 }), 'invalid_filter', 'fields.unknown'],
  ];

  test.each(refused)('%j is refused', (operation, code, param) => {
    expect(problemsOf(() => plan([operation]))).toEqual([[code, param]]);
  });

  test('a match on a field the caller may not read is 403', () => {
    for (const key of ['secret', 'serial', 'x_secret']) {
      const attempt = () => plan([upsert({ [key]: 'x' })], { caller: veiled });
      expect(problemsOf(attempt)).toEqual([['permission_denied', `match.${key}`]]);
    }
  });

  test('fields that cannot be written cannot be matched either', () => {
    for (const key of ['id', 'status', 'created_at', 'updated_at', 'serial']) {
      const write = planOne(upsert({ [key]: 'whatever it is', name: 'n' }));
      expect(valuesOf(write)).toEqual({ name: 'n' });
      expect(write.problems).toMatchObject([{ code: 'invalid_write', param: `match.${key}` }]);
    }
  });

  test('equal values in match and fields agree, also when written differently', () => {
    const write = planOne(upsert({ a_email: 'a@b.co' }, { a_email: 'A@B.CO' }));
    expect(valuesOf(write)).toEqual({ a_email: 'a@b.co' });
  });
});

describe('imports', () => {
  test('may set id, author, status, creation time and read-only fields; others may not', () => {
    const write = planFields(
      {
        id: ID,
        [AUTHOR_KEY]: 5,
        status: 'sold',
        created_at: '2020-01-01',
        serial: 's',
        name: 'n',
      },
      { source: 'import' },
    );
    expect(write.problems).toEqual([]);
    expect(valuesOf(write)).toEqual({
      id: ID,
      [AUTHOR_KEY]: 5,
      status: 'sold',
      created_at: '2020-01-01T00:00:00.000Z',
      serial: 's',
      name: 'n',
    });
    for (const key of ['id', 'updated_at']) {
      const { problems } = planFields({ [key]: ID }, { source: 'api' });
      expect(problems).toMatchObject([{ param: `fields.${key}` }]);
    }
  });

  test('take no author under custom_fields and no status outside the workflow', () => {
    const nested = { custom_fields: { [AUTHOR_KEY]: 5 } };
    expect(problemsOf(() => planFields(nested, { source: 'import' }))).toEqual([
      ['invalid_filter', `fields.custom_fields.${AUTHOR_KEY}`],
    ]);
    const { problems } = planFields({ status: 'unknown' }, { source: 'import' });
    expect(problems).toMatchObject([{ param: 'fields.status' }]);
  });
});
