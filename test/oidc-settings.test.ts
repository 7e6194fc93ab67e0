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
    OIDC_EMPTY_ISSUER: ' ',
  }).oidcProviders;
  const { OIDC_ISSUER: issuer } = ONE;
  expect(providers).toEqual([
    {
      ...{ id: 'acme', name: 'Acme', issuer: 'https://acme.example' },
      ...{ clientId: 'a', clientSecret: 'b', workspaces: ['acme', 'acme-test'] },
    },
    {
      ...{ id: 'default', name: 'id.example.com', issuer },
      ...{ clientId: 'records', clientSecret: 's', workspaces: undefined },
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
