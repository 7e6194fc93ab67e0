// From the secret of a key to who asks: the key, the person with their present rights, the model of
// their workspace (§5, D14). A process remembers the answer until something in the workspace changes
// (D80, store/changes.ts). Whether the developer right is needed is the door's question.

import { LRUCache } from 'lru-cache';
import { ApiError, type ErrorCode } from '../errors.ts';
import { accessOf, type Caller } from '../model/access.ts';
import { type ApiKeyIdentity, hashOf, isSecret } from '../model/api-key-form.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { type ApiKeyRow, loadApiKeys } from '../store/api-keys.ts';
import { type Changed, openChanges } from '../store/changes.ts';
import type { Database } from '../store/db.ts';
import { gather } from '../store/gather.ts';
import { loadMember, type MemberRow } from '../store/members.ts';
import type { Registry } from '../store/registry.ts';
import { CHANNEL } from '../store/workspaces.ts';

/** A key in force and whom it stands for. */
export interface KeyHolder {
  readonly apiKey: ApiKeyIdentity;
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

export interface Authenticator {
  /**
   * Errors: `invalid_api_key` (malformed, unknown, revoked, person deactivated: all alike) and
   * `api_key_expired`.
   */
  authenticate(secret: string): KeyHolder | Promise<KeyHolder>;
  /** Ask what has changed before the next request. */
  lookAgain(): void;
}

export interface AuthenticatorOptions {
  readonly db: Database;
  readonly registry: Registry;
  /** For keys without a number of their own. */
  readonly requestsPerMinute: number;
}

interface Known {
  readonly holder: KeyHolder | undefined;
  readonly refusal: ErrorCode | undefined;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly expiresAt: number;
  /** Milliseconds of `performance.now()`. */
  readonly keptUntil: number;
}

/** Changes end what is known. The minute is for those no trigger tells. */
const KEPT_AT_MOST = 60_000;
const HOLDERS = 10_000;
/** Kept apart: a flood of wrong keys must not push out the right ones. */
const REFUSALS = 10_000;

export function openAuthenticator({
  db,
  registry,
  requestsPerMinute,
}: AuthenticatorOptions): Authenticator {
  const holders = new LRUCache<string, Known>({ max: HOLDERS });
  const refusals = new LRUCache<string, Known>({ max: REFUSALS });
  const loading = new Map<string, Promise<Known>>();
  const loadKey = gather((hashes: readonly Buffer[]) => loadApiKeys(db, hashes));
  const changes = openChanges(db, forget);

  function forget(changes: Changed): void {
    // Whose they are is not known; one may be good now.
    loading.clear();
    refusals.clear();
    if (changes === 'everything') {
      registry.forgetAll();
      holders.clear();
      return;
    }
    const changed = new Set<number | undefined>(changes);
    for (const id of changes) registry.forget(id);
    for (const [key, { holder }] of holders) {
      if (changed.has(holder?.model.workspace.id)) holders.delete(key);
    }
  }

  async function load(hash: Buffer): Promise<Known> {
    // Keys that were first used together are not looked up again together.
    const keptUntil = performance.now() + KEPT_AT_MOST * (1 - Math.random() / 2);
    const row = await loadKey(hash);
    const refused = (refusal: ErrorCode): Known => {
      return { holder: undefined, refusal, expiresAt: Infinity, keptUntil };
    };
    if (row === undefined || row.revoked) return refused('invalid_api_key');
    if (row.expires_in !== null && row.expires_in <= 0) return refused('api_key_expired');
    const [member, model] = await Promise.all([
      loadMember(db, row.schema_name, row.user_id),
      loadPresentModel(registry, row),
    ]);
    if (member === undefined || !member.active) return refused('invalid_api_key');
    const holder = holderOf(row, member, { model, requestsPerMinute });
    const expiresAt = row.expires_at === null ? Infinity : Date.parse(row.expires_at);
    return { holder, refusal: undefined, expiresAt, keptUntil };
  }

  function keep(key: string, known: Known): void {
    const [kept, other] = known.holder === undefined ? [refusals, holders] : [holders, refusals];
    kept.set(key, known);
    other.delete(key);
  }

  /** One load per key at a time; what was forgotten meanwhile is answered but not kept. */
  function loadOnce(key: string, hash: Buffer): Promise<Known> {
    const running = loading.get(key);
    if (running !== undefined) return running;
    const started = load(hash)
      .then((known) => {
        if (loading.get(key) === started) keep(key, known);
        return known;
      })
      .finally(() => {
        if (loading.get(key) === started) loading.delete(key);
      });
    loading.set(key, started);
    return started;
  }

  function findHolder(hash: Buffer): KeyHolder | Promise<KeyHolder> {
    const key = hash.toString('base64');
    const known = holders.get(key) ?? refusals.get(key);
    if (known !== undefined && isInForce(known)) return requireHolder(known);
    return loadOnce(key, hash).then(requireHolder);
  }

  function isInForce({ expiresAt, keptUntil }: Known): boolean {
    return performance.now() < keptUntil && changes.databaseTime() < expiresAt;
  }

  return {
    authenticate(secret) {
      if (!isSecret(secret)) throw new ApiError('invalid_api_key');
      const hash = hashOf(secret);
      return changes.catchUp()?.then(() => findHolder(hash)) ?? findHolder(hash);
    },
    lookAgain: changes.expire,
  };
}

/** Hear at once of what other processes change. NOTIFY is only a hint: what it says is not read. */
export async function followChanges(db: Database, authenticator: Authenticator): Promise<void> {
  await db.listen(CHANNEL, authenticator.lookAgain);
}

function requireHolder({ holder, refusal }: Known): KeyHolder {
  if (holder !== undefined) return holder;
  throw new ApiError(refusal ?? 'invalid_api_key');
}

/** The row says which revision is in force: an older model is loaded again. */
async function loadPresentModel(registry: Registry, row: ApiKeyRow): Promise<WorkspaceModel> {
  const model = await registry.model(row.workspace_id);
  if (model.revision >= row.revision) return model;
  registry.forget(row.workspace_id);
  return registry.model(row.workspace_id);
}

function holderOf(
  row: ApiKeyRow,
  member: MemberRow,
  {
    model,
    requestsPerMinute,
  }: { readonly model: WorkspaceModel; readonly requestsPerMinute: number },
): KeyHolder {
  const { id, name, email, title, kind } = member;
  return Object.freeze({
    apiKey: Object.freeze({
      id: row.id,
      name: row.name,
      type: row.type,
      prefix: row.prefix,
      scopes: row.scopes,
      expires_at: row.expires_at,
      requests_per_minute: row.requests_per_minute ?? requestsPerMinute,
    }),
    caller: Object.freeze({
      user: Object.freeze({ id, name, email, title, kind }),
      key: Object.freeze({ id: row.id, prefix: row.prefix }),
      scopes: new Set(row.scopes),
      team_ids: member.team_ids,
      colleague_ids: member.colleague_ids,
      access: accessOf(model, member.roles),
    }),
    model,
  });
}
