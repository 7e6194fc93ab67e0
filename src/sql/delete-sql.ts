// The statement that deletes records with everything that hangs on them: links, comments and search
// rows go, optional references to them become null, each with its audit row (D54). Pure text.

import type { ObjectModel } from '../model/model.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import type { Referrer } from '../plan/referrers.ts';
import { auditedFromSql } from './audit-sql.ts';
import { uncommentedSql } from './comment-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';
import { type Traces, tracesSql } from './write-sql.ts';

/** What deleting records touches besides them. */
export interface Attached {
  /** References that become null. */
  readonly cleared: readonly Referrer[];
  /** True when records of this object can be linked. */
  readonly linked: boolean;
  /** True when records of this object can have comments. */
  readonly commented: boolean;
}

/** Delete records; answers their ids. */
export function deleteSql(
  plan: ReadPlan,
  ids: readonly string[],
  attached: Attached,
  traces: Traces,
): Sql {
  return sql`with ${joinSql(
    [
      sql`changed as (
      delete from ${identifier(plan.schema, plan.object.table)} t
      where t.id = any(${ids}::uuid[]) returning t.id
    )`,
      ...(attached.linked ? [unlinkedSql(plan.schema, ids)] : []),
      ...(attached.commented ? uncommentedSql(plan.schema, ids) : []),
      ...clearedSql(plan, ids, attached.cleared, traces),
      tracesSql(traces),
    ],
    ', ',
  )}
    select * from changed`;
}

function unlinkedSql(schema: string, ids: readonly string[]): Sql {
  return sql`unlinked as (
      delete from ${identifier(schema, '_links')}
      where from_id = any(${ids}::uuid[]) or to_id = any(${ids}::uuid[])
    )`;
}

/** One update an object, however many of its fields refer to what is deleted. */
function clearedSql(
  plan: ReadPlan,
  ids: readonly string[],
  cleared: readonly Referrer[],
  { context }: Traces,
): readonly Sql[] {
  const objects = [...new Set(cleared.map(({ object }) => object))];
  return objects.flatMap((object, index) => {
    const columns = cleared
      .filter((referrer) => referrer.object === object)
      .map(({ field }) => field.column);
    const name = identifier(`cleared_${index}`);
    const audited = identifier(`audited_${index}`);
    return [
      sql`${name} as (${clearSql(plan, ids, object, columns)})`,
      sql`${audited} as (${auditedFromSql(context, name)})`,
    ];
  });
}

function clearSql(
  plan: ReadPlan,
  ids: readonly string[],
  object: ObjectModel,
  columns: readonly string[],
): Sql {
  const table = identifier(plan.schema, object.table);
  const own = object === plan.object ? sql` and not o.id = any(${ids}::uuid[])` : EMPTY;
  const names = columns.map((column) => identifier(column));
  const refers = joinSql(
    names.map((name) => sql`o.${name} = any(${ids}::uuid[])`),
    ' or ',
  );
  const kept = joinSql(
    names.map(
      (name) =>
        sql`${name} = case when o.${name} = any(${ids}::uuid[]) then null else o.${name} end`,
    ),
    ', ',
  );
  const keys = joinSql(
    columns.map((column, index) => {
      return sql`case when o.${names[index]} = any(${ids}::uuid[]) then ${column}::text end`;
    }),
    ', ',
  );
  return sql`update ${table} t set ${kept}, version = t.version + 1, updated_at = now()
      from (select o.id, ${joinSql(
        names.map((name) => sql`o.${name}`),
        ', ',
      )} from ${table} o
        where (${refers})${own} order by o.id for no key update) o
      where o.id = t.id
      returning ${object.object_type}::text as object_type, t.id as record_id,
        'update'::text as action, array_remove(array[${keys}], null) as changed_fields`;
}
