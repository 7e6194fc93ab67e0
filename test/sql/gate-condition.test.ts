// The conditions of gates are judged in memory: they find what the same condition finds in a query, for every type and
// operator.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gate, GateCondition } from '../../src/model/definition/model.ts';
import { gateOperatorsOf, isGateClosed, parseGateValue } from '../../src/model/rights/gate.ts';
import {
  FIELD_TYPE_TRAITS,
  FIELD_TYPES,
  type FieldType,
} from '../../src/model/values/field-types.ts';
import { whereSql } from '../../src/sql/read/where-sql.ts';
import { identifier, joinSql, sql, toStatement } from '../../src/sql/sql.ts';
import { typeSql } from '../../src/sql/type-sql.ts';
import { fieldOf } from '../sample-definition.ts';
import { SAMPLES } from '../sample-values.ts';
import { openSampleWorkspace, type SampleWorkspace } from '../sample-workspace.ts';

let sample: SampleWorkspace;
beforeAll(async () => {
  sample = await openSampleWorkspace();
});
afterAll(() => sample?.own.drop());

const TYPES = FIELD_TYPES.filter((type) => gateOperatorsOf(type).length > 0);

/** Canonical values, some of them equal without being the same, and null. */
function valuesOf(type: FieldType): readonly unknown[] {
  const { accepted, pool } = SAMPLES[type];
  const { rules } = fieldOf(sample.object('gadgets'), `a_${type}`);
  const parsed = [...accepted.map(([one]) => one), ...pool].flatMap((value) => {
    const found = FIELD_TYPE_TRAITS[type].parse(value, rules);
    return 'value' in found ? [found.value] : [];
  });
  return [...parsed.slice(0, 25), null];
}

function conditionsOf(type: FieldType, values: readonly unknown[]): readonly GateCondition[] {
  const field = `a_${type}`;
  const known = values.flatMap((value) => value ?? []).slice(0, 12);
  return gateOperatorsOf(type).flatMap((op): readonly GateCondition[] => {
    if (op === 'is_null') return [true, false].map((value) => ({ field, op, value }));
    if (op === 'between') {
      return known.flatMap((low) => known.map((high) => ({ field, op, value: [low, high] })));
    }
    const isListed = ['in', 'not_in', 'has_any', 'has_all', 'has_none'].includes(op);
    if (!isListed) return known.map((value) => ({ field, op, value }));
    return known.map((value, index) => ({
      field,
      op,
      value: [value, known[(index * 7) % known.length]],
    }));
  });
}

test.each(TYPES)('%s', async (type) => {
  const gadgets = sample.object('gadgets');
  const field = fieldOf(gadgets, `a_${type}`);
  const values = valuesOf(type);
  expect(values.length).toBeGreaterThan(2);
  const rows = values.map(
    (value, at) =>
      sql`select ${at}::integer as at, ${value}::${typeSql(field.cast_type)} as ${identifier(field.column)}`,
  );
  const conditions = conditionsOf(type, values);
  const asked = conditions.map((when, index) => {
    const parsed = parseGateValue(type, when);
    if ('problem' in parsed) throw new Error(`${when.op}: ${parsed.problem}`);
    const condition = whereSql({ field, op: when.op, value: parsed.value });
    return sql`select ${index}::integer as index, t.at from v t where ${condition}`;
  });
  const all = sql`with v as (${joinSql(rows, ' union all ')}) ${joinSql(asked, ' union all ')}`;
  const answered = await sample.db.query(toStatement(all));
  const found = answered.map(({ index, at }) => `${index} ${at}`);
  const gate = { users: new Set(), teams: new Set(), required: 1, from: 'any' } as unknown as Gate;
  const judged = conditions.flatMap((when, index) =>
    values.flatMap((value, at) =>
      isGateClosed({ ...gate, when }, gadgets, () => value) ? [`${index} ${at}`] : [],
    ),
  );
  expect(judged.sort()).toEqual(found.sort());
  expect(judged.length).toBeGreaterThan(0);
});
