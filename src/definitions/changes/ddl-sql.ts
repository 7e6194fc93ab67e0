// The text of changes to record tables: tables, columns, foreign keys, indexes, and the data they
// move. Steps about people are in definitions/apply/apply-definition.ts. Pure.

import { FIELD_TYPE_TRAITS } from '../../model/field-types.ts';
import type { Field, ObjectModel } from '../../model/model.ts';
import { primaryKeyName, textIndexName } from '../../model/physical-names.ts';
import { isIndexedText } from '../../model/text-search-field.ts';
import {
  ageIndex,
  createIndexSql,
  displayIndexes,
  filterIndexes,
  indexStatisticsSql,
  isAlwaysIndexed,
  isOwnColumn,
  ownerIndex,
  type TableIndex,
  textIndex,
  uniqueIndexes,
} from '../../sql/index-sql.ts';
import { identifier, joinSql, literal, type Sql, sql } from '../../sql/sql.ts';
import type { Change } from './change.ts';
import {
  addField,
  columnSql,
  dropColumn,
  dropField,
  dropForeignKey,
  dropIndex,
  dropIndexes,
  foreignKey,
  laterConstraints,
  makeIndex,
  ownKeys,
  type Phase,
  type Phased,
  reorderField,
  retypeField,
  userKeySql,
} from './column-sql.ts';
import { renameSql } from './rename-sql.ts';
import { type BuiltValue, swapSql } from './value-sql.ts';

const PHASES: readonly Phase[] = [
  'rename',
  'loosen',
  'drop_columns',
  'drop_tables',
  'create_tables',
  'columns',
  'tighten',
];

/** A statement and, for its failure, the change that caused it. */
export interface DdlStatement {
  readonly statement: Sql;
  readonly change: Change;
  /** The index that the statement creates, if any. */
  readonly index: TableIndex | undefined;
}

export interface DdlOptions {
  /** The schema of pg_trgm; without it no index of texts is made. */
  readonly trigrams?: string | undefined;
  /** Names of indexes that are there, or are made afterwards. */
  readonly without?: ReadonlySet<string>;
  /** Values that were rebuilt before. */
  readonly values?: readonly BuiltValue[];
}

/** The statements that make the changes in this workspace schema, in the order to run them. */
export function ddlSql(
  schema: string,
  changes: readonly Change[],
  { trigrams, without, values = [] }: DdlOptions,
): readonly DdlStatement[] {
  const steps = [
    ...changes.flatMap((change) =>
      changeSql(schema, change).map((phased) => ({ ...phased, change })),
    ),
    ...values.flatMap((value) =>
      swapSql(schema, value).map((phased) => ({ ...phased, change: value.build.change })),
    ),
  ];
  const ordered = PHASES.flatMap((phase) => steps.filter((step) => step.phase === phase));
  // Several changes of a field may need the same index.
  const made = new Set(without);
  return ordered.flatMap((step): readonly DdlStatement[] => {
    const { change } = step;
    if ('statement' in step) return [{ statement: step.statement, change, index: undefined }];
    const { index } = step;
    if (made.has(index.name) || (index.kind === 'text' && trigrams === undefined)) return [];
    made.add(index.name);
    return [
      { statement: createIndexSql(schema, index, { trigrams }), change, index },
      ...indexStatisticsSql(schema, index).map((statement) => {
        return { statement, change, index: undefined };
      }),
    ];
  });
}

function changeSql(schema: string, change: Change): readonly Phased[] {
  switch (change.kind) {
    case 'add_object':
      return createTable(schema, change.object);
    case 'drop_object':
      return dropTable(schema, change.object);
    case 'add_owner':
      return addOwner(schema, change.object);
    case 'drop_owner':
      return [dropColumn(schema, change.object, 'owner_user_id')];
    case 'add_status':
      return addStatus(schema, change.object, change.initial);
    case 'drop_status':
      return [dropColumn(schema, change.object, 'status')];
    case 'retype_field':
      return retypeField(schema, change.object, change.from, change.field);
    case 'reorder_field':
      return reorderField(schema, change.object, change.from, change.field);
    case 'move_field':
      return [];
    case 'rename_object':
    case 'rename_field':
    case 'rename_relationship':
    case 'rename_role':
    case 'rename_status':
      return renameSql(schema, change).map((statement) => ({
        phase: 'rename',
        statement,
      }));
    case 'drop_links':
    case 'limit_links':
      return [linksSql(schema, change)];
    case 'index_search':
    case 'put_user':
    case 'put_team':
    case 'drop_team':
    case 'note':
      return [];
    default:
      return fieldSql(schema, change.kind, change);
  }
}

function linksSql(
  schema: string,
  change: Extract<Change, { readonly kind: 'drop_links' | 'limit_links' }>,
): Phased {
  const links = identifier(schema, '_links');
  const where = sql`where relationship = ${literal(change.relationship)}`;
  if (change.kind === 'drop_links') {
    return { phase: 'loosen', statement: sql`delete from ${links} ${where}` };
  }
  const [from, to] = [change.from_one, change.to_one].map((one) => (one ? sql`true` : sql`false`));
  const statement = sql`update ${links} set from_one = ${from}, to_one = ${to} ${where}`;
  return { phase: 'tighten', statement };
}

interface ObjectField {
  readonly object: ObjectModel;
  readonly field: Field;
}

type FieldKind = Exclude<
  Extract<Change, { readonly field: Field }>['kind'],
  'retype_field' | 'reorder_field' | 'move_field' | 'rename_field'
>;

function fieldSql(
  schema: string,
  kind: FieldKind,
  { object, field }: ObjectField,
): readonly Phased[] {
  switch (kind) {
    case 'add_field':
      return addField(schema, object, field);
    case 'drop_field':
      return dropField(schema, object, field);
    case 'index_field':
      return isAlwaysIndexed(field) ? [] : filterIndexes(object, field).map(makeIndex);
    case 'unindex_field':
      return isAlwaysIndexed(field)
        ? []
        : dropIndexes(schema, object, filterIndexes(object, field));
    case 'make_unique':
      return uniqueIndexes(object, field).map(makeIndex);
    case 'drop_unique':
      return dropIndexes(schema, object, uniqueIndexes(object, field));
    case 'index_text':
      // An indexed field has it already, or gets it with its other indexes.
      return isIndexedText(field) ? [] : [makeIndex(textIndex(object, field))];
    case 'unindex_text':
      return isIndexedText(object.fields.get(field.key) ?? field)
        ? []
        : [dropIndex(schema, textIndexName(object.table, field.column))];
    case 'rebuild_reference':
      return [dropForeignKey(schema, object, field), ...foreignKey(schema, object, field)];
  }
}

function createTable(schema: string, object: ObjectModel): readonly Phased[] {
  const table = identifier(schema, object.table);
  const fields = [...object.fields.values()].filter(isOwnColumn);
  const columns = joinSql(
    [
      sql`id uuid constraint ${identifier(primaryKeyName(object.table))} primary key`,
      sql`version bigint not null default 1`,
      sql`created_at timestamptz(3) not null default now()`,
      sql`updated_at timestamptz(3) not null default now()`,
      sql`created_by_user_id integer not null`,
      ...(object.owned ? [sql`owner_user_id integer`] : []),
      ...(object.fields.has('status') ? [sql`status text collate "C" not null`] : []),
      sql`custom_fields jsonb not null default '{}'`,
      ...fields.map(columnSql),
      ...(object.owned ? [userKeySql(schema, object, 'owner_user_id')] : []),
      ...fields.flatMap((field) => ownKeys(schema, object, field)),
    ],
    ', ',
  );
  return [
    { phase: 'create_tables', statement: sql`create table ${table} (${columns})` },
    makeIndex(ageIndex(object)),
    ...(object.owned ? [makeIndex(ownerIndex(object))] : []),
    ...fields.flatMap((field) => laterConstraints(schema, object, field)),
    ...displayIndexes(object).map(makeIndex),
  ];
}

function dropTable(schema: string, object: ObjectModel): readonly Phased[] {
  const references = [...object.fields.values()].filter(
    ({ type }) => FIELD_TYPE_TRAITS[type].refersTo === 'record',
  );
  return [
    // Two dropped tables may refer to each other.
    ...references.map((field) => dropForeignKey(schema, object, field)),
    { phase: 'drop_tables', statement: sql`drop table ${identifier(schema, object.table)}` },
    {
      phase: 'drop_tables',
      statement: sql`delete from ${identifier(schema, '_leftovers')} where table_name = ${literal(object.table)}`,
    },
    ...(['_comments', '_notifications'] as const).map((table): Phased => {
      const of = sql`where object_type = ${literal(object.object_type)}`;
      return {
        phase: 'drop_tables',
        statement: sql`delete from ${identifier(schema, table)} ${of}`,
      };
    }),
  ];
}

function addOwner(schema: string, object: ObjectModel): readonly Phased[] {
  const table = identifier(schema, object.table);
  const key = userKeySql(schema, object, 'owner_user_id');
  return [
    { phase: 'columns', statement: sql`alter table ${table} add column owner_user_id integer` },
    { phase: 'tighten', statement: sql`alter table ${table} add ${key}` },
    makeIndex(ownerIndex(object)),
  ];
}

function addStatus(schema: string, object: ObjectModel, initial: string): readonly Phased[] {
  const table = identifier(schema, object.table);
  return [
    {
      phase: 'columns',
      statement: sql`alter table ${table} add column status text collate "C" not null default ${literal(initial)}`,
    },
    // The default was for the records that exist; new ones get theirs from the workflow.
    { phase: 'columns', statement: sql`alter table ${table} alter column status drop default` },
  ];
}
