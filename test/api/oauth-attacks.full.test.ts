// Attacks on OAuth (docs/security.md, "Programs of others"): each with its refusal, and what is left afterwards.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { deleteUnusedClients } from '../../src/control/oauth/oauth-clients.ts';
import { LIMITS } from '../../src/limits.ts';
import { refusalOf } from '../client.ts';
import { call } from '../http-client.ts';
import { type OauthWorld, openOauthWorld, REDIRECT, VERIFIER } from '../oauth-world.ts';
import { duringOutage } from '../outage.ts';

let world: OauthWorld;
beforeAll(async () => {
  world = await openOauthWorld();
});
afterAll(() => world?.close());

const me = async (key: string) => (await call(world.port, '/v1/me', { key })).status;
const refresh = (token: string, client: string, others = {}) =>
  world.form('/oauth/token', {
    ...{ grant_type: 'refresh_token', refresh_token: token, client_id: client, ...others },
  });
/** Refresh tokens are the same again within 30 seconds. */
const laterBy = (seconds: number) =>
  world.database.rows(
    `update workspace_records.oauth_tokens set issued_at = issued_at - make_interval(secs => $1),
      replaced_at = replaced_at - make_interval(secs => $1) where kind = 'refresh'`,
    [seconds],
  );
const codeFor = async (client: string, others = {}) => {
  const back = await world.consent(await world.inSession('rob'), world.queryOf(client, others));
  return String(back.searchParams.get('code'));
};
const see = async (query: string) =>
  (await world.inSession('rob')).post('/oauth/authorizations', { query });

describe('codes', () => {
  test('a code of another client is refused, and stays good for its own', async () => {
    const [own, other] = [await world.register(), await world.register()];
    const code = await codeFor(own);
    expect((await world.exchange(code, other)).json.error).toBe('invalid_grant');
    expect((await world.exchange(code, own)).status).toBe(200);
  });

  test('a code without its verifier is refused', async () => {
    const client = await world.register();
    const code = await codeFor(client);
    for (const code_verifier of ['x'.repeat(43), VERIFIER.slice(1), `${VERIFIER}v`]) {
      const answer = await world.exchange(code, client, { code_verifier });
      expect(answer.json.error).toBe('invalid_grant');
    }
    expect((await world.exchange(code, client, { code_verifier: '' })).json.error).toBe(
      'invalid_request',
    );
  });

  test('a code with another redirect URI, at another issuer or too late is refused', async () => {
    const client = await world.register();
    const code = await codeFor(client);
    const elsewhere = { redirect_uri: `${REDIRECT}/x` };
    expect((await world.exchange(code, client, elsewhere)).json.error).toBe('invalid_grant');
    const other = { host: `localhost:${world.port}` };
    const fields = {
      grant_type: 'authorization_code',
      code,
      client_id: client,
      code_verifier: VERIFIER,
    };
    expect((await world.form('/oauth/token', fields, other)).json.error).toBe('invalid_grant');
    await world.database.rows(`update workspace_records.oauth_codes set expires_at = now()`);
    expect((await world.exchange(code, client)).json.error).toBe('invalid_grant');
  });

  test('a grant that its person has shortened stays short', async () => {
    const client = await world.register();
    const rob = await world.inSession('rob');
    const code = (await world.consent(rob, world.queryOf(client))).searchParams.get('code') ?? '';
    const [key] = (await rob.get('/keys?limit=1')).body.data;
    const expires_at = new Date(Date.now() + 120_000).toISOString();
    expect((await rob.patch(`/keys/${key.id}`, { expires_at })).status).toBe(200);
    const { json } = await world.exchange(code, client);
    expect(json.expires_in).toBeLessThanOrEqual(120);
  });

  test('a code that comes twice ends the grant', async () => {
    const client = await world.register();
    const code = await codeFor(client);
    const [first, second] = await Promise.all([
      world.exchange(code, client),
      world.exchange(code, client),
    ]);
    expect([first.status, second.status].toSorted()).toEqual([200, 400]);
    const { access_token } = [first, second].find(({ status }) => status === 200)?.json ?? {};
    expect(await me(access_token)).toBe(401);
    const [row] = await world.rows(
      `select user_id, source, subject_type, action from _audit order by transaction desc, id desc limit 1`,
    );
    expect(row).toEqual({ user_id: null, source: 'api', subject_type: 'key', action: 'revoke' });
  });
});

describe('requests', () => {
  test.each([
    ['by prefix', `${REDIRECT}/..%2fevil`],
    ['by host', 'https://agent.example.evil.example/callback'],
    ['by query', `${REDIRECT}?next=https://evil.example`],
    ['by user', 'https://agent.example@evil.example/callback'],
    ['by case', REDIRECT.toUpperCase()],
    ['to loopback', 'http://127.0.0.1/callback'],
  ])(
    'a redirect URI that differs %s is refused, and nothing is sent there',
    async (_, redirect_uri) => {
      const answer = await see(world.queryOf(await world.register(), { redirect_uri }));
      expect(refusalOf(answer)).toEqual([400, 'validation_failed', 'redirect_uri']);
      expect(JSON.stringify(answer.body)).not.toContain('declined_url');
    },
  );

  test('on loopback any port is good, and nothing else differs', async () => {
    const client = await world.register({
      redirect_uris: ['http://127.0.0.1/cb', 'cursor://auth/cb'],
    });
    const statusOf = async (redirect_uri: string) =>
      (await see(world.queryOf(client, { redirect_uri }))).status;
    expect(await statusOf('http://127.0.0.1:49152/cb')).toBe(200);
    expect(await statusOf('cursor://auth/cb')).toBe(200);
    for (const other of [
      ...['http://127.0.0.1:1/cb2', 'http://localhost:1/cb', 'http://127.0.0.1:1@evil.example/cb'],
      ...['https://127.0.0.1/cb', 'cursor://auth/cb?x', 'http://127.0.0.1.evil.example/cb'],
    ]) {
      expect(await statusOf(other), other).toBe(400);
    }
  });

  test.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with a plain challenge', { code_challenge_method: 'plain' }],
    ['without a method', { code_challenge_method: undefined }],
    ['with a token in the answer', { response_type: 'token' }],
    ['for a fragment', { response_mode: 'fragment' }],
    ['as an object', { request: 'x' }],
    ['for another resource', { resource: 'https://other.example/mcp' }],
    ['for scopes of administrators only', { scope: 'keys:write' }],
  ])('a request %s cannot be agreed to', async (_, others) => {
    const rob = await world.inSession('rob');
    const query = world.queryOf(await world.register(), others);
    const { digest, refusal, declined_url } = (await see(query)).body.data;
    expect(refusal).toEqual(expect.any(String));
    const back = new URL(declined_url).searchParams;
    expect([back.get('state'), back.get('iss'), back.get('code')]).toEqual([
      's',
      world.origin,
      null,
    ]);
    const given = await rob.post('/oauth/grants', { query, digest });
    expect(refusalOf(given).slice(0, 2)).toEqual([400, 'validation_failed']);
  });

  test('another audience is refused at the token endpoint too, and for a refresh', async () => {
    const { client, refresh: token } = await world.connect();
    const resource = 'https://other.example/mcp';
    expect((await refresh(token, client, { resource })).json.error).toBe('invalid_target');
    const code = await codeFor(client, { resource: `${world.origin}/mcp` });
    expect((await world.exchange(code, client, { resource })).json.error).toBe('invalid_target');
    expect((await world.exchange(code, client, { resource: `${world.origin}/mcp` })).status).toBe(
      200,
    );
  });

  test('the page of consent is in no frame, and its address gives nothing away', async () => {
    const { headers } = await call(world.port, '/app/acme/authorize', {
      headers: { accept: 'text/html' },
    });
    if (headers['content-security-policy'] !== undefined) {
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    expect(headers['referrer-policy'] ?? 'same-origin').toBe('same-origin');
  });
});

describe('refresh tokens', () => {
  test('a second use after the answer arrived ends the grant', async () => {
    const { client, access, refresh: stolen } = await world.connect();
    await laterBy(31);
    const next = (await refresh(stolen, client)).json;
    expect(next.refresh_token).not.toBe(stolen);
    await laterBy(31);
    expect((await refresh(stolen, client)).json.error).toBe('invalid_grant');
    expect([await me(access), await me(next.access_token)]).toEqual([401, 401]);
    expect((await refresh(next.refresh_token, client)).json.error).toBe('invalid_grant');
  });

  test('one of two programs with one token loses the grant for both', async () => {
    const { client, refresh: shared } = await world.connect();
    await laterBy(31);
    const [one, two] = await Promise.all([refresh(shared, client), refresh(shared, client)]);
    expect([one.status, two.json.refresh_token]).toEqual([200, one.json.refresh_token]);
    await laterBy(31);
    expect((await refresh(one.json.refresh_token, client)).status).toBe(200);
    await laterBy(31);
    expect((await refresh(two.json.refresh_token, client)).json.error).toBe('invalid_grant');
  });

  test('of another client, as an access token, or after deactivation it gives nothing', async () => {
    const { client, access, refresh: token } = await world.connect('rae');
    const other = await world.register();
    expect((await refresh(token, other)).json.error).toBe('invalid_grant');
    expect((await refresh(access, client)).json.error).toBe('invalid_grant');
    expect(await me(token)).toBe(401);
    await world.form('/oauth/revoke', { token, client_id: other });
    expect(await me(access)).toBe(200);
    const query = world.queryOf(other);
    const back = await world.consent(await world.inSession('rae'), query);
    const code = String(back.searchParams.get('code'));
    const ada = await world.as('ada');
    await ada.patch(`/users/${world.users.rae}`, { active: false });
    expect(await me(access)).toBe(401);
    expect((await refresh(token, client)).json.error).toBe('invalid_grant');
    expect((await world.exchange(code, other)).json.error).toBe('invalid_grant');
  });

  test('fifty calls at once leave the grant, whichever answer is stored', async () => {
    const { client, refresh: token } = await world.connect('mia');
    await laterBy(3600);
    await world.database.rows(`delete from workspace_records.oauth_tokens where kind = 'access'`);
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(token, client)));
    const stored = new Set(answers.map(({ json }) => json.refresh_token));
    expect([answers.every(({ status }) => status === 200), stored.size]).toEqual([true, 1]);
    expect((await refresh(token, client)).json.error).toBe('temporarily_unavailable');
    const [next = ''] = stored;
    await world.database.rows(`delete from workspace_records.oauth_tokens where kind = 'access'`);
    await laterBy(31);
    expect((await refresh(next, client)).status).toBe(200);
  });

  test('a grant is refreshed at most 20 times an hour, and its first token is not forgotten', async () => {
    const { client, access, refresh: first } = await world.connect('mia');
    let token = first;
    // The token of the code is one of them.
    for (let count = 1; count < 20; count += 1) {
      await laterBy(31);
      token = (await refresh(token, client)).json.refresh_token;
    }
    await laterBy(31);
    expect((await refresh(token, client)).json.error).toBe('temporarily_unavailable');
    expect(await me(access)).toBe(200);
    expect((await refresh(first, client)).json.error).toBe('invalid_grant');
    expect(await me(access)).toBe(401);
  });
});

test('a database that is away ends no grant: the client tries again', async () => {
  const { client, access, refresh: token } = await world.connect('mia');
  await laterBy(3600);
  const { status, headers, json } = await duringOutage(world.database, () =>
    refresh(token, client),
  );
  expect([status, json]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
  expect(headers['retry-after']).toMatch(/^\d+$/);
  await vi.waitFor(async () => expect(await me(access)).toBe(200), 30_000);
  expect((await refresh(token, client)).status).toBe(200);
});

describe('registrations', () => {
  test.each([
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'http://evil.example/cb',
      'https://a.example/#x',
    ],
    ...[
      'https://user:pw@a.example/',
      'https://a.example\\@evil.example/',
      'no address',
      'file:///etc',
    ],
  ])('%s is no redirect URI', async (uri) => {
    await world.database.rows('delete from workspace_records.sign_in_attempts');
    const body = { redirect_uris: [uri] };
    const { status, json } = await call(world.port, '/oauth/register', { method: 'POST', body });
    expect([status, json.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  test('ten of an address in 15 minutes, a thousand that nobody uses, gone after a day', async () => {
    const send = () =>
      call(world.port, '/oauth/register', { method: 'POST', body: { redirect_uris: [REDIRECT] } });
    await world.database.rows('delete from workspace_records.sign_in_attempts');
    const statuses = [];
    for (let count = 0; count < 11; count += 1) statuses.push((await send()).status);
    expect(statuses).toEqual([...Array(10).fill(201), 429]);
    await world.database.rows('delete from workspace_records.sign_in_attempts');
    await world.database.rows(
      `insert into workspace_records.oauth_clients (client_id, name, redirect_uris)
        select 'many' || n, 'x', '{}' from generate_series(1, $1::integer) n`,
      [LIMITS.unusedClients],
    );
    expect((await send()).status).toBe(429);
    await world.database.rows(
      `update workspace_records.oauth_clients set created_at = now() - interval '25 hours' where client_id ~ 'many'`,
    );
    expect((await send()).status).toBe(201);
    expect(await deleteUnusedClients(world.database.db, 10_000)).toBe(LIMITS.unusedClients);
    const { client } = await world.connect('rob');
    const old = `update workspace_records.oauth_clients set created_at = now() - interval '25 hours',
      used_at = now() - interval '25 hours' where client_id = $1`;
    await world.database.rows(old, [client]);
    expect(await deleteUnusedClients(world.database.db, 10_000)).toBe(0);
    const revoke = 'update workspace_records.api_keys set revoked_at = now() where client_id = $1';
    await world.database.rows(revoke, [client]);
    expect(await deleteUnusedClients(world.database.db, 10_000)).toBe(1);
  });

  test('are read and deleted by their own client only', async () => {
    await world.database.rows('delete from workspace_records.sign_in_attempts');
    const body = { redirect_uris: [REDIRECT], client_name: 'A\u202eB\n c' };
    const made = await call(world.port, '/oauth/register', { method: 'POST', body });
    const {
      registration_client_uri: uri,
      registration_access_token: token,
      client_name,
    } = made.json;
    expect(client_name).toBe('A B c');
    const path = new URL(uri).pathname;
    const ask = (method: string, sent: string) =>
      call(world.port, path, { method, headers: { authorization: `Bearer ${sent}` } });
    expect((await ask('DELETE', 'x')).status).toBe(401);
    expect((await ask('GET', token)).json.client_id).toBe(made.json.client_id);
    expect((await ask('DELETE', token)).status).toBe(204);
    expect(refusalOf(await see(world.queryOf(made.json.client_id)))[2]).toBe('client_id');
  });
});

describe('metadata of a client at its address', () => {
  let server: Server;
  let address: string;
  let answer: (request: { readonly url: string }) => {
    status?: number;
    headers?: object;
    text: string;
  };
  const documentAt = (id: string, others = {}) =>
    JSON.stringify({ client_id: id, client_name: 'Agent', redirect_uris: [REDIRECT], ...others });
  const json = { 'content-type': 'application/json', 'cache-control': 'no-store' };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { status = 200, headers = json, text } = answer({ url: String(request.url) });
      response.writeHead(status, { ...headers }).end(text);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => server.close(done)));

  test('is read once for as long as it says', async () => {
    const id = `${address}/kept`;
    let reads = 0;
    answer = () => {
      reads += 1;
      return { headers: { ...json, 'cache-control': 'max-age=600' }, text: documentAt(id) };
    };
    const [code = ''] = await Promise.all([codeFor(id), see(world.queryOf(id))]);
    expect((await world.exchange(code as string, id)).status).toBe(200);
    expect(reads).toBe(1);
    const [row] = await world.database.rows(
      'select count(*)::integer as count from workspace_records.oauth_clients where client_id = $1',
      [id],
    );
    expect(row?.count).toBe(0);
  });

  test('that changes between look and consent is refused', async () => {
    const id = `${address}/changes`;
    const rob = await world.inSession('rob');
    const query = world.queryOf(id);
    answer = () => ({ text: documentAt(id) });
    const seen = (await rob.post('/oauth/authorizations', { query })).body.data;
    expect(seen.client).toMatchObject({ kind: 'document', host: new URL(address).host });
    answer = () => ({
      text: documentAt(id, { redirect_uris: [REDIRECT, 'https://evil.example/'] }),
    });
    const given = await rob.post('/oauth/grants', { query, digest: seen.digest });
    expect(refusalOf(given)).toEqual([409, 'conflict', 'digest']);
  });

  test.each([
    ['of another address', (id: string) => ({ text: documentAt(`${id}/other`) })],
    [
      'behind a redirect',
      (id: string) => ({ status: 302, headers: { location: `${id}x` }, text: '' }),
    ],
    [
      'of another type',
      (id: string) => ({ headers: { 'content-type': 'text/html' }, text: documentAt(id) }),
    ],
    ['that is no JSON', () => ({ text: '{' })],
    ['that is too long', (id: string) => ({ text: documentAt(id, { x: 'x'.repeat(65_536) }) })],
    [
      'with a secret',
      (id: string) => ({
        text: documentAt(id, { token_endpoint_auth_method: 'client_secret_post' }),
      }),
    ],
    ['without redirect URIs', (id: string) => ({ text: documentAt(id, { redirect_uris: [] }) })],
  ])('%s is refused', async (name, made) => {
    const id = `${address}/${encodeURIComponent(name)}`;
    answer = () => made(id);
    expect(refusalOf(await see(world.queryOf(id)))).toEqual([
      400,
      'validation_failed',
      'client_id',
    ]);
  });

  test.each([
    ...[
      'http://10.0.0.1/c',
      'https://169.254.169.254/latest/meta-data',
      'http://[::ffff:10.0.0.1]/c',
    ],
    ...['https://localhost.evil.invalid/c', 'http://example.com/c'],
  ])('%s is not asked', async (id) => {
    expect(refusalOf(await see(world.queryOf(id)))).toEqual([
      400,
      'validation_failed',
      'client_id',
    ]);
  });

  test('is not fetched for strangers', async () => {
    answer = () => {
      throw new Error('it was fetched');
    };
    const id = `${address}/stranger`;
    const body = { query: world.queryOf(id) };
    const { status } = await call(world.port, '/v1/oauth/authorizations', { method: 'POST', body });
    expect(status).toBe(401);
    expect((await world.exchange('x', id)).json.error).toBe('invalid_grant');
    await call(world.port, `/oauth/authorize?${world.queryOf(id)}`);
  });
});
