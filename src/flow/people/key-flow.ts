// API keys made, listed, changed and revoked: over HTTP and by commands, always by these functions. plan/people/key-plan.ts
// decides which rights a key may have.

import { uuidv7 } from 'uuidv7';
import {
  type ApiKeyFilter,
  changeApiKey,
  countApiKeys,
  holdApiKey,
  type ListedApiKey,
  loadApiKeyPage,
  loadApiKeysOf,
  loadMoment,
  lockApiKey,
  putApiKey,
  revokeApiKeys,
} from '../../control/people/api-keys.ts';
import {
  type KeyUser,
  loadKeyUsers,
  loadMember,
  lockLimitsOf,
  lockPeople,
} from '../../control/people/people.ts';
import { type Administration, administer, type Made } from '../../control/workspace/administer.ts';
import {
  type CallerActor,
  type Operator,
  subjectEvent,
} from '../../control/workspace/administrative-audit.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { LIMITS } from '../../limits.ts';
import { say } from '../../messages/message.ts';
import { type Caller, requireAdministrator, requireDeveloper } from '../../model/rights/access.ts';
import {
  hashOf,
  makeFeedSecret,
  makeGrantPrefix,
  makeSecret,
  prefixOf,
} from '../../model/rights/api-key-form.ts';
import { keyOf, passesGates } from '../../model/rights/principal.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import {
  type KeyBounds,
  type KeyChangeRequest,
  keyBoundsOf,
  type NewKeyRequest,
  planKeyChange,
  planKeyGates,
  planNewKey,
  UNBOUNDED,
} from '../../plan/people/key-plan.ts';
import type { Queryable } from '../../postgres/db.ts';

type KeyMaker = CallerActor | Operator;

export interface KeyAdministration extends Administration<KeyMaker> {
  /** The limit for keys without a number of their own. */
  readonly requestsPerMinute: number;
}

export interface NewKey extends NewKeyRequest {
  readonly name: string;
  readonly user_id: number;
  /** True when the key passes gates; undefined: it does, unless its user is an agent. */
  readonly gates?: boolean | undefined;
  /** The client whose grant it is: its access tokens take the place of the secret, which nobody gets. */
  readonly client_id?: string;
  /** The view of a calendar feed. */
  readonly view_id?: string;
}

export interface KeyOfUser {
  readonly key: ListedApiKey;
  readonly user: KeyUser | undefined;
}

/** A key with its secret, which is nowhere else. */
export interface MadeKey extends KeyOfUser {
  readonly secret: string;
}

/**
 * Make a key. Errors: `permission_denied`, `invalid_write`, `conflict` when the person has too many;
 * `invalid_api_key` when the calling key has ended meanwhile.
 */
export function createKey(asked: KeyAdministration, request: NewKey): Promise<MadeKey> {
  return administer(asked, (tx) => makeKey(tx, asked, request));
}

/** Creates the first key of a workspace; undefined when it has keys already. */
export function createFirstKey(
  asked: KeyAdministration,
  request: NewKey,
): Promise<MadeKey | undefined> {
  return administer(asked, async (tx): Promise<Made<MadeKey | undefined>> => {
    await lockPeople(tx, asked.workspace.id);
    const keys = await loadApiKeysOf(tx, asked.workspace.id);
    return keys.length > 0 ? { result: undefined, events: [] } : makeKey(tx, asked, request);
  });
}

/** Part of the caller's transaction. Errors: as `createKey`. */
export async function makeKey(
  tx: Queryable,
  asked: KeyAdministration,
  request: NewKey,
): Promise<Made<MadeKey>> {
  const { workspace, actor } = asked;
  requireOwner(actor, request.user_id);
  const bounds = await loadBounds(tx, asked);
  const user = await requireUser(tx, asked, request.user_id);
  if (actor.kind === 'caller') await requireFewKeys(tx, workspace.id, user.id);
  const planned = planNewKey(bounds, request, await loadMoment(tx, 0));
  const mayPass = actor.kind === 'operator' || passesGates(actor.caller);
  const type = user.kind === 'agent' ? 'operational' : 'personal';
  const secret = request.view_id === undefined ? makeSecret(type) : makeFeedSecret();
  const key = await putApiKey(tx, {
    id: uuidv7(),
    workspace_id: workspace.id,
    user_id: user.id,
    type,
    name: request.name,
    prefix: request.client_id === undefined ? prefixOf(secret) : makeGrantPrefix(),
    secret_hash: hashOf(secret),
    scopes: planned.scopes,
    requests_per_minute: planned.requests_per_minute,
    gates: planKeyGates(request.gates, { kind: user.kind, mayPass }),
    ...(request.client_id === undefined ? {} : { client_id: request.client_id }),
    ...(request.view_id === undefined ? {} : { view_id: request.view_id }),
    expires: planned.expires_at,
  });
  return { result: { key, user, secret }, events: [subjectEvent('key', key.id, 'create')] };
}

/** Each key has rate windows, streams and shares of its own. Errors: `conflict`. */
async function requireFewKeys(tx: Queryable, workspaceId: number, userId: number): Promise<void> {
  const most = LIMITS.keysOfUser;
  await lockLimitsOf(tx, workspaceId, userId);
  if ((await countApiKeys(tx, workspaceId, userId)) < most) return;
  const message = say('too_many_keys', { most });
  throw errorFromProblems([{ param: 'user_id', code: 'conflict', message }]);
}

/**
 * A page of keys, newest first, and one more where there are more. Errors: `permission_denied`.
 */
export async function listKeys(
  { db, workspace, actor }: Administration<CallerActor>,
  filter: ApiKeyFilter,
  limit: number,
): Promise<readonly KeyOfUser[]> {
  const user_id = listedUser(actor.caller, filter.user_id);
  const keys = await loadApiKeyPage(db, workspace.id, { ...filter, user_id }, limit);
  const users = await loadKeyUsers(
    db,
    workspace.schema,
    keys.map((key) => key.user_id),
  );
  return keys.map((key) => ({ key, user: users.get(key.user_id) }));
}

/** The id of the person whose keys are listed; undefined: all keys that the caller may see. */
function listedUser(caller: Caller, asked: number | undefined): number | undefined {
  requireDeveloper(caller);
  if (asked !== undefined && asked !== caller.user.id) requireAdministrator(caller);
  return caller.access.administrator ? asked : caller.user.id;
}

/**
 * Change the name, the rate or the end of a key. Errors: `record_not_found`, `conflict` when it is revoked,
 * `permission_denied`, `invalid_write`.
 */
export function changeKey(
  asked: KeyAdministration,
  id: string,
  request: KeyChangeRequest,
): Promise<KeyOfUser> {
  return administer(asked, async (tx) => {
    const key = await requireKey(tx, asked, id);
    if (key.revoked_at !== null) {
      throw new ApiError('conflict', { param: 'key_id', message: say('key_revoked') });
    }
    const bounds = await loadBounds(tx, asked);
    const now = await loadMoment(tx, 0);
    const { after, changed_fields } = planKeyChange(bounds, key, request, now);
    if (changed_fields.length === 0) return { result: await withUser(tx, asked, key), events: [] };
    const changed = await changeApiKey(tx, key.id, after);
    const events = [{ ...subjectEvent('key', changed.id, 'update'), changed_fields }];
    return { result: await withUser(tx, asked, changed), events };
  });
}

/** Revoke a key; one that is revoked stays as it is. Errors: `record_not_found`. */
export function revokeKey(asked: KeyAdministration, id: string): Promise<KeyOfUser> {
  return administer(asked, async (tx) => {
    const key = await requireKey(tx, asked, id);
    const { result: revoked, events } = await endKeys(tx, asked, key.id);
    return { result: await withUser(tx, asked, revoked[0] ?? key), events };
  });
}

/** Revoke keys by id or prefix, as an operator; answers those that were in force. */
export function revokeKeys(
  asked: Administration<Operator>,
  idOrPrefix: string,
): Promise<readonly ListedApiKey[]> {
  return administer(asked, (tx) => endKeys(tx, asked, idOrPrefix));
}

async function endKeys(
  tx: Queryable,
  { workspace }: Pick<Administration, 'workspace'>,
  idOrPrefix: string,
): Promise<Made<readonly ListedApiKey[]>> {
  const revoked = await revokeApiKeys(tx, workspace.id, idOrPrefix);
  return { result: revoked, events: revoked.map(({ id }) => subjectEvent('key', id, 'revoke')) };
}

/** Keys of one's own need developer access, those of others an administrator. */
function requireOwner(actor: KeyMaker, userId: number): void {
  if (actor.kind === 'operator') return;
  const { caller } = actor;
  requireDeveloper(caller);
  if (userId !== caller.user.id) requireAdministrator(caller);
}

async function loadBounds(
  tx: Queryable,
  { actor, requestsPerMinute }: KeyAdministration,
): Promise<KeyBounds> {
  if (actor.kind === 'operator') return UNBOUNDED;
  const { caller } = actor;
  const own = keyOf(caller.principal);
  if (own === undefined) return keyBoundsOf(caller, undefined, requestsPerMinute);
  // The cached key may be a second old, and a key that it makes would outlive it.
  const held = await holdApiKey(tx, own.id);
  if (held === undefined) throw new ApiError('invalid_api_key');
  return keyBoundsOf(caller, held, requestsPerMinute);
}

/** An operator may make a key for somebody who is not active yet. */
async function requireUser(tx: Queryable, { workspace, actor }: KeyAdministration, id: number) {
  const user = await loadMember(tx, workspace.schema, id);
  if (user !== undefined && (user.active || actor.kind === 'operator')) return user;
  const message = say('no_active_user_with_id');
  throw errorFromProblems([{ param: 'user_id', code: 'invalid_write', message }]);
}

/** A key that the caller may not see is not there. */
async function requireKey(
  tx: Queryable,
  { workspace, actor }: KeyAdministration,
  id: string,
): Promise<ListedApiKey> {
  if (actor.kind === 'caller') requireDeveloper(actor.caller);
  const canonical = parseRecordId(id);
  const key = canonical === undefined ? undefined : await lockApiKey(tx, workspace.id, canonical);
  const own =
    actor.kind === 'operator' || actor.caller.access.administrator
      ? undefined
      : actor.caller.user.id;
  if (key !== undefined && (own === undefined || key.user_id === own)) return key;
  throw new ApiError('record_not_found', { param: 'key_id', message: say('key_not_found') });
}

async function withUser(
  tx: Queryable,
  { workspace }: KeyAdministration,
  key: ListedApiKey,
): Promise<KeyOfUser> {
  const users = await loadKeyUsers(tx, workspace.schema, [key.user_id]);
  return { key, user: users.get(key.user_id) };
}
