// From a checked document to the model: what every part of it becomes.

import { describe, expect, test } from 'vitest';
import { checkDefinition } from '../../src/definitions/document/check-definition.ts';
import { compileModel } from '../../src/model/definition/compile.ts';
import type { DefinitionDocument, FieldDefinition } from '../../src/model/definition/definition.ts';
import { isTransitionAllowed, statusesOf, workflowOf } from '../../src/model/rights/workflow.ts';
import { FIELD_TYPE_TRAITS, FIELD_TYPES } from '../../src/model/values/field-types.ts';
import {
  fieldOf,
  JSONB_TYPES,
  objectOf,
  SAMPLE_DOCUMENT,
  SAMPLE_IDENTITY,
  sampleModel,
} from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');

function compileField(field: Partial<FieldDefinition>, key = 'f') {
  const document = {
    objects: { things: { name: 'Things', singular_name: 'Thing', fields: { [key]: field } } },
  } as unknown as DefinitionDocument;
  return fieldOf(objectOf(compileModel(SAMPLE_IDENTITY, document), 'things'), key);
}

test('the sample is a good definition', () => {
  expect(checkDefinition(structuredClone(SAMPLE_DOCUMENT))).toEqual([]);
});

test('identity and secrets come from the workspace', () => {
  expect(model.workspace).toEqual({ id: 7, slug: 'sample', name: 'Sample' });
  expect(model).toMatchObject({ schema: 'ws_sample', revision: 1 });
  expect(model.cursor_secret).toEqual(SAMPLE_IDENTITY.cursor_secret);
});

describe('objects', () => {
  test('have the words of the document or their defaults', () => {
    expect(gadgets).toMatchObject({
      object_type: 'gadgets',
      name: 'Gadgets',
      singular_name: 'Gadget',
      description: null,
      kind: 'default',
      category: 'custom',
      display_field: 'name',
      owned: true,
      table: 'gadgets',
      capabilities: { search: true, create: true, update: true, delete: true },
    });
    expect(objectOf(model, 'ledgers').capabilities).toEqual({
      search: true,
      create: false,
      update: false,
      delete: false,
    });
    expect(objectOf(model, 'fittings')).toMatchObject({
      display_field: null,
      capabilities: { search: false },
    });
  });

  test.each([
    ['companies', 'built_in'],
    ['work_items', 'work_item'],
    ['trucks', 'default'],
  ])('%s are %s', (objectType, kind) => {
    const object = { name: 'X', singular_name: 'X', fields: {} };
    const compiled = compileModel(SAMPLE_IDENTITY, { objects: { [objectType]: object } });
    expect(objectOf(compiled, objectType).kind).toBe(kind);
  });

  test('system fields come first, then those of the document in its order', () => {
    const system = ['id', 'status', 'owner_user_id', 'created_at', 'updated_at'];
    expect([...gadgets.fields.keys()]).toEqual([
      ...system,
      ...Object.keys(SAMPLE_DOCUMENT.objects.gadgets.fields),
    ]);
    const parts = objectOf(model, 'parts');
    expect([...parts.fields.keys()]).toEqual(['id', 'created_at', 'updated_at', 'label', 'weight']);
  });

  test('system fields are physical, read-only but for the owner, and need no column twice', () => {
    const system = [...gadgets.fields.values()].filter((field) => field.system);
    for (const field of system) {
      expect(field).toMatchObject({ storage: 'physical', storage_key: field.key, required: false });
      expect(field.editable).toBe(field.key === 'owner_user_id');
      expect(field.nullable).toBe(field.key === 'owner_user_id');
    }
    expect(fieldOf(gadgets, 'id')).toMatchObject({ cast_type: 'uuid', type: 'text', unique: true });
    expect(fieldOf(gadgets, 'status').rules.options).toEqual([
      { value: 'new', label: 'New' },
      { value: 'built', label: 'Built' },
      { value: 'sold', label: 'Sold' },
    ]);
  });
});

describe('fields', () => {
  test.each(FIELD_TYPES)('%s in physical storage', (type) => {
    expect(fieldOf(gadgets, `a_${type}`)).toMatchObject({
      key: `a_${type}`,
      name: `a_${type}`,
      type,
      storage: 'physical',
      storage_key: `a_${type}`,
      column: `a_${type}`,
      cast_type: FIELD_TYPE_TRAITS[type].castType,
      nullable: true,
      editable: true,
      required: false,
      default: undefined,
      system: false,
    });
  });

  test.each(JSONB_TYPES)('%s in jsonb storage', (type) => {
    expect(fieldOf(gadgets, `x_${type}`)).toMatchObject({
      key: `x_${type}`,
      storage: 'jsonb',
      storage_key: `custom_fields.x_${type}`,
      column: 'custom_fields',
    });
  });

  const constraints: readonly (readonly [Partial<FieldDefinition>, unknown])[] = [
    [{ type: 'boolean' }, null],
    [{ type: 'text' }, { maxLength: 500 }],
    [{ type: 'long_text' }, { maxLength: 100_000 }],
    [{ type: 'email' }, { maxLength: 320 }],
    [
      { type: 'text', maxLength: 5, minLength: 2, pattern: '^a' },
      { maxLength: 5, minLength: 2, pattern: '^a' },
    ],
    [
      { type: 'text', unique: true },
      { maxLength: 500, unique: true },
    ],
    [{ type: 'number' }, { precision: 15 }],
    [
      { type: 'currency', currency: 'EUR', scale: 2 },
      { precision: 15, scale: 2, currency: 'EUR' },
    ],
    [
      { type: 'integer', minimum: 1, maximum: 5 },
      { minimum: 1, maximum: 5 },
    ],
    [{ type: 'reference', reference_object_type: 'x' }, { reference_object_type: 'x' }],
    [{ type: 'select', options: [{ value: 'a' }] }, null],
    [{ type: 'boolean', default: false }, { default: false }],
  ];

  test.each(constraints)('constraints of %o', (field, expected) => {
    expect(compileField(field).constraints).toEqual(expected);
  });

  const options = [{ value: 'a' }, { value: 'b' }];
  const defaults: readonly (readonly [Partial<FieldDefinition>, unknown])[] = [
    [{ type: 'text' }, undefined],
    [{ type: 'text', default: 'x' }, 'x'],
    [{ type: 'text', default: '' }, undefined],
    [{ type: 'text', default: null }, undefined],
    [{ type: 'email', default: 'A@B.Co' }, 'a@b.co'],
    [{ type: 'number', default: -0 }, 0],
    [{ type: 'boolean', default: false }, false],
    [{ type: 'datetime', default: '2030-01-01' }, '2030-01-01T00:00:00.000Z'],
    [{ type: 'datetime', default: '2030-01-01T01:00:00+01:00' }, '2030-01-01T00:00:00.000Z'],
    [{ type: 'multi_select', options, default: ['b', 'a', 'b'] }, ['b', 'a']],
    [{ type: 'multi_select', options, default: [] }, undefined],
    [{ type: 'select', options, default: 'b' }, 'b'],
    [{ type: 'json', default: { a: [1] } }, { a: [1] }],
  ];

  test.each(defaults)('the default of %o is canonical', (field, expected) => {
    expect(compileField(field).default).toEqual(expected);
    expect(compileField({ ...field, storage: 'jsonb' }).default).toEqual(expected);
    expect(compileField(field).constraints?.default).toEqual(expected);
  });
});

describe('relationships', () => {
  test('a reference is seen from both sides', () => {
    expect(objectOf(model, 'fittings').relationships).toEqual([
      {
        id: 'ref.part_id',
        label: 'part_id',
        object_type: 'parts',
        cardinality: 'many_to_one',
        can_link: true,
        via: { kind: 'reference', field: 'part_id' },
      },
      {
        id: 'ref.gadget_id',
        label: 'gadget_id',
        object_type: 'gadgets',
        cardinality: 'one_to_one',
        can_link: true,
        via: { kind: 'reference', field: 'gadget_id' },
      },
    ]);
    expect(objectOf(model, 'gadgets').relationships).toContainEqual({
      id: 'inv.fittings.gadget_id',
      label: 'Fittings',
      object_type: 'fittings',
      cardinality: 'one_to_one',
      can_link: false,
      via: { kind: 'inverse', field: 'gadget_id' },
    });
    expect(objectOf(model, 'parts').relationships).toContainEqual({
      id: 'inv.fittings.part_id',
      label: 'Fittings',
      object_type: 'fittings',
      cardinality: 'one_to_many',
      can_link: false,
      via: { kind: 'inverse', field: 'part_id' },
    });
  });

  test.each([
    ['one_to_one', 'one_to_one', true, true],
    ['many_to_one', 'one_to_many', true, false],
    ['one_to_many', 'many_to_one', false, true],
    ['many_to_many', 'many_to_many', false, false],
  ])('a link that is %s is %s from the other side', (cardinality, inverse, from_one, to_one) => {
    const names = { name: 'X', singular_name: 'X', fields: {} };
    const compiled = compileModel(SAMPLE_IDENTITY, {
      objects: { left: names, right: names },
      relationships: {
        pairs: { name: 'Pairs', kind: 'link', from: 'left', to: 'right', cardinality },
      },
    } as DefinitionDocument);
    const seenFrom = (objectType: string) => objectOf(compiled, objectType).relationships;
    const shared = { id: 'link.pairs', label: 'Pairs', can_link: true };
    const via = { kind: 'link', key: 'pairs', from_one, to_one };
    expect(seenFrom('left')).toEqual([
      { ...shared, object_type: 'right', cardinality, via: { ...via, side: 'from' } },
    ]);
    expect(seenFrom('right')).toEqual([
      { ...shared, object_type: 'left', cardinality: inverse, via: { ...via, side: 'to' } },
    ]);
  });

  test('a link of an object to itself is listed once', () => {
    const compiled = compileModel(SAMPLE_IDENTITY, {
      objects: { nodes: { name: 'Nodes', singular_name: 'Node', fields: {} } },
      relationships: {
        edges: {
          name: 'Edges',
          kind: 'link',
          from: 'nodes',
          to: 'nodes',
          cardinality: 'many_to_many',
        },
      },
    });
    const { relationships } = objectOf(compiled, 'nodes');
    expect(relationships.map(({ id, via }) => [id, via])).toEqual([
      ['link.edges', { kind: 'link', key: 'edges', side: 'both', from_one: false, to_one: false }],
    ]);
  });
});

describe('workflows', () => {
  const workflow = model.workflows.get('assembly');
  if (workflow === undefined) throw new Error('the sample has no workflow');

  test('belong to their object', () => {
    expect(gadgets.workflow).toBe(workflow);
    expect(workflowOf(model, gadgets, undefined)).toBe(workflow);
    expect(workflowOf(model, objectOf(model, 'parts'), undefined)).toBeNull();
    expect(
      [...statusesOf(gadgets, model.work_item_types)].map(([id, { name }]) => [id, name]),
    ).toEqual([
      ['new', 'New'],
      ['built', 'Built'],
      ['sold', 'Sold'],
    ]);
  });

  test.each([
    ['new', 'built', true],
    ['new', 'new', true],
    ['new', 'sold', false],
    ['built', 'sold', true],
    ['built', 'built', false],
    ['built', 'new', false],
    ['sold', 'new', false],
    ['sold', 'sold', false],
    [null, 'new', false],
    ['unknown', 'new', false],
    ['new', 'unknown', false],
    ['constructor', 'name', false],
  ])('from %s to %s: %s', (from, to, expected) => {
    expect(isTransitionAllowed(workflow, from, to)).toBe(expected);
  });

  test('work items have the one of their type, and statuses of all of them', () => {
    const flow = (id: string) => ({ name: id, initial: id, statuses: { [id]: { name: id } } });
    const compiled = compileModel(SAMPLE_IDENTITY, {
      objects: { work_items: { name: 'X', singular_name: 'X', fields: {} } },
      workflows: { one: flow('one'), two: flow('two') },
      work_item_types: {
        task: { name: 'Task', prefix: 'T', workflow: 'one' },
        bug: { name: 'Bug', prefix: 'B', workflow: 'two', active: false },
      },
    });
    const items = objectOf(compiled, 'work_items');
    expect(items.workflow).toBeNull();
    expect(workflowOf(compiled, items, 'bug')?.id).toBe('two');
    expect(workflowOf(compiled, items, 'none')).toBeNull();
    expect(workflowOf(compiled, items, null)).toBeNull();
    expect(fieldOf(items, 'custom_status_id')).toMatchObject({
      column: 'status',
      rules: fieldOf(items, 'status').rules,
    });
    expect(fieldOf(items, 'status').rules.options?.map(({ value }) => value)).toEqual([
      'one',
      'two',
    ]);
    expect(compiled.work_item_types.get('bug')?.active).toBe(false);
  });
});

test('the model cannot be changed', () => {
  const parts = [model, model.workspace, gadgets, fieldOf(gadgets, 'name'), gadgets.capabilities];
  for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
});
