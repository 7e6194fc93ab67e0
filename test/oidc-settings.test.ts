// The identity providers of the configuration, and settings that are refused with one line.

import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

const ONE = {
  OIDC_ISSUER: 'https://id.example.com/realms/staff',
  OIDC_CLIENT_ID: 'records',
  OIDC_CLIENT_SECRET: 's',
};

test('one without a word and several with one', () => {
  expect(readConfig({}).oidcProviders).toEqual([]);
  const providers = readConfig({
    ...ONE,
    ...{ OIDC_ACME_ISSUER: 'https://acme.example', OIDC_ACME_CLIENT_ID: 'a' },
    ...{ OIDC_ACME_CLIENT_SECRET: 'b', OIDC_ACME_NAME: 'Acme' },
    OIDC_ACME_WORKSPACES: 'acme, acme-test',
    ...{ OIDC_ACME_TRUST_EMAIL: 'on', OIDC_ACME_AUTH_METHOD: 'client_secret_post' },
    OIDC_ACME_REQUIRE_AMR: 'mfa, hwk',
    OIDC_EMPTY_ISSUER: ' ',
  }).oidcProviders;
  const { OIDC_ISSUER: issuer } = ONE;
  expect(providers).toEqual([
    {
      ...{ id: 'acme', name: 'Acme', issuer: 'https://acme.example' },
      ...{ clientId: 'a', clientSecret: 'b', workspaces: ['acme', 'acme-test'] },
      ...{ trustsEmail: true, authMethod: 'client_secret_post', requiredAmr: ['mfa', 'hwk'] },
    },
    {
      ...{ id: 'default', name: 'id.example.com', issuer },
      ...{ clientId: 'records', clientSecret: 's', workspaces: undefined },
      ...{ trustsEmail: false, authMethod: undefined, requiredAmr: [] },
    },
  ]);
});

test.each([
  [{ OIDC_ISSUER: ONE.OIDC_ISSUER }, 'OIDC_ISSUER needs OIDC_CLIENT_ID as well.'],
  [
    { OIDC_X_ISSUER: ONE.OIDC_ISSUER, OIDC_X_CLIENT_ID: 'x' },
    'OIDC_X_ISSUER needs OIDC_X_CLIENT_SECRET as well.',
  ],
  [
    { ...ONE, OIDC_ISSUER: 'http://id.example.com' },
    'OIDC_ISSUER must be an https address, not "http://id.example.com".',
  ],
  [{ ...ONE, OIDC_ISSUER: 'staff' }, 'OIDC_ISSUER must be an https address, not "staff".'],
  [{ ...ONE, OIDC_TRUST_EMAIL: 'yes' }, 'OIDC_TRUST_EMAIL must be off or on, not "yes".'],
  [
    { ...ONE, OIDC_AUTH_METHOD: 'basic' },
    'OIDC_AUTH_METHOD must be client_secret_basic or client_secret_post, not "basic".',
  ],
  [{ ALLOW_INSECURE_SESSIONS: 'yes' }, 'ALLOW_INSECURE_SESSIONS must be off or on, not "yes".'],
])('%j is refused', (settings, message) => {
  expect(() => readConfig(settings)).toThrow(message);
});

test('over http one of this machine only', () => {
  for (const issuer of ['http://localhost:8080/realms/x', 'http://127.0.0.1:1', 'http://[::1]/']) {
    expect(readConfig({ ...ONE, OIDC_ISSUER: issuer }).oidcProviders).toHaveLength(1);
  }
  const lookalike = { ...ONE, OIDC_ISSUER: 'http://localhost.evil.example' };
  expect(() => readConfig(lookalike)).toThrow('OIDC_ISSUER must be');
});

test.each([
  'https://login.microsoftonline.com/common/v2.0',
  'https://login.microsoftonline.com/organizations/v2.0',
  'https://login.microsoftonline.com/Consumers/v2.0/',
  'https://login.microsoftonline.us/common/v2.0',
  'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  'https://accounts.google.com',
  'https://appleid.apple.com',
])('the addresses of %s cannot be trusted: it serves everybody', (issuer) => {
  const settings = { ...ONE, OIDC_ISSUER: issuer };
  expect(readConfig(settings).oidcProviders).toMatchObject([{ trustsEmail: false }]);
  expect(() => readConfig({ ...settings, OIDC_TRUST_EMAIL: 'on' })).toThrow(
    `OIDC_TRUST_EMAIL is for an issuer of one organisation; anybody can have an account at "${issuer}".`,
  );
});

test('the addresses of one tenant can be trusted', () => {
  const issuer = 'https://login.microsoftonline.com/6babcaad-604b-40ac-a9d7-9fd97c0b779f/v2.0';
  const [tenant] = readConfig({
    ...{ ...ONE, OIDC_ISSUER: issuer },
    OIDC_TRUST_EMAIL: 'on',
  }).oidcProviders;
  expect(tenant?.trustsEmail).toBe(true);
});
