// The decision behind notifications: the caller's own, of records the caller can still read (D58), of webhooks and of jobs.
// Pure.

import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, objectAccess } from '../../model/rights/access.ts';
import { type CursorValue, decodeCursor } from '../read/cursor.ts';
import { type ReachPredicate, reachPredicate } from '../read/read-plan.ts';

export interface NotificationPageRequest {
  readonly unread: boolean;
  /** True: with the beginning of each comment. */
  readonly excerpts?: boolean;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** The user of the notifications, and the records that they may be about. */
export interface NotificationScope {
  readonly schema: string;
  readonly user_id: number;
  readonly readable: readonly { readonly object: ObjectModel; readonly reach: ReachPredicate }[];
}

export interface NotificationPagePlan extends NotificationScope {
  readonly unread: boolean;
  readonly excerpts: boolean;
  /** `created_at` and `id` after which the page starts. */
  readonly after: readonly CursorValue[] | undefined;
  readonly limit: number;
  readonly binding: string;
}

/** The notifications the caller may see. */
export function planNotificationScope(model: WorkspaceModel, caller: Caller): NotificationScope {
  const readable = [...model.objects.values()].flatMap((object) => {
    const reach = objectAccess(caller, object).reach.read;
    if (reach === null || !(object.commentable || object.gated || object.owned)) return [];
    return [{ object, reach: reachPredicate(caller, object, reach) }];
  });
  return { schema: model.schema, user_id: caller.user.id, readable };
}

/** Plan one page, newest first. Errors: `invalid_cursor`. */
export function planNotifications(
  model: WorkspaceModel,
  caller: Caller,
  { unread, excerpts = false, limit, cursor }: NotificationPageRequest,
): NotificationPagePlan {
  const binding = JSON.stringify([model.workspace.id, caller.user.id, 'notifications', unread]);
  const after =
    cursor === undefined ? undefined : decodeCursor(model.cursor_secret, binding, cursor);
  const scope = planNotificationScope(model, caller);
  return { ...scope, unread, excerpts, after, limit, binding };
}
