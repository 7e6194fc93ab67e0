// Records that several people look for by their ids, each within their own reach: whose records somebody
// may see is a parameter, so that the text is the same for everybody. Pure text.

import { reachColumn } from '../model/access.ts';
import type { ObjectModel } from '../model/model.ts';
import type { ReachPredicate, ReadPlan } from '../plan/read-plan.ts';
import { columnsSql } from './read-sql.ts';
import { identifier, type Sql, sql } from './sql.ts';

/** Of which of the wanted ids a row is, from 1. No field has such a key. */
export const PLACE_COLUMN = '_place';

export const PLACE = sql`w.place as ${identifier(PLACE_COLUMN)}`;

/** Records that somebody looks for, and whose records are within their reach. */
export interface Wanted {
  readonly ids: readonly string[];
  /** For each id the people whose records are within reach, printed as an array; null: everybody's. */
  readonly reaches: readonly (string | null)[];
}

/** The same reach for all of the ids. */
export function wantedWithin({ user_ids }: ReachPredicate, ids: readonly string[]): Wanted {
  const reach = user_ids === undefined ? null : `{${user_ids.join(',')}}`;
  return { ids, reaches: ids.map(() => reach) };
}

/** The wanted records that are there and within reach, as `t`, with their place in `w`. */
export function withinSql(schema: string, object: ObjectModel, { ids, reaches }: Wanted): Sql {
  return sql`unnest(${ids}::uuid[], ${reaches}::text[]) with ordinality as w(id, reach, place)
    join ${identifier(schema, object.table)} t on t.id = w.id
      and (w.reach is null or t.${identifier(reachColumn(object))} = any(w.reach::integer[]))`;
}

/** The wanted records with the columns of the plan, whatever its reach. */
export function wantedSql(plan: ReadPlan, wanted: Wanted): Sql {
  return sql`select ${PLACE}, ${columnsSql(plan)} from ${withinSql(plan.schema, plan.object, wanted)}`;
}
