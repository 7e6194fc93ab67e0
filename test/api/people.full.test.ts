// People changed by administrators over HTTP: changes, rights, refusals, and remaining rows.

import { describe, expect, test } from 'vitest';
import { type Client, refusalOf } from '../client.ts';
import { call } from '../http-client.ts';
import { useRestoredWorld } from '../restored-world.ts';
import { type Ask, openAsk } from '../signed-in.ts';
import { ACME, type World } from '../world.ts';

let world: World;
let ada: Client;
let adaHerself: Ask;

useRestoredWorld(async (own) => {
  world = own;
  ada = await own.as('ada');
  adaHerself = openAsk(own, 'ada');
});

const audit = () =>
  world.rows(`select user_id, api_key_prefix, source, request_id is not null as is_traced, subject_type,
    subject_id, action, changed_fields from _audit order by transaction, id`);

describe('adding', () => {
  test('a person is there, can be found, and is in the audit', async () => {
    const body = {
      email: 'nia@acme.example',
      name: 'Nia',
      title: 'Clerk',
      roles: ['rep', 'manager'],
    };
    const { status, body: answer } = await ada.post('/users', body);
    const id = answer.data.id as number;
    expect([status, answer.data]).toEqual([
      201,
      { id, ...body, kind: 'user', active: true, teams: [] },
    ]);
    const listed = (await ada.get('/users?q=nia')).body.data;
    expect(listed).toEqual([
      { id, name: 'Nia', email: 'nia@acme.example', title: 'Clerk', active: true, teams: [] },
    ]);
    expect(await audit()).toEqual([
      {
        ...{ user_id: world.users.ada, api_key_prefix: ada.secret.slice(0, 12), source: 'api' },
        ...{ is_traced: true, subject_type: 'user', subject_id: String(id), action: 'create' },
        changed_fields: ['email', 'name', 'title', 'kind', 'active', 'roles'],
      },
    ]);
  });

  test('an agent is in no list of people and gets operational keys', async () => {
    const made = await ada.post('/users', {
      email: 'ro@acme.example',
      name: 'Robot',
      kind: 'agent',
    });
    expect(made.body.data).toMatchObject({ kind: 'agent', roles: [], title: null });
    expect((await ada.get('/users?q=Robot')).body.data).toEqual([]);
    const { data } = (await ada.get(`/users/${made.body.data.id}`)).body;
    expect([data.name, data.active]).toEqual(['Robot', true]);
    const key = await ada.post('/keys', { name: 'Bot', user_id: made.body.data.id });
    expect([key.status, key.body.data.type]).toEqual([201, 'operational']);
  });

  test.each([
    ['an address that is taken', { email: 'rob@acme.example' }, [409, 'conflict', 'email']],
    [
      'an address with capitals',
      { email: 'Rob@acme.example' },
      [400, 'validation_failed', 'email'],
    ],
    ['no address', { email: 'rob' }, [400, 'validation_failed', 'email']],
    [
      'an address that is too long',
      { email: `${'x'.repeat(246)}@acme.exa` },
      [400, 'validation_failed', 'email'],
    ],
    ['an unknown role', { roles: ['rep', 'reps'] }, [422, 'invalid_write', 'roles[1]']],
    ['a role twice', { roles: ['rep', 'rep'] }, [400, 'validation_failed', 'roles']],
    ['a name of two lines', { name: 'a\nb' }, [400, 'validation_failed', 'name']],
    ['a name with U+0000', { name: 'a\0b' }, [400, 'validation_failed', 'name']],
    ['a name that is too long', { name: 'x'.repeat(201) }, [400, 'validation_failed', 'name']],
    ['no name', { name: '' }, [400, 'validation_failed', 'name']],
    ['a kind that there is not', { kind: 'robot' }, [400, 'validation_failed', 'kind']],
    ['a text for active', { active: 'true' }, [400, 'validation_failed', 'active']],
    ['an id', { id: 7 }, [400, 'validation_failed', 'id']],
    ['a password', { password: 'x' }, [400, 'validation_failed', 'password']],
    ['an administrator, by a key', { roles: ['admin'] }, [403, 'permission_denied', 'roles']],
  ])('%s', async (_, change, expected) => {
    const before = await world.digest();
    const answer = await ada.post('/users', { email: 'nia@acme.example', name: 'Nia', ...change });
    expect(refusalOf(answer)).toEqual(expected);
    expect(await world.digest()).toBe(before);
  });

  test('names and addresses as long as they may be', async () => {
    const body = { email: `${'x'.repeat(242)}@acme.exampl`, name: 'é'.repeat(200) };
    expect((await ada.post('/users', body)).status).toBe(201);
  });

  test('an administrator is made by somebody who signed in', async () => {
    const body = { email: 'nia@acme.example', name: 'Nia', roles: ['admin'] };
    const { status, body: answer } = await adaHerself('createUser', { body });
    expect([status, answer.data?.roles]).toEqual([201, ['admin']]);
  });
});

describe('changing', () => {
  const path = (name: 'ada' | 'rob' | 'zed' | 'bot' | 'mia') => `/users/${world.users[name]}`;

  test('only the sent properties, and no change when they are equal', async () => {
    const first = await ada.patch(path('rob'), { name: 'Robert', title: 'Head' });
    expect(first.body.data).toMatchObject({ name: 'Robert', title: 'Head', roles: ['rep'] });
    expect(first.body.data.teams).toEqual([{ id: expect.any(Number), name: 'North' }]);
    const before = await world.digest();
    for (const body of [{}, { name: 'Robert' }, { roles: ['rep'] }, { active: true }]) {
      const again = await ada.patch(path('rob'), body);
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect(await world.digest()).toBe(before);
    const cleared = await ada.patch(path('rob'), { title: null });
    expect(cleared.body.data.title).toBeNull();
    expect((await audit()).map(({ action, changed_fields }) => [action, changed_fields])).toEqual([
      ['update', ['name', 'title']],
      ['update', ['title']],
    ]);
  });

  test('rights follow the roles with the next request', async () => {
    const rob = await world.as('rob');
    expect((await rob.get('/users')).body.data).toHaveLength(1);
    await ada.patch(path('rob'), { roles: ['manager', 'rep'] });
    expect((await rob.get('/users')).body.data.length).toBeGreaterThan(1);
  });

  test('a deactivated person loses access, and regains it when reactivated', async () => {
    const { secret } = await world.key('rob');
    const me = async () => (await call(world.port, '/v1/me', { key: secret })).status;
    expect(await me()).toBe(200);
    expect((await ada.patch(path('rob'), { active: false })).body.data.active).toBe(false);
    expect(await me()).toBe(401);
    await ada.patch(path('rob'), { active: true });
    expect(await me()).toBe(200);
  });

  test('addresses and administrators: not by a key, but by somebody who signed in', async () => {
    const cases = [
      ['rob', { email: 'robert@acme.example' }, 'email'],
      ['rob', { roles: ['rep', 'admin'] }, 'roles'],
      ['bot', { roles: [] }, 'roles'],
      ['zed', { active: true }, 'roles'],
    ] as const;
    for (const [name, body, param] of cases) {
      const before = await world.digest();
      expect(refusalOf(await ada.patch(path(name), body))).toEqual([
        403,
        'permission_denied',
        param,
      ]);
      expect(await world.digest()).toBe(before);
      const params = { user_id: world.users[name] };
      const answer = await adaHerself('updateUser', { params, body });
      expect([answer.status, answer.body.data]).toMatchObject([200, body]);
    }
  });

  test('an address that is taken, or that a workflow names', async () => {
    const params = { user_id: world.users.rob };
    const taken = await adaHerself('updateUser', { params, body: { email: 'rae@acme.example' } });
    expect(refusalOf(taken)).toEqual([409, 'conflict', 'email']);
    const gate = { to: 'won', approvers: { users: ['rob@acme.example'], teams: ['North'] } };
    const { pipeline } = ACME.workflows;
    const open = { ...pipeline.statuses.open, transitions: [gate, 'lost'] };
    const statuses = { ...pipeline.statuses, open };
    await world.apply({ ...ACME, workflows: { pipeline: { ...pipeline, statuses } } });
    const named = await adaHerself('updateUser', { params, body: { email: 'r@acme.example' } });
    expect(refusalOf(named)).toEqual([409, 'conflict', 'email']);
    const [north] = (await ada.get('/teams')).body.data;
    const renamed = await ada.patch(`/teams/${north.id}`, { name: 'Nord' });
    expect(refusalOf(renamed)).toEqual([409, 'conflict', 'name']);
    expect(refusalOf(await ada.delete(`/teams/${north.id}`))).toEqual([409, 'conflict', 'team_id']);
    expect((await ada.patch(`/teams/${north.id}`, { description: 'x' })).status).toBe(200);
  });

  test.each([
    ['user_not_found', 404, '/users/999999', { name: 'x' }, 'user_id'],
    ['user_not_found', 404, '/users/9999999999', { name: 'x' }, 'user_id'],
    ['user_not_found', 404, '/users/rob', { name: 'x' }, 'user_id'],
    ['validation_failed', 400, '', { name: null }, 'name'],
    ['validation_failed', 400, '', { kind: 'agent' }, 'kind'],
    ['validation_failed', 400, '', { teams: [] }, 'teams'],
    [
      'validation_failed',
      400,
      '',
      { roles: Array.from({ length: 101 }, (_, i) => `r${i}`) },
      'roles',
    ],
    ['invalid_write', 422, '', { roles: ['nobody'] }, 'roles[0]'],
  ])('%s %d %s', async (code, status, given, body, param) => {
    const before = await world.digest();
    const answer = await ada.patch(given === '' ? path('rob') : given, body);
    expect(refusalOf(answer)).toEqual([status, code, param]);
    expect(await world.digest()).toBe(before);
  });
});

describe('the last administrator', () => {
  const change = (name: 'ada' | 'bot' | 'zed' | 'mia', body: object) =>
    adaHerself('updateUser', { params: { user_id: world.users[name] }, body });

  test('neither leaves nor loses the role; an agent does not count', async () => {
    const before = await world.digest();
    const byKey = await ada.patch(`/users/${world.users.ada}`, { active: false });
    expect(refusalOf(byKey)).toEqual([409, 'conflict', 'active']);
    expect(refusalOf(await change('ada', { active: false }))).toEqual([409, 'conflict', 'active']);
    expect(refusalOf(await change('ada', { roles: ['rep'] }))).toEqual([409, 'conflict', 'roles']);
    expect(await world.digest()).toBe(before);
    expect((await change('bot', { active: false })).status).toBe(200);
    expect((await change('mia', { roles: ['admin'] })).status).toBe(200);
    expect((await change('ada', { roles: ['rep'] })).status).toBe(200);
  });

  test('of two that leave at the same time one stays', async () => {
    await change('mia', { roles: ['admin'] });
    await change('zed', { active: true });
    await change('ada', { title: 'x' });
    const mia = await world.as('mia');
    const zed = await world.as('zed');
    const ways = [
      [ada, 'mia'],
      [mia, 'zed'],
      [zed, 'ada'],
    ] as const;
    const answers = await Promise.all(
      ways.map(([client, name]) => client.patch(`/users/${world.users[name]}`, { active: false })),
    );
    const [left] = await world.rows(
      `select count(*)::integer as count from _users
        where active and kind = 'user' and 'admin' = any(roles)`,
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(3);
    expect(left?.count).toBeGreaterThan(0);
  });

  test('two that give up the role in two transactions that meet', async () => {
    await change('mia', { roles: ['admin'] });
    const miaHerself = openAsk(world, 'mia');
    const asked = { body: { roles: ['rep'] } };
    const answers = await Promise.all([
      adaHerself('updateUser', { params: { user_id: world.users.ada }, ...asked }),
      miaHerself('updateUser', { params: { user_id: world.users.mia }, ...asked }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('rights', () => {
  test.each([
    ['mia', undefined, [403, 'permission_denied', undefined]],
    ['rob', undefined, [403, 'permission_denied', undefined]],
    ['con', undefined, [403, 'developer_access_revoked', undefined]],
    ['ada', ['workspace:read', 'users:read', 'keys:write'], [403, 'insufficient_scope', undefined]],
  ] as const)('%s with %j', async (person, scopes, expected) => {
    const client = await world.as(person, scopes === undefined ? {} : { scopes });
    const before = await world.digest();
    const { rob } = world.users;
    const [team] = (await ada.get('/teams')).body.data;
    const answers = [
      await client.post('/users', { email: 'nia@acme.example', name: 'Nia' }),
      await client.patch(`/users/${rob}`, { name: 'x' }),
      await client.put(`/users/${rob}/teams`, { team_ids: [] }),
      await client.post('/teams', { name: 'East' }),
      await client.patch(`/teams/${team.id}`, { name: 'East' }),
      await client.delete(`/teams/${team.id}`),
      await client.patch('/users/999999', { name: 'x' }),
      await client.delete('/teams/999999'),
    ];
    expect(answers.map(refusalOf)).toEqual(answers.map(() => expected));
    expect(await world.digest()).toBe(before);
  });

  test('an agent who is an administrator; no person of another workspace', async () => {
    const bot = await world.as('bot');
    expect((await bot.patch(`/users/${world.users.rob}`, { title: 'x' })).status).toBe(200);
    const other = await world.as('ada', { workspace: 'globex' });
    const before = await world.digest();
    // The ids are those of the other workspace.
    await other.patch(`/users/${world.users.rob}`, { title: 'y' });
    expect(await world.digest()).toBe(before);
  });
});

describe('teams', () => {
  test('are made, changed, filled and deleted', async () => {
    const made = await ada.post('/teams', { name: 'East', description: 'Sunrise' });
    const { id } = made.body.data;
    expect([made.status, made.body.data]).toEqual([
      201,
      { id, name: 'East', description: 'Sunrise', member_ids: [] },
    ]);
    const changed = await ada.patch(`/teams/${id}`, { name: 'Far East', description: null });
    expect(changed.body.data).toEqual({ id, name: 'Far East', description: null, member_ids: [] });
    const { rob, zed, bot } = world.users;
    for (const user of [rob, zed, bot]) {
      const put = await ada.put(`/users/${user}/teams`, { team_ids: [id] });
      expect(put.body.data.teams).toEqual([{ id, name: 'Far East' }]);
      const again = await ada.put(`/users/${user}/teams`, { team_ids: [id] });
      expect(again.body).toEqual(put.body);
    }
    const shown = (await ada.get('/teams')).body.data;
    expect(shown.find((team: { id: number }) => team.id === id).member_ids).toEqual([rob]);
    const deleted = await ada.delete(`/teams/${id}`);
    expect(deleted.body.data).toEqual({ id, deleted: true });
    expect(refusalOf(await ada.delete(`/teams/${id}`))).toEqual([
      404,
      'record_not_found',
      'team_id',
    ]);
    expect((await ada.put(`/users/${rob}/teams`, { team_ids: [] })).body.data.teams).toEqual([]);
    const rows = await audit();
    expect(rows.map((row) => [row.subject_type, row.action, row.changed_fields])).toEqual([
      ['team', 'create', ['name', 'description']],
      ['team', 'update', ['name', 'description']],
      ...[1, 2, 3].map(() => ['user', 'update', ['teams']]),
      ['team', 'delete', []],
    ]);
  });

  test('rights of a team end with it', async () => {
    const rob = await world.as('rob');
    const mia = await world.as('mia');
    const deal = (await rob.post('/objects/deals/records', { fields: { name: 'Of Rob' } })).body
      .data;
    expect((await mia.get(`/objects/deals/records/${deal.id}`)).status).toBe(200);
    const [north] = (await ada.get('/teams')).body.data;
    await ada.delete(`/teams/${north.id}`);
    // The process that has deleted it has the change at once.
    expect((await mia.get(`/objects/deals/records/${deal.id}`)).status).toBe(404);
  });

  test.each([
    ['POST', '', { name: 'North' }, [409, 'conflict', 'name']],
    ['POST', '', { name: '' }, [400, 'validation_failed', 'name']],
    ['POST', '', { description: 'x' }, [400, 'validation_failed', 'name']],
    [
      'POST',
      '',
      { name: 'x', description: 'x'.repeat(2001) },
      [400, 'validation_failed', 'description'],
    ],
    ['POST', '', { name: 'x', member_ids: [1] }, [400, 'validation_failed', 'member_ids']],
    ['PATCH', 'South', { name: 'North' }, [409, 'conflict', 'name']],
    ['PATCH', 'South', { name: null }, [400, 'validation_failed', 'name']],
    ['PATCH', '999', { name: 'x' }, [404, 'record_not_found', 'team_id']],
    ['PATCH', 'x', { name: 'x' }, [404, 'record_not_found', 'team_id']],
  ])('%s %s %j', async (method, team, body, expected) => {
    const teams = (await ada.get('/teams')).body.data as readonly { id: number; name: string }[];
    const id = teams.find(({ name }) => name === team)?.id ?? team;
    const before = await world.digest();
    const answer = await ada.request(method, `/teams${id === '' ? '' : `/${id}`}`, { body });
    expect(refusalOf(answer)).toEqual(expected);
    expect(await world.digest()).toBe(before);
  });

  test.each([
    ['an unknown team', { team_ids: [999_999] }, [422, 'invalid_write', 'team_ids[0]']],
    ['a team twice', { team_ids: [1, 1] }, [400, 'validation_failed', 'team_ids']],
    ['a name', { team_ids: ['North'] }, [400, 'validation_failed', 'team_ids[0]']],
    ['nothing', {}, [400, 'validation_failed', 'team_ids']],
    [
      'too many',
      { team_ids: Array.from({ length: 1001 }, (_, i) => i + 1) },
      [400, 'validation_failed', 'team_ids'],
    ],
  ])('of a person: %s', async (_, body, expected) => {
    const before = await world.digest();
    expect(refusalOf(await ada.put(`/users/${world.users.rob}/teams`, body))).toEqual(expected);
    expect(await world.digest()).toBe(before);
  });
});
