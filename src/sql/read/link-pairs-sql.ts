// All links of a relationship as pairs of records that are both within reach, read by a cursor of the server.
// Pure text.

import type { LinkKind } from '../../model/definition/model.ts';
import type { ReadPlan } from '../../plan/read/read-plan.ts';
import { identifier, type Sql, sql } from '../sql.ts';
import { allOf, fieldsOf, selectionSql, sourceSql } from './where-sql.ts';

/** Links of records of `source` to records of `target`. */
export interface LinkPairs {
  readonly via: LinkKind;
  readonly source: ReadPlan;
  readonly target: ReadPlan;
}

/** Open the cursor; the transaction has no other one. */
export function declarePairsSql(pairs: LinkPairs): Sql {
  return sql`declare rows_of_plan no scroll cursor for
    select l.record_id, l.target_id from ${pairsSql(pairs)} order by l.record_id, l.target_id`;
}

export function countPairsSql(pairs: LinkPairs): Sql {
  return sql`select count(*) as rows from ${pairsSql(pairs)}`;
}

function pairsSql({ via, source, target }: LinkPairs): Sql {
  const links = identifier(source.schema, '_links');
  const [record, other] = via.side === 'to' ? ['to_id', 'from_id'] : ['from_id', 'to_id'];
  const selected = selectedSql(source);
  // A relationship of an object with itself has a row in each direction; one row represents both.
  const once =
    via.side === 'both'
      ? sql`(l.record_id < l.target_id or l.target_id not in (${selected}))`
      : sql`true`;
  return sql`(select x.${identifier(record)} as record_id, x.${identifier(other)} as target_id
      from ${links} x where x.relationship = ${via.key}) l
    where l.record_id in (${selected}) and l.target_id in (${selectedSql(target)}) and ${once}`;
}

function selectedSql(plan: ReadPlan): Sql {
  return sql`select t.id from ${sourceSql(plan, fieldsOf(plan.where))}
    where ${allOf(selectionSql(plan))}`;
}
