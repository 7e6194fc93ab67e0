// The statements that add notifications beside those of mentions and status requests. None of them notifies a person of
// what they did themselves, an agent or somebody who is not active. Pure text.

import type { NotificationKind } from '../../model/rights/notification-kinds.ts';
import { identifier, type Sql, sql } from '../sql.ts';
import { insertMadeSql } from '../write/insert-sql.ts';

/** A record that was given to a person. */
export interface Assigned {
  readonly id: string;
  readonly user_id: number;
  readonly object_type: string;
  readonly record_id: string;
  readonly author_user_id: number;
}

export function notifyAssignedSql(schema: string, assigned: readonly Assigned[]): Sql {
  const values = <Key extends keyof Assigned>(key: Key) => assigned.map((one) => one[key]);
  const columns = sql`id, kind, user_id, object_type, record_id, author_user_id`;
  const rows = sql`select n.id, 'assignment', n.user_id, n.object_type, n.record_id, n.author_user_id
    from unnest(${values('id')}::uuid[], ${values('user_id')}::integer[], ${values('object_type')}::text[],
      ${values('record_id')}::uuid[], ${values('author_user_id')}::integer[])
      as n (id, user_id, object_type, record_id, author_user_id)
    join ${identifier(schema, '_users')} u on u.id = n.user_id and ${IS_PERSON}
    where n.user_id <> n.author_user_id`;
  return insertMadeSql({ schema, table: '_notifications', columns, rows });
}

const IS_PERSON = sql`u.active and u.kind = 'user'`;

/** True of a notification `n` when its person has not switched its kind off in the list; for events. */
export function isHeardSql(schema: string): Sql {
  return sql`not exists (select from ${identifier(schema, '_notification_settings')} o
      where o.user_id = n.user_id and n.kind = any(o.list_off))`;
}

/**
 * Comments that were just added, for the owners of their records and the people who follow them, except the people that
 * a comment mentions.
 */
export function notifyOfCommentsSql(
  schema: string,
  comments: readonly { readonly id: string; readonly owner_id?: number | null | undefined }[],
): Sql {
  return sql`insert into ${identifier(schema, '_notifications')}
      (id, kind, user_id, comment_id, object_type, record_id, author_user_id, created_at)
    select gen_random_uuid(), 'comment', p.user_id, c.id, c.object_type, c.record_id, c.author_user_id, c.created_at
    from unnest(${comments.map(({ id }) => id)}::uuid[],
      ${comments.map(({ owner_id }) => owner_id ?? null)}::integer[]) as n (comment_id, owner_id)
    join ${identifier(schema, '_comments')} c on c.id = n.comment_id
    cross join lateral (select n.owner_id as user_id union
      select f.user_id from ${identifier(schema, '_follows')} f where f.record_id = c.record_id) p
    join ${identifier(schema, '_users')} u on u.id = p.user_id and ${IS_PERSON}
    where p.user_id <> c.author_user_id
      and not exists (select from ${identifier(schema, '_notifications')} m
        where m.record_id = c.record_id and m.comment_id = c.id and m.user_id = p.user_id)`;
}

/** A webhook or a job that failed, for the person it belongs to. */
export function notifyOfSubjectSql(
  schema: string,
  {
    id,
    kind,
    user_id,
    subject_id,
  }: {
    readonly id: string;
    readonly kind: Extract<NotificationKind, 'webhook_failed' | 'job_failed'>;
    readonly user_id: number;
    readonly subject_id: string;
  },
): Sql {
  return insertMadeSql({
    ...{ schema, table: '_notifications', columns: sql`id, kind, user_id, subject_id` },
    rows: sql`select ${id}::uuid, ${kind}::text, u.id, ${subject_id}::uuid from ${identifier(schema, '_users')} u
      where u.id = ${user_id}::integer and ${IS_PERSON}`,
    conflict: sql`on conflict (id) do nothing`,
  });
}
