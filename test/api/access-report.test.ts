// "Why can she see this?" over HTTP: whose access a caller may query, and what the answer omits.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, refusalOf } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
  rob = await world.as('rob');
});
afterAll(() => world?.close());

test('an administrator gets each action and field, and the roles that grant it', async () => {
  const answer = await ada.get(`/access?user_id=${world.users.rob}&object_type=deals`);
  const { user, developer, administrator, objects } = answer.body.data;
  expect(user).toEqual({
    ...{ id: world.users.rob, name: 'Rob', email: 'rob@acme.example', kind: 'user', active: true },
    roles: ['rep'],
  });
  expect([developer, administrator]).toEqual([
    { allowed: true, roles: ['rep'] },
    { allowed: false, roles: [] },
  ]);
  const [deals] = objects;
  expect(deals.actions).toEqual({
    create: { reach: 'own', supported: true, roles: ['rep'] },
    read: { reach: 'own', supported: true, roles: ['rep'] },
    update: { reach: 'own', supported: true, roles: ['rep'] },
    delete: { reach: null, supported: true, roles: [] },
  });
  const field = (key: string) => deals.fields.find((one: { key: string }) => one.key === key);
  expect(field('secret')).toEqual({ key: 'secret', name: 'secret', access: 'none', roles: [] });
  expect(field('code')).toMatchObject({ access: 'read', roles: ['rep'] });
  expect(field('amount')).toMatchObject({ access: 'write', roles: ['rep'] });
});

test('of oneself: no object that one cannot read', async () => {
  const whole = (await rob.get('/access')).body.data;
  expect(whole.user.id).toBe(world.users.rob);
  expect(JSON.stringify(whole)).not.toContain('secret');
  const shown = whole.objects as readonly {
    object_type: string;
    fields: readonly { key: string }[];
  }[];
  const fieldsOf = (type: string) =>
    shown.find(({ object_type }) => object_type === type)?.fields.map(({ key }) => key);
  expect(fieldsOf('deals')).toContain('amount');
  expect(fieldsOf('companies')).not.toContain('revenue');
  expect(fieldsOf('readings')).toEqual([]);
  expect((await rob.get(`/access?user_id=${world.users.rob}`)).body.data).toEqual(whole);
});

test('agents and inactive people, with the rights they would have', async () => {
  for (const name of ['bot', 'zed'] as const) {
    const { data } = (await ada.get(`/access?user_id=${world.users[name]}`)).body;
    expect(data.administrator).toEqual({ allowed: true, roles: ['admin'] });
    expect([data.user.kind, data.user.active]).toEqual(
      name === 'bot' ? ['agent', true] : ['user', false],
    );
  }
});

test.each([
  ['rob', '?user_id=$ada', [403, 'permission_denied', undefined]],
  ['rob', '?user_id=999999', [403, 'permission_denied', undefined]],
  ['rob', '?object_type=yachts', [404, 'object_not_available', 'object_type']],
  ['ada', '?user_id=999999', [404, 'user_not_found', 'user_id']],
  ['ada', '?user_id=x', [400, 'validation_failed', 'user_id']],
  ['ada', '?user_id=3000000000', [400, 'validation_failed', 'user_id']],
  ['ada', '?object_type=DEALS', [400, 'validation_failed', 'object_type']],
  ['ada', '?field=amount', [400, 'validation_failed', 'field']],
] as const)('%s queries %s', async (person, query, expected) => {
  const client = person === 'ada' ? ada : rob;
  const answer = await client.get(`/access${query.replace('$ada', String(world.users.ada))}`);
  expect(refusalOf(answer)).toEqual(expected);
});

test('without the scope: a refusal', async () => {
  const client = await world.as('ada', { scopes: ['workspace:write', 'users:read'] });
  expect(refusalOf(await client.get('/access'))).toEqual([403, 'insufficient_scope', undefined]);
});
