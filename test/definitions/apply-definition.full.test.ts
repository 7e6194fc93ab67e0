// Workspaces made and changed on a real PostgreSQL: changes are as planned, data survives, and a failure leaves no
// trace.

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  CHANNEL,
  findWorkspace,
  listWorkspaces,
  loadModel,
} from '../../src/control/workspace/workspaces.ts';
import { applyDefinition, planDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { sweepLeftovers } from '../../src/definitions/apply/leftovers.ts';
import { explainFailure } from '../../src/definitions/apply/make-changes.ts';
import { refusalOf } from '../../src/definitions/document/refusals.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { workspaceSchema } from '../../src/model/definition/physical-names.ts';
import type { Row } from '../../src/postgres/db.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import { createMigratedDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
let counter = 0;

beforeAll(async () => {
  own = await createMigratedDatabase();
});

afterAll(() => own?.drop());

async function create(document: unknown = {}): Promise<{ slug: string; schema: string }> {
  counter += 1;
  const slug = `w-${counter}`;
  await createWorkspace(own.db, { slug, document });
  return { slug, schema: `"${workspaceSchema(slug)}"` };
}

const apply = (slug: string, document: unknown, ...allowDrop: readonly string[]) =>
  applyDefinition(own.db, slug, document, { allowDrop });

const summaries = async (slug: string, document: unknown, ...allowDrop: readonly string[]) =>
  (await apply(slug, document, ...allowDrop)).changes.map(({ summary }) => summary);

/** The whole structure of the schema, without its name; columns by name, as their order does not matter. */
async function catalogOf(slug: string): Promise<string> {
  const schema = workspaceSchema(slug);
  const rows = await own.rows(
    `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' '
        || a.attnotnull || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attcollation as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
    union all select indexdef from pg_indexes where schemaname = $2
    union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = $1::regnamespace and contype <> 'n'
    order by 1`,
    [`"${schema}"`, schema],
  );
  return rows.map(({ line }) => String(line).replaceAll(`"${schema}".`, '')).join('\n');
}

/** The catalogue and every row of the workspace's service tables. */
async function stateOf(slug: string): Promise<string> {
  const schema = `"${workspaceSchema(slug)}"`;
  const tables = ['_definitions', '_users', '_teams', '_team_members'];
  const rows = await Promise.all(
    tables.map((table) => own.rows(`select * from ${schema}.${table}`)),
  );
  const workspace = await own.rows(`select * from workspace_records.workspaces where slug = $1`, [
    slug,
  ]);
  return JSON.stringify([await catalogOf(slug), rows, workspace]);
}

async function insert(
  table: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const columns = ['id', 'created_by_user_id', ...Object.keys(values)];
  const marks = Object.keys(values).map((_, index) => `, $${index + 1}`);
  const [row] = await own.rows(
    `insert into ${table} (${columns.map((name) => `"${name}"`)}) values (gen_random_uuid(), 1${marks.join('')}) returning id`,
    Object.values(values),
  );
  return String(row?.id);
}

const dealFields = (fields: unknown) => ({ objects: { deals: { fields } } });
const workflow = (...ids: readonly string[]) => ({
  name: 'Flow',
  initial: ids[0],
  statuses: Object.fromEntries(ids.map((id) => [id, { name: id, transitions: [...ids] }])),
});

test('the base alone makes a workspace; applying it again is not a change', async () => {
  const { slug } = await create();
  const before = await stateOf(slug);
  const plan = await apply(slug, {});
  expect(plan.changes).toEqual([]);
  expect(plan.workspace.revision).toBe(1);
  expect(await stateOf(slug)).toBe(before);
  const model = await loadModel(own.db, plan.workspace.id);
  expect([...(model?.objects.keys() ?? [])]).toEqual([
    'companies',
    'contacts',
    'deals',
    'meetings',
    'events',
    'products',
    'work_items',
  ]);
});

const options = [{ value: 'a' }, { value: 'b' }];
const variants: readonly unknown[] = [
  {},
  {
    ...dealFields({
      amount: { type: 'currency', indexed: true },
      when: { type: 'date' },
      company_id: null,
    }),
    workflows: { flow: workflow('open', 'done') },
  },
  {
    objects: {
      deals: {
        workflow: 'flow',
        fields: {
          amount: { type: 'integer', storage: 'jsonb' },
          when: { type: 'datetime', unique: true },
          company_id: { required: true, unique: true },
        },
      },
      cars: {
        name: 'Cars',
        singular_name: 'Car',
        owned: false,
        fields: {
          next_id: { type: 'reference', reference_object_type: 'cars' },
          driver: { type: 'user' },
        },
      },
    },
    workflows: { flow: workflow('open', 'done') },
    work_item_types: { task: { name: 'Task', prefix: 'TASK', workflow: 'flow' } },
  },
  {
    objects: {
      cars: {
        name: 'Cars',
        singular_name: 'Car',
        fields: { deal_id: { type: 'reference', reference_object_type: 'deals', required: true } },
      },
      deals: {
        owned: false,
        fields: {
          car_id: { type: 'reference', reference_object_type: 'cars' },
          kind: { type: 'multi_select', options },
        },
      },
      events: null,
      products: { owned: true, workflow: 'flow' },
    },
    relationships: { contacts_events: null, companies_events: null },
    workflows: { flow: workflow('new') },
  },
];
const retyped = new Set(['amount', 'when']);

/** Where to go from the first document, so that each is once followed by each. */
const WALK = [0, 1, 0, 2, 0, 3, 1, 1, 2, 1, 3, 2, 2, 3, 3, 0, 0];

test('whatever came before, a document makes the same tables', async () => {
  const fresh = await Promise.all(
    variants.map(async (variant) => catalogOf((await create(variant)).slug)),
  );
  const moves = WALK.slice(1).map((to, index) => [WALK[index] as number, to] as const);
  expect(new Set(moves.map(String)).size).toBe(variants.length ** 2);
  const { slug } = await create(variants[0]);
  for (const [from, to] of moves) {
    const end = variants[to];
    // A field cannot change its type at will: it goes first.
    const between = mergePatch(
      end,
      dealFields(Object.fromEntries([...retyped].map((key) => [key, null]))),
    );
    for (const document of [between, end]) {
      const { losses } = await planDefinition(own.db, slug, document);
      await apply(slug, document, ...losses);
    }
    expect(await catalogOf(slug), `${from} to ${to}`).toBe(fresh[to]);
    expect((await apply(slug, end)).changes).toEqual([]);
  }
});

test('values survive every move between column and custom_fields', async () => {
  const values: Readonly<Record<string, readonly [unknown, unknown]>> = {
    text: ['it\'s "so" \\ \u{1f600}', undefined],
    long_text: ['a\nb', undefined],
    number: ['-12.345', -12.345],
    integer: [42, undefined],
    currency: ['0.0000001', 1e-7],
    percent: ['123456789012345', 123456789012345],
    boolean: [false, undefined],
    date: ['0001-02-03', undefined],
    datetime: ['2024-02-29T23:59:59.120Z', undefined],
    select: ['a', undefined],
    multi_select: [['b', 'a'], undefined],
    email: ['a@b.co', undefined],
    phone: ['+1 234', undefined],
    url: ['https://x.org', undefined],
    json: ['{"a": [1, null]}', { a: [1, null] }],
  };
  const fieldsIn = (storage: string) =>
    Object.fromEntries(
      Object.keys(values).map((type) => [
        `f_${type}`,
        { type, storage, ...(type.endsWith('select') ? { options } : {}) },
      ]),
    );
  const shown = Object.fromEntries(
    Object.entries(values).map(([type, [stored, json]]) => [`f_${type}`, json ?? stored]),
  );
  const { slug, schema } = await create(dealFields(fieldsIn('physical')));
  const columns = Object.fromEntries(
    Object.entries(values).map(([type, [stored]]) => [`f_${type}`, stored]),
  );
  await insert(`${schema}.deals`, { name: 'full', ...columns });
  await insert(`${schema}.deals`, { name: 'empty', custom_fields: { kept: 1 } });
  const [start] = await own.rows(`select * from ${schema}.deals where name = 'full'`);

  await apply(slug, dealFields(fieldsIn('jsonb')));
  const [full, empty] = await own.rows(`select * from ${schema}.deals order by name desc`);
  expect(full?.custom_fields).toEqual(shown);
  expect(Object.keys(full ?? {})).not.toContain('f_text');
  expect(empty?.custom_fields).toEqual({ kept: 1 });

  const { workspace } = await apply(slug, dealFields(fieldsIn('physical')));
  await sweepLeftovers(own.db, workspace);
  const [again, still] = await own.rows(`select * from ${schema}.deals order by name desc`);
  expect(again).toEqual(start);
  expect(still?.custom_fields).toEqual({ kept: 1 });
  expect(still?.f_json).toBeNull();
});

test('values survive lossless changes of type in both storages', async () => {
  const pairs = [
    ['text', 'long_text', 'x'],
    ['select', 'text', 'a'],
    ['email', 'text', 'a@b.co'],
    ['integer', 'currency', 7],
    ['number', 'percent', 7.5],
    ['date', 'datetime', '2024-01-02'],
  ] as const;
  const fields = (index: 0 | 1) =>
    Object.fromEntries(
      pairs.flatMap((pair, at) =>
        ['physical', 'jsonb'].map((storage) => [
          `f${at}_${storage}`,
          { type: pair[index], storage, ...(pair[index] === 'select' ? { options } : {}) },
        ]),
      ),
    );
  const { slug, schema } = await create(dealFields(fields(0)));
  const columns = Object.fromEntries(pairs.map((pair, at) => [`f${at}_physical`, pair[2]]));
  const custom_fields = Object.fromEntries(pairs.map((pair, at) => [`f${at}_jsonb`, pair[2]]));
  await insert(`${schema}.deals`, { name: 'n', ...columns, custom_fields });
  const { workspace } = await apply(slug, dealFields(fields(1)));
  const fieldsAfter = (await loadModel(own.db, workspace.id))?.objects.get('deals')?.fields;
  const [row] = await own.rows(`select * from ${schema}.deals`);
  for (const [at, [, to, value]] of pairs.entries()) {
    const expected = to === 'datetime' ? '2024-01-02T00:00:00.000Z' : value;
    const column = fieldsAfter?.get(`f${at}_physical`)?.column as string;
    expect(row?.[column], to).toEqual(expected);
    const key = fieldsAfter?.get(`f${at}_jsonb`)?.custom_key as string;
    const custom = row?.custom_fields as Row | undefined;
    expect(custom?.[key], to).toEqual(expected);
  }
});

test('dropping needs the name of everything that would be lost', async () => {
  const { slug, schema } = await create(dealFields({ size: { type: 'integer' } }));
  await insert(`${schema}.deals`, { name: 'n', size: 1 });
  const document = { objects: { deals: { owned: false }, products: null } };
  const before = await stateOf(slug);
  await expect(apply(slug, document)).rejects.toThrow(
    /"w-\d+", nothing was changed:\n.*--allow-drop deals.owner_user_id\n.*deals.size\n.*products$/,
  );
  await expect(apply(slug, document, 'products', 'deals.size')).rejects.toThrow('owner_user_id');
  expect(await stateOf(slug)).toBe(before);
  await apply(slug, document, 'products', 'deals.size', 'deals.owner_user_id');
  const [row] = await own.rows(`select * from ${schema}.deals`);
  expect(Object.keys(row ?? {})).not.toContain('size');
  expect(await own.rows(`select to_regclass('${schema}.products') as name`)).toEqual([
    { name: null },
  ]);
});

test('records that block a change are counted, and all reasons are reported', async () => {
  const flow = workflow('open', 'done');
  const types = {
    task: { name: 'Task', prefix: 'TASK', workflow: 'flow' },
    bug: { name: 'Bug', prefix: 'BUG', workflow: 'flow' },
  };
  const document = {
    objects: {
      deals: {
        workflow: 'flow',
        fields: {
          one: { type: 'select', options },
          many: { type: 'multi_select', options },
          deep: { type: 'multi_select', options, storage: 'jsonb' },
          code: { type: 'text', storage: 'jsonb' },
        },
      },
    },
    workflows: { flow },
    work_item_types: types,
  };
  const { slug, schema } = await create(document);
  const company = await insert(`${schema}.companies`, { name: 'c' });
  for (const code of ['x', 'x', 'y']) {
    const custom_fields = { deep: ['a', 'b'], code };
    const values = { status: 'done', one: 'a', many: ['a', 'b'], company_id: company };
    await insert(`${schema}.deals`, { name: 'n', custom_fields, ...values });
  }
  const item = { title: 't', status: 'open', work_item_type_id: 'bug', public_id: 'BUG-1' };
  await insert(`${schema}.work_items`, item);
  const after = {
    objects: {
      deals: {
        workflow: 'flow',
        fields: {
          one: { type: 'select', options: [{ value: 'b' }] },
          many: { type: 'multi_select', options: [{ value: 'b' }] },
          deep: { type: 'multi_select', options: [{ value: 'c' }], storage: 'jsonb' },
          code: { type: 'text', unique: true },
          company_id: { reference_object_type: 'contacts' },
          name: { type: 'boolean' },
        },
        display_field: null,
      },
    },
    workflows: { flow: workflow('open') },
    work_item_types: { task: types.task },
  };
  const before = await stateOf(slug);
  const { problems } = await planDefinition(
    own.db,
    slug,
    mergePatch(after, dealFields({ name: { maxLength: null } })),
  );
  expect(problems.map(({ message }) => message.text)).toEqual([
    'work_items: records still have removed work item types: bug (1 record)',
    'deals: records still have removed statuses: done (3 records)',
    'deals.name: text cannot become boolean; add a new field instead',
    'deals.company_id: the object it refers to can change only while no record has a value; 3 records have one',
    'deals.one: records still have removed options: a (3 records)',
    'deals.many: records still have removed options: a (3 records)',
    'deals.deep: records still have removed options: a (3 records), b (3 records)',
    'deals.code cannot be unique: 1 value is in more than one record',
  ]);
  await expect(apply(slug, after)).rejects.toThrow('deals.deep: records still');
  expect(await stateOf(slug)).toBe(before);
});

test('a workflow gives existing records its first status', async () => {
  const { slug, schema } = await create();
  await insert(`${schema}.deals`, { name: 'n' });
  const document = {
    objects: { deals: { workflow: 'f' } },
    workflows: { f: workflow('new', 'won') },
  };
  expect(await summaries(slug, document)).toEqual([
    '+ workflow f',
    '+ status of deals (workflow f, all records "new")',
  ]);
  expect(await own.rows(`select status from ${schema}.deals`)).toEqual([{ status: 'new' }]);
  await expect(insert(`${schema}.deals`, { name: 'n' })).rejects.toThrow('status');
});

test('a statement that fails half-way leaves no trace', async () => {
  const { slug, schema } = await create(dealFields({ code: { type: 'text' } }));
  // Longer than the definition allows, and than an index can hold.
  const noise = Array.from({ length: 3000 }, (_, index) =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20000)),
  );
  await insert(`${schema}.deals`, { name: 'n', code: noise.join('') });
  const before = await stateOf(slug);
  const document = {
    objects: {
      cars: { name: 'Cars', singular_name: 'Car', fields: { a: { type: 'text' } } },
      deals: { fields: { code: { type: 'text', indexed: true }, size: { type: 'integer' } } },
    },
    users: { 'ann@example.com': { name: 'Ann', roles: ['admin'] } },
  };
  await expect(apply(slug, document)).rejects.toThrow(
    /^Nothing was changed; "\+ index of field deals.code" failed: index row /,
  );
  expect(await stateOf(slug)).toBe(before);
});

test("the database's message about a value is for the operator, and not for a request", async () => {
  const failed = (text: string) =>
    own.rows(text).then(undefined, (error: unknown) => explainFailure(error, '~ field x.y'));
  const misfit = (await failed("select 'hush'::integer")) as Error;
  expect(misfit.message).toContain('"hush"');
  const message = '"~ field x.y" failed: a stored value does not fit (22P02).';
  expect(refusalOf(misfit)?.problems).toEqual([{ path: '', message }]);
  const twice = `do $$ begin create table pg_temp.t (a text unique);
    insert into pg_temp.t values ('hush'), ('hush'); end $$`;
  const taken = (await failed(twice)) as Error;
  expect(taken.message).toContain('hush');
  expect(JSON.stringify(refusalOf(taken))).not.toContain('hush');
});

test('a document with problems is not applied, and all of them are reported', async () => {
  const { slug } = await create();
  const before = await stateOf(slug);
  const document = dealFields({ a: { type: 'select' }, b: { type: 'reference' } });
  await expect(apply(slug, document)).rejects.toThrow(
    /:\n {2}objects.deals.fields.a.options .*\n {2}objects.deals.fields.b/,
  );
  await expect(createWorkspace(own.db, { slug: 'never', document })).rejects.toThrow(
    'cannot be used',
  );
  expect(await findWorkspace(own.db, 'never')).toBeUndefined();
  expect(await stateOf(slug)).toBe(before);
});

test('two applies at once: one does it, the other finds it done', async () => {
  const { slug } = await create();
  const document = dealFields({ size: { type: 'integer' } });
  const plans = await Promise.all([
    apply(slug, document),
    apply(slug, document),
    apply(slug, document),
  ]);
  expect(plans.map(({ changes }) => changes.length).sort()).toEqual([0, 0, 1]);
  expect((await findWorkspace(own.db, slug))?.revision).toBe(2);
});

test('two different applies at once: the second is validated against the first', async () => {
  const { slug } = await create();
  const outcomes = await Promise.allSettled(
    ['size', 'weight'].map((key) => apply(slug, dealFields({ [key]: { type: 'integer' } }))),
  );
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await findWorkspace(own.db, slug))?.revision).toBe(2);
});

test('two workspaces of one name at once: one is made', async () => {
  const outcomes = await Promise.allSettled([
    createWorkspace(own.db, { slug: 'twin' }),
    createWorkspace(own.db, { slug: 'twin' }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const failed = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(String(failed.reason)).toContain('The workspace "twin" already exists.');
  const slugs = (await listWorkspaces(own.db)).map(({ slug }) => slug);
  expect(slugs.filter((slug) => slug === 'twin')).toEqual(['twin']);
});

test.each(['', '-a', 'A', 'a_b', 'a'.repeat(41), 'a.b', 'a\n'])(
  'slug %j is refused',
  async (slug) => {
    await expect(createWorkspace(own.db, { slug })).rejects.toThrow('cannot be a workspace');
  },
);

test('names of 100 and 50 characters work', async () => {
  const object = { name: 'Long', singular_name: 'Long' };
  const key = 'k'.repeat(50);
  const types = ['a', 'b'].map((last) => `${'o-'.repeat(49)}o${last}`);
  const fields = (target: string, indexed: boolean) => ({
    [key]: { type: 'reference', reference_object_type: target, unique: true },
    [`${key.slice(1)}x`]: { type: 'text', indexed, unique: indexed },
  });
  const document = (indexed: boolean) => ({
    objects: Object.fromEntries(
      types.map((type) => [type, { ...object, fields: fields(types[0] as string, indexed) }]),
    ),
  });
  const { slug } = await create(document(true));
  await apply(slug, document(false));
  await apply(slug, document(true));
  expect((await apply(slug, document(true))).changes).toEqual([]);
});

test('people: listed ones are written, others stay', async () => {
  const user = (...roles: readonly string[]) => ({ name: 'N', roles });
  const { slug, schema } = await create({
    users: { 'ann@example.com': user('admin'), 'bob@example.com': user() },
    teams: { North: { members: ['ann@example.com', 'bob@example.com'] }, South: { members: [] } },
  });
  const ids = await own.rows(`select id, email from ${schema}._users order by id`);
  const document = {
    users: {
      'bob@example.com': { ...user('admin'), title: 'CEO', active: false },
      'bot@example.com': { ...user(), kind: 'agent' },
    },
    teams: { North: { description: 'Up', members: ['bob@example.com', 'bot@example.com'] } },
  };
  expect(await summaries(slug, document)).toEqual([
    '~ user bob@example.com (title, active, roles)',
    '+ user bot@example.com',
    '~ team North (description, members)',
  ]);
  expect(
    await own.rows(`select id, email from ${schema}._users where id <= 2 order by id`),
  ).toEqual(ids);
  expect(
    await own.rows(`select email, title, kind, active, roles from ${schema}._users order by email`),
  ).toEqual([
    { email: 'ann@example.com', title: null, kind: 'user', active: true, roles: ['admin'] },
    { email: 'bob@example.com', title: 'CEO', kind: 'user', active: false, roles: ['admin'] },
    { email: 'bot@example.com', title: null, kind: 'agent', active: true, roles: [] },
  ]);
  expect(
    await own.rows(`select t.name, u.email from ${schema}._team_members m
      join ${schema}._teams t on t.id = m.team_id join ${schema}._users u on u.id = m.user_id order by 1, 2`),
  ).toEqual([
    { name: 'North', email: 'bob@example.com' },
    { name: 'North', email: 'bot@example.com' },
  ]);
  await expect(summaries(slug, document, 'team:South', 'team:North')).rejects.toThrow(
    '--allow-drop team:North is not data that this change deletes',
  );
  expect(await summaries(slug, document, 'team:South')).toEqual(['- team South']);
  expect(await summaries(slug, document, 'team:South')).toEqual([]);
});

test('the database decides which people are new, not the last document', async () => {
  const document = { users: { 'ann@example.com': { name: 'Ann', roles: [] } } };
  const { slug, schema } = await create(document);
  await own.rows(`update ${schema}._users set active = false`);
  expect(await summaries(slug, document)).toEqual(['~ user ann@example.com (active)']);
});

test('the name of the document is the name of the workspace', async () => {
  const { slug } = await create({ name: 'One' });
  expect((await findWorkspace(own.db, slug))?.name).toBe('One');
  expect(await summaries(slug, { name: 'Two' })).toEqual(['~ name of the workspace (Two)']);
  expect((await findWorkspace(own.db, slug))?.name).toBe('Two');
});

test('the order of fields is kept, and a new order alone is a new revision', async () => {
  const { slug } = await create(dealFields({ zz: { type: 'text' }, a: { type: 'text' } }));
  const { changes, workspace } = await apply(
    slug,
    dealFields({ a: { type: 'text' }, zz: { type: 'text' } }),
  );
  expect(changes).toEqual([]);
  expect(workspace.revision).toBe(2);
  const model = await loadModel(own.db, workspace.id);
  const keys = [...(model?.objects.get('deals')?.fields.keys() ?? [])];
  expect(keys.slice(-4)).toEqual(['name', 'company_id', 'a', 'zz']);
});

test('other processes are notified after the commit', async () => {
  const { slug } = await create();
  const heard: string[] = [];
  await own.listeners.listen(CHANNEL, (payload) => heard.push(payload));
  const { workspace } = await apply(slug, dealFields({ size: { type: 'integer' } }));
  await expect.poll(() => heard).toContain(`definition:${workspace.id}`);
});

test('a definition cannot be applied without a workspace', async () => {
  await expect(apply('nowhere', {})).rejects.toThrow('There is no workspace "nowhere"');
});
