// `/me`, `/users`, `/users/{user_id}` and `/teams` (D16–D19), through the whole service.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import type { Route } from '../../src/http/route/route.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';

let fixture: ServerFixture;
let port: number;
let schema: string;
const keys: Record<string, string> = {};

beforeAll(async () => {
  fixture = await openServerFixture();
  ({ port } = await fixture.start({ routes: ROUTES as unknown as readonly Route<unknown>[] }));
  schema = fixture.workspaces.get('acme')?.schema ?? '';
  await fixture.own.rows(`update "${schema}"._users set name = null where name = 'Nameless'`);
  for (const person of ['ann', 'bob', 'hal', 'bot']) keys[person] = await fixture.key(person);
  keys.foreign = await fixture.key('ann', { workspace: 'globex' });
});
afterAll(() => fixture.close());

const get = (person: string, path: string) => call(port, `/v1${path}`, { key: keys[person] ?? '' });

interface Named {
  readonly id: number;
  readonly name: string | null;
}

const names = (people: readonly Named[]) => people.map(({ name }) => name);
const idOf = async (name: string) =>
  (await get('ann', `/users?include_inactive=true&q=${encodeURIComponent(name)}`)).json.data[0].id;

describe('/me', () => {
  test('shows key, user, workspace and limit', async () => {
    const { json } = await get('ann', '/me');
    expect(json.data).toEqual({
      user: { id: expect.any(Number), name: 'Ann', email: 'ann@example.com', title: 'Head' },
      workspace: { id: fixture.workspaces.get('acme')?.id, slug: 'acme', name: 'acme' },
      api_key: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Key of ann',
        type: 'personal',
        prefix: keys.ann?.slice(0, 12),
        scopes: expect.arrayContaining(['users:read', 'records:delete']),
        expires_at: null,
      },
      rate_limit: { requests_per_minute: 100_000 },
    });
    expect((await get('bot', '/me')).json.data.api_key.type).toBe('operational');
    const key = await fixture.key('ann', { rpm: 7, expires: '2999-01-01T00:00:00Z', scopes: [] });
    const own = (await call(port, '/v1/me', { key })).json.data;
    expect(own.rate_limit).toEqual({ requests_per_minute: 7 });
    expect(own.api_key).toMatchObject({ scopes: [], expires_at: '2999-01-01T00:00:00.000Z' });
  });
});

describe('/users', () => {
  test('people by name, nulls last, without agents and inactive', async () => {
    const { json } = await get('ann', '/users');
    expect(names(json.data)).toEqual(['Ann', 'Bob', 'Hal', 'Vic', 'Ödön 100%_x', null]);
    expect(json.pagination).toEqual({ limit: 50, has_more: false, next_cursor: null });
    expect(json.data[1]).toEqual({
      id: expect.any(Number),
      name: 'Bob',
      email: 'bob@example.com',
      title: null,
      active: true,
      teams: [
        { id: expect.any(Number), name: 'North' },
        { id: expect.any(Number), name: 'South' },
      ],
    });
    const all = await get('ann', '/users?include_inactive=true');
    expect(names(all.json.data)).toContain('Ina');
    expect(names(all.json.data)).not.toContain('Bot');
  });

  test.each([
    ['ö', ['Ödön 100%_x']],
    ['ÖDÖN', ['Ödön 100%_x']],
    ['%', ['Ödön 100%_x']],
    ['_X', ['Ödön 100%_x']],
    ['\\', []],
    [' bob ', ['Bob']],
    ['BOB@EXAMPLE', ['Bob']],
    ['NAMELESS@', [null]],
    ["' or 1=1--", []],
  ])('q=%s', async (q, expected) => {
    const { json } = await get('ann', `/users?q=${encodeURIComponent(q)}`);
    expect(names(json.data)).toEqual(expected);
  });

  test('q= and cursor= count as absent, the page size has bounds', async () => {
    expect((await get('ann', '/users?q=&cursor=')).json.data).toHaveLength(6);
    expect((await get('ann', '/users?q=%20')).json.data).toHaveLength(6);
    const many = `ids=${Array(101).fill(1)}`;
    const wrong = ['limit=0', 'limit=101', 'limit=a', 'include_inactive=1', 'x=1', 'ids=1,', many];
    for (const query of wrong) {
      const { status, json } = await get('ann', `/users?${query}`);
      expect([status, json.error.code]).toEqual([400, 'validation_failed']);
    }
    expect((await get('ann', `/users?cursor=${'x'.repeat(501)}`)).json.error.code).toBe(
      'validation_failed',
    );
  });

  test.each([1, 2, 3, 5])('the walk with limit %i is complete', async (limit) => {
    const seen: Named[] = [];
    let cursor = '';
    for (let page = 0; page < 20; page += 1) {
      const { json } = await get('ann', `/users?limit=${limit}&cursor=${cursor}`);
      seen.push(...json.data);
      expect(json.pagination.has_more).toBe(json.pagination.next_cursor !== null);
      if (!json.pagination.has_more) break;
      expect(json.data).toHaveLength(limit);
      cursor = json.pagination.next_cursor;
      expect(cursor.length).toBeLessThanOrEqual(500);
    }
    expect(names(seen)).toEqual(['Ann', 'Bob', 'Hal', 'Vic', 'Ödön 100%_x', null]);
  });

  test('a cursor belongs to its person, its workspace and its query', async () => {
    const { json } = await get('ann', '/users?limit=1');
    const cursor = json.pagination.next_cursor;
    expect((await get('ann', `/users?limit=2&cursor=${cursor}`)).status).toBe(200);
    const last = cursor.slice(-1) === 'A' ? 'B' : 'A';
    for (const [person, query] of [
      ['bob', `cursor=${cursor}`],
      ['foreign', `cursor=${cursor}`],
      ['ann', `q=a&cursor=${cursor}`],
      ['ann', `include_inactive=true&cursor=${cursor}`],
      ['ann', `ids=1&cursor=${cursor}`],
      ['ann', `cursor=${cursor.slice(0, -1)}${last}`],
      ['ann', `cursor=${cursor}A`],
      ['ann', 'cursor=x'],
    ] as const) {
      const answer = await get(person, `/users?${query}`);
      expect([answer.status, answer.json.error.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  test('ids find agents and inactive people as well, on pages', async () => {
    const [bot] = await fixture.own.rows(`select id from "${schema}"._users where name = 'Bot'`);
    const ids = [bot?.id, await idOf('ina'), await idOf('bob'), 999_999].join(',');
    const { json } = await get('ann', `/users?ids=${ids}&limit=2`);
    const next = await get('ann', `/users?ids=${ids}&cursor=${json.pagination.next_cursor}`);
    expect(names([...json.data, ...next.json.data])).toEqual(['Bob', 'Bot', 'Ina']);
    expect(names((await get('ann', `/users?ids=${ids}&q=bo`)).json.data)).toEqual(['Bob', 'Bot']);
    expect((await get('hal', `/users?ids=${ids}`)).json.data).toEqual([]);
  });

  test('long names walk too', async () => {
    await fixture.own.rows(
      `insert into "${schema}"._users (email, name) select 'long' || n || '@example.com',
        repeat('é', 200) || n from generate_series(1, 5) n`,
    );
    const seen: (string | null)[] = [];
    let cursor = '';
    do {
      const { json } = await get('ann', `/users?q=long&limit=2&cursor=${cursor}`);
      seen.push(...names(json.data));
      cursor = json.pagination.next_cursor ?? '';
    } while (cursor !== '' && seen.length < 20);
    expect(seen).toEqual([1, 2, 3, 4, 5].map((n) => 'é'.repeat(200) + n));
    await fixture.own.rows(`delete from "${schema}"._users where email like 'long%'`);
  });

  test('without directory right: only oneself, with own teams', async () => {
    const { json } = await get('hal', '/users?include_inactive=true');
    expect(json.data).toMatchObject([{ name: 'Hal', teams: [{ name: 'North' }] }]);
    expect((await get('hal', '/users?q=bob')).json.data).toEqual([]);
    expect((await get('hal', `/users/${json.data[0].id}`)).status).toBe(200);
    const other = await get('hal', `/users/${await idOf('bob')}`);
    expect([other.status, other.json.error.code]).toEqual([404, 'user_not_found']);
  });
});

describe('/users/{user_id}', () => {
  test('inactive people and agents are found', async () => {
    const ina = await get('ann', `/users/${await idOf('ina')}`);
    expect(ina.json.data).toMatchObject({ name: 'Ina', active: false });
    const [bot] = await fixture.own.rows(`select id from "${schema}"._users where name = 'Bot'`);
    for (const name of ['ann', 'bot']) {
      expect((await get(name, `/users/${bot?.id}`)).json.data).toMatchObject({ name: 'Bot' });
    }
    expect((await get('hal', `/users/${bot?.id}`)).json.error.code).toBe('user_not_found');
  });

  test.each(['0', '-1', 'x', '999', '2147483648', '9007199254740991', '9007199254740992', '%00'])(
    '%s: user_not_found',
    async (id) => {
      const { status, json } = await get('ann', `/users/${id}`);
      expect([status, json.error.code]).toEqual([404, 'user_not_found']);
    },
  );
});

describe('/teams', () => {
  test('all teams with active people; without directory right only own ones', async () => {
    const bob = await idOf('bob');
    const { json } = await get('ann', '/teams');
    expect(json.data).toMatchObject([
      { name: 'North', description: 'Up there', member_ids: [bob, await idOf('hal')].sort() },
      { name: 'South', description: null, member_ids: [bob] },
    ]);
    expect(names((await get('hal', '/teams')).json.data)).toEqual(['North']);
  });
});

test('scopes', async () => {
  const key = await fixture.key('ann', { scopes: ['records:read'] });
  for (const path of ['/users', '/users/1', '/teams']) {
    const { status, json } = await call(port, `/v1${path}`, { key });
    expect([status, json.error.details]).toEqual([403, { required_scope: 'users:read' }]);
  }
});
