// Sessions over HTTP: signing in by password and by link, the rights of a session, and its end.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf } from '../../src/model/rights/api-key-form.ts';
import { guardKey } from '../access/canary.ts';
import { type Client, openClient } from '../client.ts';
import { openEvents } from '../event-client.ts';
import { lacks } from '../own-database.ts';
import { ACME, openWorld, type SessionClient, type World } from '../world.ts';

let world: World;
let ada: SessionClient;
let nobody: Client;

const ADDRESS = 'ada@acme.example';
const PASSWORD = 'seven lamps on the pier';

beforeAll(async () => {
  world = await openWorld();
  ada = await world.inSession('ada');
  guardKey('nobody', '@acme.example');
  nobody = openClient({ port: world.port, secret: 'nobody', credential: {} });
  expect((await ada.put('/me/password', { password: PASSWORD })).status).toBe(200);
});
afterAll(() => world?.close());

const signIn = (body: object, headers: Record<string, string> = {}) =>
  nobody.post('/sessions', body, headers);
const adas = { workspace: 'acme', email: ADDRESS, password: PASSWORD };

/** Attempts of other tests do not count. */
const forgetAttempts = () => world.database.rows('delete from workspace_records.sign_in_attempts');

const audited = () =>
  world.rows(
    `select action, subject_type, subject_id, user_id, session_id, api_key_id, changed_fields
      from _audit where subject_type is not null order by transaction, id`,
  );

/** A client with the cookie of an answer. */
function clientOf(answer: { readonly headers: Headers }, extra: Record<string, string> = {}) {
  const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? '';
  const credential = { cookie, 'sec-fetch-site': 'same-origin', ...extra };
  return openClient({ port: world.port, secret: 'nobody', credential });
}

describe('signing in by password', () => {
  test('gives a session in a cookie, and nowhere else', async () => {
    const answer = await signIn(adas);
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      user: { id: world.users.ada, name: 'Ada', email: ADDRESS },
      workspace: { slug: 'acme', name: 'Acme' },
    });
    const cookie = String(answer.headers.get('set-cookie'));
    expect(cookie).toMatch(/^wrs-\d+=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = /=([\w-]{43});/.exec(cookie)?.[1] ?? '';
    expect(JSON.stringify(answer.body)).not.toContain(token);
    const me = await clientOf(answer).get('/me');
    expect(me.body.data).toMatchObject({
      api_key: null,
      session: answer.body.data.session,
      rate_limit: { requests_per_minute: 1200 },
    });
    expect(me.headers.get('ratelimit-limit')).toBe('1200');
    const rows = await audited();
    expect(rows.at(-1)).toMatchObject({
      action: 'sign_in_by_password',
      subject_type: 'session',
      subject_id: answer.body.data.session.id,
      session_id: answer.body.data.session.id,
      user_id: world.users.ada,
      api_key_id: null,
    });
  });

  test('a composed and a decomposed password are the same, and so are letters of an address', async () => {
    const client = await world.inSession('mia');
    const [composed, decomposed] = ['Crème brûlée à la carte', 'Crème brûlée à la carte'].map(
      (text, index) => text.normalize(index === 0 ? 'NFC' : 'NFD'),
    );
    await client.put('/me/password', { password: composed });
    const email = 'MIA@acme.example';
    expect((await signIn({ workspace: 'acme', email, password: decomposed })).status).toBe(201);
  });

  test('each sign-in makes a session of its own, and replaces the one that was sent', async () => {
    const [one, other] = [await signIn(adas), await signIn(adas)];
    expect(one.body.data.session.id).not.toBe(other.body.data.session.id);
    const client = clientOf(one);
    expect((await client.get('/me')).status).toBe(200);
    const cookie = String(one.headers.get('set-cookie')).split(';')[0] ?? '';
    const renewed = await signIn(adas, { cookie, 'sec-fetch-site': 'same-origin' });
    expect(renewed.status).toBe(201);
    expect((await client.get('/me')).status).toBe(401);
    expect((await clientOf(other).get('/me')).status).toBe(200);
  });

  test('whatever is wrong has one answer', async () => {
    await forgetAttempts();
    const wrong = [
      { ...adas, password: 'not the right one' },
      { ...adas, email: 'nobody@acme.example' },
      { ...adas, workspace: 'nowhere' },
      { ...adas, workspace: 'globex' },
      { ...adas, email: 'zed@acme.example' },
      { ...adas, email: 'bot@acme.example' },
      { ...adas, email: 'rob@acme.example' },
      { token: 'x'.repeat(43) },
      { token: 'short' },
    ];
    const before = (await audited()).length;
    const answers = [];
    for (const body of wrong) answers.push(await signIn(body));
    for (const { status, headers, body } of answers) {
      expect(status).toBe(401);
      expect(headers.get('set-cookie')).toBeNull();
      expect({ ...body.error, request_id: '' }).toEqual({
        ...answers[0]?.body.error,
        request_id: '',
      });
    }
    const failures = (await audited()).slice(before);
    expect(failures.map(({ action }) => action)).toEqual(
      // Those of acme: a workspace sees attempts on it.
      Array(5).fill('sign_in_failed'),
    );
    await forgetAttempts();
  });

  test('takes one form, and no other properties', async () => {
    const refused = async (body: unknown) => {
      const answer = await signIn(body as object);
      return [answer.status, answer.body.error.code, answer.body.error.param];
    };
    expect(await refused({})).toEqual([400, 'validation_failed', 'workspace']);
    expect(await refused({ workspace: 'acme' })).toEqual([400, 'validation_failed', 'email']);
    expect(await refused({ ...adas, token: 'x' })).toEqual([400, 'validation_failed', 'token']);
    expect(await refused({ ...adas, remember: true })).toEqual([
      400,
      'validation_failed',
      'remember',
    ]);
    expect(await refused({ ...adas, email: 5 })).toEqual([400, 'validation_failed', 'email']);
    const long = 'x'.repeat(201);
    expect(await refused({ ...adas, password: long })).toEqual([
      400,
      'validation_failed',
      'password',
    ]);
    expect((await nobody.post('/sessions?x=1', adas)).body.error.param).toBe('x');
    const text = await nobody.post('/sessions', adas, { 'content-type': 'text/plain' });
    expect(text.status).toBe(415);
  });
});

describe('text that the database cannot hold', () => {
  test.each(['workspace', 'email', 'password', 'token'])('in %s is 400', async (name) => {
    for (const text of ['a\u0000b', 'a\ud800b']) {
      const sent = name === 'token' ? { token: text } : { ...adas, [name]: text };
      const { status, body } = await signIn(sent);
      expect([status, body.error.code, body.error.param]).toEqual([
        ...[400, 'validation_failed', name],
      ]);
    }
  });
});

describe('failures are counted', () => {
  const fail = (email: string, headers = {}) =>
    signIn({ ...adas, email, password: 'not the right one' }, headers);

  test('ten of an account, then 429 with Retry-After, for the right password too', async () => {
    await forgetAttempts();
    for (let count = 0; count < 10; count += 1) {
      expect((await fail(count % 2 === 0 ? ADDRESS : ADDRESS.toUpperCase())).status).toBe(401);
    }
    await world.database.rows(`delete from workspace_records.sign_in_attempts
      where subject = '\\x${hashOf('address 127.0.0.1').toString('hex')}'`);
    const refused = await signIn(adas);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(850);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900);
    // The oldest of them is 15 minutes ago: one more is judged.
    await world.database.rows(`update workspace_records.sign_in_attempts
      set attempted_at = (now() - interval '901 seconds') || attempted_at[2:]`);
    expect((await signIn(adas)).status).toBe(201);
    expect((await fail(ADDRESS)).status).toBe(401);
    await forgetAttempts();
  });

  test('ten of an address, for any accounts; a success does not reset the count', async () => {
    await forgetAttempts();
    for (let count = 0; count < 9; count += 1) {
      expect((await fail(`somebody${count}@acme.example`)).status).toBe(401);
    }
    expect((await signIn(adas)).status).toBe(201);
    expect((await fail('somebody@acme.example')).status).toBe(401);
    expect((await signIn(adas)).status).toBe(429);
    // Links have 256 bits and are not counted, neither bad ones nor good ones.
    for (let count = 0; count < 12; count += 1) {
      expect((await signIn({ token: 'x'.repeat(43) })).status).toBe(401);
    }
    const administrator = await world.inSession('ada');
    const path = `/users/${world.users.rob}/sign_in_links`;
    const { url } = (await administrator.post(path, undefined)).body.data;
    expect((await signIn({ token: new URL(url).hash.slice(1) })).status).toBe(201);
    expect((await signIn(adas)).status).toBe(429);
    await forgetAttempts();
  });

  test('twenty at once are no more than twenty one after the other', async () => {
    await forgetAttempts();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await fail(ADDRESS)).status),
    );
    expect(statuses.toSorted()).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
    await forgetAttempts();
  });
});

describe('one-time links', () => {
  const link = async (client: Client, id: number) =>
    client.post(`/users/${id}/sign_in_links`, undefined);
  const tokenOf = (url: string) => new URL(url).hash.slice(1);

  test('are made by an administrator, used once, and leave an audit row each', async () => {
    const made = await link(ada, world.users.rob);
    expect(made.status).toBe(201);
    const { url, expires_at } = made.body.data;
    expect(url).toMatch(new RegExp(`^http://127.0.0.1:${world.port}/app/acme/sign-in#[\\w-]{43}$`));
    expect(Date.parse(expires_at) - Date.now()).toBeLessThan(30 * 60_000 + 5000);
    const used = await signIn({ token: tokenOf(url) });
    expect(used.status).toBe(201);
    expect(used.body.data.user.id).toBe(world.users.rob);
    expect((await signIn({ token: tokenOf(url) })).status).toBe(401);
    const actions = (await audited()).slice(-3);
    expect(actions.map(({ action, subject_type }) => `${subject_type} ${action}`)).toEqual([
      'sign_in_link create',
      'sign_in_link use',
      'session sign_in_by_link',
    ]);
    await forgetAttempts();
  });

  test('two requests with one link at once: one of them signs in', async () => {
    const token = tokenOf((await link(ada, world.users.rob)).body.data.url);
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn({ token })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401]);
    await forgetAttempts();
  });

  test.skipIf(lacks('triggers'))(
    'one that has expired or belongs to a deactivated person signs in nobody',
    async () => {
      const token = tokenOf((await link(ada, world.users.rob)).body.data.url);
      await world.database.rows(
        `update workspace_records.sign_in_links set expires_at = now() where used_at is null`,
      );
      expect((await signIn({ token })).status).toBe(401);
      const later = tokenOf((await link(ada, world.users.rae)).body.data.url);
      const setActive = (active: boolean) =>
        world.database.rows('update ws_acme._users set active = $1 where id = $2', [
          active,
          world.users.rae,
        ]);
      await setActive(false);
      expect((await signIn({ token: later })).status).toBe(401);
      await setActive(true);
      expect((await signIn({ token: later })).status).toBe(401);
      await forgetAttempts();
    },
  );

  test('an unknown person, an agent, and an inactive person have none', async () => {
    expect((await link(ada, 2_000_000_000)).body.error.code).toBe('user_not_found');
    expect((await link(ada, world.users.bot)).body.error.code).toBe('user_not_found');
    expect((await link(ada, world.users.zed)).body.error.code).toBe('conflict');
    expect((await ada.post('/users/x/sign_in_links', undefined)).status).toBe(404);
  });

  test('are refused to other people, to keys, and in a session that is not fresh', async () => {
    const refusal = async (client: Client) => {
      const { status, body } = await link(client, world.users.rob);
      return [status, body.error.code];
    };
    expect(await refusal(await world.inSession('mia'))).toEqual([403, 'permission_denied']);
    expect(await refusal(await world.as('ada'))).toEqual([403, 'permission_denied']);
    expect(await refusal(await world.as('bot'))).toEqual([403, 'permission_denied']);
    const stale = await world.inSession('ada');
    await age(stale, '31 minutes');
    expect(await refusal(stale)).toEqual([403, 'fresh_sign_in_required']);
    await age(stale, '28 minutes');
    expect((await link(stale, world.users.rob)).status).toBe(201);
  });
});

/** Move the beginning of a session, of which the process may remember something. */
async function age(client: SessionClient, interval: string): Promise<void> {
  await world.database.rows(
    `update workspace_records.sessions set created_at = now() - $2::interval,
      expires_at = now() + interval '80 days' where id = $1`,
    [client.sessionId, interval],
  );
  await world.database.rows("select pg_notify('workspace_records', 'sessions:0')");
  await expect
    .poll(async () => Date.parse((await client.get('/me')).body.data.session.created_at))
    .toBeLessThan(Date.now() - 60_000);
}

describe('passwords', () => {
  test('have 12 to 200 characters, are not the address, and not what many use', async () => {
    const client = await world.inSession('sam');
    const set = async (password: unknown) => {
      const { status, body } = await client.put('/me/password', { password });
      return status === 200 ? 200 : [status, body.error.code, body.error.param];
    };
    const refused = [400, 'validation_failed', 'password'];
    expect(await set('eleven char')).toEqual(refused);
    expect(await set('🔑'.repeat(11))).toEqual(refused);
    expect(await set('x'.repeat(201))).toEqual(refused);
    expect(await set('x'.repeat(401))).toEqual(refused);
    expect(await set('SAM@acme.example')).toEqual(refused);
    expect(await set('Password1234')).toEqual(refused);
    expect(await set(12)).toEqual(refused);
    expect((await client.put('/me/password', {})).body.error.param).toBe('password');
    expect((await client.put('/me/password', { password: 'x', y: 1 })).body.error.param).toBe('y');
    expect(await set('twelve chars')).toBe(200);
  });

  test('a change takes the current one, and ends all other sessions and links', async () => {
    const [client, elsewhere] = [await world.inSession('bea'), await world.inSession('bea')];
    await client.put('/me/password', { password: 'a first password' });
    expect((await elsewhere.get('/me')).status).toBe(401);
    const other = await world.inSession('bea');
    const made = await ada.post(`/users/${world.users.bea}/sign_in_links`, undefined);
    const change = (body: object) => client.put('/me/password', body);
    const missing = await change({ password: 'a second password' });
    expect([missing.status, missing.body.error.param]).toEqual([400, 'current_password']);
    const wrong = await change({ password: 'a second password', current_password: 'no' });
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'invalid_credentials']);
    expect((await audited()).at(-1)).toMatchObject({
      action: 'update_failed',
      subject_type: 'password',
    });
    expect((await other.get('/me')).status).toBe(200);
    const right = { password: 'a second password', current_password: 'a first password' };
    expect((await change(right)).body.data).toEqual({ ended_sessions: 1 });
    expect((await other.get('/me')).status).toBe(401);
    expect((await client.get('/me')).status).toBe(200);
    const token = new URL(made.body.data.url).hash.slice(1);
    expect((await signIn({ token })).status).toBe(401);
    const email = 'bea@acme.example';
    const old = { workspace: 'acme', email, password: 'a first password' };
    expect((await signIn(old)).status).toBe(401);
    expect((await signIn({ ...old, password: 'a second password' })).status).toBe(201);
    await forgetAttempts();
  });

  test('a wrong current one is counted as a failure to sign in', async () => {
    const client = await world.inSession('sam');
    const change = { password: 'another password', current_password: 'no' };
    for (let count = 0; count < 10; count += 1) {
      expect((await client.put('/me/password', change)).status).toBe(401);
    }
    expect((await client.put('/me/password', change)).status).toBe(429);
    await forgetAttempts();
  });

  test('a person who signed in by a link sets a new one while the sign-in is fresh', async () => {
    const made = await ada.post(`/users/${world.users.sam}/sign_in_links`, undefined);
    const answer = await signIn({ token: new URL(made.body.data.url).hash.slice(1) });
    const client = clientOf(answer);
    expect((await client.put('/me/password', { password: 'forgotten and set' })).status).toBe(200);
  });

  test('the first one takes a fresh sign-in; keys set none', async () => {
    const client = await world.inSession('con');
    await age(client, '2 hours');
    const stale = await client.put('/me/password', { password: 'a good long one' });
    expect([stale.status, stale.body.error.code]).toEqual([403, 'fresh_sign_in_required']);
    const key = await world.as('ada');
    const refused = await key.put('/me/password', { password: 'a good long one' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'permission_denied']);
  });
});

describe('sessions', () => {
  test('are listed to their person, and to an administrator', async () => {
    const rob = await world.inSession('rob');
    const mine = await rob.get('/sessions');
    expect(mine.body.data.filter((one: { current: boolean }) => one.current)).toMatchObject([
      { id: rob.sessionId, user_id: world.users.rob, method: 'password' },
    ]);
    const ids = (answer: typeof mine) => answer.body.data.map(({ id }: { id: string }) => id);
    expect(ids(mine)).not.toContain(ada.sessionId);
    expect(ids(await ada.get(`/sessions?user_id=${world.users.rob}`))).toContain(rob.sessionId);
    expect(mine.body.data[0].user_agent).toBeNull();
    const signedIn = await signIn(adas, { 'user-agent': 'Mozilla/5.0 (X11; Linux)' });
    const { id } = signedIn.body.data.session;
    const [listed] = (await ada.get('/sessions')).body.data.filter(
      (one: { id: string }) => one.id === id,
    );
    expect(listed.user_agent).toBe('Mozilla/5.0 (X11; Linux)');
    const denied = await rob.get(`/sessions?user_id=${world.users.ada}`);
    expect([denied.status, denied.body.error.code]).toEqual([403, 'permission_denied']);
    expect((await ada.get('/sessions?user_id=0')).body.error.param).toBe('user_id');
    const key = await (await world.as('rob')).get('/sessions');
    expect([key.status, key.body.error.code]).toEqual([403, 'permission_denied']);
  });

  test('sign out: dead at once, and the cookie is deleted', async () => {
    const rob = await world.inSession('rob');
    const answer = await rob.delete('/sessions/current');
    expect(answer.body.data).toEqual({ id: rob.sessionId, ended: true });
    expect(answer.headers.get('set-cookie')).toMatch(/^wrs-\d+=; Max-Age=0; /);
    const after = await rob.get('/me');
    expect([after.status, after.body.error.code]).toEqual([401, 'invalid_credentials']);
    expect((await audited()).at(-1)).toMatchObject({
      action: 'sign_out',
      session_id: rob.sessionId,
    });
  });

  test('others end by their id: own ones, and for an administrator those of everybody', async () => {
    const [rob, robs] = [await world.inSession('rob'), await world.inSession('rob')];
    expect((await robs.delete(`/sessions/${rob.sessionId}`)).status).toBe(200);
    expect((await rob.get('/me')).status).toBe(401);
    const refused = await robs.delete(`/sessions/${ada.sessionId}`);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'record_not_found']);
    expect((await ada.get('/me')).status).toBe(200);
    expect((await ada.delete(`/sessions/${robs.sessionId}`)).status).toBe(200);
    expect((await robs.get('/me')).status).toBe(401);
    const again = await ada.delete(`/sessions/${robs.sessionId}`);
    expect([again.status, again.body.error.param]).toEqual([404, 'session_id']);
    expect((await ada.delete('/sessions/nonsense')).status).toBe(404);
    const globex = await world.inSession('ada', { workspace: 'globex' });
    expect((await ada.delete(`/sessions/${globex.sessionId}`)).status).toBe(404);
    const key = await (await world.as('ada')).delete(`/sessions/${ada.sessionId}`);
    expect([key.status, key.body.error.code]).toEqual([403, 'permission_denied']);
  });

  test('end unused after 14 days and at last after 90', async () => {
    const [idle, old] = [await world.inSession('rob'), await world.inSession('rob')];
    const set = (client: SessionClient, what: string) =>
      world.database.rows(`update workspace_records.sessions set ${what} where id = $1`, [
        client.sessionId,
      ]);
    await set(idle, "last_used_at = now() - interval '14 days 1 second'");
    await set(old, "expires_at = now() - interval '1 second'");
    for (const client of [idle, old]) expect((await client.get('/me')).status).toBe(401);
    const late = await world.inSession('rob');
    await set(late, "last_used_at = now() - interval '13 days 23 hours'");
    expect((await late.get('/me')).status).toBe(200);
    const [row] = await world.database.rows(
      `select now() - last_used_at < interval '1 minute' as noted,
        expires_at - created_at = interval '90 days' as lasts
      from workspace_records.sessions where id = $1`,
      [late.sessionId],
    );
    expect(row).toEqual({ noted: true, lasts: true });
  });

  test('of a person without developer access has the rights of the person', async () => {
    const key = await world.as('con');
    expect((await key.get('/objects/deals/records')).status).toBe(403);
    const con = await world.inSession('con');
    expect((await con.get('/objects/deals/records')).status).toBe(200);
    const created = await con.post('/objects/deals/records', { fields: { name: 'By hand' } });
    expect(created.status).toBe(201);
    const [row] = await world.rows(
      'select session_id, api_key_id from _audit where record_id = $1',
      [created.body.data.id],
    );
    expect(row).toEqual({ session_id: con.sessionId, api_key_id: null });
  });

  test('an Idempotency-Key holds in a session', async () => {
    const headers = { 'idempotency-key': 'once' };
    const fields = { fields: { name: 'Once' } };
    const [one, other] = [
      await ada.post('/objects/deals/records', fields, headers),
      await ada.post('/objects/deals/records', fields, headers),
    ];
    expect(other.headers.get('idempotent-replayed')).toBe('true');
    expect(other.body).toEqual(one.body);
  });

  test.each([
    ['signs out', (one: SessionClient) => one.delete('/sessions/current')],
    ['is signed out', (one: SessionClient) => ada.delete(`/sessions/${one.sessionId}`)],
    [
      'sets a password elsewhere',
      async () => {
        const elsewhere = await world.inSession('con');
        await elsewhere.put('/me/password', { password: 'streams do end' });
      },
    ],
    [
      'is deactivated',
      () => world.database.rows("update ws_acme._users set active = false where name = 'Con'"),
    ],
  ] as const)('streams end when their person %s', async (_, act) => {
    const con = await world.inSession('con');
    const headers = { cookie: con.cookie };
    const stream = await openEvents({ port: world.port, secret: con.secret, headers });
    expect(stream.status).toBe(200);
    await act(con);
    await stream.ended();
    await world.database.rows("update ws_acme._users set active = true where name = 'Con'");
  });

  test('of somebody deactivated end at once and stay ended', async () => {
    const rae = await world.inSession('rae');
    expect((await rae.get('/me')).status).toBe(200);
    const apply = (active: boolean) =>
      world.apply({
        ...ACME,
        users: { ...ACME.users, 'rae@acme.example': { name: 'Rae', roles: ['rep'], active } },
      });
    await apply(false);
    expect((await rae.get('/me')).status).toBe(401);
    await apply(true);
    expect((await rae.get('/me')).status).toBe(401);
    expect((await (await world.inSession('rae')).get('/me')).status).toBe(200);
  });
});
