// Programs of others get access by the page of consent: real clients from the address of the service to a tool call,
// with nothing but a browser; and the end of their access.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oidc from 'openid-client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openProvider } from '../../../../test/mcp/oauth-provider.ts';
import { ALLOWED } from '../../../../test/webhook-world.ts';
import { axeFindings } from '../axe.ts';
import { type BrowserWorld, openBrowserWorld } from '../browser-world.ts';

let app: BrowserWorld;
let origin: string;
/** The program on the machine of the person: its callback, and its metadata. */
let program: Server;
let programAt: string;
let callbacks: URL[] = [];

beforeAll(async () => {
  app = await openBrowserWorld({ OAUTH: 'on', ...ALLOWED });
  origin = new URL(app.address).origin;
  program = createServer((request, response) => {
    const url = new URL(String(request.url), programAt);
    if (url.pathname === '/callback') callbacks.push(url);
    const metadata = { client_id: url.href, client_name: 'Planner', redirect_uris: [callback()] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
  });
  program.listen(0, '127.0.0.1');
  await once(program, 'listening');
  programAt = `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
});
afterAll(async () => {
  program?.closeAllConnections();
  program?.close();
  await app?.close();
});
beforeEach(async () => {
  callbacks = [];
  await app.world.database.rows('delete from workspace_records.sign_in_attempts');
});

const callback = () => `${programAt}/callback`;

/** Opens the page of consent, agrees, and answers the address that the program gets. */
async function agree(page: Page, url: URL, write = false): Promise<URL> {
  await page.goto(url.href);
  if (write) await page.getByLabel('It may also change data:').check();
  await page.getByRole('button', { name: 'Give access' }).click();
  await page.waitForURL(`${callback()}?*`);
  return callbacks[0] as URL;
}

test('the page says who asks for what, and declines', async () => {
  const { provider, kept } = openProvider(callback());
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    authProvider: provider,
  });
  await expect(new Client({ name: 'a', version: '1' }).connect(transport)).rejects.toThrow();
  const page = await app.as('rob');
  await page.goto(String(kept.url));
  await page.getByText('A program on this computer').waitFor();
  await page.getByText('It calls itself “Planner”').waitFor();
  expect(await page.getByLabel('It may also change data:').isChecked()).toBe(false);
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Decline' }).click();
  await expect.poll(() => callbacks[0]?.searchParams.get('error')).toBe('access_denied');
});

test('a person who is not signed in signs in first', async () => {
  const { provider, kept } = openProvider(callback());
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    authProvider: provider,
  });
  await expect(new Client({ name: 'a', version: '1' }).connect(transport)).rejects.toThrow();
  const page = await app.window();
  await page.goto(String(kept.url));
  await page.getByLabel('Workspace').fill('acme');
  await page.getByRole('button').first().click();
  await page.waitForURL(/\/acme\/sign-in\?to=/);
  const to = new URL(page.url()).searchParams.get('to') ?? '';
  const sent = new URLSearchParams(new URL(to, origin).searchParams.get('authorize') ?? '');
  expect([sent.get('client_id'), sent.get('state')]).toEqual([
    (kept.client as { client_id: string }).client_id,
    'the state',
  ]);
});

test('a request that is too long for the address of the sign-in page is there after it', async () => {
  const password = 'a sentence of some length';
  const sam = await app.world.inSession('sam');
  expect((await sam.put('/me/password', { password })).status).toBe(200);
  const { provider, kept } = openProvider(callback());
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    authProvider: provider,
  });
  await expect(new Client({ name: 'a', version: '1' }).connect(transport)).rejects.toThrow();
  const url = new URL(String(kept.url));
  const state = 's'.repeat(2000);
  url.searchParams.set('state', state);
  const page = await app.window();
  await page.goto(url.href);
  await page.getByLabel('Workspace').fill('acme');
  await page.getByRole('button').first().click();
  await page.waitForURL(/\/acme\/sign-in\?to=\/acme\/authorize$/);
  await page.getByLabel('E-mail address').fill('sam@acme.example');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Give access' }).click();
  await expect.poll(() => callbacks[0]?.searchParams.get('state')).toBe(state);
});

describe('from the address to a tool call', () => {
  test.each([
    ['that registers itself', false],
    ['whose id is an address', true],
  ])('the client of MCP 2.4, %s', async (_, hasAddress) => {
    const { provider, kept } = openProvider(
      callback(),
      hasAddress ? `${programAt}/client.json` : undefined,
    );
    const open = () =>
      new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
    const first = open();
    await expect(new Client({ name: 'a', version: '1' }).connect(first)).rejects.toThrow();
    const page = await app.as('rob');
    await first.finishAuth((await agree(page, kept.url as URL, true)).searchParams);
    const client = new Client({ name: 'a', version: '1' });
    await client.connect(open());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('write');
    const described = await client.callTool({ name: 'describe', arguments: {} });
    expect(JSON.stringify(described)).toContain('Rob');

    await page.goto(`${app.address}/settings/keys`);
    const name = hasAddress ? new URL(programAt).host : 'a program';
    await page.getByText(`Access of ${name}`).first().waitFor();
    await page.getByRole('button', { name: 'Revoke Planner' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Planner” was revoked.').waitFor();
    await expect(client.callTool({ name: 'describe', arguments: {} })).rejects.toThrow();
    await client.close();
  });

  test('the SDK of MCP 1.32', async () => {
    const { provider, kept } = openProvider(callback());
    const open = () =>
      new OlderTransport(new URL(`${origin}/mcp`), { authProvider: provider as never });
    const first = open();
    const connect = new OlderClient({ name: 'a', version: '1' }).connect(first as never);
    await expect(connect).rejects.toThrow();
    const back = await agree(await app.as('rob'), kept.url as URL);
    await first.finishAuth(String(back.searchParams.get('code')));
    const client = new OlderClient({ name: 'a', version: '1' });
    await client.connect(open() as never);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('write');
    await client.close();
  });

  test('openid-client, which notices an answer of another issuer', async () => {
    const config = await oidc.dynamicClientRegistration(
      new URL(origin),
      { client_name: 'ERP', redirect_uris: [callback()], token_endpoint_auth_method: 'none' },
      oidc.None(),
      { algorithm: 'oauth2', execute: [oidc.allowInsecureRequests] },
    );
    const verifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(config, {
      ...{ redirect_uri: callback(), state: 'x', resource: `${origin}/v1`, scope: 'records:read' },
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const back = await agree(await app.as('rob'), url);
    const checks = { pkceCodeVerifier: verifier, expectedState: 'x' };
    const mixedUp = new URL(back);
    mixedUp.searchParams.set('iss', 'https://other.example');
    await expect(oidc.authorizationCodeGrant(config, mixedUp, checks)).rejects.toThrow();
    const tokens = await oidc.authorizationCodeGrant(config, back, checks);
    expect([tokens.token_type, tokens.scope]).toEqual(['bearer', 'records:read']);
    const next = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '');
    const list = () =>
      fetch(`${origin}/v1/objects/deals/records`, {
        headers: { authorization: `Bearer ${next.access_token}` },
      });
    expect((await list()).status).toBe(200);
    await oidc.tokenRevocation(config, next.refresh_token ?? '');
    expect((await list()).status).toBe(401);
  });
});

test('an administrator switches a program off', async () => {
  const { provider, kept } = openProvider(callback(), `${programAt}/switched.json`);
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    authProvider: provider,
  });
  await expect(new Client({ name: 'a', version: '1' }).connect(transport)).rejects.toThrow();
  const ada = await app.as('ada');
  await agree(ada, kept.url as URL);
  await ada.goto(`${app.address}/settings/keys`);
  await ada.getByRole('button', { name: 'Programs' }).click();
  const id = `${programAt}/switched.json`;
  await ada.getByRole('button', { name: `Switch off ${id}` }).click();
  await ada.getByRole('button', { name: `Switch on ${id}` }).waitFor();
  expect(await axeFindings(ada)).toEqual([]);
  const rob = await app.as('rob');
  await rob.goto(String(kept.url));
  await rob.getByRole('alert').waitFor();
  expect(await rob.getByRole('button', { name: 'Give access' }).count()).toBe(0);
});
