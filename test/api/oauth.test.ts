// OAuth for programs of others: from a registration to tokens, what a grant can do, and how it ends.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { refusalOf } from '../client.ts';
import { call } from '../http-client.ts';
import { type OauthWorld, openOauthWorld, REDIRECT } from '../oauth-world.ts';

let world: OauthWorld;
beforeAll(async () => {
  world = await openOauthWorld();
});
afterAll(() => world?.close());

const me = (key: string) => call(world.port, '/v1/me', { key });
const refresh = (token: string, client: string) =>
  world.form('/oauth/token', {
    ...{ grant_type: 'refresh_token', refresh_token: token, client_id: client },
  });
const grantOf = async (prefix: string) => {
  const text = 'select * from workspace_records.api_keys where prefix = $1';
  const [row] = await world.database.rows(text, [prefix]);
  return row;
};

describe('a grant', () => {
  test('is a key that reads, ends and passes no gates', async () => {
    const client = await world.register();
    const rob = await world.inSession('rob');
    const query = world.queryOf(client);
    const seen = (await rob.post('/oauth/authorizations', { query })).body.data;
    expect(seen).toMatchObject({
      client: { id: client, name: 'Agent', kind: 'registered', host: null },
      returns_to: 'agent.example',
      refusal: null,
    });
    const back = await world.consent(rob, query);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      ...{ code: expect.any(String), state: 's', iss: world.origin },
    });
    expect(back.origin + back.pathname).toBe(REDIRECT);
    const tokens = await world.exchange(String(back.searchParams.get('code')), client);
    expect([tokens.status, tokens.headers['cache-control'], tokens.json]).toEqual([
      200,
      'no-store',
      {
        access_token: expect.stringMatching(/^wrs_t_[0-9A-Za-z]{38}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^wrs_r_/),
        scope: 'users:read records:read comments:read',
      },
    ]);
    const { access_token: key } = tokens.json;
    const prefix = key.slice(0, 12);
    const { api_key } = (await me(key)).json.data;
    expect(api_key).toMatchObject({
      prefix,
      scopes: ['users:read', 'records:read', 'comments:read'],
    });
    const row = await grantOf(prefix);
    expect(row).toMatchObject({ name: 'Agent', client_id: client, gates: false });
    const days = (Date.parse(String(row?.expires_at)) - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(90, 1);
    expect((await rob.get('/keys')).body.data[0]).toMatchObject({ client_id: client, prefix });
  });

  test('writes where the person allows it, and never gets scopes of administrators', async () => {
    const client = await world.register();
    const ada = await world.inSession('ada');
    const scope =
      'records:write records:read keys:write workspace:write approvals:write offline_access';
    const back = await world.consent(ada, world.queryOf(client, { scope }), {
      write: true,
      days: 1,
    });
    const { json } = await world.exchange(String(back.searchParams.get('code')), client);
    expect(json.scope).toBe('records:read records:write');
  });

  test('lives as long as its tokens are refreshed, and a revocation ends all of them', async () => {
    const { client, access, refresh: first } = await world.connect();
    const second = (await refresh(first, client)).json;
    expect([(await me(access)).status, (await me(second.access_token)).status]).toEqual([200, 200]);
    expect(second.access_token.slice(0, 12)).toBe(access.slice(0, 12));
    const revoked = await world.form('/oauth/revoke', {
      token: second.refresh_token,
      client_id: client,
    });
    expect(revoked.status).toBe(200);
    for (const key of [access, second.access_token]) expect((await me(key)).status).toBe(401);
    expect((await refresh(second.refresh_token, client)).json.error).toBe('invalid_grant');
  });

  test('ends at once when its person revokes it on the page of keys', async () => {
    const { client, access, refresh: token } = await world.connect('rob');
    const id = (await grantOf(access.slice(0, 12)))?.id;
    await (await world.inSession('rob')).delete(`/keys/${id}`);
    expect((await me(access)).status).toBe(401);
    expect((await refresh(token, client)).json.error).toBe('invalid_grant');
  });

  test('has access tokens that end after an hour', async () => {
    const { client, access, refresh: token } = await world.connect();
    await world.database.rows(
      `update workspace_records.oauth_tokens set expires_at = now() - interval '1 second'
        where kind = 'access' and api_key_id = $1`,
      [(await grantOf(access.slice(0, 12)))?.id],
    );
    const { status, json } = await me(access);
    expect([status, json.error.code]).toEqual([401, 'api_key_expired']);
    expect((await refresh(token, client)).status).toBe(200);
  });

  test('a lost answer of a refresh is repeated', async () => {
    const { client, refresh: token } = await world.connect();
    const [lost, again] = [await refresh(token, client), await refresh(token, client)];
    expect([lost.status, again.json.refresh_token]).toEqual([200, lost.json.refresh_token]);
    expect((await refresh(again.json.refresh_token, client)).status).toBe(200);
  });

  test('nothing is left of a code that is not used', async () => {
    const client = await world.register();
    await world.consent(await world.inSession('rob'), world.queryOf(client));
    const text = `select expires_at < now() + interval '6 minutes' as soon, name
      from workspace_records.api_keys where client_id = $1`;
    expect(await world.database.rows(text, [client])).toEqual([{ soon: true, name: 'Agent' }]);
  });
});

describe('consent', () => {
  test('needs a fresh session of the service itself, and no key', async () => {
    const query = world.queryOf(await world.register());
    const body = { query, digest: 'x' };
    const ada = await world.as('ada');
    expect(refusalOf(await ada.post('/oauth/grants', body))).toEqual([
      403,
      'permission_denied',
      undefined,
    ]);
    const rob = await world.inSession('rob');
    await world.database.rows(
      `update workspace_records.sessions set created_at = now() - interval '31 minutes' where id = $1`,
      [rob.sessionId],
    );
    const late = await rob.post('/oauth/grants', body);
    expect(refusalOf(late)[1]).toBe('fresh_sign_in_required');
    const forged = await rob.post('/oauth/grants', body, { 'sec-fetch-site': 'cross-site' });
    expect(refusalOf(forged)[1]).toBe('cross_site_request');
  });

  test('the browser goes to the page of consent with the whole request, up to a length', async () => {
    const query = world.queryOf('client_x', { resource: `${world.origin}/mcp` });
    const { status, headers } = await call(world.port, `/oauth/authorize?${query}`);
    const location = new URL(String(headers.location), world.origin);
    expect([status, location.pathname, location.searchParams.get('authorize')]).toEqual([
      302,
      '/app',
      query,
    ]);
    const long = await call(world.port, `/oauth/authorize?state=${'%26'.repeat(3000)}`);
    expect([long.status, long.json.error]).toEqual([400, 'invalid_request']);
  });
});

describe('clients of a workspace', () => {
  test('are entered with a secret, which both methods prove', async () => {
    const ada = await world.inSession('ada');
    const body = { name: 'ERP', redirect_uris: [REDIRECT], confidential: true };
    const { client_id, client_secret } = (await ada.post('/oauth/clients', body)).body.data;
    const code = async () => {
      const back = await world.consent(ada, world.queryOf(client_id));
      return String(back.searchParams.get('code'));
    };
    const wrong = await world.exchange(await code(), client_id);
    expect([wrong.status, wrong.json.error]).toEqual([401, 'invalid_client']);
    const posted = await world.exchange(await code(), client_id, { client_secret });
    const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
    const fields = { refresh_token: posted.json.refresh_token, grant_type: 'refresh_token' };
    const headers = { authorization: `Basic ${basic}` };
    expect([posted.status, (await world.form('/oauth/token', fields, headers)).status]).toEqual([
      200, 200,
    ]);
    const other = await world.inSession('ada', { workspace: 'globex' });
    const query = world.queryOf(client_id);
    expect(refusalOf(await other.post('/oauth/authorizations', { query }))[2]).toBe('client_id');
  });

  test('are listed and switched off by administrators, which ends their grants', async () => {
    const { client, access } = await world.connect('rob');
    const ada = await world.inSession('ada');
    const listed = async () => {
      const { data } = (await ada.get('/oauth/clients')).body;
      return data.find((one: { client_id: string }) => one.client_id === client);
    };
    expect(await listed()).toMatchObject({
      enabled: true,
      grants: 1,
      entered: false,
      name: 'Agent',
    });
    await ada.patch('/oauth/clients', { client_id: client, enabled: false });
    expect(await listed()).toMatchObject({ enabled: false, grants: 0 });
    expect((await me(access)).status).toBe(401);
    const rob = await world.inSession('rob');
    const query = world.queryOf(client);
    expect(refusalOf(await rob.post('/oauth/authorizations', { query }))).toEqual([
      403,
      'permission_denied',
      'client_id',
    ]);
    expect(
      refusalOf(await rob.patch('/oauth/clients', { client_id: client, enabled: true }))[0],
    ).toBe(403);
    expect(refusalOf(await rob.get('/oauth/clients'))[0]).toBe(403);
    const off = async (client_id: string) =>
      (await ada.patch('/oauth/clients', { client_id, enabled: false })).status;
    expect(await off(`https://a.example/${'x'.repeat(900)}`)).toBe(200);
    for (const id of ['😀'.repeat(900), `https://a.example/${'x'.repeat(1000)}`, 'a b', '']) {
      expect(await off(id), id).toBe(400);
    }
    await world.database.rows(
      `insert into workspace_records.oauth_refused_clients
        select id, 'many' || n from workspace_records.workspaces, generate_series(1, $1::integer) n
        where slug = 'acme'`,
      [LIMITS.listedClients],
    );
    expect(await off('one-more')).toBe(409);
    expect((await ada.patch('/oauth/clients', { client_id: client, enabled: true })).status).toBe(
      200,
    );
  });
});
