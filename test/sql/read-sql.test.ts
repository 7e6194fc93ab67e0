// Text and parameters of the statement of a read. Its results are tested in flow/.

import { describe, expect, test } from 'vitest';
import { FIELD_TYPES } from '../../src/model/values/field-types.ts';
import type { ConditionInput } from '../../src/plan/read/filter.ts';
import { planGet, planList, type ReadPlan } from '../../src/plan/read/read-plan.ts';
import type { SortInput } from '../../src/plan/read/record-query.ts';
import { partsOf } from '../../src/plan/read/where.ts';
import { stretchesSql } from '../../src/sql/read/keyset-sql.ts';
import { pagesSql, readSql } from '../../src/sql/read/read-sql.ts';
import { toStatement } from '../../src/sql/sql.ts';
import { type ListParts, listOf } from '../list-request.ts';
import { callerOf, objectOf, sampleModel } from '../sample-definition.ts';
import { nfc, sorted } from './nfc.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const anyone = callerOf(model, ['organisation']);
const ID = '01900000-0000-7000-8000-00000000000a';
const DIGEST = '0123456789ab';

const IDENTITY = [
  't."id"',
  't."version"',
  't."created_at"',
  't."updated_at"',
  't."status"',
  't."owner_user_id"',
  't."name"',
].join(', ');
const FROM = 'from "ws_sample"."gadgets" t';

function list(request: ListParts = {}, caller = anyone, object = gadgets): ReadPlan {
  return planList(model, caller, object, listOf(request));
}

/** The statement on one line. */
function statement(plan: ReadPlan): readonly [text: string, ...values: unknown[]] {
  const { text, values } = toStatement(readSql(plan));
  return [text.replace(/\s+/g, ' '), ...values];
}

/** The text between `where` and `order by`, and the parameters but for the limit. */
function where(plan: ReadPlan): readonly [text: string, ...values: unknown[]] {
  const [text, ...values] = statement(plan);
  const match = / where (.*) order by /.exec(text);
  return [match?.[1] ?? '', ...values.slice(0, -1)];
}

function filter(field: string, op: ConditionInput['op'], value: unknown): ConditionInput {
  return { param: 'p', field, op, value, text: false };
}

function sortBy(...keys: readonly string[]): readonly SortInput[] {
  return keys.map((key) =>
    key.startsWith('-')
      ? { param: 'sort', field: key.slice(1), direction: 'desc' }
      : { param: 'sort', field: key, direction: 'asc' },
  );
}

describe('columns', () => {
  test('a list has identity and display, one row more than the page, and no count', () => {
    expect(statement(list())).toEqual([
      `select ${IDENTITY} ${FROM} where true order by t."created_at" desc, t."id" desc limit $1`,
      26,
    ]);
  });

  test('fields and sort keys are added once; jsonb fields share a column', () => {
    const fields = ['name', 'a_text', 'x_text', 'x_number', 'id'];
    const [text] = statement(list({ fields, sort: sortBy('status', 'a_text', 'a_date') }));
    expect(text).toBe(
      `select ${IDENTITY}, t."a_text", t."custom_fields", t."a_date" ${FROM} where true order by t."status" asc, ${sorted('t."a_text"')} asc, t."a_date" asc, t."id" asc limit $1`,
    );
  });

  test('fields that the caller may not read are not selected', () => {
    const nameless = callerOf(model, ['nameless']);
    expect(statement(list({ fields: ['name'] }, nameless))[0]).not.toContain('"name"');
    const veiled = callerOf(model, ['veiled']);
    const [text] = statement(planGet(model, veiled, gadgets, { ids: [ID], fields: undefined }));
    expect(text).not.toContain('secret"');
    expect(text).not.toContain('"serial"');
  });

  test('an object without owner and workflow has no such columns', () => {
    const [text] = statement(list({}, anyone, objectOf(model, 'parts')));
    expect(text).toBe(
      'select t."id", t."version", t."created_at", t."updated_at", t."label" from "ws_sample"."parts" t where true order by t."created_at" desc, t."id" desc limit $1',
    );
  });

  test('several pages have a row more each, and the order of the walk', () => {
    const plan = list();
    const { text } = toStatement(pagesSql(plan, [undefined]));
    const own = 'order by t."created_at" desc, t."id" desc limit $3';
    expect(text.replace(/\s+/g, ' ')).toContain(
      `${own}) t order by s."_page", t.created_at desc, t.id desc`,
    );
  });

  test('single records have neither order nor limit', () => {
    const request = { ids: [ID], fields: ['a_number'] };
    expect(statement(planGet(model, callerOf(model, ['own']), gadgets, request))).toEqual([
      `select ${IDENTITY}, t."a_number" ${FROM} where t."owner_user_id" = $1::integer and t.id = any($2::uuid[])`,
      1,
      [ID],
    ]);
  });
});

describe('reach', () => {
  test.each([
    ['own', 'gadgets', 't."owner_user_id" = $1::integer', 4],
    ['team', 'gadgets', 't."owner_user_id" = any($1::integer[])', [4, 5]],
    ['own', 'parts', 't."created_by_user_id" = $1::integer', 4],
    ['team', 'parts', 't."created_by_user_id" = any($1::integer[])', [4, 5]],
  ])('%s of %s', (role, objectType, text, ids) => {
    const caller = callerOf(model, [role], { id: 4, colleagues: [5] });
    expect(where(list({}, caller, objectOf(model, objectType)))).toEqual([text, ids]);
  });

  test('comes before everything else', () => {
    const caller = callerOf(model, ['own']);
    const [text] = where(list({ filters: [filter('a_number', 'eq', 1)], text: 'x' }, caller));
    expect(text).toMatch(/^t\."owner_user_id" = \$1::integer and /);
  });
});

describe('filters', () => {
  const cases: readonly (readonly [ConditionInput, string, unknown])[] = [
    [filter('a_text', 'eq', 'x'), `${nfc('t."a_text"')} = $1::text`, 'x'],
    [filter('a_text', 'ne', 'x'), `${nfc('t."a_text"')} is distinct from $1::text`, 'x'],
    [filter('a_text', 'lt', 'x'), `${nfc('t."a_text"')} < $1::text`, 'x'],
    [filter('a_text', 'lte', 'x'), `${nfc('t."a_text"')} <= $1::text`, 'x'],
    [filter('a_text', 'gt', 'x'), `${nfc('t."a_text"')} > $1::text`, 'x'],
    [filter('a_text', 'gte', 'x'), `${nfc('t."a_text"')} >= $1::text`, 'x'],
    [filter('a_text', 'in', ['x', 'y']), `${nfc('t."a_text"')} = any($1::text[])`, ['x', 'y']],
    [filter('a_number', 'eq', '1.5'), 't."a_number" = $1::numeric', 1.5],
    [filter('a_integer', 'in', [1]), 't."a_integer" = any($1::integer[])', [1]],
    [filter('a_boolean', 'ne', true), 't."a_boolean" is distinct from $1::boolean', true],
    [filter('a_date', 'gte', '2025-01-01'), 't."a_date" >= $1::date', '2025-01-01'],
    [
      filter('a_datetime', 'lt', '2025-01-01'),
      't."a_datetime" < $1::timestamptz(3)',
      '2025-01-01T00:00:00.000Z',
    ],
    [filter('a_select', 'eq', 'red'), 't."a_select" = $1::text', 'red'],
    [filter('a_multi_select', 'eq', 'red'), 't."a_multi_select" && $1::text[]', ['red']],
    [
      filter('a_multi_select', 'in', ['red', 'x']),
      't."a_multi_select" && $1::text[]',
      ['red', 'x'],
    ],
    [filter('a_reference', 'eq', ID), 't."a_reference" = $1::uuid', ID],
    [filter('a_user', 'in', [1, 2]), 't."a_user" = any($1::integer[])', [1, 2]],
    [filter('id', 'gt', ID), 't."id" > $1::uuid', ID],
    [filter('id', 'in', [ID]), 't."id" = any($1::uuid[])', [ID]],
  ];

  test.each(cases)('%o', (input, text, value) => {
    expect(where(list({ filters: [input] }))).toEqual([text, value]);
  });

  test.each(FIELD_TYPES)('emptiness of a %s needs no parameter', (type) => {
    const key = `a_${type}`;
    expect(where(list({ filters: [filter(key, 'is_null', true)] }))).toEqual([
      `t."${key}" is null`,
    ]);
    expect(where(list({ filters: [filter(key, 'is_null', false)] }))).toEqual([
      `t."${key}" is not null`,
    ]);
  });

  test('are all combined with and', () => {
    const filters = [
      filter('a_number', 'gt', 1),
      filter('a_number', 'lt', 5),
      filter('name', 'eq', 'n'),
    ];
    expect(where(list({ filters }))).toEqual([
      `t."a_number" > $1::numeric and t."a_number" < $2::numeric and ${nfc('t."name"')} = $3::text`,
      1,
      5,
      'n',
    ]);
  });

  test.each([
    ['100%_\\', '%100\\%\\_\\\\%'],
    ["'; drop table x; --", "%'; drop table x; --%"],
    ['$1', '%$1%'],
  ])('the text %j is matched as it is', (text, pattern) => {
    expect(where(list({ text }))).toEqual([
      '"workspace_records"."folded"(t."name") like "workspace_records"."folded"($1::text)',
      pattern,
    ]);
  });
});

interface Part {
  readonly where: string;
  readonly order: string;
  readonly values: readonly unknown[];
}

function stretches(plan: ReadPlan): readonly Part[] {
  return stretchesSql(plan).map(({ where, order }) => {
    const { text, values } = toStatement(where);
    return {
      where: text.replace(/\s+/g, ' '),
      order: toStatement(order).text.replace(' order by ', ''),
      values,
    };
  });
}

const moment = '2025-01-01T00:00:00.000Z';

const NAME = sorted('t."name"');

describe('order: nulls last in both directions, an index for each part (D29)', () => {
  test.each([
    [[], ['t."created_at" desc, t."id" desc']],
    [['-status'], ['t."status" desc, t."id" desc']],
    [['id', '-name'], [`t."id" asc, ${NAME} desc nulls last`]],
    [['name'], [`${NAME} asc, t."id" asc`, `${NAME} asc, t."id" asc`]],
    [['-name'], [`${NAME} desc, t."id" desc`, `${NAME} desc, t."id" desc`]],
    [
      ['-a_number', '-name', 'status'],
      [
        `t."a_number" desc, ${NAME} desc nulls last, t."status" asc, t."id" asc`,
        `t."a_number" desc, ${NAME} desc nulls last, t."status" asc, t."id" asc`,
      ],
    ],
  ])('%j', (sort, orders) => {
    const parts = stretches(list({ sort: sortBy(...sort) }));
    expect(parts.map(({ order }) => order)).toEqual(orders);
  });

  test('values and nulls of the first key are two parts of one statement', () => {
    const [text, ...parameters] = statement(list({ sort: sortBy('-a_number'), limit: 2 }));
    const columns = `${IDENTITY}, t."a_number"`;
    const part = (condition: string, limit: number) =>
      `select ${columns} ${FROM} where ${condition} order by t."a_number" desc, t."id" desc limit $${limit}`;
    const values = part('t."a_number" is not null', 1);
    const nulls = part('(select count(*) from page) <= $2 and t."a_number" is null', 3);
    expect(text).toBe(
      `with page as (${values}) select * from (select * from page union all (${nulls})) t order by t."a_number" desc nulls last, t."id" desc nulls last limit $4`,
    );
    expect(parameters).toEqual([3, 2, 3, 3]);
  });

  test('without a limit there is one part', () => {
    const plan = { ...list({ sort: sortBy('-name') }), limit: undefined };
    expect(stretches(plan).map(({ order }) => order)).toEqual([
      `${NAME} desc nulls last, t."id" desc`,
    ]);
  });
});

describe('after a cursor', () => {
  const name = 't."name"';
  const long = { prefix: 'abc d', digest: DIGEST };
  const found = (first: number) =>
    `select t."name" from "ws_sample"."gadgets" t where t.id = $${first}::uuid and left(encode(sha256(convert_to(t."name", 'UTF8')), 'hex'), 12) = $${first + 1}`;
  const fromLong = (first: number) => `coalesce((${found(first)}), $${first + 2}::text)`;
  const toLong = (first: number) => {
    const ends = [2, 3].map((more) => sorted(`$${first + more}::text`));
    return `coalesce((${found(first)}), greatest(${ends.join(', ')}))`;
  };
  const nulls = { where: `${name} is null`, values: [] };

  const cases: readonly (readonly [
    sort: string[],
    after: ReadPlan['after'],
    parts: readonly Omit<Part, 'order'>[],
  ])[] = [
    [
      [],
      [moment, ID],
      [
        {
          where: '(t."created_at", t."id") < ($1::timestamptz(3), $2::uuid)',
          values: [moment, ID],
        },
      ],
    ],
    [['id'], [ID], [{ where: '(t."id") > ($1::uuid)', values: [ID] }]],
    [
      ['-status', 'created_at'],
      ['new', moment, ID],
      [
        {
          where:
            '((t."status" < $1::text) or (t."status" = $2::text and t."created_at" > $3::timestamptz(3)) or (t."status" = $4::text and t."created_at" = $5::timestamptz(3) and t."id" > $6::uuid))',
          values: ['new', 'new', moment, 'new', moment, ID],
        },
      ],
    ],
    [
      ['name'],
      ['n', ID],
      [
        {
          where: `${name} is not null and ${NAME} >= $1::text and (${NAME}, t."id") > ($2::text, $3::uuid)`,
          values: ['n', 'n', ID],
        },
        nulls,
      ],
    ],
    [
      ['-name'],
      ['n', ID],
      [
        {
          where: `${name} is not null and ${NAME} <= $1::text and (${NAME}, t."id") < ($2::text, $3::uuid)`,
          values: ['n', 'n', ID],
        },
        nulls,
      ],
    ],
    [['name'], [null, ID], [{ where: `${name} is null and (t."id") > ($1::uuid)`, values: [ID] }]],
    [
      ['-name', 'a_number'],
      [null, null, ID],
      [
        {
          where: `${name} is null and ((t."a_number" is null and t."id" > $1::uuid))`,
          values: [ID],
        },
      ],
    ],
    [
      ['status', '-a_number'],
      ['new', 5, ID],
      [
        {
          where:
            '((t."status" > $1::text) or (t."status" = $2::text and (t."a_number" < $3::numeric or t."a_number" is null)) or (t."status" = $4::text and t."a_number" = $5::numeric and t."id" < $6::uuid))',
          values: ['new', 'new', 5, 'new', 5, ID],
        },
      ],
    ],
    [
      ['-name'],
      [long, ID],
      [
        {
          where: `${name} is not null and ${NAME} <= ${toLong(1)} and ((${NAME} < ${toLong(5)}) or (${NAME} = ${toLong(9)} and t."id" < $13::uuid))`,
          values: [
            ...Array(3)
              .fill([ID, DIGEST, 'abc\uFFFF', `abc${'\u{10FFFF}'.repeat(8)}`])
              .flat(),
            ID,
          ],
        },
        nulls,
      ],
    ],
    [
      ['id', 'name'],
      [ID, long],
      [
        {
          where: `((t."id" > $1::uuid) or (t."id" = $2::uuid and (${NAME} > ${fromLong(3)} or ${name} is null)))`,
          values: [ID, ID, ID, DIGEST, 'abc'],
        },
      ],
    ],
  ];

  test.each(cases)('%j after %j', (sort, after, parts) => {
    const plan: ReadPlan = { ...list({ sort: sortBy(...sort) }), after };
    expect(stretches(plan).map(({ where: text, values }) => ({ where: text, values }))).toEqual(
      parts,
    );
  });
});

describe('injection', () => {
  const HOSTILE = `'"\\; drop table x; -- $1 %s {{}} */`;

  test('no value reaches the text', () => {
    const filters = [
      filter('a_text', 'eq', HOSTILE),
      filter('a_long_text', 'in', [HOSTILE, `${HOSTILE}2`]),
      filter('a_select', 'ne', HOSTILE),
      filter('a_multi_select', 'in', [HOSTILE]),
      filter('a_email', 'lt', HOSTILE),
    ];
    const plan = {
      ...list({ filters, text: HOSTILE, sort: sortBy('name') }),
      after: [HOSTILE, ID],
    };
    const [text, ...values] = statement(plan);
    expect(text).not.toContain('drop table');
    expect(JSON.stringify(values)).toContain('drop table');
  });

  test('the text depends on the shape of the request, not on its values', () => {
    const shape = (value: string, limit: number) => {
      const filters = [
        filter('a_text', 'eq', value),
        filter('a_number', 'in', Array(limit).fill(1)),
      ];
      return statement({ ...list({ filters, text: value, limit }), after: [value, ID] })[0];
    };
    expect(shape('a', 1)).toBe(shape(HOSTILE, 100));
  });

  test('names of schema and table are quoted', () => {
    const hostile = { ...gadgets, table: 'x"; drop table y; --' };
    const [text] = statement({ ...list(), schema: 'ws_"a', object: hostile });
    expect(text).toContain('from "ws_""a"."x""; drop table y; --" t where');
  });

  test('a cast that is none of the known ones is a broken invariant', () => {
    const plan = list({ filters: [filter('a_text', 'eq', 'x')] });
    const [condition] = partsOf(plan.where);
    if (condition === undefined || !('field' in condition)) return expect.fail('no condition');
    const field = { ...condition.field, cast_type: 'text; drop table x' };
    const where = { all: [{ ...condition, field }] };
    expect(() => readSql({ ...plan, where })).toThrow(/unknown type/);
  });
});
