// The names of records that no other record has, among those within the reach of a plan. Pure text.

import type { Field } from '../../model/definition/model.ts';
import type { ReadPlan } from '../../plan/read/read-plan.ts';
import { identifier, type Sql, sql } from '../sql.ts';
import { allOf, equalitySql, selectionSql, sourceSql } from './where-sql.ts';

interface WantedNames {
  /** The records among which a name is unique. */
  readonly plan: ReadPlan;
  readonly field: Field;
  readonly ids: readonly string[];
}

/** Rows of `id` and `name`. */
export function uniqueNamesSql({ plan, field, ids }: WantedNames): Sql {
  const name = sql`t.${identifier(field.column)}`;
  const key = equalitySql(field, name);
  const within = sql`${sourceSql(plan, [])} where ${allOf([...selectionSql(plan), sql`${name} is not null`])}`;
  return sql`with wanted as materialized (
      select t.id, ${name} as name, ${key} as key from ${within} and t.id = any(${ids}::uuid[])),
    repeated as materialized (
      select ${key} as key from ${within} and ${key} in (select key from wanted)
      group by 1 having count(*) > 1)
    select id, name from wanted where key not in (select key from repeated)`;
}
