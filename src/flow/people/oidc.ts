// Identity providers by OpenID Connect: the authorisation code flow with PKCE, state and nonce, by the library
// openid-client. Whose account an identity is, sign-in-oidc.ts decides.

import * as oidc from 'openid-client';
import type { Identity } from '../../control/oidc-identities.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { makeToken } from '../../model/session-token.ts';
import { type SignInRequest, secretsOf, type UnderWay } from './under-way.ts';

/** One of the configuration. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly workspaces: readonly string[] | undefined;
}

/** A person whom a provider has identified. */
export interface IdentifiedPerson extends Identity {
  /** Queries the provider; undefined when it has verified none. */
  verifiedEmail(): Promise<string | undefined>;
}

export interface Oidc {
  /** Those that a workspace trusts; of a workspace that does not exist, those that all trust. */
  providersOf(workspace: string): readonly Pick<Provider, 'id' | 'name'>[];
  /**
   * Where the browser is to be sent. Errors: `invalid_credentials` for a provider that the workspace does not
   * trust, `service_unavailable` while the provider does not answer.
   */
  begin(
    request: SignInRequest,
    redirectUri: string,
  ): Promise<{ readonly url: string; readonly id: string; readonly underWay: UnderWay }>;
  /** `url`: to which the browser came back. Errors: as for `begin`. */
  finish(underWay: UnderWay, url: URL): Promise<IdentifiedPerson>;
}

/** `clockSkew`: seconds by which the clock of this process is believed to be wrong. */
export function openOidc(providers: readonly Provider[], clockSkew = 0): Oidc {
  const known = new Map<string, { readonly until: number; readonly config: oidc.Configuration }>();

  function requireProvider({ provider: id, workspace }: SignInRequest): Provider {
    const found = providers.find((one) => one.id === id && isTrusted(one, workspace));
    if (found === undefined) throw new ApiError('invalid_credentials');
    return found;
  }

  /** Looked up when it is needed: a provider that is down must not keep the service from its start. */
  async function configOf(provider: Provider): Promise<oidc.Configuration> {
    const kept = known.get(provider.id);
    if (kept !== undefined && performance.now() < kept.until) return kept.config;
    const config = await discover(provider, clockSkew).catch((cause: unknown) => {
      throw unavailable(cause);
    });
    known.set(provider.id, { config, until: performance.now() + KEPT });
    return config;
  }

  return {
    providersOf: (workspace) =>
      providers.filter((one) => isTrusted(one, workspace)).map(({ id, name }) => ({ id, name })),
    async begin(request, redirectUri) {
      const config = await configOf(requireProvider(request));
      const underWay = { ...request, token: makeToken(), isDone: false };
      const { id, state, nonce, verifier } = secretsOf(underWay);
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        ...{ state, nonce, code_challenge_method: 'S256' },
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      });
      return { url: url.href, id, underWay };
    },
    async finish(underWay, url) {
      const config = await configOf(requireProvider(underWay));
      return exchange(config, underWay, url);
    },
  };
}

/** Milliseconds for which a provider's metadata is cached. */
const KEPT = 60 * 60_000;
/** Seconds. */
const PATIENCE = 10;
const CLOCK_TOLERANCE = 30;

function isTrusted({ workspaces }: Provider, workspace: string): boolean {
  return workspaces === undefined || workspaces.includes(workspace);
}

async function discover(provider: Provider, clockSkew: number): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const isPlain = issuer.startsWith('http:');
  const execute = isPlain ? [oidc.allowInsecureRequests] : [];
  const found = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: PATIENCE,
  });
  const server = found.serverMetadata();
  // A provider without this property accepts Basic (OpenID Connect Discovery §3).
  const accepted = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const isBasic = accepted.includes('client_secret_basic');
  const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE, [oidc.clockSkew]: clockSkew };
  const authenticate = isBasic ? oidc.ClientSecretBasic : oidc.ClientSecretPost;
  const config = new oidc.Configuration(server, clientId, metadata, authenticate(clientSecret));
  config.timeout = PATIENCE;
  // Signatures too, and not only that tokens come from the provider over TLS (ASVS 6.8.2).
  oidc.enableNonRepudiationChecks(config);
  for (const step of execute) step(config);
  return config;
}

async function exchange(
  config: oidc.Configuration,
  underWay: UnderWay,
  url: URL,
): Promise<IdentifiedPerson> {
  const { state, nonce, verifier } = secretsOf(underWay);
  const tokens = await oidc
    .authorizationCodeGrant(config, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    .catch((cause: unknown) => {
      throw isUnreachable(cause) ? unavailable(cause) : refused(cause);
    });
  const claims = tokens.claims();
  if (claims === undefined) throw refused(undefined);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    async verifiedEmail() {
      // Some providers put it in the token, others only in the answer of the userinfo endpoint.
      if (claims.email !== undefined) return emailOf(claims);
      return emailOf(await askAbout(config, tokens.access_token, claims.sub));
    },
  };
}

async function askAbout(config: oidc.Configuration, accessToken: string, subject: string) {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {};
  return oidc.fetchUserInfo(config, accessToken, subject).catch((cause: unknown) => {
    throw isUnreachable(cause) ? unavailable(cause) : refused(cause);
  });
}

function emailOf(claims: Readonly<Record<string, unknown>>): string | undefined {
  if (claims.email_verified !== true || typeof claims.email !== 'string') return undefined;
  return claims.email;
}

/** A failure on the way to the provider, not an answer of it. */
function isUnreachable(cause: unknown): boolean {
  const code = cause instanceof oidc.ClientError ? cause.code : undefined;
  return (
    code === 'OAUTH_TIMEOUT' || (cause instanceof TypeError && cause.message === 'fetch failed')
  );
}

function refused(cause: unknown): ApiError {
  return new ApiError('invalid_credentials', {
    message: 'The identity provider did not confirm your identity. Sign in again.',
    cause,
  });
}
