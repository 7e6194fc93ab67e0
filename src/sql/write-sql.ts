// The statements that insert and update records: one data-modifying statement each that carries its
// audit and search rows with it. Pure text; parameters are JSON record sets, so that a statement's
// text depends on the fields it writes, not on how many records.

import type { Field } from '../model/model.ts';
import type { ReadPlan } from '../plan/read-plan.ts';
import type { SearchChange } from '../plan/search-rows.ts';
import { type AuditContext, type AuditEntry, auditedSql } from './audit-sql.ts';
import { rememberedSql } from './idempotency-sql.ts';
import { columnsSql } from './read-sql.ts';
import { searchChangeSql } from './search-rows-sql.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';
import { typeSql } from './type-sql.ts';

const REQUIRE = identifier(CONTROL_SCHEMA, 'require_assumption');

/** What a change of records leaves behind in the same statement. */
export interface Traces {
  readonly context: AuditContext;
  readonly entries: readonly AuditEntry[];
  readonly search?: SearchChange | undefined;
  /** Stores the answer to the whole request. */
  readonly remembered?: Sql | undefined;
}

/** Records to insert, by column. */
export interface Inserted {
  /** Column → type. */
  readonly columns: ReadonlyMap<string, string>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** A boolean that must be true; else the statement fails with `ASSUMPTION_FAILED`. */
  readonly assumed?: Sql | undefined;
}

/** SQLSTATE of an insert whose assumption does not hold (migrations/control). */
export const ASSUMPTION_FAILED = 'WR002';

/** Columns that an import may leave empty in some rows only. */
const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** Insert records and their audit rows; returns the records as the plan shows them. */
export function insertSql(
  plan: ReadPlan,
  { columns, rows, assumed }: Inserted,
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
      return TIMES.has(name) ? sql`coalesce(${value}, now())` : value;
    }),
    ', ',
  );
  return sql`with changed as (
      insert into ${identifier(plan.schema, plan.object.table)} as t
        (${joinSql(
          names.map((name) => identifier(name)),
          ', ',
        )})
      select ${values} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${shape})${
        assumed === undefined ? EMPTY : sql` cross join ${REQUIRE}(${assumed})`
      }
      returning ${columnsSql(plan)}
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
  // Only imports bring a time of the last change.
  const isTimed = physical.some(([{ column }]) => column === 'updated_at');
  const assignments = [
    ...physical.map(([field, value]) => {
      const stored = field.type === 'json' && value !== null ? JSON.stringify(value) : value;
      return sql`${identifier(field.column)} = ${stored}::${typeSql(field.cast_type)}`;
    }),
    ...(custom.length === 0 ? [] : [customFieldsSql(custom)]),
    sql`version = t.version + 1`,
    ...(isTimed ? [] : [sql`updated_at = now()`]),
  ];
  return sql`with changed as (
      update ${identifier(plan.schema, plan.object.table)} t
      set ${joinSql(assignments, ', ')} where t.id = ${change.id}::uuid
      returning ${columnsSql(plan)}
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

/** The rows a change of records leaves in the audit table and the search index. */
export function tracesSql({ context, entries, search, remembered }: Traces): Sql {
  return sql`audited as (${auditedSql(context, entries)})${searchChangeSql(context.schema, search)}${rememberedSql(remembered)}`;
}
