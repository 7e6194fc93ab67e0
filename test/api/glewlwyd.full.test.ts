// Signing in by Glewlwyd 2.7.5, as Debian ships it, by requests and by its pages in a browser: it never sends
// `email_verified`, and does not decode the credentials of Basic. A client id with `-` and `.` must work there by either
// method.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, launchChromium } from '../../packages/app/test/chromium.ts';
import { CALLBACK } from '../../src/api/people/sign-in-method-routes.ts';
import { guardKey } from '../access/canary.ts';
import { call } from '../http-client.ts';
import { until } from '../until.ts';
import { openWorld, type World } from '../world.ts';

const TABLES = '/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz';
const WEBAPP = '/usr/share/glewlwyd/webapp';
const MIME_TYPES = Object.entries({
  html: 'text/html',
  css: 'text/css',
  js: 'application/javascript',
  json: 'application/json',
})
  .map(([ending, type]) => `{ extension=".${ending}"; mime_type="${type}"; }`)
  .join(', ');
const CLIENT = { id: 'records-app.prod', secret: 's-e.c_r~et' };
const folder = mkdtempSync(join(tmpdir(), 'glewlwyd-'));
let glewlwyd: ChildProcess;
let api: string;
let world: World;

beforeAll(async () => {
  const port = await freePort();
  api = `http://127.0.0.1:${port}/api`;
  glewlwyd = start(port);
  const isUp = () =>
    fetch(`${api}/auth/`).then(
      () => true,
      () => false,
    );
  await until(isUp);
  const oidc = { ISSUER: `${api}/glwd`, CLIENT_ID: CLIENT.id, CLIENT_SECRET: CLIENT.secret };
  const settings = (prefix: string, more: object) =>
    Object.fromEntries(
      Object.entries({ ...oidc, ...more }).map(([name, value]) => [prefix + name, value]),
    );
  world = await openWorld({
    ...settings('OIDC_', {}),
    ...settings('OIDC_TRUSTED_', { TRUST_EMAIL: 'on' }),
    ...settings('OIDC_POST_', { TRUST_EMAIL: 'on', AUTH_METHOD: 'client_secret_post' }),
  });
  guardKey('person', '@acme.example');
  await configure(`http://127.0.0.1:${world.port}${CALLBACK}`);
});
afterAll(async () => {
  await world?.close();
  glewlwyd?.kill();
  rmSync(folder, { recursive: true });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The program with an empty database in the folder of the test. */
function start(port: number): ChildProcess {
  // The package links its pages to those of others, and their settings to a folder.
  const pages = join(folder, 'pages');
  cpSync(WEBAPP, pages, {
    recursive: true,
    dereference: true,
    filter: (from) => !from.endsWith('config.json'),
  });
  cpSync('/etc/glewlwyd/config-2.7.json/config.json', join(pages, 'config.json'));
  const database = join(folder, 'glewlwyd.db');
  execFileSync('sqlite3', [database], { input: gunzipSync(readFileSync(TABLES)) });
  const modules = ['user', 'client', 'plugin'].map((name) => `${name}_module_path`);
  const lines = [
    `port=${port}`,
    `external_url="http://127.0.0.1:${port}"`,
    'bind_address="127.0.0.1"',
    'login_url="login.html"',
    'api_prefix="api"',
    'log_mode="console"',
    'log_level="ERROR"',
    'cookie_domain="127.0.0.1"',
    'cookie_secure=0',
    'session_expiration=3600',
    'session_key="SESSION"',
    'admin_scope="g_admin"',
    'profile_scope="g_profile"',
    'login_api_enabled=true',
    'user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"',
    ...modules.map((name) => `${name}="/usr/lib/glewlwyd/${name.split('_')[0]}"`),
    'hash_algorithm="SHA512"',
    `static_files_path="${pages}"`,
    `static_files_mime_types=(${MIME_TYPES});`,
    `database={ type="sqlite3"; path="${database}"; };`,
  ];
  const file = join(folder, 'glewlwyd.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return spawn('glewlwyd', ['-c', file], { stdio: 'ignore' });
}

/** A request with the cookie of a person there. */
async function send(cookie: string, method: string, path: string, body: object): Promise<Response> {
  const headers = { cookie, 'content-type': 'application/json' };
  const response = await fetch(api + path, { method, headers, body: JSON.stringify(body) });
  expect(response.status, path).toBe(200);
  return response;
}

async function logIn(username: string, password: string): Promise<string> {
  const { headers } = await send('', 'POST', '/auth/', { username, password });
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function configure(redirectUri: string): Promise<void> {
  const admin = await logIn('admin', 'password');
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await send(admin, 'POST', '/mod/plugin/', {
    ...{ module: 'oidc', name: 'glwd', display_name: 'OpenID Connect', enabled: true },
    parameters: {
      ...{ iss: `${api}/glwd`, 'jwt-type': 'rsa', 'jwt-key-size': '256' },
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      cert: publicKey.export({ type: 'spki', format: 'pem' }),
      ...{ 'access-token-duration': 3600, 'refresh-token-duration': 3600, 'code-duration': 600 },
      ...{ 'auth-type-code-enabled': true, 'auth-type-id-token-enabled': true },
      ...{ 'email-claim': 'mandatory', 'pkce-allowed': true, 'jwks-show': true },
      ...{ 'subject-type': 'public', scope: [], claims: [], 'additional-parameters': [] },
    },
  });
  await send(admin, 'POST', '/client/', {
    ...{ client_id: CLIENT.id, name: 'Records', enabled: true, confidential: true },
    ...{ password: CLIENT.secret, client_secret: CLIENT.secret, redirect_uri: [redirectUri] },
    authorization_type: ['code'],
    token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
    scope: [],
  });
  for (const name of ['rob', 'mia', 'bea', 'sam']) {
    const email = `${name}@acme.example`;
    const scope = ['g_profile', 'openid'];
    const password = `the password of ${name}`;
    const person = { username: name, name, email, enabled: true, password, scope };
    await send(admin, 'POST', '/user/', person);
  }
}

/** The answer to the browser of a person that has come back from Glewlwyd. */
async function signIn(name: string, provider: string) {
  const query = new URLSearchParams({ workspace: 'acme', provider });
  const started = await call(world.port, `/v1/sign_in/start?${query}`);
  const cookie = started.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const person = await logIn(name, `the password of ${name}`);
  await send(person, 'PUT', `/auth/grant/${CLIENT.id}`, { scope: 'openid' });
  const asked = `${started.headers.location}&g_continue`;
  const sent = await fetch(asked, { redirect: 'manual', headers: { cookie: person } });
  const { pathname, search } = new URL(sent.headers.get('location') ?? '');
  const answer = await call(world.port, pathname + search, {
    headers: { cookie },
    owner: 'person',
  });
  if (answer.status !== 303) return answer.json.error.details.reason;
  const session = answer.headers['set-cookie']?.at(-1)?.split(';')[0] ?? '';
  const headers = { cookie: session };
  return (await call(world.port, '/v1/me', { headers, owner: 'person' })).json.data.user.email;
}

test('a person signs in the first time and again, with credentials in Basic and in the body', async () => {
  for (const [name, provider] of [
    ['rob', 'trusted'],
    ['mia', 'post'],
  ] as const) {
    expect(await signIn(name, provider)).toBe(`${name}@acme.example`);
    expect(await signIn(name, provider)).toBe(`${name}@acme.example`);
    // The identity is known now, and needs no verified address.
    expect(await signIn(name, 'default')).toBe(`${name}@acme.example`);
  }
});

test('a first sign-in needs the setting, and says so', async () => {
  expect(await signIn('bea', 'default')).toBe('email_verification_missing');
  expect(await signIn('bea', 'trusted')).toBe('bea@acme.example');
});

/** The address in the session that a browser has after it went through the pages of the provider. */
async function signInByPages(browser: Browser, name: string): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const query = 'workspace=acme&provider=trusted';
  await page.goto(`http://127.0.0.1:${world.port}/v1/sign_in/start?${query}`);
  await page.fill('#username', name);
  await page.fill('#password', `the password of ${name}`);
  await page.click('#loginbut');
  const grant = page.getByRole('button', { name: 'Grant access' });
  const next = page.getByRole('button', { name: 'Continue' });
  await grant.or(next).first().waitFor();
  if (await grant.isVisible()) await grant.click();
  await next.click();
  await page.waitForURL((url) => Number(url.port) === world.port);
  const email = await page.evaluate(async () => {
    const { data } = (await (await fetch('/v1/me')).json()) as {
      readonly data: { readonly user: { readonly email: string } };
    };
    return data.user.email;
  });
  await context.close();
  return email;
}

test('a browser goes through the pages of the provider, the first time and again', async () => {
  const browser = await launchChromium();
  try {
    expect(await signInByPages(browser, 'sam')).toBe('sam@acme.example');
    expect(await signInByPages(browser, 'sam')).toBe('sam@acme.example');
  } finally {
    await browser.close();
  }
});
