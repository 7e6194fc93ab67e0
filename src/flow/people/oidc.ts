// Identity providers by OpenID Connect: the authorisation code flow with PKCE, state and nonce, by the library
// openid-client. Whose account an identity is, sign-in-oidc.ts decides.

import * as oidc from 'openid-client';
import type { Identity } from '../../control/people/oidc-identities.ts';
import { limitConcurrency } from '../../control/process/limit-concurrency.ts';
import { ApiError, unavailable } from '../../errors.ts';
import { makeToken } from '../../model/rights/session-token.ts';
import {
  type Claims,
  needsUserinfo,
  refusedBy,
  requireAmr,
  requireEmail,
  requireIdentity,
} from './oidc-claims.ts';
import { authenticationOf, type Client, limitedFetch, TIME_LIMIT } from './oidc-requests.ts';
import { type SignInRequest, secretsOf, type UnderWay } from './under-way.ts';

/** One of the configuration. */
export interface Provider extends Client {
  readonly id: string;
  readonly name: string;
  readonly issuer: string;
  readonly workspaces: readonly string[] | undefined;
  /** True: an address counts as verified when the provider does not say whether it is. */
  readonly trustsEmail: boolean;
  /** Methods of authentication of which the ID token has to name one; empty: any. */
  readonly requiredAmr: readonly string[];
}

/** A person whom a provider has identified. */
export interface IdentifiedPerson extends Identity {
  /** Queries the provider. Errors: `invalid_credentials` with the reason when it has verified none. */
  verifiedEmail(): Promise<string>;
}

export interface Oidc {
  /** The providers that a workspace trusts; for an unknown workspace, the ones that all workspaces trust. */
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
  const configs = new Map(providers.map((one) => [one.id, openConfig(one, clockSkew)]));

  function requireProvider({ provider: id, workspace }: SignInRequest): Provider {
    const provider = providers.find((one) => one.id === id && isTrusted(one, workspace));
    if (provider === undefined) throw new ApiError('invalid_credentials');
    return provider;
  }

  const configOf = ({ id }: Provider) => (configs.get(id) as LoadConfig)();

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
      const provider = requireProvider(underWay);
      const config = await configOf(provider);
      const tokens = await exchange(config, underWay, url);
      const claims = tokens.claims();
      if (claims === undefined) throw refusedBy('provider_refused');
      requireAmr(claims, provider.requiredAmr);
      return {
        ...requireIdentity(claims),
        async verifiedEmail() {
          const more = needsUserinfo(claims) ? await loadUserinfo(config, tokens, claims.sub) : {};
          return requireEmail({ ...claims, ...more }, provider.trustsEmail);
        },
      };
    },
  };
}

/** Milliseconds for which a provider's metadata is cached. */
const CACHED_MS = 60 * 60_000;
/** Seconds. */
const CLOCK_TOLERANCE = 30;
/** Sign-ins that wait for the metadata of a provider. */
const MOST_WAITING = 100;

function isTrusted({ workspaces }: Provider, workspace: string): boolean {
  return workspaces === undefined || workspaces.includes(workspace);
}

type LoadConfig = () => Promise<oidc.Configuration>;

/**
 * Reads the metadata of a provider when it is needed, because a provider that is down must not keep the service from its
 * start. Simultaneous sign-ins share one request.
 */
function openConfig(provider: Provider, clockSkew: number): LoadConfig {
  const send = limitedFetch();
  let cached: { readonly until: number; readonly config: oidc.Configuration } | undefined;
  let loading: Promise<oidc.Configuration> | undefined;
  const waiting = limitConcurrency(MOST_WAITING, 0);

  async function load(): Promise<oidc.Configuration> {
    try {
      const config = await discover(provider, send, clockSkew);
      cached = { config, until: performance.now() + CACHED_MS };
      return config;
    } catch (cause) {
      throw unavailable(cause);
    } finally {
      loading = undefined;
    }
  }

  return async () => {
    if (cached !== undefined && performance.now() < cached.until) return cached.config;
    return waiting(() => {
      loading ??= load();
      return loading;
    });
  };
}

async function discover(
  provider: Provider,
  send: oidc.CustomFetch,
  clockSkew: number,
): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const execute = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
  const options = { execute, timeout: TIME_LIMIT, [oidc.customFetch]: send };
  const discovered = await oidc.discovery(
    new URL(issuer),
    clientId,
    clientSecret,
    undefined,
    options,
  );
  const server = discovered.serverMetadata();
  const metadata = { [oidc.clockTolerance]: CLOCK_TOLERANCE, [oidc.clockSkew]: clockSkew };
  const authentication = authenticationOf(provider, server.token_endpoint_auth_methods_supported);
  const config = new oidc.Configuration(server, clientId, metadata, authentication);
  config.timeout = TIME_LIMIT;
  config[oidc.customFetch] = send;
  // Signatures too, and not only that tokens come from the provider over TLS (ASVS 6.8.2).
  oidc.enableNonRepudiationChecks(config);
  for (const step of execute) step(config);
  return config;
}

function exchange(config: oidc.Configuration, underWay: UnderWay, url: URL) {
  const { state, nonce, verifier } = secretsOf(underWay);
  const checks = {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  };
  return oidc.authorizationCodeGrant(config, url, checks).catch(refuse);
}

/** The address and its verification by the userinfo endpoint, as far as it has them. */
async function loadUserinfo(
  config: oidc.Configuration,
  { access_token: accessToken }: oidc.TokenEndpointResponse,
  subject: string,
): Promise<Claims> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {};
  const claims = await oidc.fetchUserInfo(config, accessToken, subject).catch(refuse);
  const { email, email_verified } = claims;
  return {
    ...(email === undefined ? {} : { email }),
    ...(email_verified === undefined ? {} : { email_verified }),
  };
}

function refuse(cause: unknown): never {
  throw isUnreachable(cause) ? unavailable(cause) : refusedBy('provider_refused', causeOf(cause));
}

/** A failure on the way to the provider, or of the provider itself, rather than an answer about the person. */
function isUnreachable(cause: unknown): boolean {
  // A failed fetch is a TypeError; an error of limitedFetch has no code.
  if (!(cause instanceof oidc.ClientError)) return cause instanceof TypeError;
  const isFailing = cause.cause instanceof Response && cause.cause.status >= 500;
  return cause.code === undefined || cause.code === 'OAUTH_TIMEOUT' || isFailing;
}

/** The codes of a failure, such as `invalid_client`, for the log: other texts of providers may contain anything. */
function causeOf(cause: unknown): Error {
  const { code, error } = Object(cause) as { readonly code?: unknown; readonly error?: unknown };
  const codes = [code, error].filter(
    (one) => typeof one === 'string' && /^[\w.-]{1,64}$/.test(one),
  );
  return new Error(codes.length === 0 ? 'no code' : codes.join(' '));
}
