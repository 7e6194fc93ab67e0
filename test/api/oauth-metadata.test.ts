// The metadata of OAuth at the address that a client uses, and a service without OAuth, which answers as if there were
// none.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { call } from '../http-client.ts';
import { type OauthWorld, openOauthWorld } from '../oauth-world.ts';
import { openWorld, type World } from '../world.ts';

const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';

let on: OauthWorld;
let off: World;
beforeAll(async () => {
  on = await openOauthWorld({ TRUSTED_PROXIES: '127.0.0.1' });
  off = await openWorld();
});
afterAll(() => Promise.all([on?.close(), off?.close()]));

describe('metadata', () => {
  const PROXIED = { 'x-forwarded-host': 'crm.example.com', 'x-forwarded-proto': 'https' };

  test.each([
    ['directly', {}, undefined],
    ['through a trusted proxy', PROXIED, 'https://crm.example.com'],
  ])('names the address that the client uses, %s', async (_, headers, seen) => {
    const origin = seen ?? on.origin;
    const read = async (path: string) => (await call(on.port, path, { headers })).json;
    expect(await read(RESOURCE)).toMatchObject({
      resource: origin,
      authorization_servers: [origin],
    });
    expect(await read(`${RESOURCE}/mcp`)).toMatchObject({ resource: `${origin}/mcp` });
    for (const path of [SERVER, `${SERVER}/mcp`]) {
      expect(await read(path)).toMatchObject({
        issuer: origin,
        token_endpoint: `${origin}/oauth/token`,
        code_challenge_methods_supported: ['S256'],
        client_id_metadata_document_supported: true,
      });
    }
    const refused = await call(on.port, '/mcp', { method: 'POST', body: {}, headers });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${origin}${RESOURCE}/mcp"`,
    ]);
  });

  test('a host that is no address leads to the application all the same', async () => {
    const headers = { 'x-forwarded-host': 'a b', 'x-forwarded-proto': 'https' };
    const sent = await call(on.port, '/oauth/authorize?client_id=x', { headers });
    expect([sent.status, sent.headers.location]).toEqual([302, '/app?authorize=client_id%3Dx']);
    const browser = { ...headers, 'sec-fetch-site': 'same-origin' };
    for (const [method, path, body] of [
      ['POST', '/v1/sign_in/passkey', { workspace: 'acme' }],
      ['GET', '/v1/sign_in/callback?state=x', undefined],
      ['GET', '/v1/sign_in_methods?workspace=acme', undefined],
    ] as const) {
      const { status } = await call(on.port, path, {
        ...{ method, headers: browser },
        ...(body === undefined ? {} : { body }),
      });
      expect(status, path).toBe(method === 'GET' && path.includes('methods') ? 200 : 403);
    }
  });

  test('a wrong token is told from a missing one', async () => {
    const refused = await call(on.port, '/mcp', { method: 'POST', body: {}, key: 'wrs_t_x' });
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", /);
    expect((await call(on.port, '/v1/me', { key: 'wrs_t_x' })).headers['www-authenticate']).toBe(
      'Bearer',
    );
  });
});

/** The answer without the parts that differ between two requests to the same service. */
async function answerOf(port: number, path: string, request: object) {
  const { status, headers, text } = await call(port, path, request);
  const { date: _, 'x-request-id': id, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(String(id), '') };
}

describe('a service without OAuth', () => {
  const others = ROUTES.filter(({ oauth, path }) => oauth !== true && path !== '/openapi.json');
  const paths = [
    ...others.map(({ method, path }) => ({
      ...{ method, path: `/v1${path.replaceAll(/\{\w+\}/g, 'x')}` },
    })),
    ...['POST', 'GET', 'DELETE'].map((method) => ({ method, path: '/mcp' })),
  ];

  test('has no path of it', async () => {
    const [unknown, document] = await Promise.all([
      answerOf(off.port, '/v1/nothing', {}),
      answerOf(off.port, '/.well-known/nothing', {}),
    ]);
    for (const { method, path, oauth } of ROUTES) {
      if (oauth === true)
        expect(await answerOf(off.port, `/v1${path}`, { method })).toEqual(unknown);
    }
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register']) {
      expect(await answerOf(off.port, path, { method: 'POST' })).toEqual(unknown);
    }
    expect(await answerOf(off.port, '/oauth/authorize', {})).toEqual(unknown);
    for (const path of [RESOURCE, `${RESOURCE}/mcp`, SERVER, `${SERVER}/mcp`]) {
      expect(await answerOf(off.port, path, {})).toEqual(document);
    }
    expect((await call(off.port, '/v1/openapi.json')).text).not.toContain('/oauth/');
  });

  test('answers all other operations as one with it, to the byte', async () => {
    expect(paths.length).toBeGreaterThan(120);
    for (const { method, path } of paths) {
      for (const request of [{ method }, { method, key: 'wrs_t_x' }]) {
        const [without, other] = await Promise.all(
          [off.port, on.port].map((port) => answerOf(port, path, request)),
        );
        if (path === '/mcp' && method === 'POST') {
          expect(without?.headers['www-authenticate']).toBe('Bearer');
          delete without?.headers['www-authenticate'];
          delete other?.headers['www-authenticate'];
        }
        expect(without, `${method} ${path}`).toEqual(other);
      }
    }
  });

  test('an access token is no key', async () => {
    const { access } = await on.connect();
    const { status, json } = await call(off.port, '/v1/me', { key: access, owner: 'nobody' });
    expect([status, json.error.code]).toEqual([401, 'invalid_api_key']);
  });
});
