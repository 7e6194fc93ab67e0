// The statements of comments: a page of them, the records they are added to, adding some with their
// audit and notification rows, removing them with their records. Pure text.

import type { CommentPagePlan, CommentsPlan } from '../../plan/events/comment-plan.ts';
import type { CursorValue } from '../../plan/read/cursor.ts';
import { allOf, COMPARISONS, selectionSql } from '../read/where-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../sql.ts';
import { notifyOfCommentsSql } from './notify-sql.ts';

/** A validated comment, and the users it notifies. */
export interface NewComment {
  readonly id: string;
  readonly record_id: string;
  readonly body: string;
  readonly author_user_id: number;
  /** null: the time of the transaction. */
  readonly created_at: string | null;
  /** null: never changed since. */
  readonly updated_at: string | null;
  readonly notifications: readonly { readonly id: string; readonly user_id: number }[];
  /** The owner of the record; undefined: neither they nor the people who follow it are notified. */
  readonly owner_id?: number | null | undefined;
}

/**
 * One page, joined to the record it belongs to: a single row of nulls when there are no comments, no row at all when
 * the caller cannot find the record.
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

/** Rows of `table` after a cursor of moment and id; all rows without one. */
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
 * The records comments are added to, their owners, and the time of the transaction. The lock prevents deletes
 * of the records until the transaction ends, but not updates.
 */
export function holdRecordsSql({ source }: CommentsPlan): Sql {
  const { schema, object, reach } = source;
  return sql`select t.id, t.${identifier(reach.column)}, now()::timestamptz(3) as now
    from ${identifier(schema, object.table)} t
    where ${allOf(selectionSql(source))} order by t.id for key share of t`;
}

/** Selects the comments that exist. */
export function presentCommentsSql(schema: string, ids: readonly string[]): Sql {
  return sql`select id from ${identifier(schema, '_comments')} where id = any(${ids}::uuid[])`;
}

/** Add comments on records of one object, and their notifications. */
export function addCommentsSql(
  schema: string,
  object_type: string,
  comments: readonly NewComment[],
): readonly Sql[] {
  const notifications = comments.flatMap((comment) =>
    comment.notifications.map(({ id, user_id }) => ({ id, user_id, comment_id: comment.id })),
  );
  const added = sql`insert into ${identifier(schema, '_comments')}
      (id, object_type, record_id, body, author_user_id, created_at, updated_at)
    select n.id, ${object_type}::text, n.record_id, n.body, n.author_user_id,
      coalesce(n.created_at, now()), coalesce(n.updated_at, n.created_at, now())
    from unnest(${comments.map(({ id }) => id)}::uuid[],
      ${comments.map(({ record_id }) => record_id)}::uuid[],
      ${comments.map(({ body }) => body)}::text[],
      ${comments.map(({ author_user_id }) => author_user_id)}::integer[],
      ${comments.map(({ created_at }) => created_at)}::timestamptz[],
      ${comments.map(({ updated_at }) => updated_at)}::timestamptz[])
      as n (id, record_id, body, author_user_id, created_at, updated_at)`;
  const heard = comments.filter(({ owner_id }) => owner_id !== undefined);
  return [
    added,
    ...(notifications.length === 0 ? [] : [notifySql(schema, notifications)]),
    ...(heard.length === 0 ? [] : [notifyOfCommentsSql(schema, heard)]),
  ];
}

function notifySql(
  schema: string,
  notifications: readonly {
    readonly id: string;
    readonly user_id: number;
    readonly comment_id: string;
  }[],
): Sql {
  return sql`insert into ${identifier(schema, '_notifications')}
      (id, kind, user_id, comment_id, object_type, record_id, author_user_id, created_at)
    select n.id, 'mention', n.user_id, c.id, c.object_type, c.record_id, c.author_user_id, c.created_at
    from unnest(${notifications.map(({ id }) => id)}::uuid[], ${notifications.map(({ user_id }) => user_id)}::integer[],
      ${notifications.map(({ comment_id }) => comment_id)}::uuid[]) as n (id, user_id, comment_id)
    join ${identifier(schema, '_comments')} c on c.id = n.comment_id`;
}
