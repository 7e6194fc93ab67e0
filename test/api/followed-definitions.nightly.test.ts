// A replica that follows the feed by the documented rule has what a list shows, after every kind of change of a
// definition: for people of different rights, for those whose rights change with it, and for those who were away while
// it was changed several times.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { planDefinition } from '../../src/definitions/apply/apply-definition.ts';
import { mergePatch } from '../../src/model/definition/definition.ts';
import type { Client } from '../client.ts';
import { START } from '../definitions/change-samples.ts';
import { SCENARIOS } from '../definitions/followed-changes.ts';
import { openWorld, type World } from '../world.ts';
import { openReplica, type Replica } from './replica.ts';

interface Document {
  readonly objects: Readonly<Record<string, { readonly fields?: object } | null>>;
}

let world: World;
let ann: Client;
const readers = new Map<string, Client>();

/** Organisation reach; own reach with hidden fields; reach that comes with the change, and that goes with it. */
const READERS = ['ann', 'own', 'late', 'early'] as const;

/** An object that everybody reads: people who read none cannot follow. */
const idle = { name: 'Idle', singular_name: 'Idle', fields: {} };

/** Without the objects of START, so that nothing of a test stays for the next one. */
const EMPTY = mergePatch(START, {
  objects: { cars: null, makers: null },
  relationships: { pairs: null },
});

beforeAll(async () => {
  world = await openWorld();
  await empty();
  for (const name of READERS) readers.set(name, await world.as(`${name}@example.org`));
  ann = readers.get('ann') as Client;
});
afterAll(() => world?.close());

/** With the rights of a moment: before a change, or after it. */
function withPeople(document: unknown, moment: 'before' | 'after'): object {
  const made = mergePatch(document, { objects: { idle } });
  const { objects } = made as Document;
  const types = Object.keys(objects).filter((type) => objects[type] !== null);
  const role = (grantOf: (type: string) => object) => ({
    developer: true,
    objects: Object.fromEntries(types.map((type) => [type, grantOf(type)])),
  });
  const whole = role(() => ({ read: 'organisation' }));
  const own = role((type) => ({
    read: type === 'makers' ? 'organisation' : 'own',
    fields: 'label' in (objects[type]?.fields ?? {}) ? { label: 'none' } : {},
  }));
  const nothing = { developer: true, objects: { idle: { read: 'organisation' } } };
  return mergePatch(made, {
    roles: {
      own,
      late: moment === 'after' ? whole : nothing,
      early: moment === 'before' ? whole : nothing,
    },
    users: Object.fromEntries(
      READERS.slice(1).map((name) => [`${name}@example.org`, { name, roles: [name] }]),
    ),
  }) as object;
}

/** People of other tests, whom documents do not list, have no roles. */
async function empty(): Promise<void> {
  const addresses = READERS.map((name) => `${name}@example.org`);
  const text = `update ws_acme._users set roles = '{}' where email <> all ($1)`;
  await world.database.rows(text, [addresses]);
  await apply(withPeople(EMPTY, 'before'));
}

async function apply(document: object): Promise<void> {
  const { losses } = await planDefinition(world.database.db, 'acme', document);
  await world.apply(document, losses);
}

async function create(type: string, fields: object): Promise<string> {
  const { status, body } = await ann.post(`/objects/${type}/records`, { fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

const GIVEN = { name: 'Al', title: 'Do it', label: 'y', gauge: 1.5, plate: 'z', color: 'red' };

/** A record of each object and owner, and a link. */
async function fill(): Promise<void> {
  const ids = new Map<string, string>();
  const people = await world.rows(`select id, email from _users where email ~ '^(own|ann)@'`);
  for (const { object_type: type } of (await ann.get('/objects')).body.data) {
    const keys = await keysOf(type);
    for (const { id, email } of people) {
      const given = { ...GIVEN, code: email, owner_user_id: id };
      const fields = Object.fromEntries(Object.entries(given).filter(([key]) => keys.has(key)));
      const custom = keys.has('depth') ? { custom_fields: { depth: 2.5 } } : {};
      const types = type === 'work_items' ? ['task', 'permit'] : [undefined];
      for (const work_item_type_id of types)
        ids.set(type, await create(type, { ...fields, ...custom, work_item_type_id }));
    }
  }
  const path = `/objects/cars/records/${ids.get('cars')}/relationships/link.pairs`;
  const { status, body } = await ann.post(path, { target_id: ids.get('makers') });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
}

async function keysOf(type: string): Promise<ReadonlySet<string>> {
  const { fields } = (await ann.get(`/objects/${type}`)).body.data;
  return new Set(fields.map(({ key }: { readonly key: string }) => key));
}

const limits = { timeout: 120_000 };

test.each(Object.entries(SCENARIOS))('%s is followed', limits, async (_, scenario) => {
  const { before = {}, patches } = scenario;
  let made = mergePatch(START, before);
  await empty();
  await apply(withPeople(made, 'before'));
  await fill();
  const replicas = new Map<string, Replica>();
  for (const [name, client] of readers) replicas.set(name, await openReplica(client));
  for (const patch of patches) {
    made = mergePatch(made, patch);
    await apply(withPeople(made, 'after'));
  }
  for (const [name, replica] of replicas) {
    await replica.follow();
    const listed = await openReplica(readers.get(name) as Client);
    expect(replica.state(), name).toEqual(listed.state());
  }
});
