// The plan's counts of the data: how many records violate a stricter rule, have a value that another type does not
// take, or lose something; and that rules which only become stricter change no record.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { applyDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { planForRequest } from '../../src/definitions/apply/definition-requests.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let workspace: WorkspaceRow;

const CARS = {
  objects: {
    cars: {
      ...{ name: 'Cars', singular_name: 'Car', display_field: 'name' },
      fields: {
        name: { type: 'text' },
        code: { type: 'text' },
        size: { type: 'number' },
        deep: { type: 'number', storage: 'jsonb' },
        at: { type: 'datetime' },
        kind: { type: 'select', options: [{ value: 'a' }, { value: 'b' }] },
      },
    },
    vans: {
      name: 'Vans',
      singular_name: 'Van',
      fields: { car_id: { type: 'reference', reference_object_type: 'cars' } },
    },
  },
  relationships: {
    pairs: { name: 'P', kind: 'link', from: 'cars', to: 'vans', cardinality: 'many_to_many' },
  },
};

beforeAll(async () => {
  own = await createMigratedDatabase();
  workspace = await createWorkspace(own.db, { slug: 'costs', document: CARS });
  await own.rows(
    `insert into ws_costs.cars (id, created_by_user_id, name, code, size, at, kind, custom_fields)
    select gen_random_uuid(), 1, n.name, n.code, n.size, n.at::timestamptz, n.kind, n.custom::jsonb
    from (values
      ('Al', '1', 1.25, '2024-01-01T00:00:00Z', 'a', '{"deep": 1}'),
      ('Betty', 'x', 20, '2024-01-01T10:00:00Z', 'b', '{"deep": -1}'),
      ('Cy 😀', null, null, null, 'a', '{}')) n (name, code, size, at, kind, custom)`,
  );
});
afterAll(() => own?.drop());

async function planOf(patch: unknown) {
  const { id } = (await findWorkspace(own.db, 'costs')) ?? workspace;
  return planForRequest(own.db, id, { patch: mergePatch(CARS, patch) }, true);
}

const field = (key: string, words: object) => ({ objects: { cars: { fields: { [key]: words } } } });

test.each<[string, object, number]>([
  ['a minimum', field('size', { minimum: 2 }), 1],
  ['a maximum', field('size', { maximum: 19.5 }), 1],
  ['a maximum that all keep', field('size', { maximum: 20 }), 0],
  ['a scale', field('size', { scale: 1 }), 1],
  ['a minimum within custom_fields', field('deep', { minimum: 0 }), 1],
  ['a length in characters', field('name', { maxLength: 4 }), 1],
  ['a least length', field('name', { minLength: 3 }), 1],
  ['a pattern', field('code', { pattern: '^[0-9]+$' }), 1],
  ['a required field', field('code', { required: true }), 1],
  ['a new required field', field('extra', { type: 'text', required: true }), 3],
])('%s: records that do not keep to it are counted, and stay', async (_, patch, rows) => {
  const { changes, problems, plan_id } = await planOf(patch);
  expect(problems).toEqual([]);
  expect(plan_id).not.toBeNull();
  expect(changes).toMatchObject([{ effect: 'none', rows, allow: null }]);
});

test.each<[string, object, number]>([
  ['a field', field('code', null as never), 2],
  ['a field within custom_fields', field('deep', null as never), 2],
  ['an object', { objects: { vans: null }, relationships: { pairs: null } }, 0],
  ['moments to days', field('at', { type: 'date' }), 1],
  ['owners', { objects: { cars: { owned: false } } }, 0],
])('%s: a loss is counted and has a name', async (_, patch, rows) => {
  const { changes, problems } = await planOf(patch);
  expect(problems).toEqual([]);
  const [lost] = changes.filter(({ effect }) => effect === 'loses');
  expect(lost).toMatchObject({ rows, allow: expect.any(String) });
});

test.each<[string, object, readonly unknown[]]>([
  ['text to integer', field('code', { type: 'integer' }), ['x']],
  ['number to integer', field('size', { type: 'integer' }), [1.25]],
  ['text to select', field('code', { type: 'select', options: [{ value: '1' }] }), ['x']],
  ['text to date', field('code', { type: 'date' }), ['1', 'x']],
  ['an option', field('kind', { options: [{ value: 'a' }] }), []],
])('%s: refused with the values that block it', async (_, patch, values) => {
  const { problems, plan_id } = await planOf(patch);
  expect(plan_id).toBeNull();
  expect(problems).toHaveLength(1);
  const told = (problems[0]?.records ?? []).map(({ value }) => value);
  expect(told.toSorted()).toEqual(values.toSorted());
});

test('rebuilt rows are counted', async () => {
  const { changes } = await planOf(field('size', { type: 'text' }));
  expect(changes[0]).toMatchObject({ effect: 'rewrites', rows: 3 });
  const moved = await planOf(field('size', { storage: 'jsonb' }));
  expect(moved.changes).toMatchObject([{ effect: 'rewrites', rows: 3 }]);
});

test('plans are not made of values alone: the same document has another id in another revision', async () => {
  const patch = field('size', { minimum: 0 });
  const [first, same] = [await planOf(patch), await planOf(patch)];
  expect(same.plan_id).toBe(first.plan_id);
  await applyDefinition(own.db, 'costs', mergePatch(CARS, { name: 'Costs' }));
  const later = await planOf(patch);
  expect(later.revision).toBe(first.revision + 1);
  expect(later.plan_id).not.toBe(first.plan_id);
});
