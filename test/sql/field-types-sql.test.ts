// The values of every field type in PostgreSQL: casts, columns, moves between a column and `custom_fields`, changes
// of type.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { change as changeOf } from '../../src/definitions/changes/change-notice.ts';
import { addColumnSql, fillPageSql, fillSql } from '../../src/definitions/changes/value-sql.ts';
import { fittingValue } from '../../src/model/definition/fitting.ts';
import type { Field, ObjectModel } from '../../src/model/definition/model.ts';
import {
  equalityKeyOf,
  FIELD_TYPE_TRAITS,
  FIELD_TYPES,
  type FieldType,
} from '../../src/model/values/field-types.ts';
import { equalitySql } from '../../src/sql/read/where-sql.ts';
import { identifier, joinSql, type Sql, sql, toStatement } from '../../src/sql/sql.ts';
import { typeSql } from '../../src/sql/type-sql.ts';
import { OPTIONS } from '../field-samples.ts';
import { fieldOf, JSONB_TYPES } from '../sample-definition.ts';
import { SAMPLES } from '../sample-values.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;
beforeAll(async () => {
  sample = await openSampleWorkspace();
});
afterAll(() => sample?.own.drop());

/** Canonical values that a field can have; not too long, for they come often. */
function valuesOf(type: FieldType): readonly unknown[] {
  const traits = FIELD_TYPE_TRAITS[type];
  const { accepted, pool, arbitrary } = SAMPLES[type];
  const made = fc.sample(arbitrary, { numRuns: 30, seed: 11 });
  const { rules } = fieldOf(sample.object('gadgets'), `a_${type}`);
  const given = [...accepted.map(([one]) => one), ...pool, ...made];
  return given.flatMap((value) => {
    const parsed = traits.parse(value, rules);
    return 'value' in parsed && parsed.value !== null ? [parsed.value] : [];
  });
}

function ask(statement: Sql) {
  return sample.db.query(toStatement(statement));
}

test.each(FIELD_TYPES)(
  'a value of %s is the same behind a cast, alone and in a record set',
  async (type) => {
    const { castType, columnType } = FIELD_TYPE_TRAITS[type];
    const values = valuesOf(type);
    const cast = typeSql(castType);
    const alone = values.map((value, index) => {
      const stored = String(castType) === 'jsonb' ? JSON.stringify(value) : value;
      return sql`select ${index}::integer as at, ${stored}::${cast} as value`;
    });
    const one = await ask(sql`${joinSql(alone, ' union all ')} order by at`);
    expect(one.map(({ value }) => value)).toEqual(values);
    const sent = JSON.stringify(values.map((value, at) => ({ at, value })));
    const set = sql`jsonb_to_recordset(${sent}::jsonb) as r(at integer, value ${cast})`;
    const all = await ask(sql`select value from ${set} order by at`);
    expect(all.map(({ value }) => value)).toEqual(values);
    expect(columnType.startsWith(castType)).toBe(true);
  },
);

const KEYED = FIELD_TYPES.filter((type) => FIELD_TYPE_TRAITS[type].equalityKey !== undefined);

test.each(KEYED)('the equality keys of values of %s are the same in PostgreSQL', async (type) => {
  const { castType } = FIELD_TYPE_TRAITS[type];
  const field = fieldOf(sample.object('gadgets'), `a_${type}`);
  const values = [...valuesOf(type), 'x\u0661\u00b2 1\n2', '', 'no digit'];
  const list = sql`unnest(${values}::${typeSql(castType)}[]) with ordinality as v(value, place)`;
  const rows = await ask(
    sql`select ${equalitySql(field, sql`v.value`)} as key from ${list} order by v.place`,
  );
  expect(rows.map(({ key }) => key)).toEqual(values.map((value) => equalityKeyOf(field, value)));
});

/** A table of one field, which is a column first. */
async function makeTable(
  type: FieldType,
  name: string,
  values: readonly unknown[] = valuesOf(type),
) {
  const { schema } = sample.model;
  const object = { ...sample.object('gadgets'), table: name };
  const field = {
    ...fieldOf(object, `a_${type}`),
    key: 'value',
    custom_key: 'value',
    column: 'value',
  };
  const table = identifier(schema, name);
  const cast = typeSql(field.cast_type);
  const rows = JSON.stringify(values.map((value, at) => ({ at, value })));
  await sample.own.rows(
    `create table "${schema}"."${name}" (id uuid default gen_random_uuid(), at integer, value ${FIELD_TYPE_TRAITS[type].columnType},
       custom_fields jsonb not null default '{}')`,
  );
  await ask(
    sql`insert into ${table} (at, value) select at, value
      from jsonb_to_recordset(${rows}::jsonb) as r(at integer, value ${cast})`,
  );
  return { object, field, table, values };
}

const NOTE = changeOf({ kind: 'note', path: '' }, '~ a field');

/** The values of `from`, converted to those of `field` in another column. */
async function storeAgain(object: ObjectModel, from: Field, field: Field, name = 'built') {
  const { object_type, table } = object;
  const build = { object, field, object_type, table, from, statuses: [], change: NOTE };
  const built = { build, name, indexes: [] };
  const { schema } = sample.model;
  if (field.storage === 'physical') await ask(addColumnSql(schema, built));
  const [last] = await ask(
    sql`select id from ${identifier(schema, table)} order by id desc limit 1`,
  );
  const page = { after: null, last: String(last?.id), limit: 1000 };
  expect(await ask(fillPageSql(schema, built, page))).toEqual([{ last: last?.id }]);
  const values = () =>
    ask(
      field.storage === 'physical'
        ? sql`select ${identifier(name)} as value from ${identifier(schema, table)} order by at`
        : sql`select custom_fields -> ${name} as value from ${identifier(schema, table)} order by at`,
    ).then((rows) => rows.map(({ value }) => value));
  const filled = await values();
  const ids = await ask(sql`select id from ${identifier(schema, table)}`);
  await ask(
    fillSql(
      schema,
      built,
      ids.map(({ id }) => String(id)),
    ),
  );
  expect(await values()).toEqual(filled);
  return filled;
}

/** A table whose values are in `custom_fields` under the key `built`. */
async function makeInside(type: FieldType, name: string, values: readonly unknown[]) {
  const made = await makeTable(type, name, values);
  const inside = { ...made.field, storage: 'jsonb' as const, custom_key: 'built' };
  const stored = await storeAgain(made.object, made.field, inside);
  return { ...made, inside, stored };
}

test.each(JSONB_TYPES)(
  '%s: moved to custom_fields and back, values are as before',
  async (type) => {
    const values = valuesOf(type);
    const { object, field, inside, stored } = await makeInside(type, `moved_${type}`, values);
    const empty = values.map((value) => value ?? null);
    expect(stored).toEqual(empty);
    expect(await storeAgain(object, inside, field, 'back')).toEqual(empty);
  },
);

const CHANGES = FIELD_TYPES.flatMap((from) =>
  (Object.keys(FIELD_TYPE_TRAITS[from].becomes) as FieldType[]).map((to) => ({ from, to })),
);

const labelOf = (value: string) => `Label of ${value}`;
const LABELLED = { options: OPTIONS.map((value) => ({ value, label: labelOf(value) })) };

/** Texts that are values of other types. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  integer: ['0', '-5', '2147483647', '-2147483648'],
  number: ['0', '-5', '1.50', '-0.0000001', '123456789012345'],
  currency: ['10.00'],
  percent: ['0.5'],
  date: ['0001-01-01', '2024-02-29', '9999-12-31'],
  select: [...OPTIONS, ...OPTIONS.map(labelOf)],
  email: ['a@b.co'],
  phone: ['+1 234'],
  url: ['https://x.org/Ab'],
};

/** Values of the first type that the second one takes, and their converted forms. */
function fittingOf(from: Field, into: Field): ReadonlyMap<unknown, unknown> {
  const conversion = FIELD_TYPE_TRAITS[from.type].becomes[into.type];
  const written = from.type === 'text' ? (FITTING[into.type] ?? []) : [];
  const midnight = from.type === 'datetime' ? ['2024-02-29T00:00:00.000Z'] : [];
  const fitting = [...valuesOf(from.type), ...written, ...midnight].flatMap((value) => {
    const parsed = fittingValue(from, into, value);
    // A conversion without conditions takes every value.
    if ('problem' in parsed) expect(conversion?.isPartial ?? conversion?.loses).toBe(true);
    return 'value' in parsed ? [[value, parsed.value] as const] : [];
  });
  return new Map(fitting);
}

test.each(CHANGES)('$from becomes $to, in a column and in custom_fields', async ({ from, to }) => {
  const rules = to === 'select' ? LABELLED : {};
  const change = { type: to, cast_type: FIELD_TYPE_TRAITS[to].castType, rules };
  const known = fieldOf(sample.object('gadgets'), `a_${from}`);
  const probe = from === 'select' ? { ...known, rules: LABELLED } : known;
  const fitting = fittingOf(probe, { ...probe, ...change });
  expect(fitting.size).toBeGreaterThan(0);
  const [values, expected] = [[...fitting.keys()], [...fitting.values()]];
  const made = await makeTable(from, `was_${from}_${to}`, values);
  const { object } = made;
  const field = { ...made.field, rules: probe.rules };
  expect(await storeAgain(object, field, { ...field, ...change })).toEqual(expected);
  if (!JSONB_TYPES.includes(from) || !JSONB_TYPES.includes(to)) return;
  const within = await makeInside(from, `within_${from}_${to}`, values);
  const inside = { ...within.inside, rules: probe.rules };
  const again = within.object;
  const retyped = { ...inside, ...change, custom_key: 'value' };
  expect(await storeAgain(again, inside, retyped, 'next')).toEqual(expected);
  // Another type and another place at once.
  expect(await storeAgain(again, field, retyped, 'third')).toEqual(expected);
  expect(await storeAgain(again, inside, { ...field, ...change }, 'both')).toEqual(expected);
});
