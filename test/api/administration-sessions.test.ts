// The actions of administrators in a session: everything, while the sign-in is young; and the rows that end with a
// person.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardKey } from '../access/canary.ts';
import { type Answer, openClient, refusalOf } from '../client.ts';
import { openWorld, type PersonName, type SessionClient, type World } from '../world.ts';

let world: World;
let ada: SessionClient;
let old: SessionClient;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.inSession('ada');
  old = await world.inSession('ada');
  await world.database.rows(
    `update workspace_records.sessions set created_at = created_at - interval '30 minutes' where id = $1`,
    [old.sessionId],
  );
});
afterAll(() => world?.close());

const path = (name: PersonName) => `/users/${world.users[name]}`;
const codeOf = (answer: Answer) => refusalOf(answer).slice(0, 2);

test('addresses and administrators, by a young sign-in; the audit names the session', async () => {
  const made = await ada.post('/users', {
    email: 'nia@acme.example',
    name: 'Nia',
    roles: ['admin'],
  });
  expect([made.status, made.body.data.roles]).toEqual([201, ['admin']]);
  const changed = await ada.patch(path('rob'), { email: 'robert@acme.example', roles: ['admin'] });
  expect(changed.body.data).toMatchObject({ email: 'robert@acme.example', roles: ['admin'] });
  expect((await ada.post('/roles', { key: 'boss', administrator: true })).status).toBe(201);
  const key = await ada.post('/keys', { name: 'Mine' });
  expect([key.status, key.body.data.requests_per_minute]).toEqual([201, null]);
  const rows = await world.rows(
    `select distinct session_id, user_id, api_key_id from _audit where subject_type is not null`,
  );
  expect(rows).toEqual([{ session_id: ada.sessionId, user_id: world.users.ada, api_key_id: null }]);
  await ada.patch(path('rob'), { email: 'rob@acme.example', roles: ['rep'] });
});

test('an old sign-in changes only data that is no credential, and reads', async () => {
  const before = await world.digest();
  const late = [403, 'fresh_sign_in_required'];
  const { id } = await world.key('rob');
  for (const refused of [
    await old.post('/users', { email: 'new@acme.example', name: 'New' }),
    await old.patch(path('rob'), { email: 'r@acme.example' }),
    await old.patch(path('rob'), { roles: ['manager'] }),
    await old.patch(path('rob'), { active: false }),
    await old.post('/roles', { key: 'clerk' }),
    await old.patch('/roles/rep', { name: 'x' }),
    await old.delete('/roles/contractor'),
    await old.post('/keys', { name: 'x' }),
  ]) {
    expect(codeOf(refused)).toEqual(late);
  }
  expect(await world.digest()).toBe(before);
  const [north] = (await old.get('/teams')).body.data;
  for (const allowed of [
    await old.patch(path('rob'), { name: 'Robert', title: 'Head' }),
    await old.put(`${path('rob')}/teams`, { team_ids: [north.id] }),
    await old.patch(`/teams/${north.id}`, { description: 'x' }),
    await old.patch(`/keys/${id}`, { name: 'x' }),
    await old.delete(`/keys/${id}`),
    await old.get('/keys'),
    await old.get('/roles'),
    await old.get(`/access?user_id=${world.users.rob}`),
  ]) {
    expect(allowed.status).toBe(200);
  }
});

test('with a person their sessions end, and rights change, with the next request', async () => {
  const sam = await world.inSession('sam');
  expect((await sam.get('/objects/deals/records')).status).toBe(200);
  await ada.patch(path('sam'), { roles: [] });
  expect(codeOf(await sam.get('/objects/deals/records'))).toEqual([404, 'object_not_available']);
  await ada.patch(path('sam'), { active: false });
  expect((await sam.get('/me')).status).toBe(401);
  const { secret, id } = (await ada.post('/keys', { name: 'x' })).body.data;
  guardKey(secret, '@acme.example');
  const me = () => openClient({ port: world.port, secret }).get('/me');
  expect((await me()).status).toBe(200);
  await ada.delete(`/keys/${id}`);
  expect((await me()).status).toBe(401);
});

test('a person in a session without the administrator role has only their own keys', async () => {
  const rae = await world.inSession('rae');
  const key = await rae.post('/keys', { name: 'Mine', scopes: ['records:read'] });
  expect(key.status).toBe(201);
  const { bot } = world.users;
  expect(codeOf(await rae.post('/keys', { name: 'x', user_id: bot }))).toEqual([
    ...[403, 'permission_denied'],
  ]);
  expect((await rae.get('/keys')).body.data).toHaveLength(1);
  expect(codeOf(await rae.post('/users', { email: 'x@acme.example', name: 'X' }))).toEqual([
    ...[403, 'permission_denied'],
  ]);
  const con = await world.inSession('con');
  expect(codeOf(await con.post('/keys', { name: 'x' }))).toEqual([403, 'permission_denied']);
});
