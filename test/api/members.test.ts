// People and agents as administrators list them: roles, teams, how they sign in; pages, filters, refusals.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, refusalOf } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada');
});
afterAll(() => world?.close());

const namesOf = async (query: string) =>
  (await ada.get(`/members${query}`)).body.data.map(({ name }: { readonly name: string }) => name);

test('everybody is listed by name, agents and inactive people too, with roles and teams', async () => {
  expect(await namesOf('')).toEqual([
    ...['Ada', 'Bea', 'Bot', 'Con', 'Mia', 'Rae', 'Rob', 'Sam', 'Zed'],
  ]);
  const { data } = (await ada.get(`/members/${world.users.rob}`)).body;
  expect(data).toEqual({
    ...{ id: world.users.rob, name: 'Rob', email: 'rob@acme.example', title: null, kind: 'user' },
    ...{ active: true, roles: ['rep'], teams: [{ id: expect.any(Number), name: 'North' }] },
    sign_in: {
      password: false,
      second_factor: false,
      identities: [],
      last_sign_in_at: null,
      last_seen_at: null,
    },
  });
});

test('filters narrow, and pages have each once', async () => {
  const [north] = (await ada.get('/teams')).body.data;
  expect(await namesOf('?kind=agent')).toEqual(['Bot']);
  expect(await namesOf('?role=admin&active=true')).toEqual(['Ada', 'Bot']);
  expect(await namesOf('?active=false')).toEqual(['Zed']);
  expect(await namesOf(`?team_id=${north.id}&q=R`)).toEqual(['Rae', 'Rob']);
  expect(await namesOf('?q=%25')).toEqual([]);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { data, pagination } = (await ada.get(`/members?limit=4&cursor=${cursor}`)).body;
    seen.push(...data.map(({ name }: { readonly name: string }) => name));
    cursor = pagination.next_cursor;
  } while (cursor !== null);
  expect(seen).toEqual(await namesOf(''));
  const { next_cursor } = (await ada.get('/members?limit=1')).body.pagination;
  const other = await ada.get(`/members?limit=1&kind=user&cursor=${next_cursor}`);
  expect(refusalOf(other)).toEqual([400, 'invalid_cursor', 'cursor']);
});

test('a sign-in, a password and an identity are reported without their secrets', async () => {
  const rob = await world.inSession('rob');
  expect((await rob.put('/me/password', { password: 'a password of rob' })).status).toBe(200);
  await world.database.rows(
    `insert into workspace_records.oidc_identities (workspace_id, issuer, subject, user_id)
      select id, 'https://idp.example', 'subject-of-rob', $1 from workspace_records.workspaces
      where slug = 'acme'`,
    [world.users.rob],
  );
  const answer = await ada.get(`/members/${world.users.rob}`);
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  expect(answer.body.data.sign_in).toEqual({
    password: true,
    second_factor: false,
    identities: [{ issuer: 'https://idp.example', created_at: moment }],
    last_sign_in_at: moment,
    last_seen_at: moment,
  });
  expect(JSON.stringify(answer.body)).not.toContain('subject-of-rob');
});

test('others are refused for every id, and so is a key without users:read', async () => {
  const mia = await world.as('mia');
  const narrow = await world.as('ada', { scopes: ['workspace:read'] });
  for (const path of ['/members', `/members/${world.users.mia}`, '/members/999999']) {
    expect(refusalOf(await mia.get(path))).toEqual([403, 'permission_denied', undefined]);
    expect(refusalOf(await narrow.get(path))).toEqual([403, 'insufficient_scope', undefined]);
  }
  expect(refusalOf(await ada.get('/members/999999'))).toEqual([404, 'user_not_found', 'user_id']);
  expect(refusalOf(await ada.get('/members/x'))).toEqual([404, 'user_not_found', 'user_id']);
});
