// The statements of notifications: a page of a user's own, and marking one as read. A notification of a record is found
// only while its user can read the record. Pure text.

import { LIMITS } from '../../limits.ts';
import type { ObjectModel } from '../../model/definition/model.ts';
import type {
  NotificationPagePlan,
  NotificationScope,
} from '../../plan/events/notification-plan.ts';
import { allOf, reachSql } from '../read/where-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../sql.ts';
import { beyondSql } from './comment-sql.ts';

/** Select the page, newest first, with one more row that shows whether another page follows. */
export function notificationsSql(plan: NotificationPagePlan): Sql {
  const unread = plan.unread ? sql` and n.read_at is null` : EMPTY;
  const excerpt = plan.excerpts ? excerptSql(plan) : EMPTY;
  return sql`select ${SHOWN}${excerpt}
    from ${identifier(plan.schema, '_notifications')} n
    cross join lateral (${recordSql(plan)} limit 1) r
    ${joined(plan.schema)}
    where n.user_id = ${plan.user_id}::integer${unread} and ${wantedSql(plan.schema, 'list_off')}${beyondSql(sql`n`, 'desc', plan.after)}
    order by n.created_at desc, n.id desc limit ${plan.limit + 1}`;
}

/** Mark one as read; the time of the first call stays. No row when the user may not read it. */
export function markReadSql(scope: NotificationScope, id: string): Sql {
  return sql`with n as (
      update ${identifier(scope.schema, '_notifications')} n
      set read_at = coalesce(n.read_at, t.now) from (select now() as now) t
      where n.id = ${id}::uuid and n.user_id = ${scope.user_id}::integer
        and exists (${recordSql(scope)})
      returning n.*
    )
    select ${SHOWN} from n ${joined(scope.schema)}`;
}

export const SHOWN = sql`n.id, n.kind, n.object_type, n.record_id, n.comment_id, n.subject_id, n.due_on::text, n.created_at,
      n.read_at, n.author_user_id, u.kind as author_kind, u.name as author_name, n.status_request_id, q.from_status, q.to_status,
      q.state, q.requested_by`;

/** The author of the notification, and the status request that it is about. */
export function joined(schema: string): Sql {
  return sql`left join ${identifier(schema, '_users')} u on u.id = n.author_user_id
    left join ${identifier(schema, '_status_requests')} q on q.id = n.status_request_id`;
}

/**
 * The beginning of its comment, or of the comment of its author on the request. A notification is found with its record
 * only, whose comments and requests have the same readers.
 */
function excerptSql({ schema }: NotificationPagePlan): Sql {
  return sql`, left(case
      when n.status_request_id is null then (select c.body
        from ${identifier(schema, '_comments')} c where c.id = n.comment_id)
      when n.author_user_id = q.requested_by then q.comment
      else (select d.comment from ${identifier(schema, '_status_decisions')} d
        where d.request_id = n.status_request_id and d.user_id = n.author_user_id
        order by d.number desc limit 1) end, ${LIMITS.excerptLength}::integer) as excerpt`;
}

/** True when the person of the notification `n` has not switched its kind off. */
export function wantedSql(schema: string, where: 'list_off' | 'mail_off'): Sql {
  return sql`not exists (select from ${identifier(schema, '_notification_settings')} o
      where o.user_id = n.user_id and ${kindSql(schema)} = any(o.${identifier(where)}))`;
}

/** Rows of a release before do not have it. */
function kindSql(schema: string): Sql {
  return sql`coalesce(n.kind, case when n.status_request_id is null then 'mention'
      when n.author_user_id = (select q.requested_by from ${identifier(schema, '_status_requests')} q
        where q.id = n.status_request_id) then 'approval_requested' else 'request_decided' end)`;
}

/**
 * The record of the notification `n` when it is within reach, looked up by its id in the one table
 * where it can be; a row also where it is about no record. `limit 1` around it keeps PostgreSQL from joining whole tables
 * instead. `columnsOf`: what is selected of the record `t`; undefined: of none.
 */
export function recordSql(
  { schema, readable }: NotificationScope,
  columnsOf: (object: ObjectModel | undefined) => Sql = () => sql`1`,
): Sql {
  const branches = readable.map(({ object, reach }) => {
    const within = allOf([
      sql`n.object_type = ${object.object_type}::text`,
      sql`t.id = n.record_id`,
      ...reachSql(reach),
    ]);
    return sql`select ${columnsOf(object)} from ${identifier(schema, object.table)} t where ${within}`;
  });
  const none = sql`select ${columnsOf(undefined)} where n.record_id is null`;
  return branches.reduce((all, branch) => sql`${all} union all ${branch}`, none);
}
