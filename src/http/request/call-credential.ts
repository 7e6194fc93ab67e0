// The credential of a call: a key in `Authorization`, or a session in a cookie. Two credentials are refused, because
// it is ambiguous which one applies; and a cookie, which a browser sends by itself, must come from a page of the
// service (docs/decisions.md, D214).

import { timingSafeEqual } from 'node:crypto';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import type { Authenticate, Authenticated } from '../route/route.ts';
import type { Call } from './call.ts';
import { readSessionTokens } from './session-cookies.ts';

type Found = Authenticated | Promise<Authenticated>;

/**
 * The caller of a call. Errors: `missing_api_key`, those of authentication, and `validation_failed` for a session
 * together with a key, or several sessions of which none is named.
 */
export function authenticateCall(
  call: Call,
  { authenticate }: { readonly authenticate: Authenticate },
): Found {
  const { headers, transport } = call;
  if (transport.caller !== undefined) return transport.caller();
  if (call.feedSecret !== undefined) return authenticate(call.feedSecret, 'feed');
  const tokens = headers.cookie === undefined ? [] : sessionTokens(call);
  if (tokens.length === 0) return authenticate(requireSecret(call), 'key');
  if (headers.authorization !== undefined) throw twoCredentials();
  const workspaceHeader = headers['x-workspace'];
  const [token] = tokens;
  if (token !== undefined && tokens.length === 1 && workspaceHeader === undefined) {
    return authenticate(token, 'session');
  }
  if (workspaceHeader === undefined) throw noneNamed();
  return authenticateNamed(tokens, String(workspaceHeader), authenticate);
}

/** The id of the user as whom the caller reads; undefined: as themselves. Errors: `validation_failed`. */
export function readViewed({ headers, transport }: Call): number | undefined {
  const text = headers['x-view-as'];
  if (text === undefined || transport.caller !== undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(String(text))) return Number(text);
  const message = say('view_as_malformed');
  throw errorFromProblems([{ param: 'X-View-As', code: 'validation_failed', message }]);
}

function sessionTokens({ headers, transport }: Call): readonly string[] {
  const site = transport.site();
  // On a site without sessions a cookie is ignored when there is a key.
  const isMoot = site.cookies === undefined && headers.authorization !== undefined;
  return isMoot ? [] : readSessionTokens(headers.cookie, site);
}

function twoCredentials(): ApiError {
  const message = say('session_or_key');
  return errorFromProblems([{ param: 'Authorization', code: 'validation_failed', message }]);
}

function noneNamed(): ApiError {
  const message = say('sessions_ambiguous');
  return errorFromProblems([{ param: 'X-Workspace', code: 'validation_failed', message }]);
}

/** The session of the workspace with this slug. Errors: `invalid_credentials` when there is none. */
async function authenticateNamed(
  tokens: readonly string[],
  slug: string,
  authenticate: Authenticate,
): Promise<Authenticated> {
  const callers = await Promise.all(
    tokens.map(async (token) => {
      try {
        return await authenticate(token, 'session');
      } catch (error) {
        // The other sessions may be valid when one has ended.
        if (error instanceof ApiError && error.status === 401) return undefined;
        throw error;
      }
    }),
  );
  const meant = callers.find((one) => one?.model.workspace.slug === slug);
  if (meant !== undefined) return meant;
  throw new ApiError('invalid_credentials', { message: say('session_of_workspace_missing') });
}

/** Errors: `missing_api_key`, and `invalid_api_key` for every key but that of the operator. */
export function requireOperator(call: Call, operatorKey: string | undefined): void {
  const sent = hashOf(requireSecret(call));
  if (operatorKey === undefined || !timingSafeEqual(sent, hashOf(operatorKey))) {
    throw new ApiError('invalid_api_key');
  }
}

/** The text after `Bearer `. Two headers are refused, because it is ambiguous which one applies. */
function requireSecret({ headers, transport }: Call): string {
  const header = headers.authorization;
  if (header === undefined || !/^bearer /i.test(header)) throw new ApiError('missing_api_key');
  if (transport.isRepeated('authorization')) throw new ApiError('invalid_api_key');
  return header.slice('bearer '.length);
}

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * True for a request that a page of another site may have sent. Browsers send its origin in `Sec-Fetch-Site`, older
 * ones in `Origin` only. `isCredited`: the browser has added a session by itself; else a request without these
 * headers is not from a browser.
 */
export function isCrossSite({ method, headers, transport }: Call, isCredited: boolean): boolean {
  if (SAFE.has(method)) return false;
  const from = headers['sec-fetch-site'];
  if (from !== undefined) return from !== 'same-origin';
  if (headers.origin !== undefined) return headers.origin !== transport.site().origin;
  return isCredited;
}
