// API keys made, listed, changed and revoked: over HTTP and by commands, always by these functions. A change
// and its audit row are one transaction; what a key may be is decided in plan/key-plan.ts.

import { uuidv7 } from 'uuidv7';
import {
  type AdministrativeActor,
  type AdministrativeEvent,
  appendAdministrativeAudit,
} from '../../control/administrative-audit.ts';
import {
  type ApiKeyFilter,
  announceKey,
  changeApiKey,
  countApiKeys,
  holdApiKey,
  type ListedApiKey,
  loadApiKeyPage,
  loadMoment,
  lockApiKey,
  putApiKey,
  revokeApiKeys,
} from '../../control/api-keys.ts';
import { type KeyUser, loadKeyUsers, loadMember } from '../../control/members.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { type Caller, requireAdministrator, requireDeveloper } from '../../model/access.ts';
import { hashOf, makeSecret, prefixOf } from '../../model/api-key-form.ts';
import { keyOf } from '../../model/principal.ts';
import { parseRecordId } from '../../model/record-id.ts';
import {
  type KeyBounds,
  type KeyChangeRequest,
  keyBoundsOf,
  type NewKeyRequest,
  planKeyChange,
  planNewKey,
  UNBOUNDED,
} from '../../plan/key-plan.ts';
import type { Queryable } from '../../postgres/db.ts';

/** Who asks, and where. */
export interface KeyAdministration {
  readonly workspace: { readonly id: number; readonly schema: string };
  /** Null: an operator, by a command. */
  readonly caller: Caller | null;
  readonly actor: AdministrativeActor;
  /** Of keys without a number of their own. */
  readonly requestsPerMinute: number;
}

export interface NewKey extends NewKeyRequest {
  readonly name: string;
  readonly user_id: number;
}

export interface KeyOfUser {
  readonly key: ListedApiKey;
  readonly user: KeyUser | undefined;
}

/**
 * Make a key, in the transaction `tx`. Errors: `permission_denied`, `invalid_write`, `conflict` when the person
 * has too many; `invalid_api_key` when the key that asks has ended meanwhile.
 */
export async function createKey(
  tx: Queryable,
  asked: KeyAdministration,
  request: NewKey,
): Promise<KeyOfUser & { readonly secret: string }> {
  const { workspace, caller } = asked;
  requireOwner(caller, request.user_id);
  const bounds = await loadBounds(tx, asked);
  const user = await requireUser(tx, asked, request.user_id);
  if (caller !== null) await requireFewKeys(tx, workspace.id, user.id);
  const planned = planNewKey(bounds, request, await loadMoment(tx, 0));
  const type = user.kind === 'agent' ? 'operational' : 'personal';
  const secret = makeSecret(type);
  const key = await putApiKey(tx, {
    id: uuidv7(),
    workspace_id: workspace.id,
    user_id: user.id,
    type,
    name: request.name,
    prefix: prefixOf(secret),
    secret_hash: hashOf(secret),
    scopes: planned.scopes,
    requests_per_minute: planned.requests_per_minute,
    expires: planned.expires_at,
  });
  await note(tx, asked, [key], { action: 'create' });
  return { key, user, secret };
}

/** Each key has rate windows, streams and shares of its own. Errors: `conflict`. */
async function requireFewKeys(tx: Queryable, workspaceId: number, userId: number): Promise<void> {
  const most = LIMITS.keysOfUser;
  if ((await countApiKeys(tx, workspaceId, userId)) < most) return;
  const message = `A person can have at most ${most} keys, including those created within the last hour.`;
  throw errorFromProblems([{ param: 'user_id', code: 'conflict', message }]);
}

/**
 * A page of keys, newest first, and one more where there are more. Errors: `permission_denied`.
 */
export async function listKeys(
  db: Queryable,
  { workspace, caller }: KeyAdministration,
  filter: ApiKeyFilter,
  limit: number,
): Promise<readonly KeyOfUser[]> {
  const user_id = listedUser(caller, filter.user_id);
  const keys = await loadApiKeyPage(db, workspace.id, { ...filter, user_id }, limit);
  const users = await loadKeyUsers(
    db,
    workspace.schema,
    keys.map((key) => key.user_id),
  );
  return keys.map((key) => ({ key, user: users.get(key.user_id) }));
}

/** Whose keys are listed: without a name all that the caller may see. */
function listedUser(caller: Caller | null, asked: number | undefined): number | undefined {
  if (caller === null) return asked;
  requireDeveloper(caller);
  if (asked !== undefined) requireOwner(caller, asked);
  return caller.access.administrator ? asked : caller.user.id;
}

/**
 * Change the name, the rate or the end of a key. Errors: `record_not_found`, `conflict` when it is revoked,
 * `permission_denied`, `invalid_write`.
 */
export async function changeKey(
  tx: Queryable,
  asked: KeyAdministration,
  id: string,
  request: KeyChangeRequest,
): Promise<KeyOfUser> {
  const key = await requireKey(tx, asked, id);
  if (key.revoked_at !== null) {
    throw new ApiError('conflict', { param: 'key_id', message: 'The key is revoked.' });
  }
  const bounds = await loadBounds(tx, asked);
  const now = await loadMoment(tx, 0);
  const { after, changed_fields } = planKeyChange(bounds, key, request, now);
  if (changed_fields.length === 0) return withUser(tx, asked, key);
  const changed = await changeApiKey(tx, key.id, after);
  await note(tx, asked, [changed], { action: 'update', changed_fields });
  return withUser(tx, asked, changed);
}

/** Revoke a key; one that is revoked stays as it is. Errors: `record_not_found`. */
export async function revokeKey(
  tx: Queryable,
  asked: KeyAdministration,
  id: string,
): Promise<KeyOfUser> {
  const key = await requireKey(tx, asked, id);
  const [revoked] = await revokeKeys(tx, asked, key.id);
  return withUser(tx, asked, revoked ?? key);
}

/** Revoke keys by id or prefix; answers those that were in force. */
export async function revokeKeys(
  tx: Queryable,
  asked: KeyAdministration,
  idOrPrefix: string,
): Promise<readonly ListedApiKey[]> {
  const revoked = await revokeApiKeys(tx, asked.workspace.id, idOrPrefix);
  await note(tx, asked, revoked, { action: 'revoke' });
  return revoked;
}

/** Keys of one's own need developer access, those of others an administrator. */
function requireOwner(caller: Caller | null, userId: number): void {
  if (caller === null) return;
  requireDeveloper(caller);
  if (userId !== caller.user.id) requireAdministrator(caller);
}

async function loadBounds(
  tx: Queryable,
  { caller, requestsPerMinute }: KeyAdministration,
): Promise<KeyBounds> {
  if (caller === null) return UNBOUNDED;
  const own = keyOf(caller.principal);
  if (own === undefined) return keyBoundsOf(caller, undefined, requestsPerMinute);
  // What is remembered of it may be a second old, and what it makes would outlive it.
  const held = await holdApiKey(tx, own.id);
  if (held === undefined) throw new ApiError('invalid_api_key');
  return keyBoundsOf(caller, held, requestsPerMinute);
}

/** An operator may make a key for somebody who is not active yet. */
async function requireUser(tx: Queryable, { workspace, caller }: KeyAdministration, id: number) {
  const user = await loadMember(tx, workspace.schema, id);
  if (user !== undefined && (user.active || caller === null)) return user;
  const message = 'There is no active user with this id.';
  throw errorFromProblems([{ param: 'user_id', code: 'invalid_write', message }]);
}

/** A key that the caller may not see is not there. */
async function requireKey(
  tx: Queryable,
  { workspace, caller }: KeyAdministration,
  id: string,
): Promise<ListedApiKey> {
  if (caller !== null) requireDeveloper(caller);
  const canonical = parseRecordId(id);
  const key = canonical === undefined ? undefined : await lockApiKey(tx, workspace.id, canonical);
  const mayAll = caller === null || caller.access.administrator;
  if (key !== undefined && (mayAll || key.user_id === caller.user.id)) return key;
  throw new ApiError('record_not_found', { param: 'key_id', message: 'There is no such key.' });
}

async function withUser(
  tx: Queryable,
  { workspace }: KeyAdministration,
  key: ListedApiKey,
): Promise<KeyOfUser> {
  const users = await loadKeyUsers(tx, workspace.schema, [key.user_id]);
  return { key, user: users.get(key.user_id) };
}

/** The audit row of each key, and the hint for other processes, both with the commit. */
async function note(
  tx: Queryable,
  { workspace, actor }: KeyAdministration,
  keys: readonly ListedApiKey[],
  what: Pick<AdministrativeEvent, 'action' | 'changed_fields'>,
): Promise<void> {
  const events = keys.map(({ id }) => ({ subject_type: 'key', subject_id: id, ...what }) as const);
  await appendAdministrativeAudit(tx, workspace.schema, actor, events);
  for (const { id } of keys) await announceKey(tx, id);
}
