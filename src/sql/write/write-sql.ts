// The statements that insert and update records, each of one table. Pure text; the rows of an insert are
// one JSON parameter, so that the text depends on the fields it writes and not on how many records.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';
import { typeSql } from '../type-sql.ts';

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

/** Insert records; returns the columns that the database adds to each. */
export function insertSql(
  schema: string,
  { table }: Pick<ObjectModel, 'table'>,
  { columns, rows, optimisticCheck }: Inserted,
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
  return sql`insert into ${identifier(schema, table)} as t
      (${joinSql(
        names.map((name) => identifier(name)),
        ', ',
      )})
    select ${values} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(${shape})${
      optimisticCheck === undefined ? EMPTY : sql` cross join ${REQUIRE}(${optimisticCheck})`
    }
    returning ${ADDED}`;
}

/** The new values of one record. */
export interface Updated {
  readonly id: string;
  readonly set: ReadonlyMap<Field, unknown>;
}

/**
 * Update records, each of which gets values of the same fields, and raise their versions; returns the columns that
 * the database adds to each. `custom_fields` are merged key by key in the database, so that keys not sent survive
 * concurrent writers (D46). The ids come twice: PostgreSQL expects a hundred rows of a record set and reads tables of
 * some thousand records from end to end for them; of an array it expects ten.
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
