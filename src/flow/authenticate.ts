// From the secret of a key to who asks: the key, the person with their present rights, the model of
// their workspace (§5, D14). A process keeps the answer for less than a second (D80) and drops it when
// it hears of a change. Whether the developer right is needed is the door's question.

import { LRUCache } from 'lru-cache';
import { ApiError, type ErrorCode } from '../errors.ts';
import { accessOf, type Caller } from '../model/access.ts';
import { type ApiKeyIdentity, hashOf, isSecret } from '../model/api-key-form.ts';
import type { WorkspaceModel } from '../model/model.ts';
import { type ApiKeyRow, loadApiKeys } from '../store/api-keys.ts';
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
  /** Drop what is known of a key, or of all keys of a workspace. */
  forget(what: { readonly keyId?: string; readonly workspaceId?: number }): void;
}

export interface AuthenticatorOptions {
  readonly db: Database;
  readonly registry: Registry;
  /** For keys without a number of their own. */
  readonly requestsPerMinute: number;
}

/** An outcome that holds until `until`, in milliseconds of `performance.now()`. */
interface Known {
  readonly holder: KeyHolder | undefined;
  readonly refusal: ErrorCode | undefined;
  readonly until: number;
}

/** Below the second of D14. */
const KEPT = 900;
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

  async function load(hash: Buffer): Promise<Known> {
    const askedAt = performance.now();
    const row = await loadKey(hash);
    const refused = (code: ErrorCode) => ({ ...refusalOf(code), until: askedAt + KEPT });
    if (row === undefined || row.revoked) return refused('invalid_api_key');
    if (row.expires_in !== null && row.expires_in <= 0) return refused('api_key_expired');
    const [member, model] = await Promise.all([
      loadMember(db, row.schema_name, row.user_id),
      loadPresentModel(registry, row),
    ]);
    if (member === undefined || !member.active) return refused('invalid_api_key');
    const until = askedAt + Math.min(KEPT, row.expires_in ?? KEPT);
    return {
      holder: holderOf(row, member, { model, requestsPerMinute }),
      refusal: undefined,
      until,
    };
  }

  /** One load per key at a time; what was forgotten meanwhile is answered but not kept. */
  function loadOnce(key: string, hash: Buffer): Promise<Known> {
    const running = loading.get(key);
    if (running !== undefined) return running;
    const started = load(hash)
      .then((known) => {
        if (loading.get(key) === started) {
          (known.holder === undefined ? refusals : holders).set(key, known);
        }
        return known;
      })
      .finally(() => {
        if (loading.get(key) === started) loading.delete(key);
      });
    loading.set(key, started);
    return started;
  }

  return {
    authenticate(secret) {
      if (!isSecret(secret)) throw new ApiError('invalid_api_key');
      const hash = hashOf(secret);
      const key = hash.toString('base64');
      const known = holders.get(key) ?? refusals.get(key);
      if (known !== undefined && performance.now() < known.until) return requireHolder(known);
      return loadOnce(key, hash).then(requireHolder);
    },
    forget(what) {
      loading.clear();
      refusals.clear();
      for (const [key, { holder }] of holders) {
        if (isAbout(holder, what)) holders.delete(key);
      }
    },
  };
}

/** Keep authenticator and models in step with what other processes change. NOTIFY is only a hint. */
export async function followChanges(
  db: Database,
  authenticator: Authenticator,
  registry: Registry,
): Promise<void> {
  await db.listen(CHANNEL, (payload) => {
    const [kind, id = ''] = payload.split(':');
    if (kind === 'key') authenticator.forget({ keyId: id });
    if (kind === 'definition') registry.forget(Number(id));
    if (kind === 'definition' || kind === 'members') {
      authenticator.forget({ workspaceId: Number(id) });
    }
  });
}

function refusalOf(refusal: ErrorCode): Pick<Known, 'holder' | 'refusal'> {
  return { holder: undefined, refusal };
}

function requireHolder({ holder, refusal }: Known): KeyHolder {
  if (holder !== undefined) return holder;
  throw new ApiError(refusal ?? 'invalid_api_key');
}

function isAbout(
  holder: KeyHolder | undefined,
  { keyId, workspaceId }: { readonly keyId?: string; readonly workspaceId?: number },
): boolean {
  return holder?.apiKey.id === keyId || holder?.model.workspace.id === workspaceId;
}

/** The row says which revision is in force: a model that missed its notification is loaded again. */
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
