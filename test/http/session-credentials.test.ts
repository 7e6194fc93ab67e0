// Sessions as credentials: cookies of every kind of site, several at once, together with a key, and from pages of
// other sites.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findWorkspace, type WorkspaceRow } from '../../src/control/workspace/workspaces.ts';
import { call } from '../http-client.ts';
import { makeSession, openWorld, type World } from '../world.ts';

const PROXIED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'crm.example.com' };
const SAME = { 'sec-fetch-site': 'same-origin' };

let world: World;
let behindProxy: World;
let tenants: World;
let insecure: World;
let acme: string;
let globex: string;

beforeAll(async () => {
  world = await openWorld();
  const settings = { TRUSTED_PROXIES: '127.0.0.1' };
  behindProxy = await openWorld(settings);
  tenants = await openWorld({ ...settings, BASE_DOMAIN: 'crm.example.com' });
  insecure = await openWorld({ ALLOW_INSECURE_SESSIONS: 'on' });
  acme = await tokenOf(world, 'acme', 'ada');
  globex = await tokenOf(world, 'globex', 'ada');
});
afterAll(() => Promise.all([world, behindProxy, tenants, insecure].map((one) => one?.close())));

async function tokenOf({ database }: World, slug: string, person: string): Promise<string> {
  const workspace = (await findWorkspace(database.db, slug)) as WorkspaceRow;
  return (await makeSession(database, workspace, `${person}@${slug}.example`)).token;
}

interface Told {
  readonly status: number;
  readonly code?: string;
  readonly param?: string;
}

async function ask(
  { port }: World,
  headers: Record<string, string>,
  [method, path, body]: readonly [string, string, unknown?] = ['GET', '/me'],
): Promise<Told> {
  const owner = 'authorization' in headers ? {} : { owner: acme };
  const { status, json } = await call(port, `/v1${path}`, { method, headers, body, ...owner });
  const { code, param } = json?.error ?? {};
  return { status, ...(code && { code }), ...(param && { param }) };
}

const create = ['POST', '/objects/deals/records', { fields: { name: 'New' } }] as const;
const count = async () =>
  (await world.rows('select count(*)::integer as n from deals'))[0]?.n as number;

describe('a session', () => {
  test('together with a key is refused, valid or not', async () => {
    const { secret } = await world.key('ada');
    const refused = { status: 400, code: 'validation_failed', param: 'Authorization' };
    for (const authorization of [`Bearer ${secret}`, 'Bearer wrong', 'Basic x']) {
      expect(await ask(world, { cookie: `wrs-1=${acme}`, authorization })).toEqual(refused);
    }
    // Cookies of other programs are not credentials.
    const other = { cookie: 'theme=dark; wrs=1; wrs-x=2', authorization: `Bearer ${secret}` };
    expect((await ask(world, other)).status).toBe(200);
    expect((await ask(world, { cookie: 'theme=dark' })).code).toBe('missing_api_key');
  });

  test('is not a key, and a key is not a session', async () => {
    const { secret } = await world.key('ada');
    expect((await ask(world, { authorization: `Bearer ${acme}` })).code).toBe('invalid_api_key');
    expect((await ask(world, { cookie: `wrs-1=${secret}` })).code).toBe('invalid_credentials');
    expect((await ask(world, { cookie: 'wrs-1=' })).code).toBe('invalid_credentials');
    expect((await ask(world, { cookie: `wrs-1=${'A'.repeat(43)}` })).status).toBe(401);
  });

  test('of several workspaces one is named by its slug', async () => {
    const cookie = `wrs-1=${acme}; wrs-2=${globex}`;
    const refused = { status: 400, code: 'validation_failed', param: 'X-Workspace' };
    expect(await ask(world, { cookie })).toEqual(refused);
    for (const [slug, owner] of [
      ['acme', acme],
      ['globex', globex],
    ] as const) {
      const headers = { cookie, 'x-workspace': slug };
      const { json } = await call(world.port, '/v1/me', { headers, owner });
      expect(json.data.workspace.slug).toBe(slug);
    }
    expect((await ask(world, { cookie, 'x-workspace': 'nowhere' })).status).toBe(401);
    expect((await ask(world, { cookie: `wrs-1=${acme}`, 'x-workspace': 'acme' })).status).toBe(200);
    expect((await ask(world, { cookie: `wrs-1=${acme}`, 'x-workspace': 'globex' })).status).toBe(
      401,
    );
    const one = `wrs-1=${acme}; wrs-2=${'A'.repeat(43)}`;
    expect((await ask(world, { cookie: one, 'x-workspace': 'acme' })).status).toBe(200);
  });

  test('is not taken from two cookies of one name, nor from a mass of them', async () => {
    expect((await ask(world, { cookie: `wrs-1=${acme}; wrs-1=${globex}` })).status).toBe(401);
    const many = Array.from({ length: 21 }, (_, id) => `wrs-${id + 1}=${acme}`).join('; ');
    expect((await ask(world, { cookie: many, 'x-workspace': 'acme' })).status).toBe(401);
  });
});

test('a read has the same cost for a session as for a key', async () => {
  const { secret } = await world.key('ada');
  const costOf = async (headers: Record<string, string>) => {
    const costs = [];
    for (let count = 0; count < 5; count += 1) {
      const before = { ...world.database.stats };
      const path = '/objects/deals/records?limit=2';
      expect((await ask(world, headers, ['GET', path])).status).toBe(200);
      const { statements, roundTrips } = world.database.stats;
      costs.push([statements - before.statements, roundTrips - before.roundTrips].join());
    }
    // Every 900 ms one of them looks for changes.
    return costs.toSorted()[0];
  };
  const bySession = await costOf({ cookie: `wrs-1=${acme}` });
  expect(bySession).toBe(await costOf({ authorization: `Bearer ${secret}` }));
  // Counting takes no statement, because the process is alone.
  expect(bySession).toBe('1,1');
});

describe('a page of another site', () => {
  const cookie = () => `wrs-1=${acme}`;
  const own = () => `http://127.0.0.1:${world.port}`;

  test('cannot write with the session of a browser', async () => {
    const before = await count();
    const refused = { status: 403, code: 'cross_site_request' };
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: own() },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `https://127.0.0.1:${world.port}` },
      { origin: `http://127.0.0.1:${world.port + 1}` },
      { origin: `${own()}.evil.example` },
      {},
    ];
    for (const headers of foreign) {
      expect(await ask(world, { cookie: cookie(), ...headers }, create)).toEqual(refused);
    }
    for (const method of ['PATCH', 'DELETE', 'PUT']) {
      const answer = await ask(world, { cookie: cookie() }, [method, '/no/such/route']);
      expect(answer).toEqual(refused);
    }
    expect(await count()).toBe(before);
  });

  test('a page of the service can, by either header', async () => {
    expect((await ask(world, { cookie: cookie(), ...SAME }, create)).status).toBe(201);
    expect((await ask(world, { cookie: cookie(), origin: own() }, create)).status).toBe(201);
  });

  test('reads are not writes, and browsers do not send keys', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await ask(world, { cookie: cookie(), ...headers })).status).toBe(200);
    const { secret } = await world.key('ada');
    const keyed = { authorization: `Bearer ${secret}`, ...headers };
    expect((await ask(world, keyed, create)).status).toBe(201);
  });

  test('cannot sign anybody in', async () => {
    const form = ['POST', '/sessions', { token: 'A'.repeat(43) }] as const;
    const { status } = await ask(world, { 'sec-fetch-site': 'cross-site' }, form);
    expect(status).toBe(403);
    expect((await ask(world, { origin: 'https://evil.example' }, form)).status).toBe(403);
    expect((await ask(world, {}, form)).status).toBe(401);
  });

  test('is never allowed credentials by CORS', async () => {
    const open = await openWorld({ CORS_ORIGINS: '*' });
    const { headers } = await call(open.port, '/v1/me', {
      headers: { origin: 'https://other.example' },
    });
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    await open.close();
  });
});

describe('a site', () => {
  const link = async (one: World, headers: Record<string, string>, cookie: string) => {
    const id = one.users.rob;
    const path = `/v1/users/${id}/sign_in_links`;
    const answer = await call(one.port, path, {
      method: 'POST',
      headers: { ...headers, ...SAME, cookie },
    });
    return answer.json.data.url as string;
  };
  const signIn = async (one: World, headers: Record<string, string>, url: string) => {
    const body = { token: new URL(url).hash.slice(1) };
    const path = '/v1/sessions';
    const { status, headers: sent } = await call(one.port, path, {
      ...{ method: 'POST', headers, body, owner: acme },
    });
    return { status, cookie: String(sent['set-cookie'] ?? '') };
  };

  test('over https has cookies that no other host can set', async () => {
    const token = await tokenOf(behindProxy, 'acme', 'ada');
    const secure = `__Host-wrs-1=${token}`;
    expect((await ask(behindProxy, { ...PROXIED, cookie: secure })).status).toBe(200);
    expect((await ask(behindProxy, { ...PROXIED, cookie: `wrs-1=${token}` })).code).toBe(
      'missing_api_key',
    );
    expect((await ask(behindProxy, { cookie: secure })).code).toBe('missing_api_key');
    const url = await link(behindProxy, PROXIED, secure);
    expect(url).toMatch(/^https:\/\/crm\.example\.com\/app\/acme\/sign-in#/);
    const origin = { ...PROXIED, cookie: secure, origin: 'https://crm.example.com' };
    expect((await ask(behindProxy, origin, create)).status).toBe(201);
  });

  test('over plain http of another machine has none, and says what would', async () => {
    const headers = { host: 'crm.example.com' };
    const refused = await ask(world, headers, ['POST', '/sessions', { token: 'x' }]);
    expect(refused).toEqual({ status: 403, code: 'permission_denied' });
    const { json } = await call(world.port, '/v1/sessions', {
      ...{ method: 'POST', headers, body: { token: 'x' } },
    });
    expect(json.error.message).toContain('ALLOW_INSECURE_SESSIONS=on');
    expect((await ask(world, { ...headers, cookie: `wrs-1=${acme}` })).code).toBe(
      'invalid_credentials',
    );
    const methods = await call(world.port, '/v1/sign_in_methods?workspace=acme', { headers });
    expect(methods.json.data).toEqual({
      ...{ mail: false, password: true, providers: [], sessions: false, passkeys: false },
    });
    const { secret } = await world.key('ada');
    const beside = { ...headers, cookie: `wrs-1=${acme}`, authorization: `Bearer ${secret}` };
    expect((await ask(world, beside)).status).toBe(200);
    // Headers from outside the trusted proxies are ignored.
    const forged = { ...headers, ...PROXIED, cookie: `__Host-wrs-1=${acme}` };
    expect((await ask(world, forged)).code).toBe('invalid_credentials');
  });

  test('over plain http has cookies where the configuration allows them', async () => {
    const token = await tokenOf(insecure, 'acme', 'ada');
    const headers = { host: 'crm.example.com' };
    const cookie = `wrs-1=${token}`;
    expect((await ask(insecure, { ...headers, cookie })).status).toBe(200);
    const url = await link(insecure, headers, cookie);
    const { cookie: given } = await signIn(insecure, headers, url);
    expect(given).toMatch(/^wrs-1=/);
  });

  test('of a workspace has no person of another one', async () => {
    const at = (slug: string) => ({ ...PROXIED, 'x-forwarded-host': `${slug}.crm.example.com` });
    const token = await tokenOf(tenants, 'acme', 'ada');
    const cookie = `__Host-wrs-1=${token}`;
    expect((await ask(tenants, { ...at('acme'), cookie })).status).toBe(200);
    expect((await ask(tenants, { ...at('globex'), cookie })).code).toBe('tenant_host_mismatch');
    const url = await link(tenants, at('acme'), cookie);
    expect((await signIn(tenants, at('globex'), url)).status).toBe(401);
    expect((await signIn(tenants, at('acme'), url)).status).toBe(201);
  });
});
