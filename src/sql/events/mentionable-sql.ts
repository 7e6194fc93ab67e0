// The statement that selects the people who can read a record, by name. Pure text.

import type { MentionablePlan } from '../../plan/events/mentionable-plan.ts';
import { allOf, containsSql, selectionSql } from '../read/where-sql.ts';
import { EMPTY, identifier, type Sql, sql } from '../sql.ts';

/**
 * The first people by name: a single row of nulls when there are none, no row at all when the caller cannot find the
 * record.
 */
export function mentionableSql({ source, roles, text, limit }: MentionablePlan): Sql {
  const { schema, object, reach } = source;
  const members = identifier(schema, '_team_members');
  const isNamed = text === undefined ? EMPTY : sql` and ${containsSql(sql`u.name`, text)}`;
  return sql`select p.id, p.name
    from (select t.id, t.${identifier(reach.column)} as owner_id
      from ${identifier(schema, object.table)} t where ${allOf(selectionSql(source))}) s
    left join lateral (
      select u.id, u.name from ${identifier(schema, '_users')} u
      where u.active and u.kind = 'user' and u.name is not null${isNamed}
        and (u.roles && ${roles.organisation}::text[]
          or (u.id = s.owner_id and u.roles && ${[...roles.own, ...roles.team]}::text[])
          or (u.roles && ${roles.team}::text[] and exists (
            select from ${members} m join ${members} c on c.team_id = m.team_id
            where m.user_id = u.id and c.user_id = s.owner_id)))
      order by u.name, u.id limit ${limit}
    ) p on true
    order by p.name, p.id`;
}
