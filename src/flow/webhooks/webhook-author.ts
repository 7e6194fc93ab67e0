// The author of a webhook (docs/decisions.md, D466): its owner with their present rights, restricted to the scopes of
// the key that made or last changed it, while that key is valid.

import type { WebhookAuthor } from '../../control/events/webhook-rows.ts';
import { holdApiKey } from '../../control/people/api-keys.ts';
import { loadMember, type MemberRow } from '../../control/people/people.ts';
import type { AskedByCaller } from '../../control/workspace/administer.ts';
import { ApiError, errorFromProblems } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { WorkspaceModel } from '../../model/definition/model.ts';
import { accessOf, type Caller, callerOf } from '../../model/rights/access.ts';
import { keyOf } from '../../model/rights/principal.ts';
import type { WebhookScope } from '../../plan/events/webhook-plan.ts';
import type { Queryable } from '../../postgres/db.ts';

/**
 * The author of a webhook that this caller makes or changes, and the definition and caller that it reads with. Errors:
 * `permission_denied` for webhooks of others unless the caller is an administrator, `invalid_write`, `invalid_api_key`
 * when the key has ended.
 */
export async function adoptWebhook(
  tx: Queryable,
  { model, caller }: Pick<AskedByCaller, 'model' | 'caller'>,
  ownerId: number,
): Promise<{ readonly author: WebhookAuthor; readonly scope: WebhookScope }> {
  const key = keyOf(caller.principal);
  const scopes = [...caller.scopes];
  const author = {
    ...{ owner_user_id: ownerId, maker_user_id: caller.user.id, scopes },
    ...{ api_key_id: key?.id ?? null, api_key_prefix: key?.prefix ?? null },
  };
  const owner = await requireOwner(tx, { model, caller }, ownerId);
  // The key may have ended meanwhile, and the webhook would outlive it.
  if (key !== undefined && (await holdApiKey(tx, key.id)) === undefined) {
    throw new ApiError('invalid_api_key');
  }
  return { author, scope: { model, caller: webhookCaller(model, owner, scopes) } };
}

export function webhookCaller(
  model: WorkspaceModel,
  owner: MemberRow,
  scopes: readonly string[],
): Caller {
  return callerOf(model, owner, { kind: 'webhook', scopes });
}

async function requireOwner(
  tx: Queryable,
  { model, caller }: Pick<AskedByCaller, 'model' | 'caller'>,
  id: number,
): Promise<MemberRow> {
  const param = 'owner_user_id';
  if (id !== caller.user.id && !caller.access.administrator) {
    const message = say('webhook_of_others');
    throw new ApiError('permission_denied', { param, message });
  }
  const owner = await loadMember(tx, model.schema, id);
  if (owner?.active !== true) {
    const message = say('no_active_user_with_id');
    throw errorFromProblems([{ param, code: 'invalid_write', message }]);
  }
  if (accessOf(model, owner.roles).developer) return owner;
  const message = say('webhook_owner_no_developer');
  throw errorFromProblems([{ param, code: 'invalid_write', message }]);
}
