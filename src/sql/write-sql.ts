// The statements that insert and update records, each of one table. Pure text; several rows of an insert are
// one JSON parameter, so that the text depends on the fields it writes and not on how many records.

import type { Field, ObjectModel } from '../model/model.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, joinSql, type Sql, sql } from './sql.ts';
import { typeSql } from './type-sql.ts';

const REQUIRE = identifier(CONTROL_SCHEMA, 'require_assumption');

/** Records to insert, by column. */
export interface Inserted {
  /** Column → type. */
  readonly columns: ReadonlyMap<string, string>;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** A condition that must be true; otherwise the statement fails with `LOOKUP_MISS`. */
  readonly optimisticCheck?: Sql | undefined;
}

/** SQLSTATE of an insert whose optimistic look-up failed (migrations/control). */
export const LOOKUP_MISS = 'WR002';

/** Columns that an import may leave empty in some rows only. */
const TIMES: ReadonlySet<string> = new Set(['created_at', 'updated_at']);

/** Columns that the database computes; the others are known before the write. */
const ADDED = sql`t.id, t.version, t.created_at, t.updated_at`;

/** Insert records; answers what the database adds to each. */
export function insertSql(
  schema: string,
  { table }: Pick<ObjectModel, 'table'>,
  inserted: Inserted,
): Sql {
  const names = joinSql(
    [...inserted.columns.keys()].map((name) => identifier(name)),
    ', ',
  );
  const [only, another] = inserted.rows;
  const isPlain = another === undefined && inserted.optimisticCheck === undefined;
  const source = only !== undefined && isPlain ? rowSql(inserted, only) : rowsSql(inserted);
  return sql`insert into ${identifier(schema, table)} as t
      (${names})
    ${source}
    returning ${ADDED}`;
}

/** One row as it is: Citus writes rows of a select to a file first when the statement answers something (D356). */
function rowSql({ columns }: Inserted, row: Inserted['rows'][number]): Sql {
  const values = [...columns].map(([name, type]) => {
    const value = row[name] ?? null;
    const isJson = type === 'jsonb' && value !== null;
    return addedSql(name, sql`${isJson ? JSON.stringify(value) : value}::${typeSql(type)}`);
  });
  return sql`values (${joinSql(values, ', ')})`;
}

function rowsSql({ columns, rows, optimisticCheck }: Inserted): Sql {
  const shape = [...columns].map(([name, type]) => sql`${identifier(name)} ${typeSql(type)}`);
  const values = [...columns.keys()].map((name) => addedSql(name, sql`r.${identifier(name)}`));
  const check =
    optimisticCheck === undefined ? EMPTY : sql` cross join ${REQUIRE}(${optimisticCheck})`;
  return sql`select ${joinSql(values, ', ')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${joinSql(shape, ', ')})${check}`;
}

/** What is not given. */
function addedSql(name: string, value: Sql): Sql {
  if (name === 'custom_fields') return sql`coalesce(${value}, '{}')`;
  return TIMES.has(name) ? sql`coalesce(${value}, now())` : value;
}

/** The new values of one record. */
export interface Updated {
  readonly id: string;
  readonly set: ReadonlyMap<Field, unknown>;
}

/**
 * Update records, each of which gets values of the same fields, and raise their versions; answers what
 * the database adds to each. `custom_fields` are merged key by key in the database, so that keys not sent
 * survive concurrent writers (D46). The ids come twice: PostgreSQL expects a hundred rows of a record set
 * and reads tables of some thousand records from end to end for them; of an array it expects ten.
 */
export function updateSql(
  schema: string,
  { table }: Pick<ObjectModel, 'table'>,
  updates: readonly [Updated, ...Updated[]],
): Sql {
  const fields = [...updates[0].set.keys()];
  const physical = fields.filter(({ storage }) => storage === 'physical');
  const isCustom = physical.length < fields.length;
  const names = physical.map((_, index) => identifier(`v${index}`));
  const shape = [
    sql`id uuid`,
    ...physical.map(({ cast_type }, index) => sql`${names[index] ?? EMPTY} ${typeSql(cast_type)}`),
    ...(isCustom ? [sql`merged jsonb, removed text[]`] : []),
  ];
  // Only imports bring a time of the last change.
  const isTimed = physical.some(({ column }) => column === 'updated_at');
  const assignments = [
    ...physical.map(({ column }, index) => sql`${identifier(column)} = w.${names[index] ?? EMPTY}`),
    ...(isCustom ? [sql`custom_fields = (t.custom_fields || w.merged) - w.removed`] : []),
    sql`version = t.version + 1`,
    ...(isTimed ? [] : [sql`updated_at = now()`]),
  ];
  const rows = updates.map((update) => ({
    id: update.id,
    ...Object.fromEntries(physical.map((field, index) => [`v${index}`, update.set.get(field)])),
    ...(isCustom ? customValues(update.set) : {}),
  }));
  return sql`update ${identifier(schema, table)} t set ${joinSql(assignments, ', ')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as w(${joinSql(shape, ', ')})
    where t.id = w.id and t.id = any(${updates.map(({ id }) => id)}::uuid[]) returning ${ADDED}`;
}

function customValues(set: Updated['set']): {
  readonly merged: unknown;
  readonly removed: unknown;
} {
  const custom = [...set].filter(([{ storage }]) => storage === 'jsonb');
  const removed = custom.filter(([, value]) => value === null).map(([field]) => field.custom_key);
  const present = custom.filter(([, value]) => value !== null);
  return {
    removed,
    merged: Object.fromEntries(present.map(([field, value]) => [field.custom_key, value])),
  };
}
