// The text of changes to one column of a record table: its type, its foreign key and indexes. Rebuilding of values
// is in value-sql.ts. Pure.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { foreignKeyName } from '../../model/definition/physical-names.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { EMPTY, identifier, type Sql, sql, writtenSql } from '../../sql/sql.ts';
import { formulaSql } from '../../sql/write/formula-sql.ts';
import {
  dropIndexSql,
  indexesOfField,
  type TableIndex,
  unneededIndexes,
} from '../../sql/write/index-sql.ts';

/** The phase of a statement: no table is dropped while a foreign key points to it, none is missed. */
export type Phase =
  | 'rename'
  | 'loosen'
  | 'drop_columns'
  | 'drop_tables'
  | 'create_tables'
  | 'columns'
  | 'computed'
  | 'tighten';

/** A statement, an index to make, or a change that joins those of the same table in one statement. */
export type Phased = { readonly phase: Phase } & (
  | { readonly statement: Sql }
  | { readonly index: TableIndex }
  | { readonly table: string; readonly alteration: Sql }
);

export function columnType(field: Field): Sql {
  return writtenSql(FIELD_TYPE_TRAITS[field.type].columnType, () => undefined);
}

/** The column as CREATE TABLE and ADD COLUMN declare it. */
export function columnSql(field: Field): Sql {
  const { formula } = field;
  if (formula !== null) {
    const value = formulaSql({ ...field, formula });
    return sql`${identifier(field.column)} ${columnType(field)} generated always as (${value}) stored`;
  }
  const filled = field.nullable ? EMPTY : sql` not null`;
  return sql`${identifier(field.column)} ${columnType(field)}${filled}`;
}

export function dropColumn(schema: string, object: ObjectModel, column: string): Phased {
  return { phase: 'drop_columns', statement: dropColumnSql(schema, object.table, column) };
}

/** Before the columns that it is computed from. */
export function dropComputed(schema: string, object: ObjectModel, { column }: Field): Phased {
  return { phase: 'loosen', statement: dropColumnSql(schema, object.table, column) };
}

export function dropColumnSql(schema: string, table: string, column: string): Sql {
  return sql`alter table ${identifier(schema, table)} drop column ${identifier(column)}`;
}

/** Indexes and foreign key that a new column needs. */
export function fieldConstraints(
  schema: string,
  object: ObjectModel,
  field: Field,
): readonly Phased[] {
  return [...foreignKey(schema, object, field), ...indexesOfField(object, field).map(makeIndex)];
}

export function foreignKey(schema: string, object: ObjectModel, field: Field): readonly Phased[] {
  const key = foreignKeySql(schema, object, field);
  if (key === undefined) return [];
  const table = identifier(schema, object.table);
  return [{ phase: 'tighten', statement: sql`alter table ${table} add ${key}` }];
}

/**
 * The foreign key as CREATE and ALTER TABLE declare it; undefined for fields that are not references. Optional
 * references become null when their target is deleted, required ones prevent it (D54).
 */
function foreignKeySql(schema: string, object: ObjectModel, field: Field): Sql | undefined {
  const { refersTo } = FIELD_TYPE_TRAITS[field.type];
  if (refersTo === undefined) return undefined;
  if (refersTo === 'user') return userKeySql(schema, object, field.column);
  const target = identifier(schema, field.reference_table as string);
  const rule = field.on_delete === 'restrict' ? sql`restrict` : sql`set null`;
  return sql`${keySql(object, field.column)} references ${target} (id) on delete ${rule} deferrable initially immediate`;
}

/** The foreign key of a column that has users. */
export function userKeySql(schema: string, object: ObjectModel, column: string): Sql {
  return sql`${keySql(object, column)} references ${identifier(schema, '_users')} (id)`;
}

function keySql({ table }: ObjectModel, column: string): Sql {
  const name = identifier(foreignKeyName(table, column));
  return sql`constraint ${name} foreign key (${identifier(column)})`;
}

/**
 * The keys that CREATE TABLE can declare, because the tables of users and of the object itself exist: PostgreSQL then
 * checks no row against them, which would take longer than adding the key.
 */
export function ownKeys(schema: string, object: ObjectModel, field: Field): readonly Sql[] {
  const key = isOwnKey(object, field) ? foreignKeySql(schema, object, field) : undefined;
  return key === undefined ? [] : [key];
}

/** Indexes and foreign key that a column of a new table needs besides `ownKeys`. */
export function laterConstraints(
  schema: string,
  object: ObjectModel,
  field: Field,
): readonly Phased[] {
  if (!isOwnKey(object, field)) return fieldConstraints(schema, object, field);
  return indexesOfField(object, field).map(makeIndex);
}

function isOwnKey({ table }: ObjectModel, { type, reference_table: target }: Field): boolean {
  if (FIELD_TYPE_TRAITS[type].refersTo === 'user') return true;
  return target === table;
}

export function dropForeignKey(schema: string, object: ObjectModel, field: Field): Phased {
  const table = identifier(schema, object.table);
  const name = identifier(foreignKeyName(object.table, field.column));
  return { phase: 'loosen', statement: sql`alter table ${table} drop constraint ${name}` };
}

export function makeIndex(index: TableIndex): Phased {
  return { phase: 'tighten', index };
}

export function dropIndex(schema: string, name: string): Phased {
  return { phase: 'loosen', statement: dropIndexSql(schema, name) };
}

/** Drops the indexes among these that the object no longer needs. */
export function dropIndexes(
  schema: string,
  object: ObjectModel,
  indexes: readonly TableIndex[],
): readonly Phased[] {
  return unneededIndexes(object, indexes).map(({ name }) => dropIndex(schema, name));
}
