// Names in the database that are derived from names in the definition document. PostgreSQL cuts
// identifiers at 63 bytes without an error, so long ones are shortened here, with a digest. Pure.

import { createHash } from 'node:crypto';

/** Slug of a workspace: also a host name label and part of a schema name. */
export const WORKSPACE_SLUG_PATTERN = '^[a-z0-9][a-z0-9-]{0,39}$';

/** The PostgreSQL schema of a workspace. */
export function workspaceSchema(slug: string): string {
  return `ws_${slug}`;
}

/** The table of an object type: the type itself when it fits, else a cut name with a digest. */
export function tableName(objectType: string): string {
  if (objectType.length <= 48) return objectType;
  return `${objectType.slice(0, 39)}_${digest(objectType)}`;
}

/**
 * The unique index of a column. A unique violation names its index, so the field is the one whose
 * name comes out of this function.
 */
export function uniqueIndexName(table: string, column: string): string {
  return derivedName(table, column, 'unique');
}

/** The unique index of a column whose values are equal by a key. */
export function distinctIndexName(table: string, column: string, key = ''): string {
  return derivedName(table, column, key === '' ? 'distinct' : `one_${key}`);
}

/** The index that serves filters by the key that values of a column are equal by. */
export function equalIndexName(table: string, column: string, key = ''): string {
  return derivedName(table, column, key === '' ? 'equal' : `eq_${key}`);
}

/** The index that serves filters and sorts on a column. */
export function indexName(table: string, column: string): string {
  return derivedName(table, column, 'index');
}

/** The index that serves sorts on a column by a collation. */
export function sortIndexName(table: string, column: string, collation: string): string {
  return derivedName(table, column, `by${digest(collation).slice(0, 6)}`);
}

/** The index that finds texts within the values of a column. */
export function textIndexName(table: string, column: string): string {
  return derivedName(table, column, 'part');
}

/** The sequence that numbers the work items with this prefix. */
export function publicIdSequence(prefix: string): string {
  return `_public_id_${prefix}`;
}

/** The foreign key of a reference or user column. */
export function foreignKeyName(table: string, column: string): string {
  return derivedName(table, column, 'fkey');
}

/** The primary key of a record table. */
export function primaryKeyName(table: string): string {
  return derivedName(table, 'id', 'key');
}

/** Dots separate the parts: no table and no column has one, so names cannot collide. */
function derivedName(table: string, column: string, kind: string): string {
  const name = `${table}.${column}.${kind}`;
  if (name.length <= 63) return name;
  return `${table.slice(0, 22)}.${column.slice(0, 22)}.${digest(`${table}.${column}`)}.${kind}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
