// Pairs of documents and the plan that leads from one to the other: its lines, its losses, its refusals, and its
// conditions on the data.

import { expect, test } from 'vitest';
import { diffDefinitions } from '../../src/definitions/changes/diff/diff.ts';
import { describeViolations } from '../../src/definitions/changes/requirement.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import { type DefinitionDocument, mergePatch } from '../../src/model/definition/definition.ts';
import type { Definition } from '../../src/model/definition/revision.ts';

const identity = {
  id: 1,
  slug: 'demo',
  name: 'Demo',
  schema: 'ws_demo',
  revision: 1,
  cursor_secret: Buffer.alloc(32),
};

const task = { name: 'Task', prefix: 'TASK', workflow: 'flow' };
const before = {
  objects: {
    deals: {
      name: 'Deals',
      singular_name: 'Deal',
      workflow: 'flow',
      fields: {
        name: { type: 'text' },
        stage: { type: 'select', options: [{ value: 'a' }, { value: 'b' }] },
        target: { type: 'reference', reference_object_type: 'products' },
        size: { type: 'integer', indexed: true },
        code: { type: 'text', storage: 'jsonb' },
      },
    },
    products: { name: 'Products', singular_name: 'Product', owned: false, fields: {} },
    work_items: {
      name: 'Work items',
      singular_name: 'Work item',
      fields: { work_item_type_id: { type: 'text', required: true } },
    },
  },
  relationships: {
    deals_products: {
      name: 'Deals and products',
      kind: 'link',
      from: 'deals',
      to: 'products',
      cardinality: 'many_to_many',
    },
  },
  workflows: {
    flow: { name: 'Flow', initial: 'open', statuses: { open: { name: 'O' }, done: { name: 'D' } } },
  },
  work_item_types: { task, bug: { ...task, name: 'Bug', prefix: 'BUG' } },
  roles: { seller: { objects: { deals: { read: 'own' } } } },
  users: { 'ann@example.com': { name: 'Ann', roles: ['seller'] } },
  teams: { North: { members: ['ann@example.com'] } },
};

function define(document: unknown): Definition {
  const checked = document as DefinitionDocument;
  return { document: checked, storage: {}, model: compileModel(identity, checked) };
}

function plan(patch: unknown) {
  return diffDefinitions(define(before), define(mergePatch(before, patch)));
}

const deals = (patch: unknown) => ({ objects: { deals: patch } });
const field = (key: string, patch: unknown) => deals({ fields: { [key]: patch } });
const other = {
  name: 'Other',
  initial: 'new',
  statuses: { new: { name: 'N' }, open: { name: 'O' } },
};

test('equal documents have no changes', () => {
  expect(plan({})).toEqual([]);
});

test.each<readonly [string, unknown, readonly string[]]>([
  ['field', field('close_value', { type: 'currency' }), ['+ field deals.close_value (currency)']],
  [
    'object',
    { objects: { cars: { name: 'Cars', singular_name: 'Car', fields: { a: { type: 'text' } } } } },
    ['+ object cars (a)'],
  ],
  [
    'words of a field',
    field('name', { name: 'Title', required: true, maxLength: 9 }),
    ['~ field deals.name (name, required, constraints)'],
  ],
  [
    'words of an object',
    deals({ name: 'Offers', display_field: 'name' }),
    ['~ object deals (name, display_field, capabilities)', '+ text index of field deals.name'],
  ],
  [
    'options added',
    field('stage', { options: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] }),
    ['~ field deals.stage (options)'],
  ],
  [
    'colours and section',
    field('stage', { section: 'Sale', options: [{ value: 'a' }, { value: 'b', color: 'red' }] }),
    ['~ field deals.stage (section, colors)'],
  ],
  [
    'storage',
    field('code', { storage: 'physical' }),
    ['~ field deals.code (storage jsonb -> physical)'],
  ],
  [
    'storage and index',
    field('code', { storage: 'physical', indexed: true }),
    ['~ field deals.code (storage jsonb -> physical)', '+ index of field deals.code'],
  ],
  [
    'lossless type',
    field('name', { type: 'long_text' }),
    ['~ field deals.name (type text -> long_text)', '~ field deals.name (constraints)'],
  ],
  ['index', field('size', { indexed: false }), ['- index of field deals.size']],
  ['role', { roles: { seller: { developer: true } } }, ['~ role seller (developer)']],
  ['role removed', { roles: { seller: null } }, ['- role seller']],
  [
    'user',
    { users: { 'bob@example.com': { name: 'Bob', roles: [] } } },
    ['+ user bob@example.com'],
  ],
  [
    'user changed',
    { users: { 'ann@example.com': { active: false, title: 'CEO' } } },
    ['~ user ann@example.com (title, active)'],
  ],
  ['user not listed', { users: null, teams: null }, []],
  ['team', { teams: { South: { members: [] } } }, ['+ team South (0 members)']],
  ['team changed', { teams: { North: { members: [] } } }, ['~ team North (members)']],
  ['owner', { objects: { products: { owned: true } } }, ['+ owner of products']],
  [
    'workflow',
    { objects: { products: { workflow: 'flow' } } },
    ['+ status of products (workflow flow, all records "open")'],
  ],
  ['workflow renamed', { workflows: { flow: { name: 'Way' } } }, ['~ workflow flow (name)']],
  [
    'work item type',
    { work_item_types: { idea: { ...task, prefix: 'IDEA' } } },
    ['+ work item type idea'],
  ],
  [
    'relationship',
    { relationships: { deals_products: { name: 'X' } } },
    ['~ relationship deals_products (name)'],
  ],
])('%s: no loss', (_, patch, lines) => {
  const changes = plan(patch);
  expect(changes.map(({ summary }) => summary)).toEqual(lines);
  expect(changes.map(({ loss }) => loss).filter(Boolean)).toEqual([]);
  expect(changes.map(({ refusal }) => refusal).filter(Boolean)).toEqual([]);
  expect(changes.flatMap(({ requirements }) => requirements)).toEqual([]);
});

test.each<readonly [string, unknown, readonly string[]]>([
  ['field', field('name', null), ['deals.name']],
  ['object', { objects: { deals: null }, relationships: null }, ['deals']],
  ['owner', deals({ owned: false }), ['deals.owner_user_id']],
  ['workflow', deals({ workflow: null }), ['deals.status']],
  ['relationship', { relationships: { deals_products: null } }, ['relationship:deals_products']],
  [
    'relationship moved',
    { relationships: { deals_products: { to: 'deals' } } },
    ['relationship:deals_products'],
  ],
])('%s: a loss has a name', (_, patch, names) => {
  expect(plan(patch).flatMap(({ loss }) => loss ?? [])).toEqual(names);
});

test.each<readonly [string, unknown, readonly string[]]>([
  [
    'text to json',
    field('name', { type: 'json' }),
    ['deals.name: text cannot become json; add a new field instead'],
  ],
  [
    'number to boolean',
    field('size', { type: 'boolean' }),
    ['deals.size: integer cannot become boolean; add a new field instead'],
  ],
])('%s: refused', (_, patch, refusals) => {
  expect(plan(patch).flatMap(({ refusal }) => refusal ?? [])).toEqual(refusals);
});

test.each<readonly [string, unknown, string]>([
  [
    'option removed',
    field('stage', { options: [{ value: 'a' }] }),
    'deals.stage: records still have removed options: v (2 records)',
  ],
  [
    'status removed',
    { workflows: { flow: { statuses: { done: null } } }, work_item_types: null },
    'deals: records still have removed statuses: v (2 records)',
  ],
  [
    'workflow swapped',
    { workflows: { other }, objects: { deals: { workflow: 'other' } } },
    'deals: records still have removed statuses: v (2 records)',
  ],
  [
    'type removed',
    { work_item_types: { bug: null } },
    'work_items: records still have removed work item types: v (2 records)',
  ],
  [
    'status of a type',
    { workflows: { other }, work_item_types: { bug: { workflow: 'other' } } },
    'work_items: records of type bug still have removed statuses: v (2 records)',
  ],
  [
    'target',
    field('target', { reference_object_type: 'deals' }),
    'deals.target: the object it refers to can change only while no record has a value; 2 records have one',
  ],
  [
    'unique',
    field('code', { storage: 'physical', unique: true }),
    'deals.code cannot be unique: 2 values are each in more than one record',
  ],
])('%s: checks the data', (_, patch, sentence) => {
  const requirements = plan(patch).flatMap((change) => change.requirements);
  const sentences = requirements.map(
    (one) => describeViolations(one, [{ value: 'v', records: 2 }]).text,
  );
  expect(sentences).toContain(sentence);
});

test('a reference rebuilds its foreign key when its target or its rule changes', () => {
  expect(plan(field('target', { required: true })).map(({ kind }) => kind)).toEqual([
    'rebuild_reference',
    'note',
  ]);
  const restricted = plan(field('target', { on_delete: 'restrict' }));
  expect(restricted.map(({ kind, summary }) => [kind, summary])).toEqual([
    ['rebuild_reference', '~ field deals.target (effect of deleting the target)'],
  ]);
  expect(plan(field('target', { on_delete: 'clear' }))).toEqual([]);
});

test('a relationship that is narrowed at both ends is one change with two requirements', () => {
  const relationships = { deals_products: { cardinality: 'one_to_one' } };
  const changes = plan({ relationships });
  expect(changes.map(({ summary }) => summary)).toEqual([
    '~ relationship deals_products (cardinality)',
  ]);
  expect(changes[0]?.requirements).toMatchObject([{ end: 'from' }, { end: 'to' }]);
});

test('the index of texts moves with the display field', () => {
  const shown = mergePatch(before, deals({ display_field: 'name' }));
  const other = { display_field: 'title', fields: { name: null, title: { type: 'text' } } };
  const changes = diffDefinitions(define(shown), define(mergePatch(shown, deals(other))));
  expect(changes.map(({ kind }) => kind)).toEqual([
    'note',
    'add_field',
    'drop_field',
    'unindex_text',
    'index_text',
  ]);
});

test('names that every JavaScript object has are new when they are', () => {
  const patch = {
    objects: { constructor: { name: 'C', singular_name: 'C', fields: {} } },
    roles: { constructor: {} },
    teams: { toString: { members: [] } },
  };
  expect(plan(patch).map(({ summary }) => summary)).toEqual([
    '+ object constructor ()',
    '+ role constructor',
    '+ team toString (0 members)',
  ]);
});

test('a new workspace gets everything', () => {
  const changes = diffDefinitions(null, define(before));
  expect(changes.every(({ summary }) => summary.startsWith('+ '))).toBe(true);
  expect(changes.filter(({ kind }) => kind === 'add_object')).toHaveLength(3);
});
