// The identity providers of the configuration: `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`, and the same
// with a word after `OIDC_` for each other one. flow/people/oidc.ts sends the requests to them.

import { operatorError } from './errors.ts';

export interface OidcProvider {
  /** The word behind `OIDC_` in lower case; `default` without one. */
  readonly id: string;
  /** The name that people see. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Slugs of the workspaces that trust it; undefined: all. */
  readonly workspaces: readonly string[] | undefined;
  /** True: an address counts as verified when the provider does not say whether it is. */
  readonly trustsEmail: boolean;
  /** Methods of authentication (RFC 8176) of which the ID token has to name one; empty: any sign-in is enough. */
  readonly requiredAmr: readonly string[];
  /** Undefined: the service chooses by the metadata of the provider. */
  readonly authMethod: AuthMethod | undefined;
}

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post'] as const;
type AuthMethod = (typeof AUTH_METHODS)[number];

type Environment = Readonly<Record<string, string | undefined>>;

const ISSUER = /^OIDC_(?:([A-Z][A-Z0-9]*)_)?ISSUER$/;
/** Issuers with accounts of people of any organisation: an address there proves nothing unless the issuer verifies it. */
const SHARED_PATHS =
  /^\/(?:common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(?:\/|$)/i;
const SHARED_HOSTS = new Set(['accounts.google.com', 'appleid.apple.com']);
const LOOPBACK = /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:\/|$)/;

/** The providers in the order of their ids. Errors: operator errors of one line. */
export function readOidcProviders(environment: Environment): readonly OidcProvider[] {
  const providers = Object.keys(environment).flatMap((name) => {
    const found = ISSUER.exec(name);
    const isSet = found !== null && (environment[name] ?? '').trim() !== '';
    return isSet ? [readProvider(environment, found[1])] : [];
  });
  return providers.sort((one, other) => (one.id < other.id ? -1 : 1));
}

function readProvider(environment: Environment, word: string | undefined): OidcProvider {
  const prefix = word === undefined ? 'OIDC_' : `OIDC_${word}_`;
  const text = (name: string) => environment[prefix + name]?.trim() || undefined;
  const required = (name: string) => {
    const value = text(name);
    if (value !== undefined) return value;
    throw operatorError(`${prefix}ISSUER needs ${prefix}${name} as well.`);
  };
  const issuer = required('ISSUER');
  if (!URL.canParse(issuer) || !(issuer.startsWith('https://') || LOOPBACK.test(issuer))) {
    throw operatorError(`${prefix}ISSUER must be an https address, not "${issuer}".`);
  }
  const trustsEmail = readWord(`${prefix}TRUST_EMAIL`, text('TRUST_EMAIL') ?? 'off', ['off', 'on']);
  if (trustsEmail === 'on' && isShared(new URL(issuer))) {
    throw operatorError(
      `${prefix}TRUST_EMAIL is for an issuer of one organisation; anybody can have an account at "${issuer}".`,
    );
  }
  const method = text('AUTH_METHOD');
  return Object.freeze({
    id: word?.toLowerCase() ?? 'default',
    name: text('NAME') ?? new URL(issuer).host,
    issuer,
    clientId: required('CLIENT_ID'),
    clientSecret: required('CLIENT_SECRET'),
    workspaces: text('WORKSPACES')?.split(/[\s,]+/),
    trustsEmail: trustsEmail === 'on',
    requiredAmr: text('REQUIRE_AMR')?.split(/[\s,]+/) ?? [],
    authMethod:
      method === undefined ? undefined : readWord(`${prefix}AUTH_METHOD`, method, AUTH_METHODS),
  });
}

function isShared({ hostname, pathname }: URL): boolean {
  return SHARED_HOSTS.has(hostname) || SHARED_PATHS.test(pathname);
}

function readWord<Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === value);
  if (word !== undefined) return word;
  throw operatorError(`${name} must be ${words.join(' or ')}, not "${value}".`);
}
