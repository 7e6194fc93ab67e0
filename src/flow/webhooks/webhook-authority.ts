// The rights of webhooks, as they are now (docs/decisions.md, D466): those of the owner, cut down to the scopes of the
// key that the webhook was last changed with, while both are valid, and the maker of one for another person is an
// administrator (D651). What is remembered of them is as old as what
// requests know of keys, at most (D80, D650).

import type { WebhookAuthor } from '../../control/events/webhook-rows.ts';
import { type KeyInForce, loadKeysInForce } from '../../control/people/api-keys.ts';
import { loadMembersById, type MemberRow } from '../../control/people/people.ts';
import type { Changes } from '../../control/workspace/changes.ts';
import { openRegistry } from '../../control/workspace/registry.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { accessOf } from '../../model/rights/access.ts';
import { isActiveAdministrator } from '../../model/rights/administrator-roles.ts';
import type { WebhookScope } from '../../plan/events/webhook-plan.ts';
import type { Reason } from '../../plan/events/webhook-reasons.ts';
import type { Queryable, Shareable } from '../../postgres/db.ts';
import { webhookCaller } from './webhook-author.ts';

/** The caller that a webhook reads as, or the reason why it may not. */
export type Authority = WebhookScope | { readonly refusal: Reason };

export interface Authorities {
  /** Of a webhook of the workspace; the same object while nothing has changed. */
  of(workspaceId: number, author: WebhookAuthor): Promise<Authority>;
  /** The definition in force. */
  model(workspaceId: number): Promise<WorkspaceModel>;
  /** Check for changes before the next answer. */
  lookAgain(): void;
  /** Milliseconds since 1970 by the clock of the database. */
  now(): number;
}

interface Known {
  readonly authority: Authority;
  /** Milliseconds since 1970: when the key ends. */
  readonly endsAt: number;
}

export function openAuthorities(db: Shareable, changes: Changes): Authorities {
  const registry = openRegistry(db);
  let known = new Map<number, Map<string, Promise<Known>>>();
  changes.onChange((changed) => {
    if (changed === 'everything') {
      known = new Map();
      registry.forgetAll();
    } else {
      for (const id of changed) {
        known.delete(id);
        registry.forget(id);
      }
    }
  });

  function ofWorkspace(workspaceId: number): Map<string, Promise<Known>> {
    const authorities = known.get(workspaceId) ?? new Map<string, Promise<Known>>();
    known.set(workspaceId, authorities);
    return authorities;
  }

  return {
    async of(workspaceId, author) {
      await changes.catchUp();
      const authorities = ofWorkspace(workspaceId);
      const { owner_user_id, maker_user_id, api_key_id, scopes } = author;
      const key = JSON.stringify([owner_user_id, maker_user_id, api_key_id, scopes]);
      const found = authorities.get(key);
      if (found !== undefined && (await found).endsAt > changes.databaseTime()) {
        return (await found).authority;
      }
      const load = registry.model(workspaceId).then((model) => loadAuthority(db, model, author));
      authorities.set(key, load);
      // A failure is not remembered.
      load.catch(() => authorities.delete(key));
      return (await load).authority;
    },
    async model(workspaceId) {
      await changes.catchUp();
      return registry.model(workspaceId);
    },
    lookAgain: changes.expire,
    now: changes.databaseTime,
  };
}

async function loadAuthority(
  db: Shareable,
  model: WorkspaceModel,
  author: WebhookAuthor,
): Promise<Known> {
  const { owner_user_id, maker_user_id, api_key_id, scopes } = author;
  const keys =
    api_key_id === null ? [] : await loadKeysInForce(db, model.workspace.id, [api_key_id]);
  const holders = keys.map((key) => key.user_id);
  const people = [owner_user_id, maker_user_id ?? owner_user_id, ...holders];
  const members = await loadPeople(db, model, people);
  const refusal = refusalOf({ model, members, keys }, author);
  const endsAt = Math.min(...keys.map(({ expires_at }) => endOf(expires_at)), Infinity);
  if (refusal !== undefined) return { authority: { refusal }, endsAt: Infinity };
  const owner = members.get(owner_user_id) as MemberRow;
  return { authority: { model, caller: webhookCaller(model, owner, scopes) }, endsAt };
}

async function loadPeople(
  db: Queryable,
  { schema }: WorkspaceModel,
  ids: readonly number[],
): Promise<ReadonlyMap<number, MemberRow>> {
  const members = await loadMembersById(db, schema, [...new Set(ids)]);
  return new Map(members.map((member) => [member.id, member]));
}

interface Found {
  readonly model: WorkspaceModel;
  readonly members: ReadonlyMap<number, MemberRow>;
  readonly keys: readonly KeyInForce[];
}

function refusalOf({ model, members, keys }: Found, author: WebhookAuthor): Reason | undefined {
  const { owner_user_id, maker_user_id, api_key_id } = author;
  const isDeveloper = (member: MemberRow | undefined) =>
    member?.active === true && accessOf(model, member.roles).developer;
  const owner = members.get(owner_user_id);
  if (owner?.active !== true) return 'owner_inactive';
  if (!isDeveloper(owner)) return 'owner_not_developer';
  if (isForAnother(author)) {
    const maker = members.get(maker_user_id as number);
    if (!isActiveAdministrator(model, maker)) return 'maker_not_administrator';
  }
  if (api_key_id === null) return undefined;
  const [key] = keys;
  return key !== undefined && isDeveloper(members.get(key.user_id)) ? undefined : 'key_ended';
}

/** True when an administrator has made it, or last changed it, for somebody else. */
export function isForAnother({ owner_user_id, maker_user_id }: WebhookAuthor): boolean {
  return maker_user_id !== null && maker_user_id !== owner_user_id;
}

function endOf(expiresAt: string | null): number {
  return expiresAt === null ? Infinity : Date.parse(expiresAt);
}
