// The statements of a write: look-ups with locks, then one data-modifying statement per kind of
// change that carries its audit and search rows with it. Pure text; parameters are JSON record sets,
// so that a statement's text depends on the fields it writes, not on how many records.

import type { Field, ObjectModel } from '../model/model.ts';
import type { ReachPredicate, ReadPlan } from '../plan/read-plan.ts';
import type { SearchChange } from '../plan/search-rows.ts';
import { readSql, selectedColumns } from './read-sql.ts';
import { searchChangeSql } from './search-rows-sql.ts';
import { identifier, joinSql, type Sql, sql } from './sql.ts';
import { typeSql } from './type-sql.ts';
import { reachSql } from './where-sql.ts';

/** Who and where, for the audit rows of one request. */
export interface AuditContext {
  readonly schema: string;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly user_id: number;
  readonly object_type: string;
  readonly source: 'api' | 'import';
  readonly request_id: string | null;
  readonly batch_id: string | null;
}

/** What changed in one record; keys, never values. */
export interface AuditEntry {
  readonly record_id: string;
  readonly action: string;
  readonly changed_fields: readonly string[];
}

/** What a change of records leaves behind in the same statement. */
export interface Traces {
  readonly context: AuditContext;
  readonly entries: readonly AuditEntry[];
  readonly search?: SearchChange | undefined;
}

/** Lock the plan's rows in id order. */
export function lockSql(plan: ReadPlan): Sql {
  return sql`${readSql(plan)} for update of t`;
}

/** Serialise writers that look for the same match, so that racing upserts make one record. */
export function lockMatchesSql(keys: readonly string[]): Sql {
  return sql`select count(pg_advisory_xact_lock(hashtextextended(k, 0)))
    from (select k from unnest(${keys}::text[]) k order by k) s`;
}

/** Lock up to two rows for each match; `match_index` says whose they are. */
export function matchSql(
  plan: ReadPlan,
  fields: readonly Field[],
  matches: readonly (readonly [index: number, values: readonly unknown[]])[],
): Sql {
  const columns = joinSql(
    selectedColumns(plan).map((name) => sql`t.${identifier(name)}`),
    ', ',
  );
  const names = fields.map((_, index) => identifier(`m${index}`));
  const shape = joinSql(
    [
      sql`match_index integer`,
      ...fields.map((field, index) => sql`${names[index]} ${typeSql(field.cast_type)}`),
    ],
    ', ',
  );
  const equal = joinSql(
    fields.map((field, index) => sql`t.${identifier(field.column)} = m.${names[index]}`),
    ' and ',
  );
  const rows = matches.map(([match_index, values]) => ({
    match_index,
    ...Object.fromEntries(values.map((value, index) => [`m${index}`, value])),
  }));
  return sql`select m.match_index, t.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as m(${shape}) cross join lateral (
      select ${columns} from ${identifier(plan.schema, plan.object.table)} t
      where ${equal} order by t.id limit 2 for update) t`;
}

/** Which of these records exist within reach. */
export function referencesSql(
  schema: string,
  object: ObjectModel,
  reach: ReachPredicate,
  ids: readonly string[],
): Sql {
  const where = joinSql([sql`t.id = any(${ids}::uuid[])`, ...reachSql(reach)], ' and ');
  return sql`select t.id from ${identifier(schema, object.table)} t where ${where}`;
}

/** How many records refer to each of these by a field they cannot be without. */
export function dependentsSql(
  schema: string,
  object: ObjectModel,
  field: Field,
  ids: readonly string[],
): Sql {
  const name = sql`t.${identifier(field.column)}`;
  return sql`select ${name} as id, count(*) from ${identifier(schema, object.table)} t
    where ${name} = any(${ids}::uuid[]) and not t.id = any(${ids}::uuid[]) group by ${name}`;
}

export function activeUsersSql(schema: string, ids: readonly number[]): Sql {
  return sql`select id from ${identifier(schema, '_users')}
    where id = any(${ids}::integer[]) and active and kind = 'user'`;
}

/** Insert records and their audit rows; returns the records as the plan shows them. */
export function insertSql(
  plan: ReadPlan,
  columns: ReadonlyMap<string, string>,
  rows: readonly Readonly<Record<string, unknown>>[],
  traces: Traces,
): Sql {
  const names = [...columns.keys()];
  const shape = joinSql(
    names.map((name) => sql`${identifier(name)} ${typeSql(columns.get(name) as string)}`),
    ', ',
  );
  const values = joinSql(
    names.map((name) => {
      const value = sql`r.${identifier(name)}`;
      if (name === 'custom_fields') return sql`coalesce(${value}, '{}')`;
      return name === 'created_at' ? sql`coalesce(${value}, now())` : value;
    }),
    ', ',
  );
  return sql`with changed as (
      insert into ${identifier(plan.schema, plan.object.table)} as t
        (${joinSql(
          names.map((name) => identifier(name)),
          ', ',
        )})
      select ${values} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${shape})
      returning ${returning(plan)}
    ), ${tracesSql(traces)}
    select * from changed`;
}

/** Update one record, raise its version, and write its audit row. */
export function updateSql(
  plan: ReadPlan,
  change: { readonly id: string; readonly set: ReadonlyMap<Field, unknown> },
  traces: Traces,
): Sql {
  const physical = [...change.set].filter(([field]) => field.storage === 'physical');
  const custom = [...change.set].filter(([field]) => field.storage === 'jsonb');
  const assignments = [
    ...physical.map(([field, value]) => {
      const stored = field.type === 'json' && value !== null ? JSON.stringify(value) : value;
      return sql`${identifier(field.column)} = ${stored}::${typeSql(field.cast_type)}`;
    }),
    ...(custom.length === 0 ? [] : [customFieldsSql(custom)]),
    sql`version = t.version + 1`,
    sql`updated_at = now()`,
  ];
  return sql`with changed as (
      update ${identifier(plan.schema, plan.object.table)} t
      set ${joinSql(assignments, ', ')} where t.id = ${change.id}::uuid
      returning ${returning(plan)}
    ), ${tracesSql(traces)}
    select * from changed`;
}

/** Merge key by key in the database, so that keys not sent survive concurrent writers (D46). */
function customFieldsSql(custom: readonly (readonly [Field, unknown])[]): Sql {
  const removed = custom.filter(([, value]) => value === null).map(([field]) => field.key);
  const set = custom.filter(([, value]) => value !== null);
  const patch = Object.fromEntries(set.map(([field, value]) => [field.key, value]));
  return sql`custom_fields =
    (t.custom_fields || ${JSON.stringify(patch)}::jsonb) - ${removed}::text[]`;
}

/** Delete records and write their audit rows. */
export function deleteSql(plan: ReadPlan, ids: readonly string[], traces: Traces): Sql {
  return sql`with changed as (
      delete from ${identifier(plan.schema, plan.object.table)} t
      where t.id = any(${ids}::uuid[]) returning t.id
    ), ${tracesSql(traces)}
    select * from changed`;
}

function returning(plan: ReadPlan): Sql {
  return joinSql(
    selectedColumns(plan).map((name) => sql`t.${identifier(name)}`),
    ', ',
  );
}

function tracesSql({ context, entries, search }: Traces): Sql {
  return sql`audited as (
      insert into ${identifier(context.schema, '_audit')} (api_key_id, api_key_prefix, user_id,
        object_type, source, request_id, batch_id, record_id, action, changed_fields)
      select ${context.api_key_id}::uuid, ${context.api_key_prefix}::text,
        ${context.user_id}::integer, ${context.object_type}::text, ${context.source}::text,
        ${context.request_id}::text, ${context.batch_id}::uuid,
        a.record_id, a.action, a.changed_fields
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        as a(record_id uuid, action text, changed_fields text[])
    )${searchChangeSql(context.schema, search)}`;
}
