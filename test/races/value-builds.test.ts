// Values rebuilt during writes, in another place, of another type or with another name of a status: none is lost,
// versions stay, and one that does not fit and arrives meanwhile refuses the change.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { findWorkspace } from '../../src/control/workspace/workspaces.ts';
import { sweepLeftovers } from '../../src/definitions/apply/leftovers.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { requireSearchRows } from '../search-rows.ts';
import { openThings, START, THINGS, type Things } from '../things-world.ts';
import type { World } from '../world.ts';

const flowStatuses = (open: string) => ({
  [open]: { name: 'Open', ...(open === 'open' ? {} : { renamed_from: 'open' }) },
});
/** Values that can be rebuilt. */
const VALUES = mergePatch(START, {
  objects: {
    things: {
      workflow: 'flow',
      fields: {
        size: { type: 'number' },
        inner: { type: 'text', storage: 'jsonb' },
        depth: { type: 'number', storage: 'jsonb' },
      },
    },
  },
  workflows: { flow: { name: 'Flow', initial: 'open', statuses: flowStatuses('open') } },
});

let things: Things;
let world: World;
let ada: Client;

beforeEach(async () => {
  things = await openThings();
  ({ world, ada } = things);
  await things.apply(VALUES);
});
afterEach(() => world?.close());

const REBUILT = mergePatch(VALUES, {
  objects: {
    things: {
      workflow: 'flow',
      fields: {
        name: { indexed: true, unique: true },
        size: { type: 'text', indexed: true },
        code: { storage: 'jsonb' },
        inner: { type: 'number', storage: 'jsonb' },
        depth: { storage: 'physical' },
      },
    },
  },
  workflows: { flow: { initial: 'fresh', statuses: { open: null, ...flowStatuses('fresh') } } },
});

test('values in another place, of another type and with another name of a status, while others write', async () => {
  const { db, rows } = world.database;
  // By functions that Citus takes there.
  await rows(`update ws_acme.things set size = 0.5 * length(name), status = 'open', custom_fields =
    ('{"inner":"' || length(name) || '","depth":' || length(code) || '}')::jsonb`);
  // Whichever definition is in force: `name` is where it was.
  const writing = things.keepWriting(2, 'name');
  const early = await things.ids('order by id desc limit 2');
  const build = await things.holdBuild();
  const applying = things.apply(REBUILT);
  await build.within(async () => {
    const fields = { size: 7.25, code: 'late', custom_fields: { inner: '12', depth: 99 } };
    await ada.patch(`${THINGS}/${early[0]}`, { fields });
    await ada.patch(`${THINGS}/${early[1]}`, { fields: { size: null, code: null } });
    await ada.post(THINGS, { fields: { ...fields, name: 'created' } });
  });
  await applying;
  const written = await writing.stop();
  expect(await sweepLeftovers(db, things.workspace)).toBe(0);
  const wrong = await rows(
    `select * from ws_acme.things where not (name in ('created') or id = any($1))
    and (status <> 'fresh' or "size#2" is null or depth is null or custom_fields ->> 'code' is null
      or jsonb_typeof(custom_fields -> 'inner#2') <> 'number'
      or (select count(*) from jsonb_object_keys(custom_fields)) <> 2)`,
    [early],
  );
  expect(wrong).toEqual([]);
  const shown = async (id: string) => (await ada.get(`${THINGS}/${id}`)).body.data.fields;
  const late = { size: '7.25', depth: 99, custom_fields: { code: 'late', inner: 12 } };
  expect(await shown(early[0] as string)).toMatchObject(late);
  expect(await shown(early[1] as string)).toMatchObject({
    size: null,
    custom_fields: { code: null },
  });
  const [created] = await things.ids(`where name = 'created'`);
  expect(await shown(created as string)).toMatchObject(late);
  for (const id of early) written.set(id, 1);
  const versions = await rows('select id, version from ws_acme.things where version > 1');
  expect(new Map(versions.map(({ id, version }) => [id, Number(version) - 1]))).toEqual(written);
  await requireSearchRows(db, await things.present());
  const indexes = await rows(`select indexname as name from pg_indexes
    where schemaname = 'ws_acme' and tablename = 'things' and indexname ~ 'name|size' order by 1`);
  expect(indexes.map(({ name }) => name)).toEqual([
    'things.name.by2a633a',
    'things.name.eq_nfc',
    'things.name.one_nfc',
    'things.name.part',
    'things.size#2.by2a633a',
    'things.size#2.eq_nfc',
    'things.size#2.part',
  ]);
});

test.each([
  ['is told with its record', { size: { type: 'integer' } }, { size: 1.5 }],
  [
    'that the database takes is told too',
    { code: { type: 'select', options: [{ value: 'c' }] } },
    { code: 'd' },
  ],
])(
  'a value that does not fit and comes meanwhile %s, and the definition stays',
  async (_, fields, value) => {
    await world.database.rows(`update ws_acme.things set code = 'c', size = 1`);
    const [id] = await things.ids('order by id limit 1');
    const before = [await catalogOf(), await findWorkspace(world.database.db, 'acme')];
    const other = { depth: { storage: 'physical' } };
    const build = await things.holdBuild();
    const outcome = things
      .apply(mergePatch(VALUES, { objects: { things: { fields: { ...fields, ...other } } } }))
      .then(
        () => 'applied',
        (error: Error) => error.message,
      );
    await build.within(async () => {
      await ada.patch(`${THINGS}/${id}`, { fields: value });
    });
    expect(await outcome).toMatch(/nothing was changed:\n.* values of 1 record cannot become/);
    expect(await sweepLeftovers(world.database.db, things.workspace)).toBe(0);
    expect([await catalogOf(), await findWorkspace(world.database.db, 'acme')]).toEqual(before);
    await requireSearchRows(world.database.db, await things.present());
  },
);

/** Columns and indexes of the things, and the keys in their `custom_fields`. */
async function catalogOf(): Promise<unknown> {
  return world.database.rows(
    `select attname::text as name from pg_attribute
        where attrelid = 'ws_acme.things'::regclass and attnum > 0 and not attisdropped
      union all select indexname from pg_indexes where schemaname = 'ws_acme' and tablename = 'things'
      union all select distinct jsonb_object_keys(custom_fields) from ws_acme.things order by 1`,
  );
}
