// The order of checks, the headers of every answer, authentication, hosts and scopes (D1–D16).

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/postgres/open-server.ts';
import { type Answer, call } from '../http-client.ts';
import { openServerFixture, type ServerFixture, type Started } from '../server-fixture.ts';
import { until, withLifetime } from '../until.ts';

/** Milliseconds until the counts of earlier requests are written. */
const LATEST_COUNTS = 600;

let fixture: ServerFixture;
let server: Started;
let port: number;
let ann: string;

beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  port = server.port;
  ann = await fixture.key('ann');
});
afterAll(() => fixture.close());

const RATE = [
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json?.error?.code]).toEqual([status, code]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f-]{36}$/);
  expect(answer.json.error.request_id).toBe(answer.headers['x-request-id']);
}

function withoutId({ json }: Answer): unknown {
  return { ...json.error, request_id: undefined };
}

describe('authentication', () => {
  test('a good key passes, the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${ann}` };
      const answer = await call(port, '/v1/me', { headers });
      expect(answer.status).toBe(200);
      expect(answer.json.data.user.name).toBe('Ann');
      for (const name of RATE) expect(answer.headers[name]).toMatch(/^\d+$/);
    }
  });

  test.each([
    [{}],
    [{ authorization: '' }],
    [{ authorization: 'Bearer' }],
    [{ authorization: 'Basic YTpi' }],
    [{ cookie: 'api_key=x' }],
  ])('no key in %j: missing_api_key', async (headers) => {
    const answer = await call(port, '/v1/me?api_key=x', { headers });
    expectError(answer, 401, 'missing_api_key');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['ratelimit-limit']).toBeUndefined();
  });

  test('malformed keys cost no SQL', async () => {
    await sleep(LATEST_COUNTS);
    const before = fixture.own.stats.statements;
    const changed = ann.slice(0, 20) + (ann[20] === 'a' ? 'b' : 'a') + ann.slice(21);
    for (const key of [changed, `${ann}x`, ` ${ann}`, 'x'.repeat(10_000), "wrs_p_'%00", '']) {
      const answer = await call(port, '/v1/me', { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(401);
    }
    expect(fixture.own.stats.statements).toBe(before);
  });

  test('unknown, revoked, deactivated and malformed keys get the same answer', async () => {
    const revoked = await fixture.key('bob');
    await fixture.own.rows(
      'update workspace_records.api_keys set revoked_at = now() where name = $1',
      ['Key of bob'],
    );
    const inactive = await fixture.key('ina');
    const deleted = await fixture.key('hal');
    await fixture.own.rows('delete from workspace_records.api_keys where name = $1', [
      'Key of hal',
    ]);
    const answers = [];
    for (const key of [revoked, inactive, deleted, 'wrs_p_nonsense']) {
      const answer = await call(port, '/v1/me', { key });
      expectError(answer, 401, 'invalid_api_key');
      answers.push(withoutId(answer));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('an expired key says so, by the clock of the database', async () => {
    await withLifetime(async (seconds) => {
      const key = await fixture.key('bob', { expires: seconds });
      if ((await call(port, '/v1/me', { key })).status !== 200) return false;
      await sleep(seconds * 1000 + 100);
      expectError(await call(port, '/v1/me', { key }), 401, 'api_key_expired');
      return true;
    });
  });

  test('a key without scopes reaches only /me', async () => {
    const key = await fixture.key('bob', { scopes: [] });
    expect((await call(port, '/v1/me', { key })).status).toBe(200);
    const answer = await call(port, '/v1/toys', { key });
    expectError(answer, 403, 'insufficient_scope');
    expect(answer.json.error.details).toEqual({ required_scope: 'records:read' });
  });
});

describe('403 and 401 are not counted, everything later is', () => {
  test('host, access and scope leave the counter', async () => {
    const key = await fixture.key('bob', { scopes: ['records:read'], rpm: 50 });
    const remaining = async (path: string, method = 'GET', body?: unknown) => {
      const answer = await call(port, path, { key, method, body });
      for (const name of RATE) expect(answer.headers[name]).toMatch(/^\d+$/);
      return [answer.status, Number(answer.headers['ratelimit-remaining'])];
    };
    expect(await remaining('/v1/toys')).toEqual([200, 49]);
    expect(await remaining('/v1/toys', 'POST', {})).toEqual([403, 49]);
    expect(await remaining('/v1/toys/1', 'DELETE')).toEqual([403, 49]);
    expect(await remaining('/v1/toys?limit=x')).toEqual([400, 48]);
    expect(await remaining('/v1/toys/2')).toEqual([404, 47]);
    expect(await remaining('/v1/nothing')).toEqual([404, 46]);
    expect(await remaining('/v1/toys', 'HEAD')).toEqual([200, 45]);
  });

  test('no developer access', async () => {
    const key = await fixture.key('vic', { rpm: 5 });
    for (const path of ['/v1/me', '/v1/toys', '/v1/nothing']) {
      const answer = await call(port, path, { key });
      expectError(answer, 403, 'developer_access_revoked');
      expect(answer.headers['ratelimit-remaining']).toBe('5');
    }
  });
});

describe('tenant host', () => {
  let tenant: Started;
  beforeAll(async () => {
    tenant = await fixture.start({ config: { baseDomain: 'records.example' } });
  });

  test.each([
    ['acme.records.example', 200],
    ['ACME.Records.Example:3000', 200],
    ['acme.records.example.', 200],
    ['records.example', 200],
    ['localhost:3000', 200],
    ['127.0.0.1', 200],
    ['[::1]:3000', 200],
    ['globex.records.example', 403],
    ['nobody.records.example', 403],
    ['x.acme.records.example', 403],
    ['evilrecords.example', 403],
    ['elsewhere.example', 403],
  ])('%s: %i', async (host, status) => {
    const answer = await call(tenant.port, '/v1/me', { key: ann, headers: { host } });
    expect(answer.status).toBe(status);
    if (status === 403) expectError(answer, 403, 'tenant_host_mismatch');
    expect(answer.text).not.toContain('globex');
  });

  test('X-Forwarded-Host counts from configured proxies only', async () => {
    const headers = { host: 'records.example', 'x-forwarded-host': 'globex.records.example' };
    expect((await call(tenant.port, '/v1/me', { key: ann, headers })).status).toBe(200);
    const config = { baseDomain: 'records.example', trustedProxies: ['127.0.0.0/8', '::1'] };
    const proxied = await fixture.start({ config });
    expectError(
      await call(proxied.port, '/v1/me', { key: ann, headers }),
      403,
      'tenant_host_mismatch',
    );
  });
});

describe('X-Forwarded-Host through several proxies', () => {
  test.each([
    ["of a client and a proxy: the proxy's", undefined, 'globex, acme', 200],
    ["of a client and a proxy: the proxy's", undefined, 'acme, globex', 403],
    ['two proxies, both trusted', '203.0.113.9, 10.1.1.1', 'globex, acme, inner', 200],
    ['two proxies, both trusted', '203.0.113.9, 10.1.1.1', 'acme, globex, inner', 403],
    ['the one before is not trusted', '10.1.1.1, 203.0.113.9', 'globex, acme', 200],
    ['the second put its own in its place', '203.0.113.9, 10.1.1.1', 'acme', 200],
  ])('%s (%s; %s): %i', async (_, forwarded, hosts, status) => {
    const config = { baseDomain: 'records.example', trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] };
    const proxied = await fixture.start({ config });
    const names = hosts.split(', ').map((name) => `${name}.records.example`);
    const headers = {
      host: 'inside.records.example',
      'x-forwarded-host': names.join(', '),
      ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
    };
    expect((await call(proxied.port, '/v1/me', { key: ann, headers })).status).toBe(status);
  });
});

describe('order of checks', () => {
  test('each check comes before the next', async () => {
    const tenant = await fixture.start({ config: { baseDomain: 'records.example' } });
    const bad = {
      method: 'POST',
      body: '{',
      headers: {
        host: 'globex.records.example',
        'idempotency-key': ' ',
        'content-type': 'application/json',
      },
    };
    const good = { ...bad.headers, host: 'acme.records.example' };
    const ask = (key: string | undefined, request: object, path = '/v1/toys?x=1') =>
      call(tenant.port, path, { ...bad, ...request, ...(key === undefined ? {} : { key }) });
    const visitor = await fixture.key('vic', { scopes: [], rpm: 1 });
    const noScope = await fixture.key('bob', { scopes: [], rpm: 1 });
    const spent = await fixture.key('bob', { rpm: 1 });
    expectError(await ask(undefined, {}), 401, 'missing_api_key');
    expectError(await ask(undefined, {}, '/v1/nothing'), 401, 'missing_api_key');
    expectError(await ask(visitor, {}), 403, 'tenant_host_mismatch');
    expectError(await ask(visitor, { headers: good }), 403, 'developer_access_revoked');
    expectError(await ask(noScope, { headers: good }), 403, 'insufficient_scope');
    // The first one may have been in the minute before.
    await until(async () => (await call(tenant.port, '/v1/me', { key: spent })).status === 429);
    const limited = await ask(spent, { headers: good });
    expectError(limited, 429, 'rate_limited');
    expect(limited.headers['retry-after']).toBe(limited.headers['ratelimit-reset']);
    const withKey = await ask(ann, { headers: { ...good, 'idempotency-key': 'a b' } });
    expectError(withKey, 400, 'validation_failed');
    expect(withKey.json.error.param).toBe('Idempotency-Key');
    const { 'idempotency-key': _, ...noKey } = good;
    const query = await ask(ann, { headers: noKey });
    expect(query.json.error.param).toBe('x');
    expectError(await ask(ann, { headers: noKey }, '/v1/toys'), 400, 'invalid_json');
    const shape = await ask(ann, { headers: noKey, body: '{}' }, '/v1/toys');
    expect([shape.status, shape.json.error.param]).toEqual([400, 'fields']);
  });
});

describe('changes act on the next request', () => {
  test('in another process too, by NOTIFY or within a second', async () => {
    const other = await fixture.start();
    const key = await fixture.key('bob', { scopes: ['records:read'] });
    const status = async () =>
      Promise.all(
        [port, other.port].map(async (at) => (await call(at, '/v1/toys', { key })).status),
      );
    expect(await status()).toEqual([200, 200]);
    const prefix = key.slice(0, 12);
    await fixture.own.rows('update workspace_records.api_keys set scopes = $2 where prefix = $1', [
      prefix,
      ['users:read'],
    ]);
    await sleep(950);
    expect(await status()).toEqual([403, 403]);
    // From here on no check is due: only a notification can bring the change.
    vi.useFakeTimers({ toFake: ['performance'] });
    const becomes = (expected: number) =>
      until(async () => (await status()).every((one) => one === expected));
    const [row] = await fixture.own.rows(
      `update workspace_records.api_keys set scopes = $2 where prefix = $1
       returning id, pg_notify('workspace_records', 'key:' || id)`,
      [prefix, ['records:read']],
    );
    expect(row?.id).toBeTypeOf('string');
    await becomes(200);
    const schema = fixture.workspaces.get('acme')?.schema;
    await fixture.own.rows(`update "${schema}"._users set active = false where name = 'Bob'`);
    await fixture.own.rows(`select pg_notify('workspace_records', 'members:' || $1)`, [
      fixture.workspaces.get('acme')?.id,
    ]);
    await becomes(401);
    await fixture.own.rows(`update "${schema}"._users set active = true where name = 'Bob'`);
    vi.useRealTimers();
  });

  test('many requests of one key load it once', async () => {
    const key = await fixture.key('bob');
    const query = vi.spyOn(fixture.own.db, 'query');
    const started = performance.now();
    await Promise.all(Array.from({ length: 40 }, () => call(port, '/v1/me', { key })));
    const loads = query.mock.calls.filter(([{ text }]) => text.includes('"api_keys"'));
    query.mockRestore();
    // Once, and what has changed each second; counting the requests is something else.
    expect(loads.length).toBeGreaterThan(0);
    const looks = (performance.now() - started) / 900;
    expect(loads.length).toBeLessThan(10 + looks);
  });
});

describe('failures', () => {
  test('an unexpected failure is 500 without details', async () => {
    const answer = await call(port, '/v1/broken', { key: ann });
    expectError(answer, 500, 'internal_error');
    expect(answer.text).not.toMatch(/select|hidden|inner|\.ts/);
    const line = server.log.find(({ request_id }) => request_id === answer.json.error.request_id);
    expect(line).toMatchObject({ status: 500, route: 'GET /broken' });
    expect(JSON.stringify(line)).toContain('select secret from hidden');
  });

  test('a database that is away is 503 with Retry-After', async () => {
    const away = openDatabase({
      connection: { host: '127.0.0.1', port: 1, database: 'x', user: 'x' },
      poolSize: 1,
      statementTimeout: 1000,
    });
    const error = await away.query({ text: 'select 1', values: [] }).catch((caught) => caught);
    expect(error.code).toBe('service_unavailable');
    await away.close();
  });

  test('the log has one line a request and no secret', async () => {
    const before = server.log.length;
    await call(port, '/v1/toys/secret-id?q=secret-text', { key: ann });
    const lines = server.log.slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ route: 'GET /toys/{toy_id}', status: 400, user: 1 });
    expect(lines[0]?.key).toBe(ann.slice(0, 12));
    expect(JSON.stringify(server.log)).not.toContain(ann.slice(12));
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});
