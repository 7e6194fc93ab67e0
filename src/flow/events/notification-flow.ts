// Reads and writes of notifications: a page of the caller's own, and marking one as read; one statement each.

import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import { cursorAfterMoment } from '../../plan/events/comment-plan.ts';
import {
  type NotificationPageRequest,
  planNotificationScope,
  planNotifications,
} from '../../plan/events/notification-plan.ts';
import type { Row } from '../../postgres/db.ts';
import { markReadSql, notificationsSql } from '../../sql/events/notification-sql.ts';
import { toStatement } from '../../sql/sql.ts';
import { pageOf } from '../records/read/read-flow.ts';
import { ask, type ReadContext } from '../records/read/read-statement.ts';

/** One page, newest first. Errors: `invalid_cursor`. */
export async function readNotifications(
  context: ReadContext,
  request: NotificationPageRequest,
): Promise<{ readonly rows: readonly Row[]; readonly next_cursor: string | null }> {
  const { model, caller } = context;
  const plan = planNotifications(model, caller, request);
  const rows = await ask(context, toStatement(notificationsSql(plan)));
  return pageOf(plan, rows, request.limit, (last) => cursorAfterMoment(model, plan, last));
}

/**
 * Mark a notification of the caller as read; `id` as the client sent it. Errors:
 * `record_not_found`.
 */
export async function markNotificationRead(context: ReadContext, id: string): Promise<Row> {
  const canonical = parseRecordId(id);
  const scope = planNotificationScope(context.model, context.caller);
  const [row] =
    canonical === undefined ? [] : await ask(context, toStatement(markReadSql(scope, canonical)));
  if (row !== undefined) return row;
  const message = say('notification_not_found');
  throw new ApiError('record_not_found', { param: 'notification_id', message });
}
