// The cookies of sessions: their names and attributes, and which of them a request sends. A browser keeps one
// for each workspace, whose id ends its name (docs/decisions.md, D214).

import { ApiError } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import type { Site } from './site.ts';

type Cookies = NonNullable<Site['cookies']>;

/** A browser takes `__Host-` only over https, from this host alone, for all of its paths. */
const PREFIX: Readonly<Record<Cookies, string>> = { secure: '__Host-wrs', plain: 'wrs' };
const ATTRIBUTES: Readonly<Record<Cookies, string>> = {
  secure: 'Path=/; HttpOnly; SameSite=Lax; Secure',
  plain: 'Path=/; HttpOnly; SameSite=Lax',
};
/** Days; the service ends the session sooner when it is not used. */
const LIFETIME = 90;
/** Seconds that a sign-in at an identity provider may take. */
const UNDER_WAY = 600;
/** The cookie of a sign-in that is under way at an identity provider. */
const SIGN_IN = '-sign-in';

const SESSION_NAME = /^(?:__Host-)?wrs-[1-9]\d*$/;
const INSECURE = 'Sessions need https. ALLOW_INSECURE_SESSIONS=on allows them over plain http.';

/** Errors: `permission_denied` where there are no sessions. */
export function requireCookies({ cookies }: Site): Cookies {
  if (cookies !== undefined) return cookies;
  throw new ApiError('permission_denied', { message: INSECURE });
}

/** The header that gives a session to a browser. Errors: `permission_denied`. */
export function sessionCookie(site: Site, workspaceId: number, token: string): string {
  const cookies = requireCookies(site);
  const age = LIFETIME * 86_400;
  return `${PREFIX[cookies]}-${workspaceId}=${token}; Max-Age=${age}; ${ATTRIBUTES[cookies]}`;
}

/** The header that takes a session from a browser. */
export function endedCookie(site: Site, workspaceId: number): string {
  const cookies = site.cookies ?? 'plain';
  return `${PREFIX[cookies]}-${workspaceId}=; Max-Age=0; ${ATTRIBUTES[cookies]}`;
}

/** The header that keeps a sign-in at an identity provider. Errors: `permission_denied`. */
export function signInCookie(site: Site, value: string): string {
  const cookies = requireCookies(site);
  return `${PREFIX[cookies]}${SIGN_IN}=${value}; Max-Age=${UNDER_WAY}; ${ATTRIBUTES[cookies]}`;
}

/** What `signInCookie` gave. */
export function readSignInCookie(header: string | undefined, site: Site): string | undefined {
  const name = `${PREFIX[site.cookies ?? 'plain']}${SIGN_IN}`;
  const values = cookiesIn(header).filter((cookie) => cookie.name === name);
  return values.length === 1 ? values[0]?.value : undefined;
}

/**
 * The tokens of the sessions that a request sends; those of the other scheme are not looked at. Errors:
 * `invalid_credentials` for two cookies of one name, too many, and where there are no sessions.
 */
export function readSessionTokens(header: string | undefined, site: Site): readonly string[] {
  const sent = cookiesIn(header).filter(({ name }) => SESSION_NAME.test(name));
  if (sent.length === 0) return [];
  if (site.cookies === undefined) throw new ApiError('invalid_credentials', { message: INSECURE });
  const meant = sessionsAmong(sent, site.cookies);
  const names = new Set(meant.map(({ name }) => name));
  if (names.size === meant.length && meant.length <= LIMITS.sessionCookies) {
    return meant.map(({ value }) => value);
  }
  // The name does not say which path or domain a cookie was set for.
  throw new ApiError('invalid_credentials', { message: 'The cookies are ambiguous.' });
}

/** The same for who signs in anew, whatever was sent; the first ones of too many. */
export function sentTokens(header: string | undefined, { cookies }: Site): readonly string[] {
  if (cookies === undefined) return [];
  const sent = sessionsAmong(cookiesIn(header), cookies);
  return sent.slice(0, LIMITS.sessionCookies).map(({ value }) => value);
}

function sessionsAmong(sent: readonly Cookie[], cookies: Cookies): readonly Cookie[] {
  const prefix = `${PREFIX[cookies]}-`;
  return sent.filter(({ name }) => SESSION_NAME.test(name) && name.startsWith(prefix));
}

interface Cookie {
  readonly name: string;
  readonly value: string;
}

function cookiesIn(header = ''): readonly Cookie[] {
  return header.split(';').flatMap((part) => {
    const at = part.indexOf('=');
    if (at < 0) return [];
    return [{ name: part.slice(0, at).trim(), value: part.slice(at + 1).trim() }];
  });
}
