// The statements of digests: the people with unread notifications that no mail has, giving them to a mail, and reading
// those of a mail that their person may still know. Pure text.

import type { DigestScope } from '../../plan/events/digest-plan.ts';
import { identifier, type Sql, sql } from '../sql.ts';
import { joined, recordSql, SHOWN, wantedSql } from './notification-sql.ts';

/** The time of each active person's oldest notification without a mail since `since`, and when the person wants mail. */
export function waitingPeopleSql(schema: string, since: string): Sql {
  return sql`select n.user_id, coalesce(s.mail, 'at_once') as mail, coalesce(s.time_zone, 'UTC') as time_zone,
      extract(epoch from min(n.created_at))::float8 * 1000 as first
    from ${identifier(schema, '_notifications')} n
    join ${identifier(schema, '_users')} u on u.id = n.user_id and u.active and u.kind = 'user'
    left join ${identifier(schema, '_notification_settings')} s on s.user_id = n.user_id
    where ${unmailedSql(schema, since)} and coalesce(s.mail, 'at_once') <> 'off'
    group by n.user_id, s.mail, s.time_zone`;
}

function unmailedSql(schema: string, since: string): Sql {
  return sql`n.mail_id is null and n.read_at is null and n.created_at > ${since}::timestamptz
      and ${wantedSql(schema, 'mail_off')}`;
}

/** Give a person's notifications to a mail, once: a later attempt sends the same ones. */
export function claimSql(
  schema: string,
  {
    mail_id,
    user_id,
    since,
  }: { readonly mail_id: string; readonly user_id: number; readonly since: string },
): Sql {
  const table = identifier(schema, '_notifications');
  return sql`update ${table} n set mail_id = ${mail_id}::uuid
    where n.user_id = ${user_id}::integer and ${unmailedSql(schema, since)}
      and not exists (select from ${table} m where m.mail_id = ${mail_id}::uuid)`;
}

/** The first of those of a mail that are still unread, oldest first, each with the number of all of them. */
export function mailedSql(scope: DigestScope, mail_id: string, limit: number): Sql {
  const { schema, displays } = scope;
  const record = recordSql(scope, (object) => {
    const display = object && displays.get(object);
    return display === undefined
      ? sql`null::text as display`
      : sql`t.${identifier(display.column)}::text as display`;
  });
  return sql`select ${SHOWN}, r.display, count(*) over ()::integer as total
    from ${identifier(schema, '_notifications')} n
    cross join lateral (${record} limit 1) r
    ${joined(schema)}
    where n.mail_id = ${mail_id}::uuid and n.user_id = ${scope.user_id}::integer and n.read_at is null
      and ${wantedSql(schema, 'mail_off')}
    order by n.created_at, n.id limit ${limit}::integer`;
}
