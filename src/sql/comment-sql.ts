// The statements of comments: a page of them, the record they are added to, adding one with all that it
// leaves behind, removing them with their records. Pure text.

import type { CommentPagePlan, CommentPlan } from '../plan/comment-plan.ts';
import type { CursorValue } from '../plan/cursor.ts';
import { type AuditContext, auditedSql } from './audit-sql.ts';
import { rememberedSql } from './idempotency-sql.ts';
import { EMPTY, identifier, type Sql, sql } from './sql.ts';
import { allOf, COMPARISONS, selectionSql } from './where-sql.ts';

/** A comment that may be added, and whom it notifies. */
export interface NewComment {
  readonly id: string;
  readonly record_id: string;
  readonly body: string;
  readonly notifications: readonly { readonly id: string; readonly user_id: number }[];
  /** Stores the answer to the request. */
  readonly remembered?: Sql | undefined;
}

/**
 * One page behind the record it belongs to: a single row of nulls when there are no comments, no row
 * at all when the caller cannot find the record.
 */
export function commentsSql({ source, order, after, limit }: CommentPagePlan): Sql {
  const { schema, object } = source;
  const direction = order === 'asc' ? sql`asc` : sql`desc`;
  return sql`select c.*, u.kind as author_kind, u.name as author_name
    from (select t.id from ${identifier(schema, object.table)} t
      where ${allOf(selectionSql(source))}) s
    left join lateral (
      select c.id, c.body, c.author_user_id, c.created_at, c.updated_at
      from ${identifier(schema, '_comments')} c
      where c.record_id = s.id and c.object_type = ${object.object_type}::text${beyondSql(sql`c`, order, after)}
      order by c.created_at ${direction}, c.id ${direction} limit ${limit + 1}
    ) c on true
    left join ${identifier(schema, '_users')} u on u.id = c.author_user_id
    order by c.created_at ${direction}, c.id ${direction}`;
}

/** Rows of `table` after a cursor of moment and id; nothing without one. */
export function beyondSql(
  table: Sql,
  order: 'asc' | 'desc',
  after: readonly CursorValue[] | undefined,
): Sql {
  if (after === undefined) return EMPTY;
  const [created_at, id] = after;
  return sql` and (${table}.created_at, ${table}.id) ${order === 'asc' ? COMPARISONS.gt : COMPARISONS.lt}
        (${created_at}::timestamptz, ${id}::uuid)`;
}

/**
 * The record a comment is added to, whose it is, and the time of the transaction. Nobody deletes the
 * record before the transaction ends; everybody can change it.
 */
export function holdRecordSql({ source }: CommentPlan): Sql {
  const { schema, object, reach } = source;
  return sql`select t.id, t.${identifier(reach.column)}, now()::timestamptz(3) as now
    from ${identifier(schema, object.table)} t
    where ${allOf(selectionSql(source))} for key share of t`;
}

/** Add a comment with its audit row and notifications; answers its id. */
export function addCommentSql(context: AuditContext, comment: NewComment): Sql {
  const { schema, object_type, user_id } = context;
  const { id, record_id, body, notifications, remembered } = comment;
  const entry = { record_id, action: 'comment', changed_fields: ['comments'] };
  return sql`with commented as (
      insert into ${identifier(schema, '_comments')}
        (id, object_type, record_id, body, author_user_id)
      values (${id}::uuid, ${object_type}::text, ${record_id}::uuid, ${body}::text,
        ${user_id}::integer)
      returning *
    ), notified as (
      insert into ${identifier(schema, '_notifications')}
        (id, user_id, comment_id, object_type, record_id, author_user_id)
      select n.id, n.user_id, c.id, c.object_type, c.record_id, c.author_user_id
      from commented c cross join unnest(${notifications.map((one) => one.id)}::uuid[],
        ${notifications.map((one) => one.user_id)}::integer[]) as n (id, user_id)
    ), audited as (${auditedSql(context, [entry])})${rememberedSql(remembered)}
    select id from commented`;
}

/** Parts of the statement that deletes records: what was said about them goes with them. */
export function uncommentedSql(schema: string, ids: readonly string[]): readonly Sql[] {
  return [
    sql`uncommented as (
      delete from ${identifier(schema, '_comments')} where record_id = any(${ids}::uuid[])
    )`,
    sql`unnotified as (
      delete from ${identifier(schema, '_notifications')} where record_id = any(${ids}::uuid[])
    )`,
  ];
}
