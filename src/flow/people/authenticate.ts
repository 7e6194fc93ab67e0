// Authentication: from the secret of a key or session to the caller: the principal, the person with their
// present rights, the model of their workspace (§5, D14). The result is cached until the workspace changes
// (D80, control/workspace/changes.ts). Developer access is checked by the request pipeline.

import { LRUCache } from 'lru-cache';
import { loadMember } from '../../control/people/people.ts';
import { loadViewing, type ViewingRow } from '../../control/people/viewing-rows.ts';
import type { Changed, Changes } from '../../control/workspace/changes.ts';
import type { Registry } from '../../control/workspace/registry.ts';
import { ApiError, type ErrorCode } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import {
  type Access,
  accessOf,
  type Caller,
  callerOf,
  type Scope,
} from '../../model/rights/access.ts';
import { hashOf } from '../../model/rights/api-key-form.ts';
import {
  type CredentialKind,
  type IdentifiedPrincipal,
  sessionOf,
  type ViewingPrincipal,
} from '../../model/rights/principal.ts';
import { batchRequests } from '../../postgres/batch-requests.ts';
import { type Database, isAway } from '../../postgres/db.ts';
import {
  type CredentialRow,
  type CredentialSource,
  credentialSources,
  type Judged,
  type SourceKind,
} from './credentials.ts';

/** The caller of a credential in force, and the model of their workspace. */
export interface Authenticated {
  readonly caller: Caller;
  readonly model: WorkspaceModel;
}

export interface Authenticator {
  /**
   * The caller of a key, or of the token of a session. Errors: `invalid_api_key` (malformed, unknown,
   * revoked, person deactivated: all alike) and `api_key_expired`; of a session `invalid_credentials`, of a calendar
   * feed `record_not_found`.
   */
  authenticate(secret: string, kind?: CredentialKind): Authenticated | Promise<Authenticated>;
  /**
   * The caller of an administrator who views as this person. Errors: `permission_denied` without a session,
   * `viewing_ended`.
   */
  view(viewer: Authenticated, userId: number): Promise<Authenticated>;
  /** Check for changes before the next request. */
  lookAgain(): void;
  /** Milliseconds since 1970 by the clock of the database; rather ahead than behind. */
  databaseTime(): number;
}

export interface AuthenticatorOptions {
  readonly db: Database;
  readonly registry: Registry;
  readonly changes: Changes;
  /** Requests per minute of keys without a limit of their own. */
  readonly requestsPerMinute: number;
  /** True: access tokens of grants are keys (docs/design/oauth.md). */
  readonly oauth?: boolean;
  /** True: an authenticated caller stays valid while the server of the control schema is away (D333). */
  readonly outlastsAbsence?: boolean;
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
/** A cache of its own: many wrong secrets must not evict the valid ones. */
const REFUSALS = 10_000;

export function openAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { registry, changes } = options;
  const cache = openCache();
  const loading = new Map<string, Promise<Known>>();
  const sources = credentialSources(options.requestsPerMinute);
  const loads = {
    key: openLoad(options, sources.key),
    session: openLoad(options, sources.session),
    token: openLoad(options, sources.token),
    feed: openLoad(options, sources.feed),
  };
  changes.onChange(forget);

  function forget(changed: Changed): void {
    // The workspaces of refused secrets are unknown, and any of them may be valid now.
    loading.clear();
    if (changed === 'everything') registry.forgetAll();
    else for (const id of changed) registry.forget(id);
    cache.forget(changed);
  }

  const find = openFinder(options, { cache, loading, changes });
  const findCaller = (kind: SourceKind, hash: Buffer) =>
    find(`${kind} ${hash.toString('base64')}`, () => loads[kind](hash));
  const sourceOf = (secret: string, kind: CredentialKind): SourceKind =>
    options.oauth === true && kind === 'key' && sources.token.isForm(secret) ? 'token' : kind;

  return {
    authenticate(secret, kind = 'key') {
      const source = sourceOf(secret, kind);
      const { isForm, invalid } = sources[source];
      if (!isForm(secret)) throw refusalOf(invalid);
      const hash = hashOf(secret);
      return changes.catchUp()?.then(() => findCaller(source, hash)) ?? findCaller(source, hash);
    },
    async view(viewer, userId) {
      const { caller } = viewer;
      const session = sessionOf(caller.principal);
      if (session === undefined) throw viewingRefused();
      if (!caller.access.administrator) throw new ApiError('viewing_ended');
      const load = () => judgeViewing(options, viewer, userId);
      return find(`viewing ${session.id} ${userId}`, load);
    },
    lookAgain: changes.expire,
    databaseTime: changes.databaseTime,
  };
}

interface Finding {
  readonly cache: Cache;
  readonly loading: Map<string, Promise<Known>>;
  readonly changes: Pick<Changes, 'databaseTime'>;
}

/** Finds the caller of a key of the cache, or loads it. */
function openFinder(options: AuthenticatorOptions, { cache, loading, changes }: Finding) {
  /**
   * One load per credential at a time; a result that was invalidated during its load is used but not
   * cached.
   */
  function loadOnce(key: string, load: () => Promise<Known>): Promise<Known> {
    const running = loading.get(key);
    if (running !== undefined) return running;
    const started = load()
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

  function isInForce({ expiresAt, keptUntil }: Known): boolean {
    return performance.now() < keptUntil && changes.databaseTime() < expiresAt;
  }

  return (key: string, load: () => Promise<Known>): Authenticated | Promise<Authenticated> => {
    const known = cache.get(key);
    if (known !== undefined && isInForce(known)) return requireAuthenticated(known);
    const useCached = outlasting(options, known, changes.databaseTime());
    return loadOnce(key, load).catch(useCached).then(requireAuthenticated);
  };
}

/** Known callers are accepted without another query; the checks for changes decide for how long. */
function outlasting(
  { outlastsAbsence = false }: AuthenticatorOptions,
  known: Known | undefined,
  databaseTime: number,
) {
  return (error: unknown): Known => {
    if (known === undefined || databaseTime >= known.expiresAt) throw error;
    if (!outlastsAbsence || !isAway(error)) throw error;
    return known;
  };
}

/** Credentials that are looked up together are looked up with one statement. */
function openLoad(
  options: AuthenticatorOptions,
  source: CredentialSource,
): (hash: Buffer) => Promise<Known> {
  const ask = batchRequests((hashes: readonly Buffer[]) => source.load(options.db, hashes));
  return async (hash) => {
    // Random lifetimes, so that keys that were loaded together do not expire together.
    const keptUntil = performance.now() + KEPT_AT_MOST * (1 - Math.random() / 2);
    return { ...(await judge(options, source, await ask(hash))), keptUntil };
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

/** The scopes that only read. */
const VIEWING_SCOPES: readonly Scope[] = [
  ...(['users:read', 'records:read', 'comments:read', 'workspace:read', 'audit:read'] as const),
];

/** The viewing of a session as this person, when there is one under way. */
async function judgeViewing(
  options: AuthenticatorOptions,
  { caller }: Authenticated,
  userId: number,
): Promise<Known> {
  const session = sessionOf(caller.principal);
  const row = session && (await loadViewing(options.db, session.id));
  const isMeant = session !== undefined && row?.user_id === userId;
  const principal = isMeant ? viewingPrincipal(caller, session, row) : undefined;
  const found = principal && row && { row, judgement: { principal, endsAt: row.ends_at } };
  const judged = await judge(options, { invalid: 'viewing_ended' }, found);
  return { ...judged, keptUntil: performance.now() + KEPT_AT_MOST };
}

function viewingPrincipal(
  { user }: Caller,
  session: ViewingPrincipal['session'],
  { until }: ViewingRow,
): ViewingPrincipal {
  const { id, requests_per_minute } = session;
  return {
    kind: 'viewing',
    ...{ id, session, requests_per_minute, ends_at: until, scopes: VIEWING_SCOPES },
    viewer: { id: user.id, name: user.name },
  };
}

function viewingRefused(): ApiError {
  const message = say('viewing_needs_session');
  return new ApiError('permission_denied', { param: 'X-View-As', message });
}

async function judge(
  { db, registry }: AuthenticatorOptions,
  { invalid }: Pick<CredentialSource, 'invalid'>,
  found: Judged | undefined,
): Promise<Omit<Known, 'keptUntil'>> {
  const refused = (refusal: ErrorCode) => {
    return { authenticated: undefined, refusal, expiresAt: Infinity };
  };
  if (found === undefined) return refused(invalid);
  const { row, judgement } = found;
  if (typeof judgement === 'string') return refused(judgement);
  const [member, model] = await Promise.all([
    loadMember(db, row.schema_name, row.user_id),
    loadPresentModel(registry, row),
  ]);
  if (member === undefined || !member.active) return refused(invalid);
  const principal = Object.freeze(limited(judgement.principal, accessOf(model, member.roles)));
  const authenticated = Object.freeze({ caller: callerOf(model, member, principal), model });
  return { authenticated, refusal: undefined, expiresAt: judgement.endsAt };
}

/** A session of somebody whose role requires a second factor that it lacks; a provider has its own (D902). */
function limited(principal: IdentifiedPrincipal, access: Access): IdentifiedPrincipal {
  if (principal.kind !== 'session' || !access.second_factor) return principal;
  const isExempt = principal.method === 'oidc' || principal.second_factor === 'given';
  return isExempt ? principal : { ...principal, isLimited: true };
}

function requireAuthenticated({ authenticated, refusal }: Known): Authenticated {
  if (authenticated !== undefined) return authenticated;
  throw refusalOf(refusal ?? 'invalid_api_key');
}

/** Load the model again when the row names a newer revision. */
async function loadPresentModel(registry: Registry, row: CredentialRow): Promise<WorkspaceModel> {
  const model = await registry.model(row.workspace_id);
  if (model.revision >= row.revision) return model;
  registry.forget(row.workspace_id);
  return registry.model(row.workspace_id);
}

function refusalOf(code: ErrorCode): ApiError {
  if (code !== 'invalid_credentials') return new ApiError(code);
  return new ApiError(code, { message: say('session_ended') });
}
