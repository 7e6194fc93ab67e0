// Each rule of the definition document has a row here: a document that breaks it alone, and the one
// problem it gets.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDefinition } from '../../src/definitions/document/check-definition.ts';
import {
  mergeOverBase,
  readDefinitionFile,
} from '../../src/definitions/document/definition-file.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { tableName } from '../../src/model/definition/physical-names.ts';

const good = {
  objects: {
    companies: { name: 'Companies', singular_name: 'Company', fields: { name: { type: 'text' } } },
    deals: {
      name: 'Deals',
      singular_name: 'Deal',
      display_field: 'name',
      workflow: 'sales',
      fields: {
        name: { type: 'text', required: true },
        company_id: { type: 'reference', reference_object_type: 'companies' },
        stage: { type: 'select', options: [{ value: 'a' }, { value: 'b' }] },
        amount: { type: 'currency', currency: 'EUR' },
      },
    },
    work_items: {
      name: 'Work items',
      singular_name: 'Work item',
      fields: {
        title: { type: 'text' },
        work_item_type_id: { type: 'text', required: true },
        parent_work_item_id: { type: 'reference', reference_object_type: 'work_items' },
      },
    },
  },
  relationships: {
    companies_deals: {
      name: 'Companies and deals',
      kind: 'association',
      from: 'companies',
      to: 'deals',
      cardinality: 'many_to_many',
    },
  },
  workflows: {
    sales: {
      name: 'Sales',
      initial: 'open',
      statuses: { open: { name: 'Open', transitions: ['won'] }, won: { name: 'Won' } },
    },
  },
  work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'sales', fields: ['title'] } },
  roles: {
    seller: {
      objects: { deals: { read: 'own', fields: { owner_user_id: 'read', name: 'none' } } },
    },
  },
  users: { 'ann@example.com': { name: 'Ann', roles: ['seller'] } },
  teams: { North: { members: ['ann@example.com'] } },
};

const dealField = (field: unknown) => ({ objects: { deals: { fields: { x: field } } } });
const X = 'objects.deals.fields.x';

function problemsOf(patch: unknown): readonly string[] {
  return checkDefinition(mergePatch(good, patch)).map(
    ({ path, message }) => `${path}: ${message.text}`,
  );
}

test('a good document has no problems', () => {
  expect(problemsOf({})).toEqual([]);
});

test('the base alone is good', () => {
  expect(checkDefinition(mergeOverBase({}))).toEqual([]);
  const file = join(import.meta.dirname, '..', '..', 'definitions', 'base.yaml');
  expect(checkDefinition(readDefinitionFile(file))).toEqual([]);
});

test.each<readonly [string, unknown, string]>([
  ['an unknown word', { rols: {} }, 'rols: is not a known key; did you mean roles?'],
  [
    'a word of a field',
    dealField({ type: 'text', zzzz: 1 }),
    `${X}.zzzz: is not a known key; known`,
  ],
  ['a missing word', dealField({ name: 'X' }), `${X}.type: is required`],
  ['an unknown type', dealField({ type: 'txt' }), `${X}.type: must be one of text, `],
  [
    'a word of the wrong type',
    dealField({ type: 'text', required: 1 }),
    `${X}.required: must be tr`,
  ],
  [
    'a key that is no name',
    { objects: { Deals: null, 'a b': good.objects.deals } },
    'objects.a b: ',
  ],
  ['a hidden object', { objects: { _x: good.objects.deals } }, 'objects._x: is not a possible key'],
  ['a bad pattern', dealField({ type: 'text', pattern: '(' }), `${X}.pattern: must be a regular`],
  [
    'a bad display field',
    { objects: { deals: { display_field: 7 } } },
    'objects.deals.display_field',
  ],
  ['no document', 7, ': must be an object'],
])('structure: %s', (_, patch, problem) => {
  const [only, ...others] = problemsOf(patch);
  expect(others).toEqual([]);
  expect(only).toContain(problem);
});

test.each<readonly [string, unknown, string]>([
  [
    'reserved key',
    { objects: { deals: { fields: { status: { type: 'text' } } } } },
    'objects.deals.fields.status: is a name',
  ],
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'].map((key): [string, unknown, string] => [
    `column of PostgreSQL ${key}`,
    { objects: { deals: { fields: { [key]: { type: 'text' } } } } },
    `objects.deals.fields.${key}: is a name that PostgreSQL gives`,
  ]),
  [
    'the rule for deletes without a reference',
    dealField({ type: 'text', on_delete: 'clear' }),
    `${X}.on_delete: does not fit the type text, only reference`,
  ],
  [
    'an unknown rule for deletes',
    dealField({ type: 'reference', reference_object_type: 'deals', on_delete: 'cascade' }),
    `${X}.on_delete: must be one of clear, restrict`,
  ],
  [
    'a required reference cannot be cleared',
    dealField({
      type: 'reference',
      reference_object_type: 'deals',
      required: true,
      on_delete: 'clear',
    }),
    `${X}.on_delete: must be restrict`,
  ],
  [
    'work items stay while others are below them',
    { objects: { work_items: { fields: { parent_work_item_id: { on_delete: 'clear' } } } } },
    'objects.work_items.fields.parent_work_item_id.on_delete: cannot be chosen',
  ],
  [
    'more columns than a table can have',
    {
      objects: {
        deals: {
          fields: Object.fromEntries(
            Array.from({ length: 1497 }, (_, index) => [`f${index}`, { type: 'text' }]),
          ),
        },
      },
    },
    'objects.deals.fields: has 1501 fields with physical storage; at most 1500 are possible',
  ],
  ['a name that cannot be stored', { name: 'a\0b' }, 'name: must not have control characters'],
  [
    'a label that cannot be stored',
    dealField({ type: 'select', options: [{ value: 'a', label: '\ud800' }] }),
    `${X}.options.0.label: must not contain`,
  ],
  ['a key that cannot be stored', { teams: { 'a\0b': { members: [] } } }, 'is not a possible key'],
  [
    'an address that no mail reaches',
    { users: { [`${'a'.repeat(250)}@b.co`]: { name: 'Long', roles: [] } } },
    '@b.co: must not be longer than 254 characters',
  ],
  ['options missing', dealField({ type: 'select' }), `${X}.options: is required`],
  ['options elsewhere', dealField({ type: 'text', options: [] }), `${X}.options: does not fit`],
  [
    'option twice',
    dealField({ type: 'select', options: [{ value: 'a' }, { value: 'a' }] }),
    `${X}.options: has the value "a" twice`,
  ],
  [
    'reference without target',
    dealField({ type: 'reference' }),
    `${X}.reference_object_type: is required`,
  ],
  [
    'unknown target',
    dealField({ type: 'reference', reference_object_type: 'company' }),
    `${X}.reference_object_type: "company" is not an object type`,
  ],
  [
    'target elsewhere',
    dealField({ type: 'text', reference_object_type: 'deals' }),
    `${X}.reference_object_type: does not fit`,
  ],
  [
    'reference in jsonb',
    dealField({ type: 'reference', reference_object_type: 'deals', storage: 'jsonb' }),
    `${X}.storage: must be physical`,
  ],
  [
    'user in jsonb',
    dealField({ type: 'user', storage: 'jsonb' }),
    `${X}.storage: must be physical`,
  ],
  [
    'index in jsonb',
    dealField({ type: 'text', storage: 'jsonb', indexed: true }),
    `${X}.indexed: needs physical`,
  ],
  [
    'unique in jsonb',
    dealField({ type: 'text', storage: 'jsonb', unique: true }),
    `${X}.unique: needs physical`,
  ],
  [
    'index on long text',
    dealField({ type: 'long_text', indexed: true }),
    `${X}.indexed: is not possible`,
  ],
  ['unique json', dealField({ type: 'json', unique: true }), `${X}.unique: is not possible`],
  [
    'index on longer text',
    dealField({ type: 'text', maxLength: 601, indexed: true }),
    `${X}.indexed: needs a maxLength of at most 600`,
  ],
  [
    'lengths crossed',
    dealField({ type: 'text', minLength: 6, maxLength: 5 }),
    `${X}.minLength: must not be greater`,
  ],
  [
    'longer than the default',
    dealField({ type: 'phone', minLength: 51 }),
    `${X}.minLength: must not be greater`,
  ],
  [
    'bounds crossed',
    dealField({ type: 'number', minimum: 2, maximum: 1 }),
    `${X}.minimum: must not be greater`,
  ],
  [
    'bounds on text',
    dealField({ type: 'text', minimum: 2 }),
    `${X}.minimum: does not fit the type text`,
  ],
  [
    'length on number',
    dealField({ type: 'number', maxLength: 2 }),
    `${X}.maxLength: does not fit the type number`,
  ],
  ['scale on integer', dealField({ type: 'integer', scale: 2 }), `${X}.scale: does not fit`],
  [
    'currency on number',
    dealField({ type: 'number', currency: 'EUR' }),
    `${X}.currency: does not fit`,
  ],
  [
    'default of another type',
    dealField({ type: 'number', default: '1' }),
    `${X}.default: must be a number`,
  ],
  [
    'default out of bounds',
    dealField({ type: 'number', maximum: 1, default: 2 }),
    `${X}.default: must be at most 1`,
  ],
  [
    'default no option',
    dealField({ type: 'select', options: [{ value: 'a' }], default: 'b' }),
    `${X}.default: must be one of the options`,
  ],
  [
    'display field unknown',
    { objects: { deals: { display_field: 'nme' } } },
    'objects.deals.display_field: "nme" is not a field of this object of this definition; did you mean name?',
  ],
  [
    'display field no text',
    { objects: { deals: { display_field: 'amount' } } },
    'objects.deals.display_field: must be a text field',
  ],
  [
    'display field a choice',
    { objects: { deals: { display_field: 'stage' } } },
    'objects.deals.display_field: must be a text field',
  ],
  [
    'display field in jsonb',
    { objects: { deals: { fields: { name: { storage: 'jsonb' } } } } },
    'objects.deals.display_field: must have physical',
  ],
  [
    'workflow unknown',
    { objects: { deals: { workflow: 'slaes' } } },
    'objects.deals.workflow: "slaes" is not a workflow',
  ],
  [
    'workflow of work items',
    { objects: { work_items: { workflow: 'sales' } } },
    'objects.work_items.workflow: is not possible here',
  ],
  [
    'type of work items',
    { objects: { work_items: { fields: { work_item_type_id: { required: false } } } } },
    'objects.work_items.fields.work_item_type_id: must be',
  ],
  [
    'parent of work items',
    {
      objects: {
        work_items: { fields: { parent_work_item_id: { reference_object_type: 'deals' } } },
      },
    },
    'objects.work_items.fields.parent_work_item_id: must be',
  ],
  [
    'initial status',
    { workflows: { sales: { initial: 'opne' } } },
    'workflows.sales.initial: "opne" is not a status',
  ],
  [
    'transition',
    { workflows: { sales: { statuses: { won: { transitions: ['lost'] } } } } },
    'workflows.sales.statuses.won.transitions: "lost" is not a status',
  ],
  [
    'work item type: workflow',
    { work_item_types: { task: { workflow: 'x' } } },
    'work_item_types.task.workflow: "x" is not a workflow',
  ],
  [
    'work item type: field',
    { work_item_types: { task: { fields: ['titel'] } } },
    'work_item_types.task.fields: "titel" is not a field of work_items',
  ],
  [
    'work item type: prefix',
    { work_item_types: { bug: good.work_item_types.task } },
    'work_item_types.bug.prefix: is the prefix of task',
  ],
  [
    'work item type: slug',
    { work_item_types: { work_items: { ...good.work_item_types.task, prefix: 'W' } } },
    'work_item_types.work_items: is the name of the object',
  ],
  [
    'work item types alone',
    { objects: { work_items: null } },
    'work_item_types: needs the object work_items',
  ],
  [
    'association outside CRM',
    { relationships: { companies_deals: { to: 'work_items' } } },
    'relationships.companies_deals.to: must be one of companies',
  ],
  [
    'relationship to nothing',
    { relationships: { companies_deals: { to: 'deal' } } },
    'relationships.companies_deals.to: "deal" is not an object type',
  ],
  [
    'relationship to itself',
    { relationships: { companies_deals: { to: 'companies', cardinality: 'one_to_many' } } },
    'relationships.companies_deals.cardinality: must be the same',
  ],
  [
    'grant on nothing',
    { roles: { seller: { objects: { deal: {} } } } },
    'roles.seller.objects.deal: "deal" is not an object type',
  ],
  [
    'grant on no field',
    { roles: { seller: { objects: { deals: { fields: { nam: 'read' } } } } } },
    'roles.seller.objects.deals.fields.nam: "nam" is not a field of deals',
  ],
  [
    'grant on no owner',
    { objects: { deals: { owned: false } } },
    'roles.seller.objects.deals.fields.owner_user_id',
  ],
  [
    'role of a user',
    { users: { 'ann@example.com': { roles: ['boss'] } } },
    'users.ann@example.com.roles: "boss" is not a role',
  ],
  [
    'member of a team',
    { teams: { North: { members: ['bob@example.com'] } } },
    'teams.North.members: "bob@example.com" is not a user',
  ],
])('rule: %s', (_, patch, problem) => {
  const [only, ...others] = problemsOf(patch);
  expect(others).toEqual([]);
  expect(only).toContain(problem);
});

test('names that every JavaScript object has are names like others', () => {
  const object = { fields: {}, name: 'C', singular_name: 'C' };
  const problems = problemsOf({
    objects: { deals: { display_field: 'constructor' } },
    roles: { seller: { objects: { constructor: { read: 'own' } } } },
  });
  expect(problems).toEqual([
    'objects.deals.display_field: "constructor" is not a field of this object of this definition',
    'roles.seller.objects.constructor: "constructor" is not an object type of this definition',
  ]);
  expect(
    problemsOf({ objects: { constructor: object }, teams: { toString: { members: [] } } }),
  ).toEqual([]);
});

test('in custom_fields a field may have the name of a column of PostgreSQL', () => {
  const fields = { xmin: { type: 'text', storage: 'jsonb' } };
  expect(problemsOf({ objects: { deals: { fields } } })).toEqual([]);
});

test('two long object types must not share a table', () => {
  const long = 'a'.repeat(100);
  const { deals } = good.objects;
  expect(problemsOf({ objects: { [long]: deals, [tableName(long)]: deals } })).toEqual([
    `objects.${tableName(long)}: needs the same table as ${long}; choose another name`,
  ]);
});

test('all problems are reported at once', () => {
  const patch = {
    ...dealField({ type: 'select', indexed: true, storage: 'jsonb' }),
    users: { 'ann@example.com': { roles: ['boss'] } },
  };
  expect(problemsOf(patch)).toHaveLength(3);
});
