// The statements of following records: whether a person follows one, and following it or not. A record is found only
// while the person can read it. Pure text.

import type { ReadPlan } from '../../plan/read/read-plan.ts';
import { allOf, selectionSql } from '../read/where-sql.ts';
import { identifier, type Sql, sql } from '../sql.ts';

/** Whether the person follows the record; no row when they cannot find it. */
export function followingSql(source: ReadPlan, user_id: number): Sql {
  const { schema } = source;
  return sql`select t.id, exists (select from ${identifier(schema, '_follows')} f
      where f.record_id = t.id and f.user_id = ${user_id}::integer) as following
    from ${recordSql(source)} t`;
}

/** Follow it, unless so many others do; `following` is then false. No row when the person cannot find it. */
export function followSql(source: ReadPlan, user_id: number, most: number): Sql {
  const { schema, object } = source;
  const follows = identifier(schema, '_follows');
  return sql`with t as (${heldSql(source)}), added as (
      insert into ${follows} (user_id, object_type, record_id)
      select ${user_id}::integer, ${object.object_type}::text, t.id from t
      where (select count(*) from ${follows} f where f.record_id = t.id) < ${most}::integer
      on conflict do nothing returning record_id)
    select t.id, exists (select from added) or exists (select from ${follows} f
      where f.record_id = t.id and f.user_id = ${user_id}::integer) as following from t`;
}

/** No row when the person cannot find the record. */
export function unfollowSql(source: ReadPlan, user_id: number): Sql {
  return sql`with t as (${selectedSql(source)}), gone as (
      delete from ${identifier(source.schema, '_follows')} f using t
      where f.record_id = t.id and f.user_id = ${user_id}::integer)
    select t.id, false as following from t`;
}

function recordSql(source: ReadPlan): Sql {
  return sql`(${selectedSql(source)})`;
}

/** It cannot be deleted before the end of the statement, which would leave the row behind. */
function heldSql(source: ReadPlan): Sql {
  return sql`${selectedSql(source)} for key share of t`;
}

function selectedSql(source: ReadPlan): Sql {
  return sql`select t.id from ${identifier(source.schema, source.object.table)} t
      where ${allOf(selectionSql(source))}`;
}
