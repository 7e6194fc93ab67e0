// `POST /mcp` as clients of both generations of the protocol meet it: who is let in, which messages are answered, and how
// others are refused.

import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Answer, call } from '../http-client.ts';
import { openWorld, type World } from '../world.ts';
import { type Generation, openAgent, post, useTool } from './agents.ts';

let world: World;
let secret: string;
beforeAll(async () => {
  world = await openWorld();
  secret = (await world.key('ada')).secret;
});
afterAll(() => world?.close());

const message = (method: string, params: object = {}) => {
  return { jsonrpc: '2.0', id: 7, method, params };
};
const PING = message('ping');
const send = (body: unknown, headers = {}) => post(world.port, body, { key: secret, headers });
const refused = ({ status, json }: Answer) => [status, json?.error?.code];

describe.each<[Generation, string]>([
  ['2026', '2026-07-28'],
  ['2025', '2025-11-25'],
])('a client of %s', (generation, version) => {
  test('agrees on its version and is told how content is marked', async () => {
    const agent = await openAgent({ port: world.port, secret }, generation);
    expect(agent.version).toBe(version);
    expect(agent.instructions).toContain('</data>');
    await agent.close();
  });

  test('lists the tools of its key and calls one', async () => {
    const agent = await openAgent({ port: world.port, secret }, generation);
    const tools = await agent.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['describe', 'search', 'query', 'get', 'aggregate', 'write', 'delete', 'merge'],
      'changes',
    ]);
    const hints = tools.map(({ annotations }) => JSON.stringify(annotations));
    expect(hints.filter((hint) => hint.includes('"destructiveHint":true'))).toEqual([hints[6]]);
    const { text, isError } = await agent.use('describe');
    expect(isError).toBe(false);
    expect(text).toContain('"deals"');
    await agent.close();
  });
});

describe('the list of tools', () => {
  const list = async (scopes: readonly string[]) => {
    const { secret: key } = await world.key('ada', { scopes });
    const { json, text } = await post(world.port, message('tools/list'), { key });
    const tools = json.result.tools as readonly { readonly name: string }[];
    return { names: tools.map(({ name }) => name), text };
  };

  test('follows the scopes of the key', async () => {
    const reading = ['describe', 'search', 'query', 'get', 'aggregate', 'changes'];
    expect((await list(['records:read'])).names).toEqual(reading);
    expect((await list(['records:read', 'records:delete'])).names).toContain('delete');
    const writing = ['records:read', 'records:write'];
    expect((await list(writing)).names).toEqual([...reading.slice(0, 5), 'write', 'changes']);
    expect((await list([...writing, 'records:delete'])).names).toContain('merge');
    expect((await list(['comments:read'])).names).toEqual(['changes']);
    expect((await list(['users:read'])).names).toEqual([]);
  });

  test('is the same bytes each time, of at most 2,000 tokens', async () => {
    const first = await send(message('tools/list'));
    const second = await send(message('tools/list'));
    expect(second.text).toBe(first.text);
    expect(countTokens(JSON.stringify(first.json.result.tools))).toBeLessThanOrEqual(2000);
  });
});

describe('credentials', () => {
  test('without a key it is 401, without a place to sign in', async () => {
    const keys = [undefined, 'wrs_p_wrong', `${secret}x`];
    const answers = await Promise.all(
      keys.map((key) => post(world.port, PING, key === undefined ? {} : { key })),
    );
    expect(answers.map(refused)).toEqual([
      [401, 'missing_api_key'],
      [401, 'invalid_api_key'],
      [401, 'invalid_api_key'],
    ]);
    for (const { headers } of answers) expect(headers['www-authenticate']).toBe('Bearer');
  });

  test('a session is not a key', async () => {
    const session = await world.inSession('ada');
    const headers = { cookie: session.cookie, 'sec-fetch-site': 'same-origin' };
    const answer = await post(world.port, PING, { headers, owner: session.secret });
    expect(refused(answer)).toEqual([401, 'missing_api_key']);
  });

  test('a revoked key ends at once', async () => {
    const { id, secret: key } = await world.key('ada');
    expect((await post(world.port, PING, { key })).status).toBe(200);
    const ada = await world.as('ada');
    await ada.delete(`/keys/${id}`);
    expect(refused(await post(world.port, PING, { key }))).toEqual([401, 'invalid_api_key']);
  });

  test('there is no metadata of a sign-in', async () => {
    for (const name of ['oauth-protected-resource', 'oauth-authorization-server']) {
      for (const path of [`/.well-known/${name}`, `/.well-known/${name}/mcp`]) {
        expect(refused(await call(world.port, path)), path).toEqual([404, 'route_not_found']);
      }
    }
  });
});

describe('origins', () => {
  test('a page of another site is refused, with a key and without', async () => {
    const headers = { origin: 'https://evil.example' };
    expect(refused(await send(PING, headers))).toEqual([403, 'cross_site_request']);
    expect(refused(await post(world.port, PING, { headers }))).toEqual([403, 'cross_site_request']);
    expect(refused(await send(PING, { origin: 'null' }))).toEqual([403, 'cross_site_request']);
  });

  test('a page of the service itself is answered', async () => {
    const answer = await send(PING, { origin: `http://127.0.0.1:${world.port}` });
    expect(answer.status).toBe(200);
  });
});

describe('methods', () => {
  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is 405', async (method) => {
    for (const request of [{ method }, { method, key: secret }]) {
      const answer = await call(world.port, '/mcp', request);
      expect(refused(answer)).toEqual([405, 'method_not_allowed']);
      expect(answer.headers.allow).toBe('POST');
    }
  });
});

describe('messages', () => {
  test('no answer has the id of a session', async () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const answer = await send(message('initialize', params), { 'mcp-session-id': 'mine' });
    expect(answer.json.result.protocolVersion).toBe('2025-11-25');
    expect(answer.headers['mcp-session-id']).toBeUndefined();
  });

  test('a client that asks for another version is offered one', async () => {
    const params = {
      protocolVersion: '1999-01-01',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    };
    const { json } = await send(message('initialize', params));
    expect(json.result.protocolVersion).toBe('2025-11-25');
    const { status } = await send(PING, { 'mcp-protocol-version': '1999-01-01' });
    expect(status).toBe(400);
  });

  test('a batch is refused as a whole', async () => {
    const ask = (name: string) => message('tools/call', { name, arguments: {} });
    expect(refused(await send([ask('describe'), ask('describe')]))).toEqual([400, -32600]);
    expect(refused(await send([]))).toEqual([400, -32600]);
  });

  test('a stream of notifications is refused', async () => {
    const { status, json } = await send(message('subscriptions/listen'));
    expect([status, json.id, json.error.code]).toEqual([404, 7, -32601]);
  });

  test('a notification is accepted without an answer', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const { status, text } = await send(notification);
    expect([status, text]).toEqual([202, '']);
    const cancelled = {
      ...notification,
      method: 'notifications/cancelled',
      params: { requestId: 7 },
    };
    expect((await send(cancelled)).status).toBe(202);
  });

  test('an unknown tool and an unknown method are errors of the protocol', async () => {
    const { json } = await send(message('tools/call', { name: 'drop', arguments: {} }));
    expect(json.error.code).toBe(-32602);
    expect((await send(message('resources/list'))).json.error.code).toBe(-32601);
  });

  test('everything else is refused without a failure', async () => {
    const bodies = ['{', '""', 'null', '1', '{}', '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":{}}'];
    for (const body of [...bodies, `${'['.repeat(100)}${']'.repeat(100)}`]) {
      const { status } = await send(body);
      expect([400, 202], body).toContain(status);
    }
    const { status } = await send('a=1', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(status).toBe(415);
  });

  test('a body that is too large is refused as over REST', async () => {
    const body = JSON.stringify(message('tools/call', { name: 'x'.repeat(9 * 1024 * 1024) }));
    expect(refused(await send(body))).toEqual([413, 'payload_too_large']);
  });
});

describe('a client that leaves', () => {
  test('before its answer disturbs no other', async () => {
    const params = { name: 'query', arguments: { object_type: 'companies', count: 'exact' } };
    const body = JSON.stringify(message('tools/call', params));
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const leave = async (_: unknown, index: number) => {
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), index % 8);
      const { signal } = leaving;
      const request = { method: 'POST', headers, body, signal };
      await fetch(`http://127.0.0.1:${world.port}/mcp`, request).catch(() => undefined);
    };
    await Promise.all(Array.from({ length: 40 }, leave));
    const { text, isError } = await useTool({ port: world.port, secret }, 'describe', {});
    expect(isError, text).toBe(false);
  });
});

describe('the rate limit', () => {
  test('is that of the key, whatever is called', async () => {
    const { secret: key } = await world.key('ada', { requestsPerMinute: 2 });
    const place = { port: world.port, secret: key };
    expect((await post(world.port, message('tools/list'), { key })).status).toBe(200);
    // In another minute the count begins again.
    let found = await useTool(place, 'search', { text: 'acme' });
    for (let sent = 0; sent < 10 && !found.isError; sent += 1) {
      found = await useTool(place, 'search', { text: 'acme' });
    }
    expect(found.text).toMatch(/^rate_limited\n.*\nWait \d+ seconds?, then call again\.$/);
    let last = await post(world.port, PING, { key });
    for (let sent = 0; sent < 10 && last.status === 200; sent += 1) {
      last = await post(world.port, PING, { key });
    }
    expect(refused(last)).toEqual([429, 'rate_limited']);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('refuses a long message of a key without requests before it is parsed', async () => {
    const { secret: key } = await world.key('ada', { requestsPerMinute: 1 });
    const long = JSON.stringify(message('tools/call', { name: 'search', x: 'x'.repeat(100_000) }));
    const parse = vi.spyOn(JSON, 'parse');
    let last = await post(world.port, PING, { key });
    // In another minute the count begins again.
    for (let sent = 0; sent < 10 && last.status === 200; sent += 1) {
      parse.mockClear();
      last = await post(world.port, long, { key });
    }
    const parsed = parse.mock.calls.map(([text]) => String(text).length);
    parse.mockRestore();
    expect(refused(last)).toEqual([429, 'rate_limited']);
    expect(parsed.filter((length) => length > 50_000)).toEqual([]);
  });

  test('counts messages that are refused, and refuses those of a key without requests', async () => {
    const bodies = ['{', '[]', 'null', JSON.stringify(message('tools/call', { name: 'search' }))];
    for (const body of bodies) {
      const { secret: key } = await world.key('ada', { requestsPerMinute: 1 });
      const sendIt = () => post(world.port, body, { key });
      let [first, second] = [await sendIt(), await sendIt()];
      expect(first.headers['ratelimit-remaining'], body).toBe('0');
      // In another minute the count begins again.
      while (second.headers['x-ratelimit-reset'] !== first.headers['x-ratelimit-reset']) {
        [first, second] = [second, await sendIt()];
      }
      if (body.includes('tools/call')) {
        expect(second.status).toBe(200);
        expect(second.json.result).toMatchObject({ isError: true });
        const [{ text }] = second.json.result.content;
        expect(text).toMatch(/^rate_limited\n.*\nWait \d+ seconds?, then call again\.$/);
      } else {
        expect(refused(second), body).toEqual([429, 'rate_limited']);
      }
      expect(second.headers['ratelimit-remaining']).toBe('0');
    }
  });
});
