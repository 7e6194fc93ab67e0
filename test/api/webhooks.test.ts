// Webhooks over HTTP: made, listed, changed and deleted, the people who may, and everything that is refused. Nothing is sent
// here: test/flow/webhook-sending.full.test.ts.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { SCOPES } from '../../src/model/rights/access.ts';
import { type Client, refusalOf } from '../client.ts';
import { ALLOWED } from '../webhook-world.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;

beforeAll(async () => {
  world = await openWorld(ALLOWED);
  ada = await world.as('ada');
  rob = await world.as('rob');
});
afterAll(() => world?.close());
beforeEach(() => world.database.rows('delete from ws_acme._webhooks'));

const URL = 'https://receiver.example/hook';
const PLAIN = { url: URL, events: ['record.*'] };
const make = async (client: Client, given: object = {}) => {
  const { status, body } = await client.post('/webhooks', { ...PLAIN, ...given });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
};
const lastAudit = async () => {
  const [row] = await world.rows('select * from _audit order by transaction desc, id desc limit 1');
  const { user_id, subject_type, subject_id, action, changed_fields } = row ?? {};
  return { user_id, subject_type, subject_id, action, changed_fields };
};

describe('making', () => {
  test('the secret is shown once and stored encrypted, like the headers', async () => {
    const headers = { Authorization: 'Bearer of the receiver' };
    const given = {
      ...{ object_types: ['deals'], changed_fields: ['amount'], status_to: [], headers },
      where: { field: 'amount', op: 'gt', value: 5 },
      except: { own: true },
    };
    const { secret, ...shown } = await make(rob, given);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(shown).toEqual({
      ...{ id: expect.any(String), owner_user_id: world.users.rob, url: URL },
      api_key: { id: expect.any(String), prefix: rob.secret.slice(0, 12) },
      ...{ events: ['record.*'], object_types: ['deals'], changed_fields: ['amount'] },
      ...{ where: given.where, timezone: null, status_to: [] },
      ...{ except: { own: true, sources: [] }, payload: 'thin', header_names: ['Authorization'] },
      ...{ state: 'active', reason: null, failing_since: null, verified_at: null },
      ...{ stopped_at: null, last_delivery: null },
      ...{ secret_state: 'set', previous_secret_until: null },
      ...{ version: expect.any(String), position_at: expect.any(String) },
      ...{ created_at: expect.any(String), updated_at: expect.any(String) },
    });
    expect(await lastAudit()).toMatchObject({
      ...{ user_id: world.users.rob, subject_type: 'webhook', subject_id: shown.id },
      ...{ action: 'create', changed_fields: expect.arrayContaining(['url', 'events', 'where']) },
    });
    const told = [await rob.get('/webhooks'), await ada.get(`/webhooks/${shown.id}`)];
    const stored = await world.database.rows('select * from ws_acme._webhooks');
    const text = JSON.stringify([told, stored]);
    for (const hidden of [secret, headers.Authorization]) expect(text).not.toContain(hidden);
    expect(stored[0]?.secret).toMatch(/^v1\.[0-9a-f]{8}\./);
    const [ping] = await world.database.rows('select * from ws_acme._webhook_deliveries');
    expect(ping).toMatchObject({ webhook_id: shown.id, type: 'ping', state: 'pending' });
  });

  const TOO_MANY = Array.from({ length: 9 }, () => ({ field: 'amount', op: 'gt', value: 1 }));
  const deal = (given: object) => ({ object_types: ['deals'], ...given });
  test.each<readonly [string, object, readonly unknown[]]>([
    ['an unknown type', { events: ['record.*', 'x'] }, [400, 'validation_failed', 'events[1]']],
    ['no type', { events: [] }, [400, 'validation_failed', 'events']],
    ['no address', { url: 'receiver' }, [400, 'validation_failed', 'url']],
    ['plain http', { url: 'http://93.184.216.34/' }, [400, 'validation_failed', 'url']],
    ['credentials', { url: 'https://a:b@c.example/' }, [400, 'validation_failed', 'url']],
    ['a private address', { url: 'https://10.0.0.1/' }, [400, 'validation_failed', 'url']],
    ['a long address', { url: `${URL}?${'x'.repeat(2048)}` }, [400, 'validation_failed', 'url']],
    ['a reserved header', { headers: { Host: 'x' } }, [400, 'validation_failed', 'headers']],
    [
      'six headers',
      { headers: Object.fromEntries('abcdef'.split('').map((name) => [name, 'x'])) },
      [400, 'validation_failed', 'headers'],
    ],
    ['a header with U+0000', { headers: { a: '\0' } }, [400, 'validation_failed', 'headers.a']],
    [
      'an unknown object type',
      { object_types: ['deals', 'x'] },
      [404, 'object_not_available', 'object_types[1]'],
    ],
    [
      'an object type of others',
      { object_types: ['readings'] },
      [404, 'object_not_available', 'object_types[0]'],
    ],
    ['an unknown field', { changed_fields: ['x'] }, [400, 'invalid_filter', 'changed_fields[0]']],
    [
      'a relationship that changes with other records',
      { changed_fields: ['inv.deals.company_id'] },
      [400, 'invalid_filter', 'changed_fields[0]'],
    ],
    [
      'a hidden field',
      deal({ changed_fields: ['amount', 'secret'] }),
      [403, 'permission_denied', 'changed_fields[1]'],
    ],
    [
      'a condition on a hidden field',
      deal({ where: { field: 'secret', op: 'eq', value: 'x' } }),
      [403, 'permission_denied', 'where.field'],
    ],
    [
      'a condition on an unknown field',
      deal({ where: { any: [{ field: 'x', op: 'eq', value: 'x' }] } }),
      [400, 'invalid_filter', 'where.any[0].field'],
    ],
    [
      'a condition through a reference',
      { object_types: ['boats'], where: { field: 'company_id.name', op: 'eq', value: 'x' } },
      [400, 'invalid_filter', 'where.field'],
    ],
    ['nine conditions', deal({ where: { all: TOO_MANY } }), [400, 'invalid_filter', 'where']],
    ['no condition', deal({ where: { all: [] } }), [400, 'invalid_filter', 'where.all']],
    [
      'conditions on several objects',
      { object_types: ['deals', 'companies'], where: TOO_MANY[0] },
      [400, 'validation_failed', 'object_types'],
    ],
    [
      'an unknown time zone',
      deal({ where: TOO_MANY[0], timezone: 'Europe/Atlantis' }),
      [400, 'validation_failed', 'timezone'],
    ],
    [
      'a time zone without conditions',
      { timezone: '\u0000' },
      [400, 'validation_failed', 'timezone'],
    ],
    ['an unknown status', { status_to: ['x'] }, [400, 'invalid_filter', 'status_to[0]']],
    [
      'an unknown source',
      { except: { sources: ['x'] } },
      [400, 'validation_failed', 'except.sources[0]'],
    ],
    ['an unknown property', { name: 'x' }, [400, 'validation_failed', 'name']],
    ['another payload', { payload: 'all' }, [400, 'validation_failed', 'payload']],
    ['another owner', { owner_user_id: 1 }, [403, 'permission_denied', 'owner_user_id']],
  ])('%s is refused', async (_, given, refused) => {
    const own = given as { owner_user_id?: number };
    const owner = own.owner_user_id === undefined ? {} : { owner_user_id: world.users.ada };
    const answer = await rob.post('/webhooks', { ...PLAIN, ...given, ...owner });
    expect(refusalOf(answer), JSON.stringify(answer.body)).toEqual(refused);
    expect(await world.database.rows('select from ws_acme._webhooks')).toEqual([]);
  });

  test('a key makes none that it could not read itself', async () => {
    const deaf = await world.as('rob', { scopes: ['webhooks:write', 'comments:read'] });
    const refused = [403, 'insufficient_scope', 'events[0]'];
    expect(refusalOf(await deaf.post('/webhooks', PLAIN))).toEqual(refused);
    expect((await make(deaf, { events: ['comment.created'] })).events).toEqual(['comment.created']);
    const silent = await world.as('rob', { scopes: ['webhooks:write', 'records:read'] });
    const comments = { ...PLAIN, events: ['comment.created'] };
    expect(refusalOf(await silent.post('/webhooks', comments))).toEqual(refused);
  });

  test('administrators make them for others, and for agents', async () => {
    const { bot, zed, con, rob: robsId } = world.users;
    expect((await make(ada, { owner_user_id: bot })).owner_user_id).toBe(bot);
    for (const owner_user_id of [zed, 999_999, con]) {
      const answer = await ada.post('/webhooks', { ...PLAIN, owner_user_id });
      expect(refusalOf(answer)).toEqual([422, 'invalid_write', 'owner_user_id']);
    }
    // The rights are those of the owner, not of the administrator.
    const hidden = { ...PLAIN, object_types: ['deals'], changed_fields: ['secret'] };
    const answer = await ada.post('/webhooks', { ...hidden, owner_user_id: robsId });
    expect(refusalOf(answer)).toEqual([403, 'permission_denied', 'changed_fields[0]']);
  });

  test('a service without a key for secrets makes none', async () => {
    const file = '/tmp/there-is-no-such-folder/secrets.key';
    const keyless = await openWorld({ SECRETS_KEY: '', SECRETS_KEY_FILE: file });
    const client = await keyless.as('ada');
    const answer = await client.post('/webhooks', PLAIN);
    expect(refusalOf(answer)).toEqual([409, 'conflict', undefined]);
    expect(answer.body.error.message).toContain('SECRETS_KEY');
    await keyless.close();
  });

  test('a workspace has at most 50, also when many come at once', async () => {
    const makers = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? ada : rob));
    const answers = await Promise.all(makers.map((client) => client.post('/webhooks', PLAIN)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(LIMITS.webhooks);
    const refused = answers.filter(({ status }) => status !== 201).map(refusalOf);
    expect(refused).toEqual(Array.from({ length: 10 }, () => [409, 'conflict', undefined]));
  });
});

describe('rights', () => {
  const routesOf = (id: string, delivery = id) =>
    [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { active: false }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/rotate_secret`, {}],
      ['GET', `/webhooks/${id}/deliveries`],
      ['POST', `/webhooks/${id}/deliveries/${delivery}/replay`],
      ['POST', `/webhooks/${id}/replay`, { since: '2026-01-01' }],
    ] as const;

  test('webhooks of others are not there, except for administrators', async () => {
    const ofRob = await make(rob);
    const ofAda = await make(ada);
    const list = async (client: Client) =>
      (await client.get('/webhooks')).body.data.map(({ id }: { id: string }) => id);
    expect(await list(rob)).toEqual([ofRob.id]);
    expect(await list(ada)).toEqual([ofAda.id, ofRob.id]);
    for (const [method, path, body] of routesOf(ofAda.id)) {
      const answer = await rob.request(method, path, { body });
      expect(refusalOf(answer), path).toEqual([404, 'record_not_found', 'webhook_id']);
    }
    for (const [method, path, body] of routesOf('not-an-id')) {
      const answer = await ada.request(method, path, { body });
      expect(refusalOf(answer), path).toEqual([404, 'record_not_found', 'webhook_id']);
    }
    expect((await ada.patch(`/webhooks/${ofRob.id}`, { active: false })).status).toBe(200);
  });

  test('without the scope, or without developer access, there are none', async () => {
    const scopes = SCOPES.filter((scope) => scope !== 'webhooks:write');
    const client = await world.as('ada', { scopes });
    const { id } = await make(ada);
    const con = await world.inSession('con');
    const all = [['GET', '/webhooks'], ['POST', '/webhooks', PLAIN], ...routesOf(id)] as const;
    for (const [method, path, body] of all) {
      const denied = await client.request(method, path, { body });
      expect(refusalOf(denied).slice(0, 2), path).toEqual([403, 'insufficient_scope']);
      const foreign = await con.request(method, path, { body });
      expect(refusalOf(foreign).slice(0, 2), path).toEqual([403, 'permission_denied']);
    }
  });

  test('a session makes one without a key, with all scopes', async () => {
    const session = await world.inSession('rob');
    expect(await make(session, { events: ['comment.created'] })).toMatchObject({ api_key: null });
  });

  test('a key that ends while it makes one makes none', async () => {
    const { id, secret } = await world.key('rob');
    const { openClient } = await import('../client.ts');
    const client = openClient({ port: world.port, secret });
    await make(client);
    await world.database.rows(
      'update workspace_records.api_keys set revoked_at = now() where id = $1',
      [id],
    );
    expect((await client.post('/webhooks', PLAIN)).status).toBe(401);
  });
});

describe('changing', () => {
  const change = (client: Client, id: string, body: object, headers = {}) =>
    client.patch(`/webhooks/${id}`, body, headers);

  test('only what is sent changes, with the version that the client knows', async () => {
    const before = await make(rob, { object_types: ['deals'] });
    const patch = { events: ['record.deleted'], payload: 'record' };
    const match = { 'if-match': `"${before.version}"` };
    const { body } = await change(rob, before.id, patch, match);
    const { secret: _, version, updated_at: _updated, ...others } = before;
    expect(body.data).toEqual({
      ...others,
      ...patch,
      ...{ version: expect.any(String), updated_at: expect.any(String) },
    });
    expect(body.data.version).not.toBe(version);
    expect(await lastAudit()).toMatchObject({
      ...{ subject_type: 'webhook', subject_id: before.id, action: 'update' },
      changed_fields: ['events', 'payload'],
    });
    const stale = await change(rob, before.id, patch, match);
    expect(refusalOf(stale)).toEqual([412, 'stale_record', undefined]);
    const late = await change(rob, before.id, { ...patch, expected_version: version });
    expect(refusalOf(late)).toEqual([412, 'stale_record', undefined]);
    const same = await change(rob, before.id, patch);
    expect(same.body.data).toEqual(body.data);
  });

  test('it reads no more than the key that changed it last', async () => {
    const { id } = await make(rob, { events: ['record.*', 'comment.created'] });
    const narrow = await world.as('rob', { scopes: ['webhooks:write', 'records:read'] });
    const elsewhere = { url: 'https://other.example/' };
    const refused = await change(narrow, id, elsewhere);
    expect(refusalOf(refused)).toEqual([403, 'insufficient_scope', 'events[1]']);
    const { body } = await change(narrow, id, { ...elsewhere, events: ['record.*'] });
    expect(body.data.api_key.prefix).toBe(narrow.secret.slice(0, 12));
    const [row] = await world.database.rows('select scopes from ws_acme._webhooks');
    expect(row?.scopes).toEqual(['webhooks:write', 'records:read']);
    // To pause one changes nothing of what it reads.
    const other = await world.as('rob', { scopes: ['webhooks:write'] });
    const paused = await change(other, id, { active: false });
    expect(paused.body.data).toMatchObject({
      ...{ state: 'paused', reason: { code: 'paused', message: 'It was paused.' } },
      api_key: body.data.api_key,
    });
    const active = await change(other, id, { active: true });
    expect(refusalOf(active)).toEqual([403, 'insufficient_scope', 'events[0]']);
  });

  test('another address is pinged first, another owner judged', async () => {
    const { id } = await make(ada);
    await world.database.rows('update ws_acme._webhooks set verified_at = now()');
    const moved = await change(ada, id, { url: 'https://other.example/' });
    expect(moved.body.data.verified_at).toBeNull();
    const given = await change(ada, id, { owner_user_id: world.users.rob });
    expect(given.body.data.owner_user_id).toBe(world.users.rob);
    expect((await lastAudit()).changed_fields).toEqual(['owner_user_id']);
    const hidden = await change(ada, id, { object_types: ['readings'] });
    expect(refusalOf(hidden)).toEqual([404, 'object_not_available', 'object_types[0]']);
    const denied = await change(rob, id, { owner_user_id: world.users.ada });
    expect(refusalOf(denied)).toEqual([403, 'permission_denied', 'owner_user_id']);
  });

  test('another origin gets no headers that were written for the one before', async () => {
    const headers = { authorization: 'Bearer of the receiver' };
    const { id } = await make(rob, { headers });
    for (const url of ['https://other.example/hook', 'https://receiver.example:8443/hook']) {
      const answer = await change(ada, id, { url });
      expect(refusalOf(answer), url).toEqual([422, 'invalid_write', 'headers']);
    }
    const path = await change(ada, id, { url: `${URL}?another=path` });
    expect(path.body.data.header_names).toEqual(['authorization']);
    const none = await change(ada, id, { url: 'https://other.example/', headers: {} });
    expect(none.body.data.header_names).toEqual([]);
    const free = await change(ada, id, { url: 'https://third.example/' });
    expect(free.body.data.url).toBe('https://third.example/');
  });

  test('a paused one continues where it was for a week, or from now on', async () => {
    const { id } = await make(rob);
    const alone = await change(rob, id, { resume: 'now' });
    expect(refusalOf(alone)).toEqual([400, 'validation_failed', 'resume']);
    const positionOf = async () =>
      (await world.database.rows('select position from ws_acme._webhook_positions'))[0]?.position;
    const begun = await positionOf();
    await change(rob, id, { active: false });
    expect((await change(rob, id, { active: true })).body.data.state).toBe('active');
    expect(await positionOf()).toBe(begun);
    await change(rob, id, { active: false });
    await rob.post('/objects/deals/records', { fields: { name: 'Later' } });
    await change(rob, id, { active: true, resume: 'now' });
    expect(await positionOf()).not.toBe(begun);
    await change(rob, id, { active: false });
    await world.database.rows(
      `update ws_acme._webhooks set stopped_at = now() - interval '8 days'`,
    );
    const late = await change(rob, id, { active: true });
    expect(refusalOf(late)).toEqual([409, 'conflict', 'resume']);
    expect((await change(rob, id, { active: true, resume: 'now' })).status).toBe(200);
  });

  test('a secret is rotated with an overlap, and one without a secret needs a new one', async () => {
    const made = await make(rob);
    const rotate = (body?: object) => rob.post(`/webhooks/${made.id}/rotate_secret`, body ?? {});
    const { body } = await rotate();
    const hours = (Date.parse(body.data.previous_secret_until) - Date.now()) / 3_600_000;
    expect([body.data.secret_state, Math.round(hours)]).toEqual(['overlapping', 24]);
    expect(body.data.secret).not.toBe(made.secret);
    expect(await lastAudit()).toMatchObject({
      action: 'rotate_secret',
      changed_fields: ['secret'],
    });
    expect((await rotate({ overlap_hours: 0 })).body.data).toMatchObject({
      ...{ secret_state: 'set', previous_secret_until: null },
    });
    for (const overlap_hours of [-1, 169, 1.5]) {
      const refused = [400, 'validation_failed', 'overlap_hours'];
      expect(refusalOf(await rotate({ overlap_hours }))).toEqual(refused);
    }
    await world.database.rows(
      `update ws_acme._webhooks set secret = null, state = 'paused', reason = 'restored',
        reason_message = 'Restored.', stopped_at = now()`,
    );
    const without = await change(rob, made.id, { active: true, resume: 'now' });
    expect(refusalOf(without)).toEqual([409, 'conflict', 'active']);
    const untested = await rob.post(`/webhooks/${made.id}/test`, undefined);
    expect(refusalOf(untested)).toEqual([409, 'conflict', undefined]);
    expect((await rotate()).body.data).toMatchObject({ secret_state: 'set', state: 'paused' });
    const lost = await change(rob, made.id, { active: true });
    expect(refusalOf(lost)).toEqual([409, 'conflict', 'resume']);
    expect((await change(rob, made.id, { active: true, resume: 'now' })).status).toBe(200);
  });

  test('a deleted one is gone, with its deliveries', async () => {
    const { id } = await make(rob);
    const { status, body } = await rob.delete(`/webhooks/${id}`);
    expect([status, body.data]).toEqual([200, { id, deleted: true }]);
    expect(await lastAudit()).toMatchObject({ subject_type: 'webhook', action: 'delete' });
    expect(await world.database.rows('select from ws_acme._webhook_deliveries')).toEqual([]);
    expect((await rob.delete(`/webhooks/${id}`)).status).toBe(404);
  });
});

describe('deliveries', () => {
  async function deliver(webhookId: string, count: number, state = 'failed') {
    await world.database.rows(
      `insert into ws_acme._webhook_deliveries (id, webhook_id, event_id, type, state, attempts,
          last_status, answer, request_id, attempted_at, created_at)
        select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, $3 || n, 'record.created',
          $3, 10, 500, 'Oops', 'r-' || n, now(), now() - n * interval '1 hour'
        from generate_series(1, $2) n`,
      [webhookId, count, state],
    );
  }

  test('are listed in pages, newest first, by state, type and time', async () => {
    const { id } = await make(rob);
    await deliver(id, 5);
    const list = (query: string) => rob.get(`/webhooks/${id}/deliveries${query}`);
    const first = await list('?state=failed&limit=3');
    expect(first.body.data.map(({ request_id }: { request_id: string }) => request_id)).toEqual([
      ...['r-5', 'r-4', 'r-3'],
    ]);
    expect(first.body.data[0]).toMatchObject({
      ...{ state: 'failed', status: 500, answer: 'Oops', attempts: 10, next_attempt_at: null },
    });
    const next = encodeURIComponent(first.body.pagination.next_cursor);
    expect((await list(`?state=failed&limit=3&cursor=${next}`)).body.data).toHaveLength(2);
    expect(refusalOf(await list(`?limit=3&cursor=${next}`))[1]).toBe('invalid_cursor');
    expect((await list('?type=ping')).body.data).toHaveLength(1);
    const since = new Date(Date.now() - 2.5 * 3_600_000).toISOString();
    expect((await list(`?since=${since}&state=failed`)).body.data).toHaveLength(2);
    expect(refusalOf(await list('?since=yesterday'))).toEqual([400, 'validation_failed', 'since']);
    expect(refusalOf(await list('?state=lost'))).toEqual([400, 'validation_failed', 'state']);
    expect(refusalOf(await list('?type=x'))).toEqual([400, 'validation_failed', 'type']);
  });

  test('are sent again, one by one', async () => {
    const { id } = await make(rob);
    await deliver(id, 1);
    const [{ id: delivery }] = (await rob.get(`/webhooks/${id}/deliveries?state=failed`)).body.data;
    const again = (one: string) => rob.post(`/webhooks/${id}/deliveries/${one}/replay`, undefined);
    const { body } = await again(delivery);
    expect(body.data).toMatchObject({
      ...{ id: delivery, event_id: 'failed1', state: 'pending', attempts: 10 },
      next_attempt_at: expect.any(String),
    });
    expect(await lastAudit()).toMatchObject({ subject_type: 'webhook', action: 'replay' });
    for (const unknown of ['x', '01900000-0000-7000-8000-00000000ffff']) {
      expect(refusalOf(await again(unknown))).toEqual([404, 'record_not_found', 'delivery_id']);
    }
    await rob.patch(`/webhooks/${id}`, { active: false });
    expect(refusalOf(await again(delivery))).toEqual([409, 'conflict', undefined]);
  });

  test('of a span of time are sent again by a job, once for each key', async () => {
    const { id } = await make(rob);
    const replay = (body: object, headers = {}) =>
      rob.post(`/webhooks/${id}/replay`, body, headers);
    const span = { since: '2026-01-01', states: ['failed', 'dropped'] };
    const key = { 'idempotency-key': 'once' };
    const [one, two] = [await replay(span, key), await replay(span, key)];
    expect([one.status, two.body]).toEqual([202, one.body]);
    expect(one.body.data).toMatchObject({
      ...{ kind: 'webhook_replay', state: 'queued' },
      about: { webhook_id: id, since: '2026-01-01T00:00:00.000Z' },
    });
    for (const [body, param] of [
      [{}, 'since'],
      [{ since: 'x' }, 'since'],
      [{ since: '2026-01-02', until: '2026-01-01' }, 'until'],
      [{ since: '2026-01-01', states: ['pending'] }, 'states[0]'],
    ] as const) {
      expect(refusalOf(await replay(body))).toEqual([400, 'validation_failed', param]);
    }
    await rob.patch(`/webhooks/${id}`, { active: false });
    expect(refusalOf(await replay(span))).toEqual([409, 'conflict', undefined]);
  });
});
