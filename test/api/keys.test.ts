// API keys over HTTP: made, listed, changed and revoked, by whom, and never more than the one that makes them.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../src/model/rights/access.ts';
import { guardKey } from '../access/canary.ts';
import { type Client, openClient, refusalOf } from '../client.ts';
import { shareCounting } from '../count-together.ts';
import { call } from '../http-client.ts';
import { type Ask, openAsk } from '../signed-in.ts';
import { ACME_CANARY, openWorld, type PersonName, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;
let adaHerself: Ask;
let robHimself: Ask;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.as('ada', { requestsPerMinute: 1000 });
  rob = await world.as('rob', { requestsPerMinute: 1000 });
  adaHerself = openAsk(world, 'ada');
  robHimself = openAsk(world, 'rob');
});
afterAll(() => world?.close());

const LATER = '2999-01-01T00:00:00.000Z';
const SOONER = '2998-01-01T00:00:00.000Z';
const stored = () =>
  world.database.rows('select * from workspace_records.api_keys order by id').then(JSON.stringify);
const lastAudit = async () => {
  const [row] = await world.rows(`select * from _audit order by transaction desc, id desc limit 1`);
  const { user_id, source, subject_type, subject_id, action, changed_fields } = row ?? {};
  return { user_id, source, subject_type, subject_id, action, changed_fields };
};

describe('making', () => {
  test('the secret is shown once, works, and is nowhere', async () => {
    const body = { name: 'Laptop', scopes: ['users:read'], expires_at: LATER };
    const made = await rob.post('/keys', body);
    const { secret, ...key } = made.body.data;
    expect([made.status, key]).toEqual([
      201,
      {
        ...body,
        id: expect.any(String),
        user: {
          id: world.users.rob,
          name: 'Rob',
          email: 'rob@acme.example',
          kind: 'user',
          active: true,
        },
        type: 'personal',
        prefix: secret.slice(0, 12),
        requests_per_minute: 1000,
        gates: true,
        revoked_at: null,
        created_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    expect(await lastAudit()).toEqual({
      ...{ user_id: world.users.rob, source: 'api', subject_type: 'key', subject_id: key.id },
      ...{ action: 'create', changed_fields: [] },
    });
    guardKey(secret, '@acme.example');
    const client = openClient({ port: world.port, secret });
    expect((await client.get('/me')).body.data.api_key.scopes).toEqual(['users:read']);
    const all = [await rob.get('/keys?include_revoked=true'), await ada.get('/keys?limit=100')];
    expect(JSON.stringify(all)).not.toContain(secret);
    expect(await stored()).not.toContain(secret.slice(12));
    expect(made.headers.get('cache-control')).toBe('no-store');
  });

  test('the defaults are the six scopes, and the rate and the end of the calling key', async () => {
    const limited = await world.as('rob', { requestsPerMinute: 7, expiresIn: 86_400 });
    const own = (await limited.get('/me')).body.data.api_key;
    const { data } = (await limited.post('/keys', { name: 'x' })).body;
    expect(data).toMatchObject({ scopes: DEFAULT_SCOPES, requests_per_minute: 7 });
    expect(data.expires_at).toBe(own.expires_at);
  });

  test('by somebody who signed in: any scope, the rate of the service; administrators any rate', async () => {
    const made = await robHimself('createKey', { body: { name: 'x', scopes: [...SCOPES] } });
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { scopes: SCOPES, requests_per_minute: null },
    ]);
    const default_ = { name: 'x', requests_per_minute: 300 };
    expect((await robHimself('createKey', { body: default_ })).status).toBe(201);
    const more = { name: 'x', requests_per_minute: 301 };
    expect(refusalOf(await robHimself('createKey', { body: more }))).toEqual([
      ...[403, 'permission_denied', 'requests_per_minute'],
    ]);
    expect((await adaHerself('createKey', { body: more })).status).toBe(201);
  });

  test('for others and for agents: administrators', async () => {
    const { rob: robId, bot, zed } = world.users;
    const forBot = await ada.post('/keys', { name: 'Bot', user_id: bot });
    expect(forBot.body.data).toMatchObject({
      type: 'operational',
      user: { id: bot, kind: 'agent' },
    });
    expect((await ada.post('/keys', { name: 'x', user_id: robId })).status).toBe(201);
    expect(refusalOf(await ada.post('/keys', { name: 'x', user_id: zed }))).toEqual([
      ...[422, 'invalid_write', 'user_id'],
    ]);
    expect(refusalOf(await ada.post('/keys', { name: 'x', user_id: 999_999 }))).toEqual([
      ...[422, 'invalid_write', 'user_id'],
    ]);
    const before = await stored();
    for (const user_id of [bot, world.users.mia, 999_999]) {
      const refused = await rob.post('/keys', { name: 'x', user_id });
      expect(refusalOf(refused)).toEqual([403, 'permission_denied', undefined]);
    }
    expect(await stored()).toBe(before);
  });

  test('of somebody who is no longer an administrator stay those of their holders', async () => {
    const herself = await world.inSession('ada');
    const change = async (patch: object) =>
      expect((await herself.patch(`/users/${world.users.zed}`, patch)).status).toBe(200);
    await change({ active: true });
    const zed = await world.inSession('zed');
    const { secret, id } = (await zed.post('/keys', { name: 'x', user_id: world.users.rob })).body
      .data;
    await change({ active: false });
    guardKey(secret, ACME_CANARY);
    const holder = openClient({ port: world.port, secret });
    expect((await holder.get('/me')).body.data.user.id).toBe(world.users.rob);
    expect((await ada.delete(`/keys/${id}`)).status).toBe(200);
    expect((await holder.get('/me')).status).toBe(401);
  });

  test('somebody without developer access has no keys', async () => {
    const con = openAsk(world, 'con');
    for (const [id, more] of [
      ['createKey', { body: { name: 'x' } }],
      ['listKeys', {}],
      ['revokeKey', { params: { key_id: '01890a5d-ac96-774b-bcce-b302099a8057' } }],
    ] as const) {
      expect(refusalOf(await con(id, more))).toEqual([403, 'permission_denied', undefined]);
    }
  });

  test.each([
    [{ name: '' }, [400, 'validation_failed', 'name']],
    [{ name: 'a\u001bb' }, [400, 'validation_failed', 'name']],
    [{ name: 'x'.repeat(201) }, [400, 'validation_failed', 'name']],
    [{ scopes: ['records:all'] }, [400, 'validation_failed', 'scopes[0]']],
    [{ scopes: ['users:read', 'users:read'] }, [400, 'validation_failed', 'scopes']],
    [{ scopes: 'users:read' }, [400, 'validation_failed', 'scopes']],
    [{ requests_per_minute: 0 }, [400, 'validation_failed', 'requests_per_minute']],
    [{ requests_per_minute: 1.5 }, [400, 'validation_failed', 'requests_per_minute']],
    [{ requests_per_minute: 1_000_000_000 }, [400, 'validation_failed', 'requests_per_minute']],
    [{ requests_per_minute: 1001 }, [403, 'permission_denied', 'requests_per_minute']],
    [{ requests_per_minute: null }, [403, 'permission_denied', 'requests_per_minute']],
    [{ expires_at: '' }, [422, 'invalid_write', 'expires_at']],
    [{ expires_at: 'soon' }, [422, 'invalid_write', 'expires_at']],
    [{ expires_at: '2001-01-01T00:00:00Z' }, [422, 'invalid_write', 'expires_at']],
    [{ expires_at: 30 }, [400, 'validation_failed', 'expires_at']],
    [{ user_id: '1' }, [400, 'validation_failed', 'user_id']],
    [{ user_id: 3_000_000_000 }, [400, 'validation_failed', 'user_id']],
    [{ secret: 'x' }, [400, 'validation_failed', 'secret']],
    [{ type: 'operational' }, [400, 'validation_failed', 'type']],
  ])('%j', async (change, expected) => {
    const before = await stored();
    expect(refusalOf(await rob.post('/keys', { name: 'x', ...change }))).toEqual(expected);
    expect(await stored()).toBe(before);
  });

  test('a key gives neither scopes nor a life that it lacks', async () => {
    const narrow = await world.as('ada', { scopes: ['keys:write', 'users:read'], expiresIn: 3600 });
    const soon = new Date(Date.now() + 1_800_000).toISOString();
    const cases = [
      [{ scopes: ['users:read', 'records:read'] }, [403, 'permission_denied', 'scopes']],
      [{}, [403, 'permission_denied', 'scopes']],
      [{ scopes: [], expires_at: LATER }, [403, 'permission_denied', 'expires_at']],
      [{ scopes: [], expires_at: null }, [403, 'permission_denied', 'expires_at']],
      [{ scopes: ['keys:write'], expires_at: soon }, [201, undefined, undefined]],
      [{ scopes: [], user_id: world.users.mia }, [201, undefined, undefined]],
    ] as const;
    for (const [change, expected] of cases) {
      expect(refusalOf(await narrow.post('/keys', { name: 'x', ...change }))).toEqual(expected);
    }
  });

  test('a key that ends during its request makes none', async () => {
    const { id, secret } = await world.key('rob');
    const client = openClient({ port: world.port, secret });
    expect((await client.get('/me')).status).toBe(200);
    const before = await stored();
    // Without a notification, the process still has the key as it was.
    await world.database.rows(`alter table workspace_records.api_keys disable trigger note_change`);
    await world.database.rows(
      `update workspace_records.api_keys set revoked_at = now() where id = $1`,
      [id],
    );
    const answer = await call(world.port, '/v1/keys', {
      method: 'POST',
      key: secret,
      body: { name: 'x' },
    });
    expect([answer.status, answer.json.error.code]).toEqual([401, 'invalid_api_key']);
    await world.database.rows(`delete from workspace_records.api_keys where id = $1`, [id]);
    await world.database.rows(`alter table workspace_records.api_keys enable trigger note_change`);
    expect(JSON.parse(await stored())).toHaveLength(JSON.parse(before).length - 1);
  });
});

describe('so many of a person', () => {
  const made = (client: Client, user: PersonName) =>
    client.post('/keys', { name: 'one more', user_id: own.users[user] });
  const rows = (text: string) => own.database.rows(text, [own.users.sam]);
  let own: World;
  beforeAll(async () => {
    own = await openWorld();
  });
  afterAll(() => own.close());

  test('those in force and those of the last hour count, by any author', async () => {
    const [ada, sam] = [await own.as('ada'), await own.as('sam')];
    await rows(`insert into workspace_records.api_keys
        (id, workspace_id, user_id, type, name, prefix, secret_hash, scopes)
      select gen_random_uuid(), workspace_id, user_id, type, name, prefix,
        sha256(place::text::bytea), scopes
      from workspace_records.api_keys k, generate_series(3, ${LIMITS.keysOfUser}) place
      where user_id = $1 and workspace_id = (
        select id from workspace_records.workspaces where slug = 'acme')`);
    const answers = await Promise.all(Array.from({ length: 6 }, () => made(sam, 'sam')));
    const [one, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect([one?.status, others.map(({ status }) => status)]).toEqual([201, others.map(() => 409)]);
    for (const client of [sam, ada]) {
      expect(refusalOf(await made(client, 'sam'))).toEqual([409, 'conflict', 'user_id']);
    }
    // A revoked one has had its windows.
    await sam.delete(`/keys/${one?.body.data.id}`);
    expect((await made(sam, 'sam')).status).toBe(409);
    await rows(`update workspace_records.api_keys set created_at = now() - interval '61 minutes'
      where user_id = $1`);
    expect((await made(sam, 'sam')).status).toBe(201);
    expect((await made(sam, 'sam')).status).toBe(409);
    expect((await made(ada, 'mia')).status).toBe(201);
  });
});

describe('listing', () => {
  test('one sees their own, an administrator all; pages go from new to old', async () => {
    const ids: string[] = [];
    let cursor = '';
    do {
      const page = (await ada.get(`/keys?limit=3&include_revoked=true${cursor}`)).body;
      ids.push(...page.data.map((key: { id: string }) => key.id));
      cursor = page.pagination.has_more ? `&cursor=${page.pagination.next_cursor}` : '';
    } while (cursor !== '');
    expect(ids).toEqual([...ids].sort().toReversed());
    const [{ count }] = (await world.database.rows(
      `select count(*)::integer as count from workspace_records.api_keys k
        join workspace_records.workspaces w on w.id = k.workspace_id where w.slug = 'acme'`,
    )) as [{ count: number }];
    expect(new Set(ids).size).toBe(count);
    const own = (await rob.get('/keys')).body.data as readonly { user: { id: number } }[];
    expect([...new Set(own.map(({ user }) => user.id))]).toEqual([world.users.rob]);
    const same = (await ada.get(`/keys?user_id=${world.users.rob}`)).body.data;
    // These requests use keys that are in the lists.
    const unused = (keys: readonly object[]) => keys.map((key) => ({ ...key, last_used_at: null }));
    expect(unused(same)).toEqual(unused(own));
  });

  test.each([
    ['?user_id=x', [400, 'validation_failed', 'user_id']],
    ['?user_id=0', [400, 'validation_failed', 'user_id']],
    ['?limit=101', [400, 'validation_failed', 'limit']],
    ['?include_revoked=yes', [400, 'validation_failed', 'include_revoked']],
    ['?name=x', [400, 'validation_failed', 'name']],
    ['?cursor=abc', [400, 'invalid_cursor', 'cursor']],
  ])('%s', async (query, expected) => {
    expect(refusalOf(await rob.get(`/keys${query}`))).toEqual(expected);
  });

  test('of others, and with the cursor of another list', async () => {
    const refused = await rob.get(`/keys?user_id=${world.users.ada}`);
    expect(refusalOf(refused)).toEqual([403, 'permission_denied', undefined]);
    const { next_cursor } = (await ada.get('/keys?limit=1')).body.pagination;
    const other = await ada.get(`/keys?limit=1&include_revoked=true&cursor=${next_cursor}`);
    expect(refusalOf(other)).toEqual([400, 'invalid_cursor', 'cursor']);
  });

  test('when it was used, to the minute, without a statement of its own', async () => {
    const { id, secret } = await world.key('rob');
    const client = openClient({ port: world.port, secret });
    const used = async () => {
      const listed = (await ada.get('/keys?limit=1')).body.data[0];
      expect(listed.id).toBe(id);
      return listed.last_used_at;
    };
    expect(await used()).toBeNull();
    await client.get('/me');
    const { stats } = world.database;
    const first = await used();
    expect(first).toMatch(/:00(\.000)?Z$/);
    expect(Math.abs(Date.parse(first) - Date.now())).toBeLessThan(120_000);
    const noted = () =>
      world.database.rows(
        `select xmin::text from workspace_records.key_uses where api_key_id = $1`,
        [id],
      );
    const move = (by: string) =>
      world.database.rows(
        `update workspace_records.rate_windows set requests = 0, window_start = window_start + $2::interval
          where principal_id = $1`,
        [id, by],
      );
    await shareCounting(world.database);
    // A window that does not end while the test looks.
    await move('5 minutes');
    const before = stats.statements;
    await client.get('/me');
    const row = await noted();
    for (let request = 0; request < 3; request += 1) await client.get('/me');
    expect(await noted()).toEqual(row);
    // Counting, and looking for changes when a second has gone by; two are of the test.
    expect(stats.statements - before).toBeLessThanOrEqual(4 + 4 + 2);
    const later = await used();
    expect(Date.parse(later) - Date.parse(first)).toBeGreaterThan(0);
    await move('-1 hour');
    await client.get('/me');
    expect(await noted()).not.toEqual(row);
    // A clock that jumps back does not make it older.
    expect(await used()).toBe(later);
    await world.database.rows(`delete from workspace_records.api_keys where id = $1`, [id]);
    expect(await noted()).toEqual([]);
  });

  test('a request that is refused before it is counted is not a use', async () => {
    const { id, secret } = await world.key('con');
    const answer = await call(world.port, '/v1/me', { key: secret });
    expect(answer.status).toBe(403);
    const text = `select from workspace_records.key_uses where api_key_id = $1`;
    expect(await world.database.rows(text, [id])).toEqual([]);
  });
});

describe('changing', () => {
  test('the name, a lower or allowed rate, an earlier end', async () => {
    const { id } = (await rob.post('/keys', { name: 'x', expires_at: LATER })).body.data;
    const before = await world.digest();
    expect((await rob.patch(`/keys/${id}`, {})).status).toBe(200);
    expect((await rob.patch(`/keys/${id}`, { name: 'x', expires_at: LATER })).status).toBe(200);
    expect(await world.digest()).toBe(before);
    const body = { name: 'Other', requests_per_minute: 5, expires_at: SOONER };
    expect((await rob.patch(`/keys/${id}`, body)).body.data).toMatchObject(body);
    expect((await lastAudit()).changed_fields).toEqual([
      'name',
      'requests_per_minute',
      'expires_at',
    ]);
    const cases = [
      [{ expires_at: LATER }, [422, 'invalid_write', 'expires_at']],
      [{ expires_at: null }, [422, 'invalid_write', 'expires_at']],
      [{ expires_at: '2001-01-01T00:00:00Z' }, [422, 'invalid_write', 'expires_at']],
      [{ requests_per_minute: 1001 }, [403, 'permission_denied', 'requests_per_minute']],
      [{ requests_per_minute: null }, [403, 'permission_denied', 'requests_per_minute']],
      [{ requests_per_minute: 1000 }, [200, undefined, undefined]],
      [{ scopes: ['users:read'] }, [400, 'validation_failed', 'scopes']],
      [{ user_id: world.users.rob }, [400, 'validation_failed', 'user_id']],
      [{ name: null }, [400, 'validation_failed', 'name']],
    ] as const;
    for (const [change, expected] of cases) {
      expect(refusalOf(await rob.patch(`/keys/${id}`, change)), JSON.stringify(change)).toEqual(
        expected,
      );
    }
  });

  test('keys of others are not there, but for administrators', async () => {
    const { id } = (await ada.post('/keys', { name: 'Of Ada' })).body.data;
    const missing = [404, 'record_not_found', 'key_id'];
    for (const key of [id, '01890a5d-ac96-774b-bcce-b302099a8057', 'x']) {
      expect(refusalOf(await rob.patch(`/keys/${key}`, { name: 'y' }))).toEqual(missing);
      expect(refusalOf(await rob.delete(`/keys/${key}`))).toEqual(missing);
    }
    const there = await world.as('ada', { workspace: 'globex' });
    expect(refusalOf(await there.delete(`/keys/${id}`))).toEqual(missing);
    const { id: robs } = (await rob.post('/keys', { name: 'Of Rob' })).body.data;
    expect((await ada.patch(`/keys/${robs}`, { name: 'Seen' })).body.data.name).toBe('Seen');
  });
});

describe('revoking', () => {
  test('it ends at once; a second time is not an error and leaves no trace', async () => {
    const { id, secret } = (await rob.post('/keys', { name: 'x' })).body.data;
    guardKey(secret, '@acme.example');
    expect((await call(world.port, '/v1/me', { key: secret })).status).toBe(200);
    const revoked = (await rob.delete(`/keys/${id}`)).body.data;
    expect(revoked.revoked_at).toEqual(expect.any(String));
    expect(await lastAudit()).toMatchObject({
      action: 'revoke',
      subject_type: 'key',
      subject_id: id,
    });
    await vi.waitFor(async () => {
      expect((await call(world.port, '/v1/me', { key: secret })).status).toBe(401);
    }, 60_000);
    const before = [await world.digest(), await stored()];
    expect((await rob.delete(`/keys/${id}`)).body.data.revoked_at).toBe(revoked.revoked_at);
    expect(refusalOf(await rob.patch(`/keys/${id}`, { name: 'y' }))).toEqual([
      409,
      'conflict',
      'key_id',
    ]);
    expect([await world.digest(), await stored()]).toEqual(before);
    const ids = (await rob.get('/keys?limit=100')).body.data.map((key: { id: string }) => key.id);
    expect(ids).not.toContain(id);
  });

  test('without the scope: a refusal', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'keys:write');
    const client = await world.as('ada', { scopes });
    const before = await stored();
    const { id } = await world.key('rob');
    const answers = [
      await client.get('/keys'),
      await client.post('/keys', { name: 'x' }),
      await client.patch(`/keys/${id}`, { name: 'y' }),
      await client.delete(`/keys/${id}`),
    ];
    for (const answer of answers)
      expect(refusalOf(answer)).toEqual([403, 'insufficient_scope', undefined]);
    expect(JSON.parse(await stored())).toHaveLength(JSON.parse(before).length + 1);
  });
});
