// Signing in by identity providers: two of them, on this machine, and everything that may not sign anybody in.

import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CALLBACK } from '../../src/api/people/sign-in-method-routes.ts';
import { type Oidc, openOidc, type Provider } from '../../src/flow/people/oidc.ts';
import { guardKey } from '../access/canary.ts';
import { type Answer, call } from '../http-client.ts';
import {
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
  visit,
} from '../identity-provider.ts';
import { ACME, openWorld, type World } from '../world.ts';

let world: World;
let one: IdentityProvider;
let other: IdentityProvider;

beforeAll(async () => {
  [one, other] = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
  world = await openWorld({
    ...{ OIDC_ISSUER: one.issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    ...{ OIDC_GLOBEX_ISSUER: other.issuer, OIDC_GLOBEX_NAME: 'Globex login' },
    ...{ OIDC_GLOBEX_CLIENT_ID: CLIENT.id, OIDC_GLOBEX_CLIENT_SECRET: CLIENT.secret },
    OIDC_GLOBEX_WORKSPACES: 'globex, acme',
    ...{ OIDC_DOWN_ISSUER: 'http://127.0.0.1:1', OIDC_DOWN_CLIENT_ID: 'x' },
    OIDC_DOWN_CLIENT_SECRET: 'x',
    OIDC_DOWN_WORKSPACES: 'acme',
  });
  for (const provider of [one, other]) provider.open(redirectUri());
  guardKey('person', '@acme.example');
});
afterAll(async () => {
  await world?.close();
  await Promise.all([one?.close(), other?.close()]);
});
beforeEach(() => world.database.rows('delete from workspace_records.sign_in_attempts'));

const redirectUri = () => `http://127.0.0.1:${world.port}${CALLBACK}`;

const UNDER_WAY =
  /^wrs-sign-in-[\w-]{16}=[\w-]{100,}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/;

/** The cookie without its attributes, as it is sent. */
const sentForm = (cookie: string | undefined) => cookie?.split(';')[0] ?? '';

interface Started {
  readonly url: string;
  readonly cookie: string;
}

async function start(query = 'workspace=acme', sent = ''): Promise<Started> {
  const path = `/v1/sign_in/start?${query}`;
  const { status, headers } = await call(world.port, path, { headers: { cookie: sent } });
  expect(status).toBe(303);
  const cookie = String(headers['set-cookie']?.at(-1));
  expect(cookie).toMatch(UNDER_WAY);
  return { url: String(headers.location), cookie: sentForm(cookie) };
}

function finish(address: string, cookie: string): Promise<Answer> {
  const { pathname, search } = new URL(address);
  return call(world.port, pathname + search, { headers: { cookie }, owner: 'person' });
}

/** The whole way; returns the person who has signed in, or the code of the refusal. */
async function signIn(query?: string): Promise<unknown> {
  const { url, cookie } = await start(query);
  return resultOf(await finish(await visit(url), cookie));
}

async function resultOf({ status, headers, json }: Answer): Promise<unknown> {
  if (status !== 303) {
    expect(headers['set-cookie']).toBeUndefined();
    return json.error.code;
  }
  expect(headers.location).toBe('/app/acme');
  const [done, session] = headers['set-cookie'] ?? [];
  expect(done).toMatch(UNDER_WAY);
  const cookie = sentForm(session);
  expect(cookie).toMatch(/^wrs-1=[\w-]{43}$/);
  const me = await call(world.port, '/v1/me', { headers: { cookie }, owner: 'person' });
  return me.json.data.user.email;
}

const actions = async () =>
  (
    await world.rows(
      `select action from _audit where subject_type is not null order by transaction, id`,
    )
  ).map(({ action }) => action);

describe('an identity', () => {
  test('is linked by a verified address, and known by issuer and subject from then on', async () => {
    one.signIn({ sub: 'a-1', email: 'ADA@acme.example', email_verified: true });
    expect(await signIn()).toBe('ada@acme.example');
    expect((await actions()).slice(-2)).toEqual(['link_identity', 'sign_in_by_oidc']);
    // The address is somebody else's now; the subject is not.
    one.signIn({ sub: 'a-1', email: 'rob@acme.example', email_verified: true });
    expect(await signIn()).toBe('ada@acme.example');
    expect((await actions()).at(-2)).not.toBe('link_identity');
  });

  test('of another issuer is another one, also with the same subject', async () => {
    other.signIn({ sub: 'a-1', email: 'mia@acme.example', email_verified: true });
    expect(await signIn('workspace=acme&provider=globex')).toBe('mia@acme.example');
    one.signIn({ sub: 'a-1' });
    expect(await signIn()).toBe('ada@acme.example');
  });

  test('with an address that was given to another person inherits nothing', async () => {
    one.signIn({ sub: 'a-2', email: 'ada@acme.example', email_verified: true });
    expect(await signIn()).toBe('invalid_credentials');
  });

  test.each([
    ['an address that was not verified', { sub: 'r-1', email: 'rob@acme.example' }],
    [
      'an address verified as false',
      { sub: 'r-2', email: 'rob@acme.example', email_verified: false },
    ],
    ['no address', { sub: 'r-3' }],
    ['an unknown person', { sub: 'r-4', email: 'who@acme.example', email_verified: true }],
    [
      'a person of another workspace',
      { sub: 'r-5', email: 'gil@globex.example', email_verified: true },
    ],
    ['an inactive person', { sub: 'r-6', email: 'zed@acme.example', email_verified: true }],
    ['an agent', { sub: 'r-7', email: 'bot@acme.example', email_verified: true }],
    [
      'an address that only looks alike',
      { sub: 'r-8', email: 'rób@acme.example', email_verified: true },
    ],
  ])('with %s signs in nobody', async (_, account) => {
    const before = await world.database.rows(
      'select count(*) from workspace_records.oidc_identities',
    );
    one.signIn(account);
    expect(await signIn()).toBe('invalid_credentials');
    expect((await actions()).at(-1)).toBe('sign_in_failed');
    expect(
      await world.database.rows('select count(*) from workspace_records.oidc_identities'),
    ).toEqual(before);
  });

  test('of a person who is deactivated later signs in nobody', async () => {
    one.signIn({ sub: 's-1', email: 'sam@acme.example', email_verified: true });
    expect(await signIn()).toBe('sam@acme.example');
    const sam = { name: 'Sam', roles: ['rep'], active: false };
    await world.apply({ ...ACME, users: { ...ACME.users, 'sam@acme.example': sam } });
    expect(await signIn()).toBe('invalid_credentials');
    await world.apply(ACME);
  });
});

describe('a sign-in', () => {
  beforeEach(() => one.signIn({ sub: 'b-1', email: 'bea@acme.example', email_verified: true }));

  test('with another nonce is refused', async () => {
    const { url, cookie } = await start();
    const forged = new URL(url);
    forged.searchParams.set('nonce', 'of somebody else');
    expect(await resultOf(await finish(await visit(forged.href), cookie))).toBe(
      'invalid_credentials',
    );
  });

  test('with another state, none, or that of another browser is refused', async () => {
    const [mine, theirs] = [await start(), await start()];
    const back = new URL(await visit(mine.url));
    expect(await resultOf(await finish(back.href, theirs.cookie))).toBe('invalid_credentials');
    expect(await resultOf(await finish(back.href, ''))).toBe('invalid_credentials');
    back.searchParams.set('state', 'x');
    expect(await resultOf(await finish(back.href, mine.cookie))).toBe('invalid_credentials');
    back.searchParams.delete('state');
    expect(await resultOf(await finish(back.href, mine.cookie))).toBe('invalid_credentials');
  });

  test('with a code that was used is refused by the provider', async () => {
    const { url, cookie } = await start();
    const back = await visit(url);
    expect(await resultOf(await finish(back, cookie))).toBe('bea@acme.example');
    expect(await resultOf(await finish(back, cookie))).toBe('invalid_credentials');
  });

  test('with a code of another sign-in is refused: its verifier is another one', async () => {
    const [mine, theirs] = [await start(), await start()];
    const back = new URL(await visit(mine.url));
    const stolen = new URL(await visit(theirs.url)).searchParams.get('code') ?? '';
    back.searchParams.set('code', stolen);
    expect(await resultOf(await finish(back.href, mine.cookie))).toBe('invalid_credentials');
  });

  test('from another issuer is refused', async () => {
    const { url, cookie } = await start();
    const back = new URL(await visit(url));
    back.searchParams.set('iss', other.issuer);
    expect(await resultOf(await finish(back.href, cookie))).toBe('invalid_credentials');
  });

  test('that the provider refuses is refused; other parameters of the address are ignored', async () => {
    const { url, cookie } = await start();
    const { searchParams } = new URL(url);
    const state = searchParams.get('state') ?? '';
    const back = new URL(redirectUri());
    for (const [name, value] of Object.entries({
      error: 'access_denied',
      state,
      iss: one.issuer,
    })) {
      back.searchParams.set(name, value);
    }
    expect(await resultOf(await finish(back.href, cookie))).toBe('invalid_credentials');
    const fine = await start();
    const address = `${await visit(fine.url)}&session_state=x&authuser=0`;
    expect(await resultOf(await finish(address, fine.cookie))).toBe('bea@acme.example');
  });

  test('uses PKCE with S256, and sends no secret to the browser but the state', async () => {
    const { url, cookie } = await start();
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      ...{ response_type: 'code', client_id: CLIENT.id, code_challenge_method: 'S256' },
      ...{ redirect_uri: redirectUri(), scope: 'openid email profile' },
    });
    expect(query.code_challenge).toMatch(/^[\w-]{43}$/);
    expect(new Set([query.state, query.nonce, query.code_challenge]).size).toBe(3);
    expect(query.state).toMatch(/^acme\.[\w-]{43}$/);
    const kept = cookie.split('=')[1] ?? '';
    const [token] = JSON.parse(Buffer.from(kept, 'base64url').toString());
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(url).not.toContain(token);
  });

  test('that fails ten times has to wait', async () => {
    for (let count = 0; count < 10; count += 1) {
      const { url, cookie } = await start();
      const state = new URL(url).searchParams.get('state') ?? '';
      const back = `${redirectUri()}?code=x&state=${state}`;
      expect(await resultOf(await finish(back, cookie))).toBe('invalid_credentials');
    }
    expect(await signIn()).toBe('rate_limited');
  });
});

describe('providers', () => {
  const methods = async (query: string) => {
    const { json } = await call(world.port, `/v1/sign_in_methods?${query}`);
    return json.data?.providers ?? json.error.param;
  };

  test('are listed for the workspaces that trust them', async () => {
    const url = (id: string, slug: string) => `/v1/sign_in/start?workspace=${slug}&provider=${id}`;
    const { host } = new URL(one.issuer);
    expect(await methods('workspace=globex')).toEqual([
      { id: 'default', name: host, start_url: url('default', 'globex') },
      { id: 'globex', name: 'Globex login', start_url: url('globex', 'globex') },
    ]);
    expect(await methods('workspace=nowhere')).toEqual([
      { id: 'default', name: host, start_url: url('default', 'nowhere') },
    ]);
    expect(await methods('')).toBe('workspace');
  });

  test('that are unknown or not trusted have no sign-in; one that is down: 503', async () => {
    const code = async (query: string) => {
      const { status, json } = await call(world.port, `/v1/sign_in/start?${query}`);
      return [status, json.error.code];
    };
    expect(await code('workspace=acme&provider=none')).toEqual([401, 'invalid_credentials']);
    expect(await code('workspace=globex&provider=down')).toEqual([401, 'invalid_credentials']);
    expect(await code('workspace=acme&provider=down')).toEqual([503, 'service_unavailable']);
    expect(await code('provider=default')).toEqual([400, 'validation_failed']);
  });
});

const provider = (): Provider => ({
  ...{ id: 'default', name: 'One', issuer: one.issuer, workspaces: undefined },
  ...{ clientId: CLIENT.id, clientSecret: CLIENT.secret },
  ...{ trustsEmail: false, authMethod: undefined, requiredAmr: [] },
});

async function subjectBy(oidc: Oidc): Promise<string> {
  one.signIn({ sub: 'c-1' });
  const request = { provider: 'default', workspace: 'acme', to: undefined, since: 0 };
  const { url, underWay } = await oidc.begin(request, redirectUri());
  return (await oidc.finish(underWay, new URL(await visit(url)))).subject;
}

test('a token that is signed by a key of another provider is refused', async () => {
  const key = () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    return { ...privateKey.export({ format: 'jwk' }), kid: 'the same', alg: 'RS256', use: 'sig' };
  };
  const openWith = () => one.open(redirectUri(), { jwks: { keys: [key() as never] } });
  openWith();
  const oidc = openOidc([provider()]);
  expect(await subjectBy(oidc)).toBe('c-1');
  openWith();
  await expect(subjectBy(oidc)).rejects.toMatchObject({ code: 'invalid_credentials' });
  one.open(redirectUri());
});

describe('a clock that is wrong', () => {
  test('by seconds is tolerated, by hours it is not', async () => {
    expect(await subjectBy(openOidc([provider()], 20))).toBe('c-1');
    expect(await subjectBy(openOidc([provider()], -20))).toBe('c-1');
    await expect(subjectBy(openOidc([provider()], 7200))).rejects.toMatchObject({
      code: 'invalid_credentials',
    });
  });
});

/** The form of the random part of a state. */
const SOME = 'a'.repeat(43);

describe('in a browser a failure', () => {
  const html = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const leadsTo = async (path: string, headers = {}) => {
    const answer = await call(world.port, path, { headers: { accept: html, ...headers } });
    expect(answer.status).toBe(303);
    expect(answer.headers['set-cookie']).toBeUndefined();
    return answer.headers.location;
  };

  test('leads to the page to sign in, with the code; a program gets the error', async () => {
    const { url, cookie } = await start();
    const state = new URL(url).searchParams.get('state') ?? '';
    const path = `/v1/sign_in/callback?error=access_denied&state=${state}`;
    const page = '/app/acme/sign-in?refused=provider_refused';
    expect(await leadsTo(path, { cookie })).toBe(page);
    expect((await call(world.port, path, { headers: { cookie } })).status).toBe(401);
    const down = '/v1/sign_in/start?workspace=acme&provider=down';
    expect(await leadsTo(down)).toBe('/app/acme/sign-in?refused=service_unavailable');
  });

  test('of an unknown person leads only to the choice of a workspace', async () => {
    const unknown = '/app?refused=unknown';
    for (const state of ['y', `acme.${'a'.repeat(42)}`, `..%2Fx.${SOME}`, `%2F%2Fevil.${SOME}`]) {
      expect(await leadsTo(`/v1/sign_in/callback?code=x&state=${state}`)).toBe(unknown);
    }
    const page = '/app?refused=invalid_credentials';
    for (const slug of ['..%2Fx', '%2F%2Fevil.example', 'A%20B']) {
      const path = `/v1/sign_in/start?provider=none&workspace=${slug}`;
      expect(await leadsTo(path)).toBe(page);
    }
  });
});
