// Comments of an object of one's own, and the people that a comment can mention.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { ACME, openWorld, type PersonName, type World } from '../world.ts';

let world: World;
let ada: Client;
let mia: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  mia = await world.as('mia');
});
afterAll(() => world?.close());

const COMMENTED = {
  ...ACME,
  objects: { ...ACME.objects, boats: { ...ACME.objects.boats, comments: true } },
  roles: {
    ...ACME.roles,
    manager: {
      ...ACME.roles.manager,
      objects: { ...ACME.roles.manager.objects, boats: { read: 'team' } },
    },
  },
} as const;

async function make(client: Client, type: string, fields: object): Promise<string> {
  const { status, body } = await client.post(`/objects/${type}/records`, { fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body.data.id);
}

const boat = async (client = ada) =>
  make(client, 'boats', {
    name: 'Barge',
    company_id: await make(ada, 'companies', { name: 'Quay' }),
  });

const pathOf = (type: string, id: string) => `/objects/${type}/records/${id}`;

test('an object has comments, followers and mentions while its definition says so', async () => {
  const path = pathOf('boats', await boat());
  const parts = [`${path}/comments`, `${path}/follow`, `${path}/mentionable`];
  for (const part of parts) {
    const { status, body } = await ada.get(part);
    expect([status, body.error.code]).toEqual([404, 'comments_not_supported']);
  }
  await world.apply(COMMENTED);
  for (const part of parts) expect((await ada.get(part)).status, part).toBe(200);
  const described = await ada.get('/objects/boats?include=appearance');
  expect(described.body.data.comments).toBe(true);
  const commented = { body: 'Look', mention_user_ids: [world.users.mia] };
  expect((await ada.post(`${path}/comments`, commented)).status).toBe(201);
  // Ada made it, and shares no team with Mia, who cannot read it.
  expect((await mia.get('/notifications')).body.data).toEqual([]);
  await world.apply(ACME);
  expect((await ada.get(`${path}/comments`)).status).toBe(404);
  await world.apply(COMMENTED);
  expect((await ada.get(`${path}/comments`)).body.data).toHaveLength(1);
});

test('a record takes its comments along, also when its object has no comments any longer', async () => {
  await world.apply(COMMENTED);
  const rob = await world.as('rob');
  const id = await boat(rob);
  const path = pathOf('boats', id);
  const commented = { body: 'Look', mention_user_ids: [world.users.mia] };
  expect((await ada.post(`${path}/comments`, commented)).status).toBe(201);
  const [notified] = (await mia.get('/notifications')).body.data;
  expect(notified).toMatchObject({ object_type: 'boats', record_id: id });
  expect((await mia.put(`${path}/follow`, {})).body.data).toEqual({ following: true });
  await world.apply(ACME);
  expect((await ada.delete(path)).status).toBe(200);
  for (const table of ['_comments', '_follows', '_notifications'])
    expect(await world.rows(`select from ${table} where record_id = $1`, [id]), table).toEqual([]);
});

const PEOPLE = ['ada', 'mia', 'rob', 'rae', 'sam', 'bea', 'con'] as const;

test('those who can read a record can be mentioned, by anybody who can comment on it', async () => {
  await world.apply(COMMENTED);
  const sessions = new Map<PersonName, Client>();
  for (const name of PEOPLE) sessions.set(name, await world.inSession(name));
  const rob = await world.as('rob');
  const records = [
    ['boats', await boat(rob)],
    ['boats', await boat()],
    ['companies', await make(ada, 'companies', { name: 'Quay' })],
    ...(await Promise.all(
      PEOPLE.map(async (name) => {
        const fields = { name, owner_user_id: world.users[name] };
        return ['deals', await make(ada, 'deals', fields)] as const;
      }),
    )),
  ] as const;
  for (const [type, id] of records) {
    const path = pathOf(type, id);
    const readers: PersonName[] = [];
    for (const [name, client] of sessions)
      if ((await client.get(path)).status === 200) readers.push(name);
    const ids = readers.map((name) => world.users[name]).sort();
    for (const name of readers) {
      const { status, body } = await (sessions.get(name) as Client).get(`${path}/mentionable`);
      const seen = body.data.map((person: { id: number }) => person.id);
      expect([status, seen.sort()], `${name} of ${path}`).toEqual([200, ids]);
    }
    const found = (await ada.get(`${path}/mentionable?q=%20aD`)).body.data;
    expect(found).toEqual([{ id: world.users.ada, name: 'Ada' }]);
  }
});

test('at most twenty are answered, by name; a pattern is text', async () => {
  const users = Object.fromEntries(
    Array.from({ length: 25 }, (_, at) => {
      const name = `Reader ${String(at).padStart(2, '0')}`;
      return [`reader${at}@acme.example`, { name, roles: ['blind'] }];
    }),
  );
  await world.apply({ ...COMMENTED, users: { ...ACME.users, ...users } });
  const path = pathOf('companies', await make(ada, 'companies', { name: 'Quay' }));
  const named = async (q: string) =>
    (await ada.get(`${path}/mentionable?q=${encodeURIComponent(q)}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  const first = Object.values(users).map(({ name }) => name);
  expect(await named('reader')).toEqual(first.slice(0, 20));
  expect(await named('READER 24')).toEqual(['Reader 24']);
  expect(await named('%')).toEqual([]);
});
