// Hostile arguments of tools: of any form, also where a form is expected. Each is answered or refused with its name, none
// fails, and what only reads changes nothing.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOOLS } from '../../packages/mcp/src/tools.ts';
import { call } from '../http-client.ts';
import { timesOf } from '../until.ts';
import { openWorld, type World } from '../world.ts';
import { post, useTool } from './agents.ts';

const SETTINGS = { BASE_DOMAIN: 'records.example', CORS_ORIGINS: 'https://agent.example' };

let world: World;
let secret: string;
beforeAll(async () => {
  world = await openWorld(SETTINGS);
  secret = (await world.key('ada', { scopes: ['records:read', 'comments:read', 'users:read'] }))
    .secret;
  const ada = await world.as('ada');
  await ada.post('/objects/companies/records', { fields: { name: 'Target' } });
});
afterAll(() => world?.close());

/** Words that mean something somewhere. */
const WORDS = [
  ...['companies', 'deals', 'work_items', '__proto__', 'constructor', '', ' ', '*', '../users'],
  ...[
    "' or 1=1 --",
    '\u0000',
    '\ud800',
    '%',
    '{"$op":0}',
    'x'.repeat(300),
    '01900000-0000-7000-8000-000000000000',
  ],
];

const hostile = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constantFrom<unknown>(...WORDS, null, true, 0, -1, 2 ** 53, 1e308, [], {}),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('field', 'op', 'value', 'all', 'not', 'action', 'id'),
      tie('value'),
    ),
  ),
})).value;

/** The arguments of a tool by their names, each with any value. */
function argumentsOf(properties: readonly string[]) {
  const values = properties.map((name) => {
    const any = name === 'object_type' ? fc.oneof(fc.constant('companies'), hostile) : hostile;
    return [name, any] as const;
  });
  return fc.record(Object.fromEntries(values), { requiredKeys: [] });
}

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s takes any arguments without a failure',
  async (name, { inputSchema }) => {
    const { properties } = inputSchema as { readonly properties?: object };
    const before = await world.digest();
    const tried = fc.asyncProperty(argumentsOf(Object.keys(properties ?? {})), async (sent) => {
      const { text } = await useTool({ port: world.port, secret }, name, sent);
      expect(text, JSON.stringify(sent)).not.toContain('internal_error');
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8000);
    });
    await fc.assert(tried, { numRuns: timesOf(60), seed: 39 });
    expect(await world.digest()).toBe(before);
  },
);

test('a key is for its workspace, its host and people with developer access', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const send = (key: string, headers = {}) => post(world.port, ping, { key, headers });
  const own = await send(secret, { host: 'acme.records.example' });
  expect(own.status).toBe(200);
  const other = await send(secret, { host: 'globex.records.example' });
  expect([other.status, other.json.error.code]).toEqual([403, 'tenant_host_mismatch']);
  const { secret: con } = await world.key('con');
  const revoked = await send(con);
  expect([revoked.status, revoked.json.error.code]).toEqual([403, 'developer_access_revoked']);
});

test('a page of an origin that the configuration names is answered', async () => {
  const headers = { origin: 'https://agent.example' };
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const answer = await post(world.port, ping, { key: secret, headers });
  expect(answer.status).toBe(200);
  expect(answer.headers['access-control-allow-origin']).toBe('https://agent.example');
  const preflight = await call(world.port, '/mcp', {
    method: 'OPTIONS',
    headers: { ...headers, 'access-control-request-method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers['access-control-allow-headers']).toContain('MCP-Protocol-Version');
});
