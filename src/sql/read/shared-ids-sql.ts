// Look-ups of records by id for several callers, each within their own reach: the reach is a parameter, so
// that the text is the same for all callers. Pure text.

import type { ObjectModel } from '../../model/definition/model.ts';
import { reachColumn } from '../../model/rights/access.ts';
import type { ReachPredicate, ReadPlan } from '../../plan/read/read-plan.ts';
import { identifier, type Sql, sql } from '../sql.ts';
import { columnsSql } from './read-sql.ts';

/** The column with the index, from 1, of the requested id that a row belongs to. No field has such a key. */
export const PLACE_COLUMN = '_place';

export const PLACE = sql`w.place as ${identifier(PLACE_COLUMN)}`;

/** Requested ids, each with the reach of its caller. */
export interface ReachableIds {
  readonly ids: readonly string[];
  /** The owners whose records are within reach, for each id, as the text of an array; null: all. */
  readonly reaches: readonly (string | null)[];
}

/** One reach for all of the ids. */
export function reachableIds({ user_ids }: ReachPredicate, ids: readonly string[]): ReachableIds {
  const reach = user_ids === undefined ? null : `{${user_ids.join(',')}}`;
  return { ids, reaches: ids.map(() => reach) };
}

/** The requested records that exist within reach, as `t`, with their index in `w`. */
export function withinSql(
  schema: string,
  object: ObjectModel,
  { ids, reaches }: ReachableIds,
): Sql {
  return sql`unnest(${ids}::uuid[], ${reaches}::text[]) with ordinality as w(id, reach, place)
    join ${identifier(schema, object.table)} t on t.id = w.id
      and (w.reach is null or t.${identifier(reachColumn(object))} = any(w.reach::integer[]))`;
}

/** The requested records with the columns of the plan, whatever its reach. */
export function recordsByIdSql(plan: ReadPlan, wanted: ReachableIds): Sql {
  return sql`select ${PLACE}, ${columnsSql(plan)} from ${withinSql(plan.schema, plan.object, wanted)}`;
}
