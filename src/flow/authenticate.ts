// Authentication: from the secret of a key to the caller: the key, the person with their present rights, the
// model of their workspace (§5, D14). The result is cached until the workspace changes (D80,
// control/changes.ts). Developer access is checked by the request pipeline.

import { LRUCache } from 'lru-cache';
import { type ApiKeyRow, loadApiKeys } from '../control/api-keys.ts';
import { type Changed, openChanges } from '../control/changes.ts';
import { loadMember } from '../control/members.ts';
import type { Registry } from '../control/registry.ts';
import { CHANNEL } from '../control/workspaces.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { type Caller, callerOf } from '../model/access.ts';
import { hashOf, isSecret } from '../model/api-key-form.ts';
import type { WorkspaceModel } from '../model/model.ts';
import type { KeyPrincipal } from '../model/principal.ts';
import { batchRequests } from '../postgres/batch-requests.ts';
import type { Database } from '../postgres/db.ts';
import type { Listeners } from '../postgres/listen.ts';

/** The caller of a key in force, and the model of their workspace. */
export interface Authenticated {
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

export interface Authenticator {
  /**
   * Errors: `invalid_api_key` (malformed, unknown, revoked, person deactivated: all alike) and
   * `api_key_expired`.
   */
  authenticate(secret: string): Authenticated | Promise<Authenticated>;
  /** Check for changes before the next request. */
  lookAgain(): void;
}

export interface AuthenticatorOptions {
  readonly db: Database;
  readonly registry: Registry;
  /** Requests per minute of keys without a limit of their own. */
  readonly requestsPerMinute: number;
}

interface Known {
  readonly authenticated: Authenticated | undefined;
  readonly refusal: ErrorCode | undefined;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly expiresAt: number;
  /** Milliseconds of `performance.now()`. */
  readonly keptUntil: number;
}

/**
 * Cached entries end with a change; after a minute at the latest, for changes that no trigger
 * reports.
 */
const KEPT_AT_MOST = 60_000;
const CALLERS = 10_000;
/** A cache of its own: many wrong keys must not evict the valid ones. */
const REFUSALS = 10_000;

export function openAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { db, registry } = options;
  const cache = openCache();
  const loading = new Map<string, Promise<Known>>();
  const loadKey = batchRequests((hashes: readonly Buffer[]) => loadApiKeys(db, hashes));
  const changes = openChanges(db, forget);

  function forget(changes: Changed): void {
    // The workspaces of refused keys are unknown, and any of them may be valid now.
    loading.clear();
    if (changes === 'everything') registry.forgetAll();
    else for (const id of changes) registry.forget(id);
    cache.forget(changes);
  }

  async function load(hash: Buffer): Promise<Known> {
    // Random lifetimes, so that keys that were loaded together do not expire together.
    const keptUntil = performance.now() + KEPT_AT_MOST * (1 - Math.random() / 2);
    return judgeKey(options, await loadKey(hash), keptUntil);
  }

  /**
   * One load per key at a time; a result that was invalidated during its load is used but not
   * cached.
   */
  function loadOnce(key: string, hash: Buffer): Promise<Known> {
    const running = loading.get(key);
    if (running !== undefined) return running;
    const started = load(hash)
      .then((known) => {
        if (loading.get(key) === started) cache.keep(key, known);
        return known;
      })
      .finally(() => {
        if (loading.get(key) === started) loading.delete(key);
      });
    loading.set(key, started);
    return started;
  }

  function findCaller(hash: Buffer): Authenticated | Promise<Authenticated> {
    const key = hash.toString('base64');
    const known = cache.get(key);
    if (known !== undefined && isInForce(known)) return requireAuthenticated(known);
    return loadOnce(key, hash).then(requireAuthenticated);
  }

  function isInForce({ expiresAt, keptUntil }: Known): boolean {
    return performance.now() < keptUntil && changes.databaseTime() < expiresAt;
  }

  return {
    authenticate(secret) {
      if (!isSecret(secret)) throw new ApiError('invalid_api_key');
      const hash = hashOf(secret);
      return changes.catchUp()?.then(() => findCaller(hash)) ?? findCaller(hash);
    },
    lookAgain: changes.expire,
  };
}

interface Cache {
  get(key: string): Known | undefined;
  keep(key: string, known: Known): void;
  forget(changes: Changed): void;
}

function openCache(): Cache {
  const callers = new LRUCache<string, Known>({ max: CALLERS });
  const refusals = new LRUCache<string, Known>({ max: REFUSALS });
  return {
    get: (key) => callers.get(key) ?? refusals.get(key),
    keep(key, known) {
      const isRefused = known.authenticated === undefined;
      const [kept, other] = isRefused ? [refusals, callers] : [callers, refusals];
      kept.set(key, known);
      other.delete(key);
    },
    forget(changes) {
      refusals.clear();
      if (changes === 'everything') return callers.clear();
      const changed = new Set<number | undefined>(changes);
      for (const [key, { authenticated }] of callers) {
        if (changed.has(authenticated?.model.workspace.id)) callers.delete(key);
      }
    },
  };
}

async function judgeKey(
  { db, registry, requestsPerMinute }: AuthenticatorOptions,
  row: ApiKeyRow | undefined,
  keptUntil: number,
): Promise<Known> {
  const refused = (refusal: ErrorCode): Known => {
    return { authenticated: undefined, refusal, expiresAt: Infinity, keptUntil };
  };
  if (row === undefined || row.revoked) return refused('invalid_api_key');
  if (row.expires_in !== null && row.expires_in <= 0) return refused('api_key_expired');
  const [member, model] = await Promise.all([
    loadMember(db, row.schema_name, row.user_id),
    loadPresentModel(registry, row),
  ]);
  if (member === undefined || !member.active) return refused('invalid_api_key');
  const principal = principalOf(row, requestsPerMinute);
  const authenticated = Object.freeze({ caller: callerOf(model, member, principal), model });
  const expiresAt = row.expires_at === null ? Infinity : Date.parse(row.expires_at);
  return { authenticated, refusal: undefined, expiresAt, keptUntil };
}

/** Hear at once of what other processes change. NOTIFY is only a hint: what it says is not read. */
export async function followChanges(
  listeners: Listeners,
  authenticator: Authenticator,
): Promise<void> {
  await listeners.listen(CHANNEL, authenticator.lookAgain);
}

function requireAuthenticated({ authenticated, refusal }: Known): Authenticated {
  if (authenticated !== undefined) return authenticated;
  throw new ApiError(refusal ?? 'invalid_api_key');
}

/** Load the model again when the row names a newer revision. */
async function loadPresentModel(registry: Registry, row: ApiKeyRow): Promise<WorkspaceModel> {
  const model = await registry.model(row.workspace_id);
  if (model.revision >= row.revision) return model;
  registry.forget(row.workspace_id);
  return registry.model(row.workspace_id);
}

function principalOf(row: ApiKeyRow, requestsPerMinute: number): KeyPrincipal {
  return Object.freeze({
    kind: 'key',
    id: row.id,
    name: row.name,
    type: row.type,
    prefix: row.prefix,
    scopes: row.scopes,
    expires_at: row.expires_at,
    requests_per_minute: row.requests_per_minute ?? requestsPerMinute,
  });
}
