// Tokens of grants: a code or a refresh token for new ones, and their end (RFC 6749, 7009). A refusal that ends a grant
// is committed, so results are values here and not errors.

import { timingSafeEqual } from 'node:crypto';
import { loadClient } from '../../control/oauth/oauth-clients.ts';
import {
  appendTokens,
  countRecentTokens,
  type LockedGrant,
  lockCode,
  lockToken,
  MOST_ACCESS_TOKENS,
  replaceTokens,
  useCode,
} from '../../control/oauth/oauth-tokens.ts';
import { revokeApiKeys } from '../../control/people/api-keys.ts';
import { loadMember } from '../../control/people/people.ts';
import { noteEvents } from '../../control/workspace/administer.ts';
import { SERVICE, subjectEvent } from '../../control/workspace/administrative-audit.ts';
import {
  hashOf,
  makeAccessToken,
  makeRefreshToken,
  nextRefreshToken,
} from '../../model/rights/api-key-form.ts';
import { isVerifierOf } from '../../plan/oauth/authorization-plan.ts';
import { isDocumentId, type OauthRefusal, refusal } from '../../plan/oauth/client-plan.ts';
import type { Database, Queryable } from '../../postgres/db.ts';

/** A client as it names itself at the token endpoint. */
export interface SentClient {
  readonly id: string;
  readonly secret: string | undefined;
}

/** Where the client has sent its request. */
export interface TokenPlace {
  readonly origin: string;
  isHostOf(slug: string): boolean;
}

export interface SentCode {
  readonly code: string;
  readonly verifier: string;
  /** Undefined: not sent. */
  readonly redirect_uri: string | undefined;
}

export interface IssuedTokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/**
 * Seconds in which refreshes of a grant answer the same refresh token: an answer may be lost, and clients of MCP refresh
 * once for each call that they have under way.
 */
const TOGETHER = 30;
const NO_GRANT = refusal('invalid_grant', 'The code or token is not valid, or was used before.');
/**
 * In an hour: access tokens last as long. Used refresh tokens are kept to the end of the grant, so that a later use is
 * noticed, and this limits their number.
 */
const MOST_REFRESHES = 20;
const TOO_OFTEN = refusal(
  'temporarily_unavailable',
  'The grant was refreshed too often; try again in an hour.',
);
const NO_CLIENT = refusal('invalid_client', 'The client is unknown, or its secret is wrong.');

/** Tokens for a code, once: the second use of a code ends the grant. */
export async function exchangeCode(
  db: Database,
  client: SentClient,
  sent: SentCode,
  { origin, isHostOf }: TokenPlace,
): Promise<IssuedTokens | OauthRefusal> {
  if (!(await isClient(db, client))) return NO_CLIENT;
  const code_hash = hashOf(sent.code);
  return db.transaction(async (tx) => {
    const code = await lockCode(tx, code_hash);
    if (code === undefined) return NO_GRANT;
    const { grant } = code;
    if (grant.client_id !== client.id) return NO_GRANT;
    if (code.used) return endGrant(tx, grant, NO_GRANT);
    const isOfRequest =
      code.issuer === origin &&
      isHostOf(grant.workspace.slug) &&
      (sent.redirect_uri === undefined || sent.redirect_uri === code.redirect_uri) &&
      isVerifierOf(code.challenge, sent.verifier);
    if (!isOfRequest || code.expired || !(await isUsable(tx, grant))) return NO_GRANT;
    await useCode(tx, code_hash);
    return issue(tx, grant, makeRefreshToken());
  });
}

/**
 * Tokens for a refresh token. One that was used before ends the grant, because two programs have it; within 30 seconds
 * it gives the same refresh token again, and so does a new one.
 */
export async function refreshTokens(
  db: Database,
  client: SentClient,
  token: string,
  { isHostOf }: TokenPlace,
): Promise<IssuedTokens | OauthRefusal> {
  if (!(await isClient(db, client))) return NO_CLIENT;
  return db.transaction(async (tx) => {
    const known = await lockToken(tx, hashOf(token));
    if (known?.kind !== 'refresh' || known.grant.client_id !== client.id) return NO_GRANT;
    const { grant, expired, issued_for, replaced_for } = known;
    if (expired || !isHostOf(grant.workspace.slug)) return NO_GRANT;
    if (!(await isUsable(tx, grant))) return NO_GRANT;
    if (replaced_for !== null && replaced_for > TOGETHER) return endGrant(tx, grant, NO_GRANT);
    const count = (kind: 'access' | 'refresh') => countRecentTokens(tx, grant.api_key_id, kind);
    if ((await count('access')) >= MOST_ACCESS_TOKENS) return TOO_OFTEN;
    const next = nextRefreshToken(token, grant.secret_hash);
    if (replaced_for !== null) return issue(tx, grant, next);
    if (issued_for <= TOGETHER) return issue(tx, grant, token);
    if ((await count('refresh')) >= MOST_REFRESHES) return TOO_OFTEN;
    await replaceTokens(tx, grant.api_key_id);
    return issue(tx, grant, next);
  });
}

/** End the grant of an access or refresh token; a token that is unknown has ended already. */
export async function revokeToken(
  db: Database,
  client: SentClient,
  token: string,
): Promise<OauthRefusal | undefined> {
  if (!(await isClient(db, client))) return NO_CLIENT;
  return db.transaction(async (tx) => {
    const known = await lockToken(tx, hashOf(token));
    if (known === undefined || known.grant.client_id !== client.id) return undefined;
    return endGrant(tx, known.grant, undefined);
  });
}

/** True while the grant is in force and its person is active. */
async function isUsable(
  tx: Queryable,
  { in_force, user_id, workspace }: LockedGrant,
): Promise<boolean> {
  return in_force && (await loadMember(tx, workspace.schema, user_id))?.active === true;
}

async function issue(
  tx: Queryable,
  { api_key_id, prefix, scopes }: LockedGrant,
  refresh_token: string,
) {
  const access_token = makeAccessToken(prefix);
  const hashes = { access: hashOf(access_token), refresh: hashOf(refresh_token) };
  const expires_in = await appendTokens(tx, api_key_id, hashes);
  return {
    access_token,
    token_type: 'Bearer',
    expires_in,
    refresh_token,
    scope: scopes.join(' '),
  } as const;
}

async function endGrant<Result>(
  tx: Queryable,
  { api_key_id, workspace }: LockedGrant,
  result: Result,
): Promise<Result> {
  const ended = await revokeApiKeys(tx, workspace.id, api_key_id);
  const events = ended.map(({ id }) => subjectEvent('key', id, 'revoke'));
  await noteEvents(tx, { workspace, actor: SERVICE }, events);
  return result;
}

/** True for a client whose metadata is at its address, and for one that has a row, with its secret if it has one. */
async function isClient(db: Queryable, { id, secret }: SentClient): Promise<boolean> {
  if (isDocumentId(id)) return secret === undefined;
  const client = await loadClient(db, id);
  if (client === undefined) return false;
  if (client.secret_hash === null) return secret === undefined || secret === '';
  return secret !== undefined && timingSafeEqual(hashOf(secret), client.secret_hash);
}
