// The cookies of sessions: their names and attributes, and which of them a request sends. A browser keeps one
// for each workspace, whose id ends its name (docs/decisions.md, D214).

import { ApiError } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
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

const SESSION_NAME = /^(?:__Host-)?wrs-[1-9]\d*$/;
const SIGN_IN_NAME = /^(?:__Host-)?wrs-sign-in-[\w-]{16}$/;
const INSECURE = say('sessions_need_https');

/** Errors: `permission_denied` on a site without sessions. */
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

/** The headers that take a session from a browser, and what its sign-ins at identity providers have left there. */
export function endedCookies(
  site: Site,
  sent: string | undefined,
  workspaceId: number,
): readonly string[] {
  const cookies = site.cookies ?? 'plain';
  const names = [`${PREFIX[cookies]}-${workspaceId}`, ...signInNames(sent, cookies)];
  return names.map((name) => ended(name, cookies));
}

function ended(name: string, cookies: Cookies): string {
  return `${name}=; Max-Age=0; ${ATTRIBUTES[cookies]}`;
}

/** A sign-in at an identity provider that is under way. */
export interface KeptSignIn {
  readonly id: string;
  readonly value: string;
}

/**
 * The headers that keep one, each in a cookie of its own (D410), and end the oldest of too many: browsers send those
 * first (RFC 6265 §5.4). Errors: `permission_denied`.
 */
export function signInCookies(
  site: Site,
  sent: string | undefined,
  { id, value }: KeptSignIn,
): readonly string[] {
  const cookies = requireCookies(site);
  const own = signInName(cookies, id);
  const others = signInNames(sent, cookies).filter((name) => name !== own);
  return [
    ...others.slice(0, 1 - LIMITS.signInsUnderWay).map((name) => ended(name, cookies)),
    `${own}=${value}; Max-Age=${LIMITS.signInSeconds}; ${ATTRIBUTES[cookies]}`,
  ];
}

/** The value of the one with this id. */
export function readSignInCookie(
  header: string | undefined,
  site: Site,
  id: string,
): string | undefined {
  const own = signInName(site.cookies ?? 'plain', id);
  const values = cookiesIn(header).filter(({ name }) => name === own);
  return values.length === 1 ? values[0]?.value : undefined;
}

function signInNames(sent: string | undefined, cookies: Cookies): readonly string[] {
  const names = cookiesIn(sent).map(({ name }) => name);
  return names.filter((name) => SIGN_IN_NAME.test(name) && name.startsWith(PREFIX[cookies]));
}

function signInName(cookies: Cookies, id: string): string {
  return `${PREFIX[cookies]}-sign-in-${id}`;
}

/**
 * The tokens of the sessions that a request sends; those of the other scheme are ignored. Errors:
 * `invalid_credentials` for two cookies of one name, too many, and on a site without sessions.
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
  throw new ApiError('invalid_credentials', { message: say('cookies_ambiguous') });
}

/** The tokens of a person who signs in again; never refuses, and of too many returns the first ones. */
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
