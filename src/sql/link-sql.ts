// The statements that add and remove links between records (D56). An end that holds at most one link
// is kept so by a unique index, whoever else is linking at the same time. Pure text.

import type { LinkKind } from '../model/model.ts';
import { type AuditEntry, auditFromSql, type JudgedBy } from './audit-sql.ts';
import { identifier, joinSql, type Sql, sql } from './sql.ts';

/** Unique indexes of the ends that hold at most one link. */
export const FROM_ONE_INDEX = '_links_from_one';
export const TO_ONE_INDEX = '_links_to_one';

/** Two records as seen from the one that is linked or unlinked. */
export interface LinkedPair {
  readonly id: string;
  readonly target: string;
}

/** Link two records; answers the record when they were not linked before. */
export function linkSql(
  judgedBy: JudgedBy,
  via: LinkKind,
  pair: LinkedPair,
  entry: AuditEntry,
): readonly Sql[] {
  const links = identifier(judgedBy.schema, '_links');
  const rows = endsOf(via, pair).map(
    ([from, to]) => sql`(${via.key}::text, ${from}::uuid, ${to}::uuid, ${via.from_one}::boolean,
        ${via.to_one}::boolean)`,
  );
  const linked = sql`exists (select from ${links} l where ${isLinkSql(via, pair)})`;
  return [
    holdPairSql(via, pair),
    auditFromSql(judgedBy, entry, effectSql(entry, sql`not ${linked}`)),
    sql`insert into ${links} (relationship, from_id, to_id, from_one, to_one)
      values ${joinSql(rows, ', ')} on conflict (from_id, relationship, to_id) do nothing`,
  ];
}

/** Unlink two records; answers the record when they were linked before. */
export function unlinkSql(
  judgedBy: JudgedBy,
  via: LinkKind,
  pair: LinkedPair,
  entry: AuditEntry,
): readonly Sql[] {
  const links = identifier(judgedBy.schema, '_links');
  const linked = sql`exists (select from ${links} l where ${isLinkSql(via, pair)})`;
  return [
    holdPairSql(via, pair),
    auditFromSql(judgedBy, entry, effectSql(entry, linked)),
    sql`delete from ${links} l where ${isLinkSql(via, pair)}`,
  ];
}

/**
 * Whoever links or unlinks the same two at the same moment waits, in a statement of its own, so that
 * those behind it see what the other left: a unique index would refuse what is there already before
 * `on conflict` sees it.
 */
function holdPairSql(via: LinkKind, { id, target }: LinkedPair): Sql {
  const same = [via.key, ...[id, target].sort()].join(' ');
  return sql`select pg_advisory_xact_lock(hashtextextended(${same}::text, 2))`;
}

function isLinkSql(via: LinkKind, pair: LinkedPair): Sql {
  const ends = endsOf(via, pair).map(
    ([from, to]) => sql`(l.from_id = ${from}::uuid and l.to_id = ${to}::uuid)`,
  );
  return sql`l.relationship = ${via.key}::text and (${joinSql(ends, ' or ')})`;
}

function effectSql({ record_id, changed_fields }: AuditEntry, condition: Sql): Sql {
  return sql`select ${record_id}::uuid as record_id, ${changed_fields}::text[] as changed_fields
      where ${condition}`;
}

/** A link of an object to itself is kept in both directions, written in one order whoever links. */
function endsOf(
  { side }: LinkKind,
  { id, target }: LinkedPair,
): readonly (readonly [from: string, to: string])[] {
  if (side === 'both') {
    const [first, second] = id < target ? [id, target] : [target, id];
    return [
      [first, second],
      [second, first],
    ];
  }
  return side === 'from' ? [[id, target]] : [[target, id]];
}
