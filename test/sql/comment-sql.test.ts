// Text and parameters of the statements of comments and notifications. Their effects are tested in api/.

import { describe, expect, test } from 'vitest';
import type { ObjectModel } from '../../src/model/definition/model.ts';
import { planComments, planNewComments } from '../../src/plan/events/comment-plan.ts';
import type { NotificationPagePlan } from '../../src/plan/events/notification-plan.ts';
import {
  addCommentsSql,
  commentsSql,
  holdRecordsSql,
  type NewComment,
} from '../../src/sql/events/comment-sql.ts';
import { markReadSql, notificationsSql } from '../../src/sql/events/notification-sql.ts';
import { type Sql, toStatement } from '../../src/sql/sql.ts';
import { callerOf, objectOf, sampleModel } from '../sample-definition.ts';

const model = sampleModel();
const gadgets = objectOf(model, 'gadgets');
const parts = objectOf(model, 'parts');
const A = '01900000-0000-7000-8000-00000000000a';
const B = '01900000-0000-7000-8000-00000000000b';
const NOW = '2026-01-01T00:00:00.000Z';

function lines(part: Sql): readonly unknown[] {
  const { text, values } = toStatement(part);
  return [text.replaceAll(/\s+/g, ' ').trim(), ...values];
}

describe('a page of comments', () => {
  const own = callerOf(model, ['own'], { id: 4 });
  const page = (order: 'asc' | 'desc', after: readonly string[] | undefined) => {
    const request = { id: A, order, limit: 2, cursor: undefined };
    return lines(commentsSql({ ...planComments(model, own, gadgets, request), after }));
  };
  const columns = 'c.id, c.body, c.author_user_id, c.created_at, c.updated_at';
  const record =
    '(select t.id from "ws_sample"."gadgets" t where t."owner_user_id" = $1::integer and t.id = any($2::uuid[])) s';
  const start = `select c.*, u.kind as author_kind, u.name as author_name from ${record} left join lateral ( select ${columns} from "ws_sample"."_comments" c where c.record_id = s.id and c.object_type = $3::text`;
  const people = 'left join "ws_sample"."_users" u on u.id = c.author_user_id';

  test('behind the record, newest first', () => {
    expect(page('desc', undefined)).toEqual([
      `${start} order by c.created_at desc, c.id desc limit $4 ) c on true ${people} order by c.created_at desc, c.id desc`,
      ...[4, [A], 'gadgets', 3],
    ]);
  });

  test('after a cursor, oldest first', () => {
    expect(page('asc', [NOW, B])).toEqual([
      `${start} and (c.created_at, c.id) > ($4::timestamptz, $5::uuid) order by c.created_at asc, c.id asc limit $6 ) c on true ${people} order by c.created_at asc, c.id asc`,
      ...[4, [A], 'gadgets', NOW, B, 3],
    ]);
    expect(page('desc', [NOW, B])[0]).toContain('(c.created_at, c.id) < (');
  });
});

describe('a new comment', () => {
  const anna = callerOf(model, ['admin']);
  const held = (object: ObjectModel, ...ids: readonly string[]) => {
    const requests = ids.map((id) => ({ id, body: 'x', mention_user_ids: [] }));
    return lines(holdRecordsSql(planNewComments(model, anna, object, requests)));
  };

  test('locks its record against deletion only, and reads its owner', () => {
    expect(held(parts, A)).toEqual([
      'select t.id, t."created_by_user_id", now()::timestamptz(3) as now from "ws_sample"."parts" t where t.id = any($1::uuid[]) order by t.id for key share of t',
      [A],
    ]);
    expect(held(gadgets, 'none')[1]).toEqual([]);
    expect(held(gadgets, A, B, A, 'none')[1]).toEqual([A, B]);
  });

  test('is one statement a table whose text does not depend on the comment', () => {
    const comment = {
      id: A,
      record_id: B,
      body: 'Secret',
      author_user_id: 5,
      created_at: NOW,
      updated_at: null,
      notifications: [{ id: B, user_id: 9 }],
    };
    const add = (...comments: readonly NewComment[]) =>
      addCommentsSql('ws_sample', 'gadgets', comments).map(lines);
    const [[text, ...values] = [], [told, ...mentions] = []] = add(comment);
    expect(add({ ...comment, notifications: [] }, comment)[0]?.[0]).toBe(text);
    expect(add({ ...comment, notifications: [] })).toHaveLength(1);
    expect(text).toContain('insert into "ws_sample"."_comments"');
    expect(told).toContain('insert into "ws_sample"."_notifications"');
    expect(values).toEqual(['gadgets', [A], [B], ['Secret'], [5], [NOW], [null]]);
    expect(mentions).toEqual([[B], [9], [A]]);
    const [, , heard] = add({ ...comment, owner_id: 7 }, { ...comment, id: B, owner_id: null });
    expect(heard?.[0]).toContain('"ws_sample"."_follows"');
    expect(heard?.slice(1)).toEqual([
      [A, B],
      [7, null],
    ]);
  });
});

describe('notifications', () => {
  const scope = {
    schema: 'ws_sample',
    user_id: 4,
    readable: [
      { object: gadgets, reach: { column: 'owner_user_id', user_ids: [4, 5] } },
      { object: parts, reach: { column: 'created_by_user_id', user_ids: undefined } },
    ],
  };
  const shown =
    'n.id, n.kind, n.object_type, n.record_id, n.comment_id, n.subject_id, n.due_on::text, n.created_at, n.read_at, n.author_user_id, u.kind as author_kind, u.name as author_name, n.status_request_id, q.from_status, q.to_status, q.state, q.requested_by';
  const gadgetOf = (first: number) =>
    `select 1 from "ws_sample"."gadgets" t where n.object_type = $${first}::text and t.id = n.record_id and t."owner_user_id" = any($${first + 1}::integer[])`;
  const partOf = (first: number) =>
    `select 1 from "ws_sample"."parts" t where n.object_type = $${first}::text and t.id = n.record_id`;
  const none = 'select 1 where n.record_id is null';
  const listed = `not exists (select from "ws_sample"."_notification_settings" o where o.user_id = n.user_id and coalesce(n.kind, case when n.status_request_id is null then 'mention' when n.author_user_id = (select q.requested_by from "ws_sample"."_status_requests" q where q.id = n.status_request_id) then 'approval_requested' else 'request_decided' end) = any(o."list_off"))`;
  const people =
    'left join "ws_sample"."_users" u on u.id = n.author_user_id left join "ws_sample"."_status_requests" q on q.id = n.status_request_id';
  const plan: NotificationPagePlan = {
    ...scope,
    unread: false,
    excerpts: false,
    after: undefined,
    limit: 2,
    binding: '',
  };
  const start = `select ${shown} from "ws_sample"."_notifications" n cross join lateral (${none} union all ${gadgetOf(1)} union all ${partOf(3)} limit 1) r ${people} where n.user_id = $4::integer`;

  test('of one person, each with its record within reach', () => {
    expect(lines(notificationsSql(plan))).toEqual([
      `${start} and ${listed} order by n.created_at desc, n.id desc limit $5`,
      ...['gadgets', [4, 5], 'parts', 4, 3],
    ]);
  });

  test('unread, after a cursor', () => {
    expect(lines(notificationsSql({ ...plan, unread: true, after: [NOW, A] }))).toEqual([
      `${start} and n.read_at is null and ${listed} and (n.created_at, n.id) < ($5::timestamptz, $6::uuid) order by n.created_at desc, n.id desc limit $7`,
      ...['gadgets', [4, 5], 'parts', 4, NOW, A, 3],
    ]);
  });

  test('are marked within the same bounds', () => {
    expect(lines(markReadSql(scope, A))).toEqual([
      `with n as ( update "ws_sample"."_notifications" n set read_at = coalesce(n.read_at, t.now) from (select now() as now) t where n.id = $1::uuid and n.user_id = $2::integer and exists (${none} union all ${gadgetOf(3)} union all ${partOf(5)}) returning n.* ) select ${shown} from n ${people}`,
      ...[A, 4, 'gadgets', [4, 5], 'parts'],
    ]);
  });
});
