// What PostgreSQL makes of the values of every field type: casts, columns, moves between a column and
// `custom_fields`, changes of type.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  equalityKeyOf,
  FIELD_TYPE_TRAITS,
  FIELD_TYPES,
  type FieldType,
} from '../../src/model/field-types.ts';
import { fittingValue } from '../../src/model/fitting.ts';
import type { Field, ObjectModel } from '../../src/model/model.ts';
import { moveField, type Phased, retypeField } from '../../src/sql/column-sql.ts';
import { identifier, joinSql, type Sql, sql, toStatement } from '../../src/sql/sql.ts';
import { typeSql } from '../../src/sql/type-sql.ts';
import { equalitySql } from '../../src/sql/where-sql.ts';
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
    const { castType, columnType, isAnyJson } = FIELD_TYPE_TRAITS[type];
    const values = valuesOf(type);
    const cast = typeSql(castType);
    const alone = values.map((value, index) => {
      const stored = isAnyJson ? JSON.stringify(value) : value;
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

test.each(KEYED)('what values of %s are equal by is the same in PostgreSQL', async (type) => {
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
    `create table "${schema}"."${name}" (at integer, value ${FIELD_TYPE_TRAITS[type].columnType},
       custom_fields jsonb not null default '{}')`,
  );
  await ask(
    sql`insert into ${table} (at, value) select at, value
      from jsonb_to_recordset(${rows}::jsonb) as r(at integer, value ${cast})`,
  );
  return { object, field, table, values };
}

async function run(steps: readonly Phased[]): Promise<void> {
  for (const step of steps) {
    if (!('statement' in step)) continue;
    const { text } = toStatement(step.statement);
    await sample.own.rows(text);
  }
}

async function inColumn(table: Sql): Promise<readonly unknown[]> {
  return (await ask(sql`select value from ${table} order by at`)).map(({ value }) => value);
}

async function inJson(table: Sql): Promise<readonly unknown[]> {
  const rows = await ask(sql`select custom_fields from ${table} order by at`);
  return rows.map(({ custom_fields }) => (custom_fields as { value?: unknown }).value);
}

async function move(object: ObjectModel, field: Field, storage: Field['storage']): Promise<void> {
  await run(moveField(sample.model.schema, object, { ...field, storage }));
}

test.each(JSONB_TYPES)(
  '%s: moved to custom_fields and back, values are as before',
  async (type) => {
    const { object, field, table, values } = await makeTable(type, `moved_${type}`);
    await move(object, field, 'jsonb');
    expect(await inJson(table)).toEqual(values);
    await move(object, field, 'physical');
    expect(await inColumn(table)).toEqual(values);
  },
);

const CHANGES = FIELD_TYPES.flatMap((from) =>
  (Object.keys(FIELD_TYPE_TRAITS[from].becomes) as FieldType[]).map((to) => ({ from, to })),
);

/** Texts that are values of other types. */
const FITTING: Readonly<Record<string, readonly string[]>> = {
  integer: ['0', '-5', '2147483647', '-2147483648'],
  number: ['0', '-5', '1.50', '-0.0000001', '123456789012345'],
  currency: ['10.00'],
  percent: ['0.5'],
  date: ['0001-01-01', '2024-02-29', '9999-12-31'],
  select: OPTIONS,
  email: ['a@b.co'],
  phone: ['+1 234'],
  url: ['https://x.org/Ab'],
};

/** Values of the first type that the second one takes, and what they are then. */
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
  const { schema } = sample.model;
  const rules = to === 'select' ? { options: OPTIONS.map((value) => ({ value })) } : {};
  const change = { type: to, cast_type: FIELD_TYPE_TRAITS[to].castType, rules };
  const probe = fieldOf(sample.object('gadgets'), `a_${from}`);
  const fitting = fittingOf(probe, { ...probe, ...change });
  expect(fitting.size).toBeGreaterThan(0);
  const [values, expected] = [[...fitting.keys()], [...fitting.values()]];
  const { object, field, table } = await makeTable(from, `was_${from}_${to}`, values);
  await run(retypeField(schema, object, field, { ...field, ...change }));
  expect(await inColumn(table)).toEqual(expected);
  await sample.own.rows(`drop table "${schema}"."${object.table}"`);
  const again = await makeTable(from, object.table, values);
  await move(object, again.field, 'jsonb');
  const stored = { ...again.field, storage: 'jsonb' as const };
  await run(retypeField(schema, object, stored, { ...stored, ...change }));
  expect(await inJson(table)).toEqual(expected);
});
