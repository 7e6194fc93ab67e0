// Statements for work items only: their numbers, and the checks that keep their trees without cycles (D59).
// Pure text.

import { PARENT_KEY, WORK_ITEMS } from '../../model/definition/model.ts';
import { publicIdSequence } from '../../model/definition/physical-names.ts';
import { placeOf } from '../read/place-sql.ts';
import { CONTROL_SCHEMA, identifier, type Sql, sql } from '../sql.ts';

/** SQLSTATE of a write that would leave a cycle or a tree that is too deep (migrations/control). */
export const TREE_REFUSED = 'WR003';

/** The counter of a prefix; it is never dropped, so that no number comes twice. */
export function numberingSql(schema: string, prefix: string): Sql {
  return sql`create sequence if not exists ${identifier(schema, publicIdSequence(prefix))}`;
}

/** The next public id of each of these prefixes, in their order. */
export function nextPublicIdsSql(schema: string, prefixes: readonly string[]): Sql {
  const next = identifier(CONTROL_SCHEMA, 'next_public_id');
  return sql`select ${next}(${schema}::text, p.prefix) as public_id
    from unnest(${prefixes}::text[]) with ordinality as p (prefix, place) order by p.place`;
}

/**
 * Lock the trees of a workspace: a move is exclusive, adds share the lock. Reads after it see what earlier
 * holders of the lock have committed.
 */
export function lockTreeSql(schema: string, strength: 'move' | 'add'): Sql {
  const lock = strength === 'move' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  const key = sql`hashtextextended(${`${schema} work item tree`}, 0)`;
  return sql`select ${lock}(${key}) from ${placeOf(schema)}`;
}

/** A work item that got a parent, and the operation that gave it one. */
export interface PlacedItem {
  readonly id: string;
  readonly place: number;
}

/** Fails with `TREE_REFUSED` when one of these is in a cycle or in a tree of more levels. */
export function requireTreeSql(schema: string, placed: readonly PlacedItem[], levels: number): Sql {
  const items = identifier(schema, WORK_ITEMS);
  const parent = identifier(PARENT_KEY);
  const refuse = identifier(CONTROL_SCHEMA, 'refuse_tree');
  return sql`with recursive placed as (
      select * from unnest(${placed.map(({ id }) => id)}::uuid[],
        ${placed.map(({ place }) => place)}::integer[]) as p (id, place)
    ), above (place, id, parent, level) as (
      select p.place, t.id, t.${parent}, 1 from placed p join ${items} t on t.id = p.id
      union all
      select a.place, a.id, t.${parent}, a.level + 1 from above a join ${items} t on t.id = a.parent
      where a.level <= ${levels}::integer
    ), below (place, id, height) as (
      select place, id, 0 from placed
      union all
      select b.place, t.id, b.height + 1 from below b join ${items} t on t.${parent} = b.id
      where b.height < ${levels}::integer
    ), wrong as (
      select a.place, a.is_cycle
      from (select place, max(level) as level, bool_or(parent = id) as is_cycle
        from above group by place) a
      join (select place, max(height) as height from below group by place) b using (place)
      where a.level + b.height > ${levels}::integer
      order by a.is_cycle desc, a.place limit 1
    ) select ${refuse}(place, is_cycle) from wrong`;
}
