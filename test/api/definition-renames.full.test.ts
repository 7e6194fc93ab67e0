// `renamed_from`: an entry with a new key keeps its data, its versions, links and rights. Tables and columns keep
// their names, and a new entry under an old key has its own.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDefinition, planDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import { createWorkspace } from '../../src/workspaces/create-workspace.ts';
import type { Client } from '../client.ts';
import { exported, restored } from '../moved-workspace.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;

const START = mergePatch(ACME, {
  objects: {
    boats: {
      searchable: true,
      comments: true,
      workflow: 'voyage',
      fields: {
        length: { type: 'number', indexed: true },
        code: { type: 'text', unique: true },
        note: { type: 'text', storage: 'jsonb' },
        driver: { type: 'user' },
      },
    },
  },
  workflows: {
    voyage: {
      name: 'Voyage',
      initial: 'moored',
      statuses: {
        moored: { name: 'Moored', transitions: ['sailing'] },
        sailing: { name: 'Sailing', transitions: ['moored'] },
      },
    },
  },
  relationships: {
    crews: {
      name: 'Crew',
      kind: 'link',
      from: 'boats',
      to: 'contacts',
      cardinality: 'many_to_many',
    },
  },
  roles: { rep: { objects: { boats: { fields: { note: 'none' } } } } },
});

/** Everything that can be renamed, renamed. */
const RENAMED = mergePatch(START, {
  objects: {
    boats: null,
    ships: {
      ...(START as typeof ACME).objects.boats,
      renamed_from: 'boats',
      display_field: 'title',
      workflow: 'voyage',
      fields: {
        title: { type: 'text', required: true, renamed_from: 'name' },
        yard_id: {
          ...{ type: 'reference', reference_object_type: 'companies', required: true },
          renamed_from: 'company_id',
        },
        length_m: { type: 'number', indexed: true, renamed_from: 'length' },
        ship_code: { type: 'text', unique: true, renamed_from: 'code' },
        remark: { type: 'text', storage: 'jsonb', renamed_from: 'note' },
        captain: { type: 'user', renamed_from: 'driver' },
      },
    },
  },
  workflows: {
    voyage: {
      statuses: {
        moored: { transitions: ['at_sea'] },
        sailing: null,
        at_sea: { name: 'Sailing', transitions: ['moored'], renamed_from: 'sailing' },
      },
    },
  },
  relationships: {
    crews: null,
    sailors: {
      ...{ name: 'Crew', kind: 'link', from: 'ships', to: 'contacts' },
      ...{ cardinality: 'many_to_many', renamed_from: 'crews' },
    },
  },
  roles: {
    rep: null,
    seller: {
      renamed_from: 'rep',
      developer: true,
      objects: {
        ...ACME.roles.rep.objects,
        boats: null,
        ships: { create: 'own', read: 'own', fields: { remark: 'none' } },
      },
    },
  },
  users: Object.fromEntries(
    ['rob', 'rae', 'sam'].map((name) => [`${name}@acme.example`, { roles: ['seller'] }]),
  ),
});

beforeAll(async () => {
  world = await openWorld();
  await world.apply(START);
  ada = await world.as('ada');
  rob = await world.as('rob');
});
afterAll(() => world?.close());

/** Everything that makes up the tables of a schema, without its name. */
async function catalogOf(schema: string): Promise<readonly string[]> {
  const rows = await world.database.rows(
    `select indexdef as line from pg_indexes where schemaname = $1
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = $2::regnamespace and contype <> 'n'
    union all select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = $2::regnamespace and c.relkind = 'r' and a.attnum > 0
        and not a.attisdropped
    order by 1`,
    [schema, `"${schema}"`],
  );
  return rows.map(({ line }) => String(line).replaceAll(new RegExp(`"?${schema}"?\\.`, 'g'), ''));
}

async function planOf(patch: unknown) {
  const { body } = await ada.post('/definition/plan', { patch });
  return body.data;
}

const cars = (fields: object, more: object = {}) => ({
  objects: { cars: { name: 'Cars', singular_name: 'Car', owned: false, fields, ...more } },
});

test('all of it at once, without a loss', async () => {
  const { body: company } = await ada.post('/objects/companies/records', { fields: { name: 'C' } });
  const fields = {
    name: 'Seagull',
    company_id: company.data.id,
    length: 12.5,
    code: 'b1',
    custom_fields: { note: 'dry' },
    driver: world.users.rob,
  };
  const boat = (await ada.post('/objects/boats/records', { fields })).body.data;
  const at = `/objects/boats/records/${boat.id}`;
  await ada.post(`${at}/status`, { status_id: 'sailing' });
  const { body: contact } = await ada.post('/objects/contacts/records', { fields: { name: 'K' } });
  await ada.post(`${at}/relationships/link.crews`, { target_id: contact.data.id });
  await ada.post(`${at}/comments`, { body: 'She leaks' });
  const hook = await ada.post('/webhooks', {
    ...{ url: 'https://receiver.example/', events: ['record.*'], object_types: ['boats'] },
    changed_fields: ['length', 'link.crews'],
  });
  const before = (await ada.get(at)).body.data;
  const catalog = await catalogOf('ws_acme');
  const audited = await world.rows('select object_type, changed_fields from _audit order by id');

  const { changes, problems, plan_id, revision } = await planOf(RENAMED);
  expect(problems).toEqual([]);
  expect(
    changes.map(({ path, action }: { path: string; action: string }) => [path, action]),
  ).toEqual(
    [
      'objects.ships',
      'objects.ships.fields.title',
      'objects.ships.fields.yard_id',
      'objects.ships.fields.length_m',
      'objects.ships.fields.ship_code',
      'objects.ships.fields.remark',
      'objects.ships.fields.captain',
      'relationships.sailors',
      'workflows.voyage.statuses.at_sea',
      'roles.seller',
    ].map((path) => [path, 'rename']),
  );
  expect(changes.filter(({ effect }: { effect: string }) => effect === 'loses')).toEqual([]);
  const sent = { patch: RENAMED, plan_id };
  const applied = await ada.post('/definition/apply', sent, { 'if-match': `"${revision}"` });
  expect(applied.status).toBe(200);

  const ship = (await ada.get(`/objects/ships/records/${boat.id}`)).body.data;
  const {
    name,
    length,
    code,
    driver,
    company_id,
    custom_fields,
    status: _,
    custom_status_id: __,
    ...same
  } = before.fields;
  expect(ship).toMatchObject({
    id: boat.id,
    version: before.version,
    updated_at: before.updated_at,
  });
  expect(ship.fields).toMatchObject({
    ...same,
    title: name,
    length_m: length,
    ship_code: code,
    captain: driver,
    yard_id: company_id,
    custom_fields: { remark: custom_fields.note },
  });
  expect(ship.status).toBe('at_sea');
  const linked = await ada.get(`/objects/ships/records/${boat.id}/relationships/link.sailors`);
  expect(linked.body.data).toMatchObject([{ id: contact.data.id }]);
  const comments = await ada.get(`/objects/ships/records/${boat.id}/comments`);
  expect(comments.body.data).toMatchObject([{ body: 'She leaks' }]);
  const { body: followed } = await ada.get(`/webhooks/${hook.body.data.id}`);
  expect(followed.data.changed_fields).toEqual(['length_m', 'link.sailors']);
  const related = async (path: string) => {
    const { status, body } = await ada.get(`/objects/${path}`);
    return [status, body.data.map(({ id }: { id: string }) => id)];
  };
  const links = `ships/records/${boat.id}/relationships`;
  expect(await related(`${links}/ref.yard_id`)).toEqual([200, [company_id]]);
  const inverse = `companies/records/${company_id}/relationships/inv.ships.yard_id`;
  expect(await related(inverse)).toEqual([200, [boat.id]]);
  const { body: asked } = await ada.post('/objects/ships/records/query', {
    where: { field: 'yard_id.name', op: 'eq', value: 'C' },
    ...{ sort: [{ field: 'length_m' }], expand: ['yard_id'] },
  });
  expect(asked.data).toMatchObject([{ id: boat.id, expanded: { yard_id: { id: company_id } } }]);
  expect((await ada.get('/search?q=seagull')).body.data).toMatchObject([
    { id: boat.id, object_type: 'ships' },
  ]);
  const found = await ada.get('/objects/ships/records?filter[length_m][gt]=12&sort=-ship_code');
  expect(found.body.data).toHaveLength(1);
  const old = await world.rows(
    'select object_type, changed_fields from _audit where object_type is not null order by id',
  );
  expect(old).toEqual(audited.filter(({ object_type }) => object_type !== null));
  // People keep their rights under the new name of the role.
  const shown = (await rob.get('/objects/ships')).body.data.fields;
  expect(shown.map(({ key }: { key: string }) => key)).not.toContain('remark');
  const [person] = await world.rows('select roles from _users where id = $1', [world.users.rob]);
  expect(person?.roles).toEqual(['seller']);

  expect(await planOf(RENAMED)).toMatchObject({ changes: [], problems: [] });
  expect(await catalogOf('ws_acme')).toEqual(catalog);
});

test('an entry that takes the key of a renamed one has a table and a column of its own', async () => {
  const { boats } = (START as typeof ACME).objects;
  const both = mergePatch(RENAMED, {
    objects: {
      boats: { ...boats, fields: { ...boats.fields, company_id: null } },
      ships: {
        renamed_from: null,
        fields: {
          length_m: { renamed_from: null },
          length: { type: 'text', indexed: true },
          boat_id: { type: 'reference', reference_object_type: 'boats' },
        },
      },
    },
  });
  await world.apply(both);
  const boat = await ada.post('/objects/boats/records', { fields: { name: 'Other', length: 3 } });
  const [ship] = (await ada.get('/objects/ships/records')).body.data;
  const fields = { length: 'long', boat_id: boat.body.data.id };
  const written = await ada.patch(`/objects/ships/records/${ship.id}`, { fields });
  expect(written.body.data.fields).toMatchObject({ ...fields, length_m: 12.5, title: 'Seagull' });
  const twice = { fields: { name: 'Twice', code: 'b1' } };
  expect((await ada.post('/objects/boats/records', twice)).status).toBe(201);
  const again = await ada.post('/objects/boats/records', twice);
  expect(again.body.error).toMatchObject({ code: 'conflict', param: 'fields.code' });
  const stored = await world.rows('select "length#2", "boat_id", length from boats');
  expect(stored).toEqual([{ 'length#2': 'long', boat_id: boat.body.data.id, length: 12.5 }]);
  expect((await ada.get('/search?q=other')).body.data).toMatchObject([{ object_type: 'boats' }]);

  const own = world.database;
  const { file } = await exported(own, 'acme');
  await restored(own, file, { slug: 'copy' });
  expect(await catalogOf('ws_copy')).toEqual(await catalogOf('ws_acme'));
  for (const table of ['boats', 'boats#2']) {
    const rows = (schema: string) => own.rows(`select * from ${schema}."${table}" order by id`);
    expect(await rows('ws_copy')).toEqual(await rows('ws_acme'));
  }
  await world.apply(RENAMED, ['boats', 'ships.length', 'ships.boat_id']);
});

test('an entry that is renamed back is no longer listed', async () => {
  const { db } = world.database;
  await createWorkspace(db, { slug: 'back', document: cars({ a: { type: 'text' } }) });
  const vans = {
    objects: {
      vans: {
        ...{ name: 'Cars', singular_name: 'Car', owned: false, renamed_from: 'cars' },
        fields: { b: { type: 'text', renamed_from: 'a' } },
      },
    },
  };
  const stored = async () => {
    const rows = await world.database.rows(
      'select storage from ws_back._definitions order by revision',
    );
    return rows.map(({ storage }) => storage);
  };
  await applyDefinition(db, 'back', vans);
  await applyDefinition(
    db,
    'back',
    cars({ a: { type: 'text', renamed_from: 'b' } }, { renamed_from: 'vans' }),
  );
  expect(await stored()).toEqual([
    {},
    { vans: { table: 'cars', search: 'cars', columns: { b: 'a' }, texts: { b: 'a' } } },
    {},
  ]);
});

test('a stored answer is not sent again to a caller who may not read a renamed field', async () => {
  const document = (fields: object, access: object) => ({
    name: 'Kept',
    objects: {
      notes: {
        ...{ name: 'Notes', singular_name: 'Note', display_field: 'title' },
        fields: { title: { type: 'text' }, ...fields },
      },
    },
    roles: {
      writer: {
        developer: true,
        objects: { notes: { create: 'organisation', read: 'organisation', fields: access } },
      },
    },
    users: { 'kim@acme.example': { name: 'Kim', roles: ['writer'] } },
  });
  const merge = (patch: object) => mergePatch(RENAMED, patch);
  await world.apply(merge(document({ inner: { type: 'text' } }, {})));
  const kim = await world.as('kim@acme.example');
  const send = () =>
    kim.post(
      '/objects/notes/records',
      { fields: { title: 'T', inner: 'hidden' } },
      { 'idempotency-key': 'one' },
    );
  expect((await send()).status).toBe(201);
  const renamed = { secret_inner: { type: 'text', renamed_from: 'inner' } };
  await world.apply(merge(document(renamed, { secret_inner: 'none' })));
  const again = await send();
  expect([again.status, again.body.error.code]).toEqual([403, 'permission_denied']);
});

test.each<[string, object, object, string]>([
  [
    'something that is not there',
    cars({ a: { type: 'text' } }),
    cars({ a: { type: 'text' }, b: { type: 'text', renamed_from: 'gone' } }),
    'objects.cars.fields.b cannot be renamed from gone: it does not exist',
  ],
  [
    'something that is still there',
    cars({ a: { type: 'text' } }),
    cars({ a: { type: 'text' }, b: { type: 'text', renamed_from: 'a' } }),
    'is still there',
  ],
  [
    'one thing twice',
    cars({ a: { type: 'text' } }),
    cars({ b: { type: 'text', renamed_from: 'a' }, c: { type: 'text', renamed_from: 'a' } }),
    'is already the former key of another one',
  ],
  [
    'an object that every workspace knows',
    {},
    {
      objects: {
        deals: null,
        offers: { name: 'O', singular_name: 'O', renamed_from: 'deals', fields: {} },
      },
    },
    'is not possible for objects of the base',
  ],
])('refused: %s', async (name, before, after, message) => {
  const slug = `r-${name.replaceAll(' ', '-').slice(0, 30)}`;
  const { db } = world.database;
  await createWorkspace(db, { slug, document: before });
  await expect(applyDefinition(db, slug, after)).rejects.toThrow(message);
});

test('another type, a new rule and a removed status together with a new name', async () => {
  const { db, rows } = world.database;
  const flow = (statuses: object) => ({ flow: { name: 'Flow', initial: 'open', statuses } });
  const open = { name: 'Open' };
  const before = {
    ...cars({ size: { type: 'text', indexed: true } }, { workflow: 'flow' }),
    workflows: flow({ open, busy: open, done: open }),
  };
  await createWorkspace(db, { slug: 'together', document: before });
  const insert = `insert into ws_together.cars (id, created_by_user_id, status, size)
    values (gen_random_uuid(), 1, $1, $2)`;
  await rows(insert, ['busy', '12']);
  const after = {
    objects: {
      vans: {
        ...{ name: 'Vans', singular_name: 'Van', owned: false, workflow: 'flow' },
        renamed_from: 'cars',
        fields: { metres: { type: 'integer', indexed: true, minimum: 5, renamed_from: 'size' } },
      },
    },
    workflows: flow({ open, working: { name: 'Busy', renamed_from: 'busy' } }),
  };
  expect((await planDefinition(db, 'together', after)).problems).toEqual([]);
  await rows(insert, ['done', '3']);
  const { problems } = await planDefinition(db, 'together', after);
  expect(problems.map(({ message }) => message.text).sort()).toEqual([
    'vans.metres: values of 1 record cannot become integer',
    'vans: records still have removed statuses: done (1 record)',
  ]);
  await rows(`update ws_together.cars set status = 'open', size = '7' where size = '3'`);
  await applyDefinition(db, 'together', after);
  expect(await rows('select status, "metres" from ws_together.cars order by 2')).toEqual([
    { status: 'open', metres: 7 },
    { status: 'working', metres: 12 },
  ]);
});
