// The statement of a page does not depend on rollups, whether they are asked for or not, and that of rollups needs little
// memory.

import { expect, test } from 'vitest';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument } from '../../src/model/definition/definition.ts';
import { planExpanded } from '../../src/plan/read/expand-plan.ts';
import { readSql } from '../../src/sql/read/read-sql.ts';
import { rollupsSql } from '../../src/sql/read/rollup-sql.ts';
import { toStatement } from '../../src/sql/sql.ts';
import { listOf } from '../list-request.ts';
import { callerOf, objectOf, SAMPLE_IDENTITY } from '../sample-definition.ts';

const reference = { object_type: 'parts', field: 'whole' };
const fields = {
  name: { type: 'text' },
  parts: { type: 'rollup', rollup: { reference, op: 'count' } },
  newest: { type: 'rollup', rollup: { reference, op: 'last', field: 'name' } },
};
const parts = {
  whole: { type: 'reference', reference_object_type: 'wholes' },
  name: { type: 'text' },
};
const document = {
  objects: {
    wholes: { name: 'Wholes', singular_name: 'Whole', fields },
    parts: { name: 'Parts', singular_name: 'Part', fields: parts },
  },
  roles: { admin: { administrator: true } },
} as unknown as DefinitionDocument;
const model = compileModel(SAMPLE_IDENTITY, document);

const planned = (...keys: readonly string[]) => {
  const request = listOf({ fields: keys });
  return planExpanded(model, callerOf(model, ['admin']), objectOf(model, 'wholes'), request);
};

test('the newest value of a group is found without an aggregate that keeps all of them', () => {
  const [newest, ...others] = planned('newest').rollups ?? [];
  if (newest === undefined || others.length > 0) throw new Error('not one rollup');
  const { text } = toStatement(rollupsSql([newest], []));
  expect(text).not.toMatch(/array_agg|order by/);
});

test('a page has the same statement with and without a rollup', () => {
  const [plain, asked] = [planned('name'), planned('name', 'parts')];
  expect(toStatement(readSql(asked))).toEqual(toStatement(readSql(plain)));
  expect(plain.rollups).toBeUndefined();
  expect(asked.rollups?.map(({ rollup }) => rollup.key)).toEqual(['parts']);
});
