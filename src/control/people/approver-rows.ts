// The approvers of the moves of a workflow: the people and teams with the addresses and names of its gates.

import { LIMITS } from '../../limits.ts';
import type { Gate } from '../../model/definition/model.ts';
import type { Queryable } from '../../postgres/db.ts';
import { identifier, type Sql, sql, toStatement } from '../../sql/sql.ts';
import type { DirectoryView } from './directory.ts';
import { selectMembers } from './people.ts';

export interface ApproverRow {
  readonly kind: 'user' | 'team';
  readonly id: number;
  readonly name: string | null;
  /** The key of a gate: the address of a person, the name of a team. */
  readonly key: string;
}

/** Active people and teams that these gates name and the view shows, by name. */
export async function loadApprovers(
  db: Queryable,
  schema: string,
  gates: readonly Gate[],
  { user_id, team_ids }: DirectoryView,
): Promise<readonly ApproverRow[]> {
  const emails = [...new Set(gates.flatMap(({ users }) => [...users]))];
  const names = [...new Set(gates.flatMap(({ teams }) => [...teams]))];
  const mine = user_id === null ? sql`true` : sql`u.id = ${user_id}`;
  const ours = team_ids === null ? sql`true` : sql`t.id = any(${team_ids}::integer[])`;
  const rows = await db.query(
    toStatement(sql`
      select 'user' as kind, u.id, u.name, u.email as key from ${identifier(schema, '_users')} u
        where u.email = any(${emails}::text[]) and u.active and u.kind = 'user' and ${mine}
      union all
      select 'team', t.id, t.name, t.name from ${identifier(schema, '_teams')} t
        where t.name = any(${names}::text[]) and ${ours}
      order by 3, 2`),
  );
  return rows as unknown as readonly ApproverRow[];
}

/** Active people whom one of these gates names: rows as `MemberRow`, with the names of their teams. */
export function approversSql(schema: string, gates: readonly Gate[]): Sql {
  const [emails, names] = [
    [...new Set(gates.flatMap(({ users }) => [...users]))],
    [...new Set(gates.flatMap(({ teams }) => [...teams]))],
  ];
  const teams = sql`array(select t.name::text from ${identifier(schema, '_teams')} t
      where t.id = any(p.team_ids))`;
  return sql`select p.*, ${teams} as teams from (${selectMembers(schema)}) p
    where p.active and p.kind = 'user'
      and (p.email = any(${emails}::text[]) or ${teams} && ${names}::text[])
    order by p.id limit ${LIMITS.notifiedApprovers}::integer`;
}
