// The statements that find, add and remove links between records (D56). An end that holds at most one
// link is guarded by a unique index, also against concurrent links. Pure text.

import type { ObjectModel } from '../../model/definition/model.ts';
import type { LinkedPair } from '../../plan/write/write-validation.ts';
import { identifier, type Sql, sql } from '../sql.ts';

/** Unique indexes of the ends that hold at most one link. */
export const FROM_ONE_INDEX = '_links_from_one';
export const TO_ONE_INDEX = '_links_to_one';

/** Selects the pairs that are linked. */
export function linkedPairsSql(schema: string, pairs: readonly LinkedPair[]): Sql {
  return sql`select l.relationship, l.from_id, l.to_id from ${identifier(schema, '_links')} l
    join ${pairsSql(pairs)} on ${IS_PAIR}`;
}

/** Selects links that hold an end of one of these pairs that can have no other link. */
export function takenEndsSql(schema: string, pairs: readonly LinkedPair[]): Sql {
  const from = pairs.filter(({ via }) => via.from_one).map(({ from_id }) => from_id);
  const to = pairs.filter(({ via }) => via.to_one).map(({ to_id }) => to_id);
  return sql`select l.relationship, l.from_id, l.to_id from ${identifier(schema, '_links')} l
    where (l.from_one and l.from_id = any(${from}::uuid[])) or (l.to_one and l.to_id = any(${to}::uuid[]))`;
}

/** Link records. A link of an object to itself is kept in both directions. */
export function linkSql(schema: string, pairs: readonly LinkedPair[]): Sql {
  return sql`insert into ${identifier(schema, '_links')}
      (relationship, from_id, to_id, from_one, to_one)
    select w.relationship, w.from_id, w.to_id, w.from_one, w.to_one
    from ${pairsSql(inAllDirections(pairs))} on conflict (from_id, relationship, to_id) do nothing`;
}

/** Remove the links between records. */
export function unlinkSql(schema: string, pairs: readonly LinkedPair[]): Sql {
  return sql`delete from ${identifier(schema, '_links')} l
    using ${pairsSql(inAllDirections(pairs))} where ${IS_PAIR}`;
}

/** True of the links, `l`, of records of an object; `isOne` is true of their ids. Objects may share ids (D590). */
export function linksOfSql({ relationships }: ObjectModel, isOne: (id: Sql) => Sql): Sql {
  const keysOf = (end: 'from' | 'to') =>
    relationships.flatMap(({ via }) =>
      via.kind === 'link' && (via.side === end || via.side === 'both') ? [via.key] : [],
    );
  return sql`(${isOne(sql`l.from_id`)} and l.relationship = any(${keysOf('from')}::text[])
      or ${isOne(sql`l.to_id`)} and l.relationship = any(${keysOf('to')}::text[]))`;
}

const IS_PAIR = sql`l.relationship = w.relationship and l.from_id = w.from_id
      and l.to_id = w.to_id`;

function pairsSql(pairs: readonly LinkedPair[]): Sql {
  return sql`unnest(${pairs.map(({ via }) => via.key)}::text[],
      ${pairs.map(({ from_id }) => from_id)}::uuid[], ${pairs.map(({ to_id }) => to_id)}::uuid[],
      ${pairs.map(({ via }) => via.from_one)}::boolean[],
      ${pairs.map(({ via }) => via.to_one)}::boolean[])
      as w(relationship, from_id, to_id, from_one, to_one)`;
}

function inAllDirections(pairs: readonly LinkedPair[]): readonly LinkedPair[] {
  return pairs.flatMap((pair) =>
    pair.via.side === 'both'
      ? [pair, { ...pair, from_id: pair.to_id, to_id: pair.from_id }]
      : [pair],
  );
}
