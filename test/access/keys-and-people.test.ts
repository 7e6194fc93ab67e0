// Keys and the people behind them, over HTTP and on every endpoint: scopes one by one, hosts,
// withdrawn access, and that whatever is taken away is gone with the next request of the same
// connection.

import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sql, toStatement } from '../../src/sql/sql.ts';
import { type Answer, call, type Request } from '../http-client.ts';
import { ACME, openWorld, type World } from '../world.ts';
import { CANARY } from './canary.ts';
import { ALL_SCOPES, type Scope } from './oracle.ts';

/**
 * Another process may learn of a change as late as this (D14); these changes are made behind its
 * back.
 */
const LATEST = 1000;

let world: World;
let endpoints: readonly Endpoint[];
let dealId: string;

interface Endpoint {
  readonly scope: Scope | null;
  readonly path: string;
  readonly method?: string;
  readonly body?: unknown;
}

beforeAll(async () => {
  world = await openWorld({ BASE_DOMAIN: 'records.example' });
  const ada = await world.as('ada');
  const make = async (object: string, fields: object) =>
    (await ada.post(`/objects/${object}/records`, { fields })).body.data.id as string;
  const company = await make('companies', { name: 'Company' });
  dealId = await make('deals', { name: 'Deal', company_id: company });
  const said = { body: 'See', mention_user_ids: [world.users.ada] };
  await ada.post(`/objects/deals/records/${dealId}/comments`, said);
  const [{ id: told }] = (await ada.get('/notifications')).body.data;
  endpoints = everyEndpoint({ company, told });
});
afterAll(() => world?.close());

/**
 * The endpoints of §4 and their scopes, each with a request that leaves the next ones their
 * records.
 */
function everyEndpoint(ids: { readonly company: string; readonly told: string }) {
  const deals = '/objects/deals/records';
  const deal = `${deals}/${dealId}`;
  const association = `${deal}/relationships/ref.company_id`;
  const company = `/objects/companies/records/${ids.company}`;
  const post = (scope: Scope, path: string, body: unknown): Endpoint => {
    return { scope, method: 'POST', path, body };
  };
  const get = (scope: Scope | null, path: string): Endpoint => ({ scope, path });
  const nothing = '01a1fd00-0000-7000-8000-000000000000';
  return [
    get(null, '/me'),
    get('users:read', '/users'),
    get('users:read', `/users/${world.users.ada}`),
    get('users:read', '/teams'),
    get('records:read', '/objects'),
    get('records:read', '/objects/deals'),
    get('records:read', '/workflows/pipeline'),
    get('records:read', deals),
    post('records:read', `${deals}/search`, {}),
    post('records:read', `${deals}/aggregate`, { metrics: [{ name: 'n', op: 'count' }] }),
    post('records:write', deals, { fields: { name: 'New' } }),
    get('records:read', deal),
    { scope: 'records:write', method: 'PATCH', path: deal, body: { fields: { amount: 1 } } },
    { scope: 'records:delete', method: 'DELETE', path: `${deals}/${nothing}` },
    post('records:write', `${deal}/status`, { status_id: 'open' }),
    post('records:write', `${deals}/batch`, { operations: [{ action: 'create', fields: {} }] }),
    get('records:read', `${deal}/relationships`),
    get('records:read', association),
    post('records:write', association, { target_id: ids.company }),
    { scope: 'records:write', method: 'DELETE', path: `${association}/${nothing}` },
    get('records:read', `${company}/history`),
    post('records:write', `${company}/restore`, { revision: 1, fields: ['name'] }),
    get('comments:read', `${deal}/comments`),
    post('comments:write', `${deal}/comments`, { body: 'Said' }),
    get('comments:read', '/notifications'),
    post('comments:read', `/notifications/${ids.told}/read`, undefined),
    get('comments:read', '/me/notification_settings'),
    get('comments:read', `${deal}/follow`),
    get('records:read', '/search?q=deal'),
  ] as const satisfies readonly Endpoint[];
}

const send = (key: string, { path, method = 'GET', body }: Endpoint, more: Request = {}) =>
  call(world.port, `/v1${path}`, { method, body, ...more, key });

const codeOf = ({ status, json }: Answer) => [status, json.error?.code];
const remaining = ({ headers }: Answer) => Number(headers['ratelimit-remaining']);
const windowOf = ({ headers }: Answer) => headers['x-ratelimit-reset'];
const run = (text: string, values: readonly unknown[]) => world.database.rows(text, values);

test('each scope missing in turn on each endpoint: refused, and not counted', async () => {
  for (const missing of ALL_SCOPES) {
    const scopes = ALL_SCOPES.filter((scope) => scope !== missing);
    const { secret } = await world.key('ada', { scopes, requestsPerMinute: 100_000 });
    let before = await send(secret, endpoints[0] as Endpoint);
    for (const endpoint of endpoints) {
      const about = `${endpoint.method ?? 'GET'} ${endpoint.path} without ${missing}`;
      const answer = await send(secret, endpoint);
      const isRefused = endpoint.scope === missing;
      const code = answer.json.error?.code;
      expect(code === 'insufficient_scope', about).toBe(isRefused);
      if (isRefused) {
        const { details } = answer.json.error;
        expect([answer.status, details], about).toEqual([403, { required_scope: missing }]);
      }
      // A new minute has a new count.
      if (windowOf(answer) === windowOf(before)) {
        expect(remaining(answer), about).toBe(remaining(before) - (isRefused ? 0 : 1));
      }
      before = answer;
    }
  }
});

test('a key without scopes can read only its own identity', async () => {
  const { secret } = await world.key('ada', { scopes: [] });
  for (const endpoint of endpoints) {
    const answer = await send(secret, endpoint);
    const expected = endpoint.scope === null ? [200, undefined] : [403, 'insufficient_scope'];
    expect(codeOf(answer), endpoint.path).toEqual(expected);
  }
});

describe('on every endpoint', () => {
  /** Every endpoint gives this answer only; all bodies are the same but for the id. */
  async function expectEverywhere(
    key: string,
    [status, code]: readonly [number, string],
    more: Request = {},
  ) {
    const before = await world.digest();
    const bodies = new Set<string>();
    for (const endpoint of endpoints) {
      const answer = await send(key, endpoint, more);
      expect(codeOf(answer), endpoint.path).toEqual([status, code]);
      bodies.add(answer.text.replace(answer.json.error.request_id, ''));
    }
    expect([...bodies]).toHaveLength(1);
    expect(await world.digest()).toBe(before);
    return [...bodies][0];
  }

  test('a key of one workspace on the host of another gets no data', async () => {
    const here = await world.key('ada');
    const there = await world.key('ada', { workspace: 'globex' });
    const at = (host: string) => ({ headers: { host: `${host}.records.example` } });
    const mismatch = [403, 'tenant_host_mismatch'] as const;
    const body = await expectEverywhere(here.secret, mismatch, at('globex'));
    expect(body).not.toMatch(new RegExp(`${CANARY}|globex`, 'i'));
    expect(await expectEverywhere(there.secret, mismatch, at('acme'))).toBe(body);
    // The answer does not show either whether there is such a workspace.
    expect(await expectEverywhere(here.secret, mismatch, at('nobody'))).toBe(body);
    expect((await send(here.secret, endpoints[0] as Endpoint, at('acme'))).status).toBe(200);
  });

  test('somebody without developer access', async () => {
    const { secret } = await world.key('con');
    await expectEverywhere(secret, [403, 'developer_access_revoked']);
  });

  test('revoked and unknown keys, and those of deactivated people, are alike', async () => {
    const [revoked, forgotten] = [await world.key('ada'), await world.key('ada')];
    const inactive = await world.key('zed');
    await run('update workspace_records.api_keys set revoked_at = now() where id = $1', [
      revoked.id,
    ]);
    await run('delete from workspace_records.api_keys where id = $1', [forgotten.id]);
    const invalid = [401, 'invalid_api_key'] as const;
    const body = await expectEverywhere(inactive.secret, invalid);
    expect(await expectEverywhere(revoked.secret, invalid)).toBe(body);
    expect(await expectEverywhere(forgotten.secret, invalid)).toBe(body);
    await expectEverywhere((await world.key('ada', { expiresIn: 0 })).secret, [
      401,
      'api_key_expired',
    ]);
  });
});

describe('a removed right is gone with the next request of the same connection', () => {
  /**
   * One socket: the first request passes, then something changes, then the second is decided by it.
   */
  async function nextRequest(
    person: string,
    endpoint: Endpoint,
    change: (id: string) => Promise<unknown>,
  ): Promise<Answer> {
    const { id, secret } = await world.key(person);
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = vi.spyOn(agent, 'createConnection');
    try {
      const first = await send(secret, endpoint, { agent });
      expect(first.status, first.text).toBe(200);
      await change(id);
      const deadline = performance.now() + LATEST;
      let second = first;
      while (second.status === 200) {
        const isLate = performance.now() >= deadline;
        second = await send(secret, endpoint, { agent });
        if (isLate) break;
        await sleep(20);
      }
      expect(sockets).toHaveBeenCalledTimes(1);
      return second;
    } finally {
      agent.destroy();
    }
  }

  const deals: Endpoint = { scope: 'records:read', path: '/objects/deals/records' };
  const setKey = (assignment: string) => (id: string) =>
    run(`update workspace_records.api_keys set ${assignment} where id = $1`, [id]);
  const apply = (change: object) => world.apply({ ...ACME, ...change });
  const ofUser = (email: keyof typeof ACME.users, change: object) =>
    apply({ users: { ...ACME.users, [email]: { ...ACME.users[email], ...change } } });

  test('a scope', async () => {
    const answer = await nextRequest('ada', deals, setKey(`scopes = '{users:read}'`));
    expect(codeOf(answer)).toEqual([403, 'insufficient_scope']);
  });

  test('the key', async () => {
    const answer = await nextRequest('ada', deals, setKey('revoked_at = now()'));
    expect(codeOf(answer)).toEqual([401, 'invalid_api_key']);
  });

  test('its time', async () => {
    const answer = await nextRequest('ada', deals, setKey('expires_at = now()'));
    expect(codeOf(answer)).toEqual([401, 'api_key_expired']);
  });

  test('the person', async () => {
    const answer = await nextRequest('rae', deals, () =>
      ofUser('rae@acme.example', { active: false }),
    );
    expect(codeOf(answer)).toEqual([401, 'invalid_api_key']);
    await apply({});
  });

  test('developer access', async () => {
    const me: Endpoint = { scope: null, path: '/me' };
    const answer = await nextRequest('rae', me, () =>
      ofUser('rae@acme.example', { roles: ['contractor'] }),
    );
    expect(codeOf(answer)).toEqual([403, 'developer_access_revoked']);
    await apply({});
  });

  test('a grant', async () => {
    const { rep } = ACME.roles;
    const { deals: _, ...objects } = rep.objects;
    const roles = { ...ACME.roles, rep: { ...rep, objects } };
    const answer = await nextRequest('rae', deals, () => apply({ roles }));
    expect(codeOf(answer)).toEqual([404, 'object_not_available']);
    await apply({});
  });

  test('a field that is sorted by', async () => {
    const path = '/objects/deals/records?sort=code';
    const { rep } = ACME.roles;
    const fields = { ...rep.objects.deals.fields, code: 'none' };
    const objects = { ...rep.objects, deals: { ...rep.objects.deals, fields } };
    const roles = { ...ACME.roles, rep: { ...rep, objects } };
    const answer = await nextRequest('rae', { ...deals, path }, () => apply({ roles }));
    expect(codeOf(answer)).toEqual([403, 'permission_denied']);
    await apply({});
  });

  test('a team and with it the records of its members', async () => {
    const { secret } = await world.key('rob');
    const made = await call(world.port, '/v1/objects/deals/records', {
      ...{ key: secret, method: 'POST', body: { fields: { name: 'Of Rob' } } },
    });
    const path = `/objects/deals/records/${made.json.data.id}`;
    const teams = { ...ACME.teams, North: { members: ['rob@acme.example'] } };
    const answer = await nextRequest('mia', { ...deals, path }, () => apply({ teams }));
    expect(codeOf(answer)).toEqual([404, 'record_not_found']);
    await apply({});
  });

  test('the directory', async () => {
    const path = `/users/${world.users.ada}`;
    const roles = { ...ACME.roles, manager: { ...ACME.roles.manager, directory: false } };
    const answer = await nextRequest('mia', { scope: 'users:read', path }, () => apply({ roles }));
    expect(codeOf(answer)).toEqual([404, 'user_not_found']);
    await apply({});
  });
});

test('a key that expires while its request runs: this one ends well, not the next', async () => {
  const { secret } = await world.key('ada', { expiresIn: 4 });
  const update: Endpoint = {
    ...{ scope: 'records:write', method: 'PATCH', path: `/objects/deals/records/${dealId}` },
    body: { fields: { amount: 77 } },
  };
  const held = toStatement(sql`select id from ws_acme.deals where id = ${dealId}::uuid for update`);
  const running = await world.database.db.transaction(async (tx) => {
    await tx.query(held);
    const sent = send(secret, update);
    await vi.waitFor(async () => {
      const waiting = await run(`select pid from pg_locks where not granted`, []);
      expect(waiting.length).toBeGreaterThan(0);
    }, 60_000);
    await vi.waitFor(
      async () => {
        const answer = await send(secret, endpoints[0] as Endpoint);
        expect(codeOf(answer)).toEqual([401, 'api_key_expired']);
      },
      { timeout: 60_000, interval: 100 },
    );
    return [sent];
  });
  const [answer] = await Promise.all(running);
  expect([answer?.status, answer?.json.data?.fields.amount]).toEqual([200, 77]);
  expect(codeOf(await send(secret, update))).toEqual([401, 'api_key_expired']);
});

test('an operational key has records and comments of its own, and the same checks', async () => {
  const { secret } = await world.key('bot');
  const asked = (path: string, request: Request = {}) =>
    call(world.port, `/v1${path}`, { key: secret, ...request });
  const me = (await asked('/me')).json.data;
  expect(me.api_key.type).toBe('operational');
  const made = await asked('/objects/deals/records', {
    ...{ method: 'POST', body: { fields: { name: 'Made by a bot' } } },
  });
  expect([made.status, made.json.data.owner_user_id]).toEqual([201, me.user.id]);
  const path = `/objects/deals/records/${made.json.data.id}/comments`;
  const comment = await asked(path, { method: 'POST', body: { body: 'Beep' } });
  expect(comment.json.data.author).toEqual({ kind: 'agent', id: me.user.id, name: 'Bot' });
  const people = (await asked('/users?include_inactive=true')).json.data;
  expect(people.map(({ name }: { name: string }) => name)).not.toContain('Bot');
  expect((await asked(`/users/${me.user.id}`)).json.data.name).toBe('Bot');
  const narrow = await world.key('bot', { scopes: ['records:read'] });
  const refused = await call(world.port, `/v1${path}`, { key: narrow.secret });
  expect(codeOf(refused)).toEqual([403, 'insufficient_scope']);
});
