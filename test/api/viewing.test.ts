// An administrator views as a person: reads exactly what that person reads, stores nothing, leaves no trace of the person,
// and is in the audit at the beginning and the end.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { type Client, openClient, refusalOf } from '../client.ts';
import { openWorld, type PersonName, type SessionClient, type World } from '../world.ts';

let world: World;
let ada: SessionClient;
let rob: Client;
let deal: string;

const READING = ['users:read', 'records:read', 'comments:read', 'workspace:read', 'audit:read'];

beforeAll(async () => {
  world = await openWorld({ OAUTH: 'on' });
  rob = await world.as('rob', { scopes: READING });
  const writing = await world.as('rob');
  const made = await writing.post('/objects/deals/records', { fields: { name: 'Rope' } });
  deal = made.body.data.id;
  const admin = await world.as('ada');
  const fields = { name: 'Hidden', secret: 'hidden words' };
  await admin.post('/objects/deals/records', { fields });
  const mention = { body: 'Look', mention_user_ids: [world.users.rob] };
  await admin.post(`/objects/deals/records/${deal}/comments`, mention);
});
afterAll(() => world?.close());

beforeEach(async () => {
  ada = await world.inSession('ada');
});

/** The client of ada that views as a person. */
async function viewingAs(name: PersonName): Promise<Client> {
  const begun = await ada.post('/viewing', { user_id: world.users[name] });
  expect(begun.status).toBe(201);
  return viewer(world.users[name]);
}

function viewer(userId: number | string): Client {
  const credential = {
    ...{ cookie: ada.cookie, 'sec-fetch-site': 'same-origin' },
    'x-view-as': String(userId),
  };
  return openClient({ port: world.port, secret: ada.secret, credential });
}

const audited = () =>
  world.rows(
    `select user_id, session_id, subject_id, action from _audit where subject_type = 'viewing'
      and session_id = $1 order by transaction, id`,
    [ada.sessionId],
  );

const entry = (name: PersonName, action: string) => ({
  ...{ user_id: world.users.ada, session_id: ada.sessionId, action },
  subject_id: String(world.users[name]),
});

describe('reading', () => {
  test('each answer is that of a key of the person with the same scopes', async () => {
    const viewed = await viewingAs('rob');
    const where = { field: 'name', op: 'contains', value: 'o' };
    const asked: readonly (readonly ['get' | 'post', string, unknown?])[] = [
      ...(
        [
          ...['/users', `/users/${world.users.rob}`, `/users/${world.users.mia}`, '/teams'],
          ...[
            '/objects',
            '/objects?include_unreadable=true',
            '/objects/deals',
            '/objects/companies',
          ],
          ...['/objects/deals/records', `/objects/deals/records/${deal}`],
          ...[
            '/objects/deals/records?filter[secret][eq]=x',
            `/objects/deals/records/${deal}/comments`,
          ],
          ...['/notifications', '/search?q=hidden', '/search?q=rope', '/views?object_type=deals'],
          ...['/roles', '/access', `/access?user_id=${world.users.ada}`, '/members', '/audit'],
          ...['/definition', '/definition/revisions', '/jobs', '/keys', '/webhooks'],
          ...['/changes?cursor=start', '/nowhere'],
        ] as const
      ).map((path) => ['get', path] as const),
      ['post', '/objects/deals/records/search', { query: 'rope' }],
      ['post', '/objects/deals/records/query', { where }],
      ['post', '/objects/deals/records/aggregate', { metrics: [{ op: 'count' }] }],
      ['post', '/query', { queries: [{ object_type: 'deals' }] }],
    ];
    for (const [method, path, body] of asked) {
      const send = (client: Client) =>
        method === 'get' ? client.get(path) : client.post(path, body);
      const [own, seen] = [await send(rob), await send(viewed)];
      expect([path, seen.status], JSON.stringify(seen.body)).toEqual([path, own.status]);
      expect(plain(seen.body), path).toEqual(plain(own.body));
    }
  });

  test('`/me` is the person, with the administrator who views and the end', async () => {
    const viewed = await viewingAs('rob');
    const { data } = (await viewed.get('/me')).body;
    expect(data).toMatchObject({
      ...{ user: { id: world.users.rob, name: 'Rob' }, api_key: null },
      session: { id: ada.sessionId },
      viewing: { viewer: { id: world.users.ada, name: 'Ada' } },
    });
    const left = Date.parse(data.viewing.ends_at) - Date.now();
    expect(left).toBeGreaterThan(25 * 60_000);
    expect(left).toBeLessThan(31 * 60_000);
    const own = (await ada.get('/me')).body.data;
    expect([own.user.id, 'viewing' in own]).toEqual([world.users.ada, false]);
  });

  test('an agent can be viewed as', async () => {
    const viewed = await viewingAs('bot');
    expect((await viewed.get('/me')).body.data.user.id).toBe(world.users.bot);
  });
});

/** Without what differs between any two requests: ids, cursors, which are bound to the moment. */
function plain(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value) => {
    if (name === 'request_id' || name === 'next_cursor') return undefined;
    return value;
  });
  return JSON.parse(text);
}

describe('writing', () => {
  test('every route that stores something is refused, and nothing is stored', async () => {
    const viewed = await viewingAs('rob');
    const before = await world.digest();
    const open: string[] = [];
    for (const route of ROUTES) {
      if (route.method === 'GET' || route.open === true) continue;
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        name === 'object_type' ? 'deals' : name === 'record_id' ? deal : '1',
      );
      const answer = await viewed.request(route.method, path, { body: {} });
      if (answer.status === 403 && refusalOf(answer)[1] === 'permission_denied') {
        expect(answer.body.error.message, path).toContain('You are viewing as Rob');
      } else open.push(`${route.method} ${route.path}`);
    }
    expect(open).toEqual([
      ...['search', 'aggregate', 'query', 'aggregate/query'].map(
        (question) => `POST /objects/{object_type}/records/${question}`,
      ),
      ...['POST /query', 'POST /aggregate'],
    ]);
    expect(await world.digest()).toBe(before);
  });

  test('the person has no trace of it', async () => {
    const admin = await world.as('ada');
    const before = (await admin.get(`/members/${world.users.rob}`)).body;
    const viewed = await viewingAs('rob');
    expect((await viewed.get('/notifications')).body.data[0].read_at).toBeNull();
    await viewed.get(`/objects/deals/records/${deal}`);
    expect((await rob.get('/notifications')).body.data[0].read_at).toBeNull();
    expect((await admin.get(`/members/${world.users.rob}`)).body).toEqual(before);
    expect(await audited()).toEqual([entry('rob', 'begin')]);
  });
});

describe('its life', () => {
  test('it is audited at the beginning and the end, also when another one begins', async () => {
    const first = await viewingAs('rob');
    const second = await viewingAs('mia');
    expect(refusalOf(await first.get('/me'))).toEqual([403, 'viewing_ended', undefined]);
    expect((await second.get('/me')).status).toBe(200);
    expect((await ada.delete('/viewing')).body.data).toEqual({
      ...{ user_id: world.users.mia, ended: true },
    });
    expect((await ada.delete('/viewing')).body.data.user_id).toBeNull();
    expect(refusalOf(await second.get('/objects'))).toEqual([403, 'viewing_ended', undefined]);
    expect(await audited()).toEqual([
      ...[entry('rob', 'begin'), entry('rob', 'end')],
      ...[entry('mia', 'begin'), entry('mia', 'end')],
    ]);
  });

  test.each([
    ['after its time', `update workspace_records.sessions set viewed_until = now() where id = $1`],
    [
      'when the person is deactivated',
      `update ws_acme._users set active = false where email = 'sam@acme.example' and $1 <> ''`,
    ],
    [
      'when the viewer is no longer an administrator',
      `update ws_acme._users set roles = '{rep}' where email = 'ada@acme.example' and $1 <> ''`,
    ],
  ])('it ends %s', async (_, statement) => {
    const viewed = await viewingAs('sam');
    expect((await viewed.get('/me')).status).toBe(200);
    await world.database.rows(statement, [ada.sessionId]);
    await expect
      .poll(async () => refusalOf(await viewed.get('/me')))
      .toEqual([403, 'viewing_ended', undefined]);
    await world.database.rows(
      `update ws_acme._users set active = email <> 'zed@acme.example',
        roles = case when email = 'ada@acme.example' then '{admin}' else roles end`,
    );
  });

  test('it ends with the session', async () => {
    const viewed = await viewingAs('rob');
    expect((await viewed.get('/me')).status).toBe(200);
    await ada.delete('/sessions/current');
    expect((await viewed.get('/me')).status).toBe(401);
  });
});

describe('refusals', () => {
  test('of the beginning', async () => {
    const begin = async (client: Client, name: PersonName) =>
      refusalOf(await client.post('/viewing', { user_id: world.users[name] }));
    expect(await begin(ada, 'ada')).toEqual([409, 'conflict', 'user_id']);
    expect(await begin(ada, 'zed')).toEqual([409, 'conflict', 'user_id']);
    const missing = refusalOf(await ada.post('/viewing', { user_id: 999_999 }));
    expect(missing).toEqual([404, 'user_not_found', 'user_id']);
    expect(await begin(await world.inSession('mia'), 'rob')).toEqual([
      ...[403, 'permission_denied', undefined],
    ]);
    expect(await begin(await world.as('ada'), 'rob')).toEqual([
      ...[403, 'permission_denied', undefined],
    ]);
    await world.database.rows(
      `update workspace_records.sessions set created_at = created_at - interval '30 minutes'
        where id = $1`,
      [ada.sessionId],
    );
    const late = await world.inSession('ada');
    await world.database.rows(
      `update workspace_records.sessions set created_at = created_at - interval '31 minutes'
        where id = $1`,
      [late.sessionId],
    );
    expect(await begin(late, 'rob')).toEqual([403, 'fresh_sign_in_required', undefined]);
  });

  test('of the header', async () => {
    expect(refusalOf(await viewer(world.users.rob).get('/me'))).toEqual([
      ...[403, 'viewing_ended', undefined],
    ]);
    for (const text of ['0', 'rob', '1, 2', '-1']) {
      const answer = refusalOf(await viewer(text).get('/me'));
      expect(answer, text).toEqual([400, 'validation_failed', 'X-View-As']);
    }
    const key = await world.key('ada');
    const credential = { authorization: `Bearer ${key.secret}`, 'x-view-as': '1' };
    const withKey = openClient({ port: world.port, secret: key.secret, credential });
    expect(refusalOf(await withKey.get('/me'))).toEqual([403, 'permission_denied', 'X-View-As']);
    const mia = await world.inSession('mia');
    const others = {
      ...{ cookie: mia.cookie, 'sec-fetch-site': 'same-origin' },
      'x-view-as': String(world.users.rob),
    };
    const ofMia = openClient({ port: world.port, secret: mia.secret, credential: others });
    expect(refusalOf(await ofMia.get('/me'))).toEqual([403, 'viewing_ended', undefined]);
  });
});
