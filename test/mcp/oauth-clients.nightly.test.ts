// Programs of others from npm, by exact version, from the address of the service to a tool call or a list: each as a process of
// its own, whose person agrees without a browser. packages/app/test/journeys/consent.test.ts has others, with the page.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OauthWorld, openOauthWorld } from '../oauth-world.ts';
import { until } from '../until.ts';

const PACKAGES = ['@ai-sdk/mcp@2.0.99', 'openid-client@6.9.0'];
let world: OauthWorld;
let folder: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  world = await openOauthWorld();
  folder = mkdtempSync(join(tmpdir(), 'programs-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  const npm = spawn('npm', ['install', ...quiet, ...PACKAGES], { cwd: folder, stdio: 'ignore' });
  expect((await once(npm, 'exit'))[0]).toBe(0);
  // No program may open a browser of the machine.
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'xdg-open'), '#!/bin/sh\n');
  chmodSync(join(folder, 'bin', 'xdg-open'), 0o755);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  await world?.close();
});
beforeEach(() => world.database.rows('delete from workspace_records.sign_in_attempts'));

function start(args: readonly string[]) {
  const { PATH } = process.env;
  const env = { PATH: `${join(folder, 'bin')}:${PATH}`, HOME: folder, ORIGIN: world.origin };
  const child = spawn(process.execPath, args, { cwd: folder, env });
  children.push(child);
  let text = '';
  child.stdout.on('data', (piece) => {
    text += piece;
  });
  child.stderr.on('data', (piece) => {
    text += piece;
  });
  /** The first part of its output that fits. */
  const said = async (pattern: RegExp): Promise<string> => {
    const found = () => pattern.exec(text)?.[1];
    await until(() => found() !== undefined || child.exitCode !== null);
    const part = found();
    if (part === undefined) throw new Error(`ended with ${child.exitCode}: ${text}`);
    return part;
  };
  return {
    said,
    tell: (line: string) => void child.stdin.write(`${line}\n`),
    /** The person agrees; the address that leads back to the program. */
    async agree(): Promise<string> {
      const address = await said(/(http\S+\/oauth\/authorize\?\S+)/);
      const query = new URL(address).search.slice(1);
      return (await world.consent(await world.inSession('rob'), query)).href;
    },
  };
}

/** The access tokens end, which the service notices within a second. */
async function expireAccess(): Promise<void> {
  await world.database.rows(`delete from workspace_records.oauth_tokens where kind = 'access'`);
  await world.database.rows('update workspace_records.api_keys set expires_at = expires_at');
  await sleep(1000);
}
const accessTokens = () =>
  world.database.rows(`select from workspace_records.oauth_tokens where kind = 'access'`);
test('@ai-sdk/mcp signs in, and five calls at once after an hour leave its access', async () => {
  writeFileSync(join(folder, 'ai.js'), AI);
  const program = start(['ai.js']);
  program.tell(await program.agree());
  expect(await program.said(/tools: (.*)/)).toContain('describe');
  await expireAccess();
  program.tell('again');
  expect(await program.said(/calls: (.*)/)).toBe('5');
  expect(await accessTokens()).toHaveLength(1);
});

const LINES = `
import { createInterface } from 'node:readline/promises';
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => (await lines.next()).value;
const { ORIGIN } = process.env;
const redirect_uri = 'http://127.0.0.1/callback';
`;
const AI = `${LINES}
import { auth, createMCPClient } from '@ai-sdk/mcp';
const kept = {};
const authProvider = {
  redirectUrl: redirect_uri,
  clientMetadata: { client_name: 'AI', redirect_uris: [redirect_uri] },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  redirectToAuthorization: (url) => console.log(String(url)),
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  codeVerifier: () => kept.verifier,
};
const url = ORIGIN + '/mcp';
const open = () => createMCPClient({ transport: { type: 'http', url, authProvider } });
await open().catch(() => undefined);
const authorizationCode = new URL(await next()).searchParams.get('code');
await auth(authProvider, { serverUrl: new URL(url), authorizationCode });
const client = await open();
const tools = await client.tools();
console.log('tools: ' + Object.keys(tools));
await next();
const call = () => tools.describe.execute({}, { toolCallId: '1', messages: [] });
const calls = await Promise.all(Array.from({ length: 5 }, call));
console.log('calls: ' + calls.length);
process.exit(0);
`;

test('openid-client registers, refreshes and revokes', async () => {
  writeFileSync(join(folder, 'openid.js'), OPENID);
  const program = start(['openid.js']);
  program.tell(await program.agree());
  expect(await program.said(/statuses: (.*)/)).toBe('200,401');
});

const OPENID = `${LINES}
import * as client from 'openid-client';
const config = await client.dynamicClientRegistration(
  new URL(ORIGIN),
  { client_name: 'ERP', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' },
  client.None(),
  { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
);
const pkceCodeVerifier = client.randomPKCECodeVerifier();
console.log(client.buildAuthorizationUrl(config, {
  redirect_uri, state: 'x', scope: 'records:read',
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier), code_challenge_method: 'S256',
}).href);
const checks = { pkceCodeVerifier, expectedState: 'x' };
const tokens = await client.authorizationCodeGrant(config, new URL(await next()), checks);
const later = await client.refreshTokenGrant(config, tokens.refresh_token);
const list = async () => (await fetch(ORIGIN + '/v1/objects/deals/records', {
  headers: { authorization: 'Bearer ' + later.access_token } })).status;
const before = await list();
await client.tokenRevocation(config, later.refresh_token);
console.log('statuses: ' + [before, await list()]);
process.exit(0);
`;

test('the guide names the programs with these versions', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/agents.md'), 'utf8');
  for (const one of PACKAGES) expect(guide).toContain(`\`${one.replace(/@(?=[^@]*$)/, '` ')}`);
});
