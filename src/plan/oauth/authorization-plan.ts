// The request of a client for access (RFC 6749 §4.1.1 with RFC 7636, 8707 and 9207): what it asks for, why it is
// refused, and the addresses that lead back to the client. Pure.

import { hash, timingSafeEqual } from 'node:crypto';
import { type ApiError, errorFromProblems } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../model/rights/access.ts';
import { isRedirectOf, type OauthClient, type OauthRefusal, refusal } from './client-plan.ts';

/** The scopes of grants: those that change keys, rights or approvals are not given to programs of others. */
const NEVER: ReadonlySet<Scope> = new Set(['keys:write', 'workspace:write', 'approvals:write']);
export const GRANTED_SCOPES: readonly Scope[] = SCOPES.filter((scope) => !NEVER.has(scope));
export const LONGEST_GRANT_DAYS = 90;

/** The parameters of a request, each at most once but for `resource`. */
export interface SentRequest {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly parameters: URLSearchParams;
}

/** A request of a known client with one of its redirect URIs. */
export interface AuthorizationRequest {
  readonly redirect_uri: string;
  readonly state: string | null;
  /** The scopes that the person may give. */
  readonly scopes: readonly Scope[];
  readonly challenge: string;
  /** Undefined: the person may agree. */
  readonly refusal: OauthRefusal | undefined;
}

/** Errors: `validation_failed` for a request that does not say for whom it is. */
export function parseSentRequest(query: string): SentRequest {
  const parameters = new URLSearchParams(query);
  const [client_id, redirect_uri] = ['client_id', 'redirect_uri'].map((name) => {
    const [value = '', ...more] = parameters.getAll(name);
    if (value !== '' && more.length === 0 && !/\p{C}/u.test(value)) return value;
    throw invalid(name, say('oauth_parameter_once', { name }));
  }) as [string, string];
  return { client_id, redirect_uri, parameters };
}

/**
 * The request of a client; `origin` is that of the service, as the browser sees it. Errors: `validation_failed` for
 * another redirect URI, to which nothing may be sent.
 */
export function planAuthorization(
  client: OauthClient,
  { redirect_uri, parameters }: SentRequest,
  origin: string,
): AuthorizationRequest {
  if (!client.redirect_uris.some((registered) => isRedirectOf(registered, redirect_uri))) {
    throw invalid('redirect_uri', say('oauth_redirect_unknown'));
  }
  const scopes = scopesOf(parameters.get('scope'));
  return Object.freeze({
    ...{ redirect_uri, scopes },
    state: parameters.get('state'),
    challenge: parameters.get('code_challenge') ?? '',
    refusal: findRefusal(parameters, scopes, origin),
  });
}

function invalid(param: string, message: ReturnType<typeof say>): ApiError {
  return errorFromProblems([{ param, code: 'validation_failed', message }]);
}

/** Scopes that the service does not know, such as `offline_access`, are left out. */
function scopesOf(sent: string | null): readonly Scope[] {
  const names = (sent ?? '').split(' ').filter((name) => name !== '');
  if (names.length === 0) return DEFAULT_SCOPES;
  return GRANTED_SCOPES.filter((scope) => names.includes(scope));
}

const ONCE = [
  ...['response_type', 'response_mode', 'scope', 'state', 'code_challenge'],
  ...['code_challenge_method', 'request', 'request_uri'],
];
/** 43 characters of base64url: a SHA-256. */
const CHALLENGE = /^[\w-]{43}$/;

function findRefusal(
  parameters: URLSearchParams,
  scopes: readonly Scope[],
  origin: string,
): OauthRefusal | undefined {
  const repeated = ONCE.find((name) => parameters.getAll(name).length > 1);
  if (repeated !== undefined) return refusal('invalid_request', `${repeated} was sent twice.`);
  const value = (name: string) => parameters.get(name) ?? '';
  if (value('response_type') !== 'code') {
    return refusal('unsupported_response_type', 'response_type must be code.');
  }
  if (parameters.has('request') || parameters.has('request_uri')) {
    return refusal('invalid_request', 'Requests as objects are not supported.');
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    return refusal('invalid_request', 'response_mode must be query.');
  }
  if (value('code_challenge_method') !== 'S256' || !CHALLENGE.test(value('code_challenge'))) {
    return refusal('invalid_request', 'code_challenge with code_challenge_method S256 is needed.');
  }
  if (!areOwnResources(parameters.getAll('resource'), origin)) return OTHER_RESOURCE;
  if (scopes.length > 0) return undefined;
  return refusal('invalid_scope', `The scopes are ${GRANTED_SCOPES.join(', ')}.`);
}

export const OTHER_RESOURCE = refusal('invalid_target', 'resource is not this service.');

/** True when all of them are this service, at the origin at which it was asked (RFC 8707). */
export function areOwnResources(resources: readonly string[], origin: string): boolean {
  const own = [origin, `${origin}/`, `${origin}/mcp`, `${origin}/v1`];
  return resources.every((resource) => own.includes(resource));
}

/** The address that leads back to the client. */
export function answerAddress(
  { redirect_uri, state }: Pick<AuthorizationRequest, 'redirect_uri' | 'state'>,
  issuer: string,
  answer: { readonly code: string } | OauthRefusal,
): string {
  const parameters = new URLSearchParams(Object.entries(answer));
  if (state !== null) parameters.set('state', state);
  parameters.set('iss', issuer);
  return `${redirect_uri}${redirect_uri.includes('?') ? '&' : '?'}${parameters}`;
}

/** True for the verifier of a challenge (RFC 7636 §4.6). */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  const made = Buffer.from(hash('sha256', verifier, 'base64url'));
  return made.length === challenge.length && timingSafeEqual(made, Buffer.from(challenge));
}

/** A digest of the metadata that a person has seen of a client: it must be the same when they agree. */
export function digestOf({ id, kind, name, redirect_uris }: OauthClient): string {
  return hash('sha256', JSON.stringify([id, kind, name, redirect_uris]), 'base64url');
}
