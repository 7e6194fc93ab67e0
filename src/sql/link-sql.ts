// The statements that add and remove links between records (D56). An end that holds at most one link
// is kept so by a unique index, whoever else is linking at the same time. Pure text.

import type { LinkKind } from '../model/model.ts';
import { type AuditContext, type AuditEntry, auditedFromSql } from './audit-sql.ts';
import { rememberedSql } from './idempotency-sql.ts';
import { identifier, joinSql, type Sql, sql } from './sql.ts';

/** Unique indexes of the ends that hold at most one link. */
export const FROM_ONE_INDEX = '_links_from_one';
export const TO_ONE_INDEX = '_links_to_one';

/** Two records as seen from the one that is linked or unlinked. */
export interface LinkedPair {
  readonly id: string;
  readonly target: string;
}

/** What linking leaves behind in the same statement. */
export interface LinkTraces {
  readonly context: AuditContext;
  readonly entry: AuditEntry;
  readonly remembered?: Sql | undefined;
}

/** Link two records; answers the record when they were not linked before. */
export function linkSql(via: LinkKind, pair: LinkedPair, traces: LinkTraces): Sql {
  const rows = endsOf(via, pair).map(
    ([from, to]) => sql`(${via.key}::text, ${from}::uuid, ${to}::uuid, ${via.from_one}::boolean,
        ${via.to_one}::boolean)`,
  );
  // Whoever links the same two at the same moment waits: the unique index of an end that holds one
  // would refuse what is there already before `on conflict` sees it.
  const same = [via.key, ...[pair.id, pair.target].sort()].join(' ');
  return effectSql(
    sql`insert into ${identifier(traces.context.schema, '_links')}
        (relationship, from_id, to_id, from_one, to_one)
      select v.* from (values ${joinSql(rows, ', ')}) v
      cross join (select pg_advisory_xact_lock(hashtextextended(${same}, 2))) l
      on conflict (from_id, relationship, to_id) do nothing returning from_id`,
    pair,
    traces,
  );
}

/** Unlink two records; answers the record when they were linked before. */
export function unlinkSql(via: LinkKind, pair: LinkedPair, traces: LinkTraces): Sql {
  const ends = endsOf(via, pair).map(
    ([from, to]) => sql`(l.from_id = ${from}::uuid and l.to_id = ${to}::uuid)`,
  );
  return effectSql(
    sql`delete from ${identifier(traces.context.schema, '_links')} l
      where l.relationship = ${via.key}::text and (${joinSql(ends, ' or ')}) returning from_id`,
    pair,
    traces,
  );
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

function effectSql(
  change: Sql,
  { id }: LinkedPair,
  { context, entry, remembered }: LinkTraces,
): Sql {
  const effect = sql`(select ${context.object_type}::text as object_type, ${id}::uuid as record_id,
        ${entry.action}::text as action, ${entry.changed_fields}::text[] as changed_fields
      where exists (select from changed))`;
  return sql`with changed as (${change}), audited as (${auditedFromSql(context, effect)})${rememberedSql(remembered)}
    select ${id}::uuid as id where exists (select from changed)`;
}
