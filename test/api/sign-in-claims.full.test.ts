// The claims of identity providers as Microsoft Entra ID, Amazon Cognito, Keycloak and others send them: whom they sign in
// the first time, and the reasons of refusals in the answer, on the page and in the log.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CALLBACK } from '../../src/api/people/sign-in-method-routes.ts';
import { guardKey } from '../access/canary.ts';
import { call } from '../http-client.ts';
import {
  type Account,
  CLIENT,
  type IdentityProvider,
  startIdentityProvider,
  visit,
  WITH_EMAIL_IN_TOKEN,
} from '../identity-provider.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let provider: IdentityProvider;

beforeAll(async () => {
  provider = await startIdentityProvider();
  world = await openWorld({
    ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: CLIENT.id },
    OIDC_CLIENT_SECRET: CLIENT.secret,
    ...{ OIDC_TRUSTED_ISSUER: provider.issuer, OIDC_TRUSTED_CLIENT_ID: CLIENT.id },
    ...{ OIDC_TRUSTED_CLIENT_SECRET: CLIENT.secret, OIDC_TRUSTED_TRUST_EMAIL: 'on' },
    ...{ OIDC_STRICT_ISSUER: provider.issuer, OIDC_STRICT_CLIENT_ID: CLIENT.id },
    ...{ OIDC_STRICT_CLIENT_SECRET: CLIENT.secret, OIDC_STRICT_REQUIRE_AMR: 'mfa, hwk' },
  });
  provider.open(redirectUri(), WITH_EMAIL_IN_TOKEN);
  guardKey('person', '@acme.example');
});
afterAll(async () => {
  await world?.close();
  await provider?.close();
});
beforeEach(async () => {
  await world.database.rows('delete from workspace_records.sign_in_attempts');
  await world.database.rows('delete from workspace_records.oidc_identities');
});

const redirectUri = () => `http://127.0.0.1:${world.port}${CALLBACK}`;

interface Came {
  readonly id?: 'default' | 'trusted' | 'strict';
  readonly accept?: string;
}

/** The answer to a browser that has come back from the provider. */
async function comeBack(account: Account, { id = 'default', accept = '*/*' }: Came = {}) {
  provider.signIn(account);
  const started = await call(
    world.port,
    `/v1/sign_in/start?${new URLSearchParams({ workspace: 'acme', provider: id })}`,
  );
  const cookie = String(started.headers['set-cookie']).split(';')[0] ?? '';
  const { pathname, search } = new URL(await visit(String(started.headers.location)));
  const headers = { cookie, accept };
  return call(world.port, pathname + search, { headers, owner: 'person' });
}

/** The address of the person who has signed in, or the reason of the refusal. */
async function signIn(account: Account, id?: Came['id']): Promise<unknown> {
  const { status, headers, json } = await comeBack(account, id === undefined ? {} : { id });
  if (status !== 303) {
    expect([status, json.error.code]).toEqual([401, 'invalid_credentials']);
    return json.error.details?.reason ?? 'unknown';
  }
  const cookie = headers['set-cookie']?.at(-1)?.split(';')[0] ?? '';
  const me = await call(world.port, '/v1/me', { headers: { cookie }, owner: 'person' });
  return me.json.data.user.email;
}

const email = 'rob@acme.example';
const sub = () => randomUUID();

describe('the first sign-in', () => {
  const vouched = { email, email_verified: true };
  test.each<[string, Omit<Account, 'sub'>, string, string]>([
    ['of Entra ID: nothing says "verified"', { email }, 'email_verification_missing', email],
    ['of Cognito: "true" as text', { email, email_verified: 'true' }, email, email],
    ['of Keycloak: true', { email, email_verified: true }, email, email],
    [
      'of Keycloak: false',
      { email, email_verified: false },
      'email_not_verified',
      'email_not_verified',
    ],
    [
      '"false" as text',
      { email, email_verified: 'false' },
      'email_not_verified',
      'email_not_verified',
    ],
    ['1 is not true', { email, email_verified: 1 }, 'email_not_verified', 'email_not_verified'],
    ['"TRUE"', { email, email_verified: 'TRUE' }, 'email_not_verified', 'email_not_verified'],
    ['null', { email, email_verified: null }, 'email_verification_missing', email],
    ['userinfo verifies', { token: { email }, userinfo: vouched }, email, email],
    [
      'userinfo verifies by "true"',
      { token: { email }, userinfo: { email, email_verified: 'true' } },
      email,
      email,
    ],
    [
      'userinfo refutes',
      { token: { email }, userinfo: { email, email_verified: false } },
      'email_not_verified',
      'email_not_verified',
    ],
    [
      'the token refutes, whatever userinfo says',
      { token: { email, email_verified: false }, userinfo: vouched },
      'email_not_verified',
      'email_not_verified',
    ],
    ['only userinfo has an address', { userinfo: vouched }, email, email],
    ['no address at all', {}, 'email_missing', 'email_missing'],
    ['an empty address', { email: '', email_verified: true }, 'email_missing', 'email_missing'],
    [
      'a verified address of nobody here',
      { email: 'who@acme.example', email_verified: true },
      'unknown',
      'unknown',
    ],
    [
      'an unverified address of nobody here',
      { email: 'who@acme.example' },
      'email_verification_missing',
      'unknown',
    ],
  ])('%s', async (_, account, result, trusted) => {
    expect(await signIn({ sub: sub(), ...account })).toBe(result);
    await world.database.rows('delete from workspace_records.oidc_identities');
    expect(await signIn({ sub: sub(), ...account }, 'trusted')).toBe(trusted);
  });

  test('is followed by others that need no address', async () => {
    const account = { sub: sub(), email };
    expect(await signIn(account, 'trusted')).toBe(email);
    expect(await signIn({ sub: account.sub }, 'trusted')).toBe(email);
    // Both settings name one issuer, so the identity is the same.
    expect(await signIn(account)).toBe(email);
  });
});

describe('a claim that cannot be stored is refused', () => {
  test.each<[string, Omit<Account, 'sub'> & { readonly sub?: string }]>([
    ['NUL in email', { email: `rob\0${email}`, email_verified: true }],
    ['a line break in email', { email: `${email}\n`, email_verified: true }],
    ['half a character in email', { email: `\ud800${email}`, email_verified: true }],
    ['an email of 5,000 characters', { email: 'a'.repeat(5000) + email, email_verified: true }],
    ['an email that is a list', { token: { email: [email], email_verified: true } }],
    ['NUL in sub', { sub: 'a\0b', email, email_verified: true }],
    ['a sub of 256 characters', { sub: 'a'.repeat(256), email, email_verified: true }],
    ['a sub of 5,000 characters', { sub: 'a'.repeat(5000), email, email_verified: true }],
  ])('%s', async (_, account) => {
    expect(await signIn({ sub: sub(), ...account })).toBe('claims_unusable');
    const identities = 'select from workspace_records.oidc_identities';
    expect(await world.database.rows(identities)).toEqual([]);
  });

  test('255 characters of a sub are stored', async () => {
    const account = { sub: 'a'.repeat(255), email, email_verified: true };
    expect([await signIn(account), await signIn(account)]).toEqual([email, email]);
  });

  test('a cookie with a workspace that no database can hold is one of no sign-in', async () => {
    const values = ['a'.repeat(43), 'default', 'ac\0me', Date.now(), false];
    const kept = Buffer.from(JSON.stringify(values)).toString('base64url');
    const state = `acme.${'a'.repeat(43)}`;
    const path = `/v1/sign_in/callback?code=x&state=${state}`;
    const headers = { cookie: `wrs-sign-in-${'a'.repeat(16)}=${kept}` };
    const { status, json } = await call(world.port, path, { headers });
    expect([status, json.error.param]).toEqual([401, 'state']);
  });
});

test('the page says the reason', async () => {
  const account = { sub: sub(), email };
  const { status, headers } = await comeBack(account, { accept: 'text/html' });
  expect(status).toBe(303);
  expect(headers.location).toBe('/app/acme/sign-in?refused=email_verification_missing');
  const unusable = await comeBack({ sub: `\0${email}` }, { accept: 'text/html' });
  expect(unusable.headers.location).toBe('/app/acme/sign-in?refused=claims_unusable');
});

test.each<[readonly string[] | undefined, string]>([
  [undefined, 'second_factor_missing'],
  [['pwd'], 'second_factor_missing'],
  [['pwd', 'hwk'], email],
])(
  'a provider that has to name a second factor and sends amr %j leads to %s',
  async (amr, outcome) => {
    const account = {
      sub: sub(),
      email,
      email_verified: true,
      ...(amr === undefined ? {} : { amr }),
    };
    expect(await signIn(account, 'strict')).toBe(outcome);
    expect(await signIn(account)).toBe(email);
  },
);
