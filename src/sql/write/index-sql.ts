// The indexes of record tables: those that a model needs, the form of each in the catalogue, and the text that makes
// and drops one. ddl-sql.ts and the store decide when they are made. Pure.

import { type Field, type ObjectModel, PUBLIC_ID_KEY } from '../../model/definition/model.ts';
import {
  distinctIndexName,
  equalIndexName,
  indexName,
  sortIndexName,
  textIndexName,
  uniqueIndexName,
} from '../../model/definition/physical-names.ts';
import { isIndexedText, textSearchField } from '../../model/text/text-search-field.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { SqlText } from '../../model/values/sql-text.ts';
import { collatedSql } from '../read/collated-sql.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, type Sql, sql, writtenSql } from '../sql.ts';

/**
 * `age`: the default order. `owner`: the same for each owner. `value`: filters and sorts on a column.
 * `equal`: filters by what values are equal by. `unique`: guards a column. `text`: parts of texts
 * that are indexed, or are the display value; needs the extension pg_trgm.
 */
export interface TableIndex {
  readonly kind: 'age' | 'owner' | 'value' | 'equal' | 'unique' | 'text';
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** The expression of `{column}` that it indexes instead of the column. */
  readonly key?: SqlText;
  /** The collation of the indexed column, when it differs from that of its values. */
  readonly collation?: string | undefined;
}

/** An index as the catalogue has it; expressions have null among the columns. */
export interface FoundIndex {
  readonly name: string;
  readonly table: string;
  /** False while it is built, and when that failed. */
  readonly valid: boolean;
  readonly method: string;
  readonly is_unique: boolean;
  readonly partial: boolean;
  readonly columns: readonly (string | null)[];
  /** Size of its table. */
  readonly table_bytes: number;
}

export function ageIndex({ table }: ObjectModel): TableIndex {
  return { kind: 'age', name: indexName(table, 'created_at'), table, column: 'created_at' };
}

export function ownerIndex({ table }: ObjectModel): TableIndex {
  return { kind: 'owner', name: indexName(table, 'owner_user_id'), table, column: 'owner_user_id' };
}

/** The index for sorts, and for ranges of values that have no order of a language. */
export function fieldIndex({ table }: ObjectModel, { column, collation }: Field): TableIndex {
  if (collation === null) return { kind: 'value', name: indexName(table, column), table, column };
  const name = sortIndexName(table, column, collation);
  return { kind: 'value', name, table, column, collation };
}

export function uniqueIndex({ table }: ObjectModel, { type, column }: Field): TableIndex {
  const { equalityKey } = FIELD_TYPE_TRAITS[type];
  if (equalityKey === undefined) {
    return { kind: 'unique', name: uniqueIndexName(table, column), table, column };
  }
  const name = distinctIndexName(table, column, equalityKey.name);
  return { kind: 'unique', name, table, column, key: equalityKey.column };
}

/** Where values are equal by a key of theirs; none of other types. */
function equalIndexes({ table }: ObjectModel, { type, column }: Field): readonly TableIndex[] {
  const { equalityKey } = FIELD_TYPE_TRAITS[type];
  if (equalityKey === undefined) return [];
  const name = equalIndexName(table, column, equalityKey.name);
  return [{ kind: 'equal', name, table, column, key: equalityKey.column }];
}

export function textIndex({ table }: ObjectModel, { column }: Field): TableIndex {
  return { kind: 'text', name: textIndexName(table, column), table, column };
}

/** Every index that a field of this type could have. */
function conceivableIndexesOf(object: ObjectModel, field: Field): readonly TableIndex[] {
  return [
    fieldIndex(object, field),
    ...equalIndexes(object, field),
    uniqueIndex(object, field),
    textIndex(object, field),
  ];
}

/** True for fields that have a column besides those of every record. */
export function isOwnColumn(field: Field): boolean {
  return (!field.system || field.key === PUBLIC_ID_KEY) && field.storage === 'physical';
}

/** True for references: a delete looks up the records that refer to its target. */
export function isAlwaysIndexed({ type }: Field): boolean {
  return FIELD_TYPE_TRAITS[type].refersTo === 'record';
}

/** Indexes of a field's own column, references always included. */
export function indexesOfField(object: ObjectModel, field: Field): readonly TableIndex[] {
  return [
    ...(field.indexed || isAlwaysIndexed(field) ? filterIndexes(object, field) : []),
    ...(field.unique ? uniqueIndexes(object, field) : []),
  ];
}

/** The indexes that enforce a unique field, and serve its sorts where the unique index has another order. */
export function uniqueIndexes(object: ObjectModel, field: Field): readonly TableIndex[] {
  const guard = uniqueIndex(object, field);
  const isSorted = field.indexed || (field.collation === null && guard.key === undefined);
  return [guard, ...(isSorted ? [] : [fieldIndex(object, field)])];
}

/** The indexes for filters and sorts on a field. */
export function filterIndexes(object: ObjectModel, field: Field): readonly TableIndex[] {
  return [
    fieldIndex(object, field),
    ...equalIndexes(object, field),
    ...(isIndexedText(field) ? [textIndex(object, field)] : []),
  ];
}

/** The indexes for the `q` of lists, where the field itself has none. */
export function displayIndexes(object: ObjectModel): readonly TableIndex[] {
  const field = textSearchField(object);
  return field === undefined || isIndexedText(field) ? [] : [textIndex(object, field)];
}

/** Every index an object should have, but for the primary key. */
export function indexesOf(object: ObjectModel): readonly TableIndex[] {
  return [
    ageIndex(object),
    ...(object.owned ? [ownerIndex(object)] : []),
    ...ownFields(object).flatMap((field) => indexesOfField(object, field)),
    ...displayIndexes(object),
  ];
}

/** The names of all of them. */
export function namesOfIndexes(object: ObjectModel): readonly string[] {
  return indexesOf(object).map(({ name }) => name);
}

/** The indexes among these that the object does not need. */
export function unneededIndexes(
  object: ObjectModel,
  indexes: readonly TableIndex[],
): readonly TableIndex[] {
  const kept = new Set(namesOfIndexes(object));
  return indexes.filter(({ name }) => !kept.has(name));
}

/** Every index an object could have had from some other definition with the same columns. */
export function conceivableIndexes(object: ObjectModel): readonly TableIndex[] {
  return ownFields(object).flatMap((field) => conceivableIndexesOf(object, field));
}

function ownFields(object: ObjectModel): readonly Field[] {
  return [...object.fields.values()].filter(isOwnColumn);
}

export interface IndexOptions {
  /** The schema of pg_trgm. */
  readonly trigrams?: string | undefined;
  /** True: builds without blocking writes, which takes longer and needs no transaction around it. */
  readonly concurrently?: boolean;
}

export function createIndexSql(
  schema: string,
  index: TableIndex,
  { trigrams, concurrently = false }: IndexOptions,
): Sql {
  const unique = index.kind === 'unique' ? sql`unique ` : EMPTY;
  const how = concurrently ? sql`concurrently ` : EMPTY;
  const table = identifier(schema, index.table);
  const keys = keysSql(index, trigrams);
  return sql`create ${unique}index ${how}${identifier(index.name)} on ${table} ${keys}`;
}

function keysSql({ kind, column, key, collation }: TableIndex, trigrams: string | undefined): Sql {
  const name = identifier(column);
  const compared = key === undefined ? name : sql`(${writtenSql(key, () => name)})`;
  switch (kind) {
    case 'age':
      return sql`(created_at desc, id desc)`;
    case 'owner':
      return sql`(owner_user_id, created_at desc, id desc)`;
    case 'value':
      return sql`(${collatedSql(name, collation ?? null)}, id)`;
    case 'equal':
      return sql`(${compared}, id)`;
    case 'unique':
      return sql`(${compared})`;
    case 'text': {
      if (trigrams === undefined) throw new Error('an index of texts needs pg_trgm');
      const folded = identifier(CONTROL_SCHEMA, 'folded');
      // Each search reads the whole pending list; a short one costs writers no more (D96).
      return sql`using gin (${folded}(${name}) ${identifier(trigrams, 'gin_trgm_ops')}) with (gin_pending_list_limit = 512)`;
    }
  }
}

/** Sets the size of an index's statistics, where the usual size of 100 is too small (D352). */
export function indexStatisticsSql(schema: string, { kind, name }: TableIndex): readonly Sql[] {
  if (kind !== 'text') return [];
  return [sql`alter index ${identifier(schema, name)} alter column 1 set statistics 1000`];
}

export function dropIndexSql(schema: string, name: string): Sql {
  return sql`drop index if exists ${identifier(schema, name)}`;
}

/** Takes no lock that stops reads or writes; in no transaction. */
export function dropIndexConcurrentlySql(schema: string, name: string): Sql {
  return sql`drop index concurrently if exists ${identifier(schema, name)}`;
}

/** The indexes of a workspace's tables: rows of `FoundIndex`. */
export function foundIndexesSql(schema: string, isShard: boolean): Sql {
  const size = isShard ? sql`citus_relation_size` : sql`pg_relation_size`;
  return sql`with sizes as materialized (
      select t.oid, pg_catalog.${size}(t.oid) as bytes from pg_catalog.pg_class t
      join pg_catalog.pg_namespace n on n.oid = t.relnamespace
      where n.nspname = ${schema} and t.relkind = 'r'
    )
    select c.relname::text as name, t.relname::text as "table", m.amname::text as method,
      i.indisvalid and i.indisready and i.indislive as valid, i.indisunique as is_unique,
      i.indpred is not null as partial, s.bytes as table_bytes,
      array(select a.attname::text from unnest(i.indkey) with ordinality k (number, place)
        left join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        order by k.place) as columns
    from pg_catalog.pg_index i
    join pg_catalog.pg_class c on c.oid = i.indexrelid
    join pg_catalog.pg_class t on t.oid = i.indrelid
    join pg_catalog.pg_am m on m.oid = c.relam
    join sizes s on s.oid = t.oid`;
}

/** Whether this is the index, complete and as `createIndexSql` makes it. */
export function isSameIndex(index: TableIndex, found: FoundIndex): boolean {
  const columns = columnsOf(index);
  return (
    found.valid &&
    !found.partial &&
    found.table === index.table &&
    found.is_unique === (index.kind === 'unique') &&
    found.method === (index.kind === 'text' ? 'gin' : 'btree') &&
    found.columns.length === columns.length &&
    columns.every((column, place) => found.columns[place] === column)
  );
}

function columnsOf({ kind, column, key }: TableIndex): readonly (string | null)[] {
  const compared = key === undefined ? column : null;
  if (kind === 'text') return [null];
  if (kind === 'unique') return [compared];
  if (kind === 'equal') return [compared, 'id'];
  return kind === 'owner' ? [column, 'created_at', 'id'] : [column, 'id'];
}

/** The schema of pg_trgm; no row when the server lacks it or it may not be used. */
export const TRIGRAMS_SQL: Sql = sql`select n.nspname::text as schema
  from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
  where e.extname = 'pg_trgm' and has_schema_privilege(n.oid, 'usage')`;
