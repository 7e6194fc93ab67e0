// The look-up statements of a write before its validation: rows with their locks, matches, references, people.
// Pure text.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import type { ReachPredicate } from '../../plan/read/read-plan.ts';
import type { CountedReferrers } from '../../plan/write/referrers.ts';
import { AUTHOR_KEY } from '../../plan/write/write-fields.ts';
import { placeOf } from '../read/place-sql.ts';
import { PLACE, type ReachableIds, withinSql } from '../read/shared-ids-sql.ts';
import { allOf, column, equalitySql, reachSql } from '../read/where-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';
import { typeSql } from '../type-sql.ts';

/**
 * Strength of a row lock: for a delete; for an update; for an update that skips locked rows; only against
 * deletes; no lock.
 */
export type LockStrength = 'delete' | 'update' | 'update if free' | 'hold' | 'none';

/**
 * Lock records in id order, with every column. `_now`, a name that no field can have, is the time of a comment on one.
 */
export function lockSql(
  schema: string,
  object: ObjectModel,
  wanted: ReachableIds,
  lock: LockStrength,
): Sql {
  const now = lock === 'hold' ? sql`, now()::timestamptz(3) as _now` : EMPTY;
  return sql`select ${PLACE}, ${allColumnsSql(object)}${now} from ${withinSql(schema, object, wanted)}
    order by t.id${LOCKS[lock]}`;
}

const LOCKS: Readonly<Record<LockStrength, Sql>> = {
  delete: sql` for update of t`,
  update: sql` for no key update of t`,
  'update if free': sql` for no key update of t skip locked`,
  hold: sql` for key share of t`,
  none: EMPTY,
};

/** Every column of the table `t`: written values are compared with the stored ones. */
function allColumnsSql(object: ObjectModel): Sql {
  const columns = new Set(['id', 'version', AUTHOR_KEY]);
  for (const { column } of object.fields.values()) columns.add(column);
  return joinSql(
    [...columns].map((name) => sql`t.${identifier(name)}`),
    ', ',
  );
}

/** Serialise writers by names, in one order for all of them. */
export function lockNamesSql(schema: string, names: readonly string[], seed: number): Sql {
  return sql`select count(pg_advisory_xact_lock(hashtextextended(k, ${seed}::integer)))
    from (select k from unnest(${names}::text[]) k cross join ${placeOf(schema)} order by k) s`;
}

/**
 * Lock up to two rows within reach for each match; `_match`, a name that no field can have, is the index of the upsert;
 * values are those that the fields compare by. Records out of reach are neither returned nor locked (D52).
 */
export function matchSql(
  schema: string,
  { object, reach }: { readonly object: ObjectModel; readonly reach: ReachPredicate },
  fields: readonly Field[],
  matches: readonly (readonly [index: number, values: readonly unknown[]])[],
): Sql {
  const names = fields.map((_, index) => identifier(`m${index}`));
  const shape = joinSql(
    [
      sql`_match integer`,
      ...fields.map((field, index) => sql`${names[index]} ${typeSql(field.cast_type)}`),
    ],
    ', ',
  );
  const equal = fields.map(
    (field, index) => sql`${equalitySql(field, column(field))} = m.${names[index]}`,
  );
  const rows = matches.map(([_match, values]) => ({
    _match,
    ...Object.fromEntries(values.map((value, index) => [`m${index}`, value])),
  }));
  return sql`select m._match, t.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as m(${shape}) cross join lateral (
      select ${allColumnsSql(object)} from ${identifier(schema, object.table)} t
      where ${allOf([...equal, ...reachSql(reach)])} order by t.id limit 2
      for no key update) t`;
}

/**
 * Selects and locks the wanted records that exist within reach; they cannot be deleted until the write has ended.
 */
export function referencesSql(schema: string, object: ObjectModel, wanted: ReachableIds): Sql {
  return sql`select ${PLACE}, t.id from ${withinSql(schema, object, wanted)}
    order by t.id for key share of t`;
}

/** The rows whose existence an optimistic write assumes: records within reach, by object, and active users. */
export interface OptimisticLookup {
  readonly references: readonly (ReachableIds & { readonly object: ObjectModel })[];
  readonly users: readonly number[];
  /** True when inactive users are accepted too. */
  readonly anybody: boolean;
}

/** A condition that is true when all of it exists. */
export function optimisticCheckSql(
  schema: string,
  { references, users, anybody }: OptimisticLookup,
): Sql {
  const counts = references.map(({ object, ...wanted }) => {
    const found = withinSql(schema, object, wanted);
    return sql`(select count(*) from ${found}) = ${wanted.ids.length}::integer`;
  });
  const people = sql`(select count(*) from (${usersSql(schema, users, anybody)}) u) =
    ${users.length}::integer`;
  return joinSql([...counts, ...(users.length === 0 ? [] : [people])], ' and ');
}

/** Records to delete, and which of them the caller may delete. */
export interface Deleted {
  readonly object: ObjectModel;
  readonly ids: readonly string[];
  readonly reaches: readonly ReachPredicate[];
  /** The ids of referring records that are deleted as well, which are not counted. */
  readonly gone: readonly string[];
}

/**
 * Counts the records of an object that refer to each of these: `needing` prevent its deletion and `cleared` would
 * lose the reference, counted among those that the caller may read; `hidden`: others prevent it too. Records that the
 * caller may not delete are not counted.
 */
export function referringSql(
  schema: string,
  deleted: Deleted,
  { object, reach, fields }: CountedReferrers,
): Sql {
  const { ids, gone } = deleted;
  const known = allOf(reachSql(reach));
  const table = identifier(schema, object.table);
  const references = fields.map(({ field, restricts, readable }) => {
    const isKnown = readable ? sql`(${known}) is true` : sql`false`;
    return sql`select g.id, t.id as record, ${restricts ? sql`true` : sql`false`} as restricts,
        ${isKnown} as known
      from gone g join ${table} t on t.${identifier(field.column)} = g.id
      where not t.id = any(${gone}::uuid[])`;
  });
  return sql`with gone as (
      select t.id from ${identifier(schema, deleted.object.table)} t
      where ${allOf([sql`t.id = any(${ids}::uuid[])`, ...deleted.reaches.flatMap(reachSql)])}
    )
    select r.id, count(distinct r.record) filter (where r.restricts and r.known) as needing,
      count(distinct r.record) filter (where not r.restricts and r.known) as cleared,
      bool_or(r.restricts and not r.known) as hidden
    from (${joinSql(references, ' union all ')}) r group by r.id`;
}

/**
 * Records with one of these values (those that the field compares by), with the index of the value, and whether they
 * are within reach.
 */
export function holdersSql(
  schema: string,
  object: ObjectModel,
  held: {
    readonly field: Field;
    readonly values: readonly unknown[];
    /** The value in question, as PostgreSQL prints it; null when it is not known. */
    readonly taken: string | null;
    readonly reach: ReachPredicate;
  },
): Sql {
  const key = equalitySql(held.field, column(held.field));
  const readable = allOf(reachSql(held.reach));
  return sql`select t.id, v.place, ${readable} as readable
    from unnest(${held.values}::${typeSql(held.field.cast_type)}[]) with ordinality v(value, place)
    join ${identifier(schema, object.table)} t on ${key} = v.value
    where ${key}::text = coalesce(${held.taken}::text, ${key}::text)`;
}

/** The owners of the records that belong to one of the objects. */
export function reachOfRecordsSql(
  schema: string,
  objects: readonly ObjectModel[],
  ids: readonly string[],
): Sql {
  const selects = objects.map(
    (object) => sql`select ${object.object_type}::text as object_type, t.id,
      t.${identifier(reachColumn(object))} as reach_user_id
    from ${identifier(schema, object.table)} t where t.id = any(${ids}::uuid[])`,
  );
  return joinSql(selects, ' union all ');
}

/** Users that a record may name: active people and agents, or all users. */
export function usersSql(schema: string, ids: readonly number[], anybody: boolean): Sql {
  const active = anybody ? EMPTY : sql` and u.active`;
  return sql`select ${PLACE}, u.id from unnest(${ids}::integer[]) with ordinality as w(id, place)
    join ${identifier(schema, '_users')} u on u.id = w.id${active}`;
}

/** Selects the named teams that the user is a member of. */
export function teamsOfUserSql(schema: string, userId: number, names: readonly string[]): Sql {
  return sql`select t.name from ${identifier(schema, '_teams')} t
    join ${identifier(schema, '_team_members')} m on m.team_id = t.id
    where m.user_id = ${userId}::integer and t.name = any(${names}::text[])`;
}
