// What a write asks before it is judged: rows with their locks, matches, references, people. Pure text.

import { reachColumn } from '../model/access.ts';
import type { Field, ObjectModel } from '../model/model.ts';
import type { ReachPredicate, ReadPlan } from '../plan/read-plan.ts';
import { columnsSql, readSql } from './read-sql.ts';
import { identifier, joinSql, type Sql, sql } from './sql.ts';
import { typeSql } from './type-sql.ts';
import { allOf, reachSql } from './where-sql.ts';

/** Against everybody, as for a delete; against other writers; the same, without who would wait. */
export type LockStrength = 'delete' | 'update' | 'update if free';

/** Lock the plan's rows in id order. */
export function lockSql(plan: ReadPlan, strength: LockStrength): Sql {
  return sql`${readSql(plan)} for ${LOCKS[strength]}`;
}

const LOCKS: Readonly<Record<LockStrength, Sql>> = {
  delete: sql`update of t`,
  update: sql`no key update of t`,
  'update if free': sql`no key update of t skip locked`,
};

/** Serialise writers that look for the same match, so that racing upserts make one record. */
export function lockMatchesSql(keys: readonly string[]): Sql {
  return sql`select count(pg_advisory_xact_lock(hashtextextended(k, 0)))
    from (select k from unnest(${keys}::text[]) k order by k) s`;
}

/** Lock up to two rows for each match; `match_index` says whose they are. */
export function matchSql(
  plan: ReadPlan,
  fields: readonly Field[],
  matches: readonly (readonly [index: number, values: readonly unknown[]])[],
): Sql {
  const names = fields.map((_, index) => identifier(`m${index}`));
  const shape = joinSql(
    [
      sql`match_index integer`,
      ...fields.map((field, index) => sql`${names[index]} ${typeSql(field.cast_type)}`),
    ],
    ', ',
  );
  const equal = joinSql(
    fields.map((field, index) => sql`t.${identifier(field.column)} = m.${names[index]}`),
    ' and ',
  );
  const rows = matches.map(([match_index, values]) => ({
    match_index,
    ...Object.fromEntries(values.map((value, index) => [`m${index}`, value])),
  }));
  return sql`select m.match_index, t.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as m(${shape}) cross join lateral (
      select ${columnsSql(plan)} from ${identifier(plan.schema, plan.object.table)} t
      where ${equal} order by t.id limit 2 for no key update) t`;
}

/** Which of these records exist within reach; they cannot be deleted until the write is over. */
export function referencesSql(
  schema: string,
  object: ObjectModel,
  reach: ReachPredicate,
  ids: readonly string[],
): Sql {
  return sql`select t.id from ${withinSql(schema, { object, reach, ids })}
    order by t.id for key share of t`;
}

/** These records, as far as they are within reach. */
function withinSql(schema: string, { object, reach, ids }: Assumed['references'][number]): Sql {
  const where = allOf([sql`t.id = any(${ids}::uuid[])`, ...reachSql(reach)]);
  return sql`${identifier(schema, object.table)} t where ${where}`;
}

/** What a write takes for granted: records within reach, by object, and active people. */
export interface Assumed {
  readonly references: readonly {
    readonly object: ObjectModel;
    readonly reach: ReachPredicate;
    readonly ids: readonly string[];
  }[];
  readonly users: readonly number[];
  /** True when people who have left and agents will do. */
  readonly anybody: boolean;
}

/** True when all of it is there. */
export function assumedSql(schema: string, { references, users, anybody }: Assumed): Sql {
  const counts = references.map((wanted) => {
    return sql`(select count(*) from ${withinSql(schema, wanted)}) = ${wanted.ids.length}::integer`;
  });
  const people = sql`(select count(*) from (${usersSql(schema, users, anybody)}) u) =
    ${users.length}::integer`;
  return joinSql([...counts, ...(users.length === 0 ? [] : [people])], ' and ');
}

/** How many records refer to each of these by a field they cannot be without. */
export function dependentsSql(
  schema: string,
  object: ObjectModel,
  field: Field,
  ids: readonly string[],
): Sql {
  const name = sql`t.${identifier(field.column)}`;
  return sql`select ${name} as id, count(*) from ${identifier(schema, object.table)} t
    where ${name} = any(${ids}::uuid[]) and not t.id = any(${ids}::uuid[]) group by ${name}`;
}

/** Which records have one of these values, by its place among them, and who is within reach. */
export function holdersSql(
  schema: string,
  object: ObjectModel,
  held: {
    readonly field: Field;
    readonly values: readonly unknown[];
    /** The one of the values that is meant, as PostgreSQL prints it; null when it is not known. */
    readonly taken: string | null;
    readonly reach: ReachPredicate;
  },
): Sql {
  const column = sql`t.${identifier(held.field.column)}`;
  const readable = allOf(reachSql(held.reach));
  return sql`select t.id, v.place, ${readable} as readable
    from unnest(${held.values}::${typeSql(held.field.cast_type)}[]) with ordinality v(value, place)
    join ${identifier(schema, object.table)} t on ${column} = v.value
    where ${column}::text = coalesce(${held.taken}::text, ${column}::text)`;
}

/** Whose these records are, as far as they are there. */
export function reachOfRecordsSql(
  schema: string,
  object: ObjectModel,
  ids: readonly string[],
): Sql {
  return sql`select t.id, t.${identifier(reachColumn(object))} as reach_user_id
    from ${identifier(schema, object.table)} t where t.id = any(${ids}::uuid[])`;
}

/** Who of these may be named in a record: active people, or anybody there is. */
export function usersSql(schema: string, ids: readonly number[], anybody: boolean): Sql {
  if (!anybody) return activeUsersSql(schema, ids);
  return sql`select id from ${identifier(schema, '_users')} where id = any(${ids}::integer[])`;
}

export function activeUsersSql(schema: string, ids: readonly number[]): Sql {
  return sql`select id from ${identifier(schema, '_users')}
    where id = any(${ids}::integer[]) and active and kind = 'user'`;
}

/** Which of these teams the user is a member of. */
export function teamsOfUserSql(schema: string, userId: number, names: readonly string[]): Sql {
  return sql`select t.name from ${identifier(schema, '_teams')} t
    join ${identifier(schema, '_team_members')} m on m.team_id = t.id
    where m.user_id = ${userId}::integer and t.name = any(${names}::text[])`;
}
