// The text of renaming in place (D241): tables, columns and what is named after them, and the keys that rows
// of other tables hold. Where names of stored data need not follow (D260) there is nothing to do. No record gets another version; audit rows keep the key of their time. Pure.

import type { RenameStep } from '../model/change.ts';
import { FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import type { Field, ObjectModel } from '../model/model.ts';
import { foreignKeyName, primaryKeyName } from '../model/physical-names.ts';
import { conceivableIndexesOf, isOwnColumn, namesOfIndexes, type TableIndex } from './index-sql.ts';
import { identifier, literal, type Sql, sql } from './sql.ts';

export function renameSql(schema: string, step: RenameStep): readonly Sql[] {
  switch (step.kind) {
    case 'rename_object':
      return renameObject(schema, step.from, step.object);
    case 'rename_field':
      return renameField(schema, step.object, step.from, step.field);
    case 'rename_relationship':
      return [
        sql`update ${identifier(schema, '_links')} set relationship = ${literal(step.new_key)}
          where relationship = ${literal(step.old_key)}`,
      ];
    case 'rename_role': {
      const [from, to] = [literal(step.old_key), literal(step.new_key)];
      return [
        sql`update ${identifier(schema, '_users')} set roles = array_replace(roles, ${from}, ${to})
          where ${from} = any(roles)`,
      ];
    }
    case 'rename_status':
      // In a column of its own (value-sql.ts).
      return [];
  }
}

function renameObject(schema: string, from: ObjectModel, to: ObjectModel): readonly Sql[] {
  const [old, now] = [literal(from.object_type), literal(to.object_type)];
  const marked = (['_comments', '_notifications', '_idempotency'] as const).map(
    (name) =>
      sql`update ${identifier(schema, name)} set object_type = ${now} where object_type = ${old}`,
  );
  return [
    ...(from.table === to.table ? [] : renameTable(schema, from, to)),
    ...marked,
    sql`update ${identifier(schema, '_leftovers')} set table_name = ${literal(to.table)}
      where table_name = ${literal(from.table)}`,
  ];
}

function renameTable(schema: string, from: ObjectModel, to: ObjectModel): readonly Sql[] {
  const names = namesOfIndexes(to);
  const keys = columnsWithKey(from).map((column) =>
    renameConstraint(schema, to.table, {
      from: foreignKeyName(from.table, column),
      to: foreignKeyName(to.table, column),
    }),
  );
  return [
    sql`alter table ${identifier(schema, from.table)} rename to ${identifier(to.table)}`,
    renameConstraint(schema, to.table, {
      from: primaryKeyName(from.table),
      to: primaryKeyName(to.table),
    }),
    ...namesOfIndexes(from).map((name, at) => renameIndex(schema, name, names[at] as string)),
    ...keys,
  ];
}

/** Columns that a foreign key is named after. */
function columnsWithKey({ fields, owned }: ObjectModel): readonly string[] {
  const referring = [...fields.values()].filter(
    (field) => isOwnColumn(field) && FIELD_TYPE_TRAITS[field.type].refersTo !== undefined,
  );
  return [...(owned ? ['owner_user_id'] : []), ...referring.map(({ column }) => column)];
}

interface Names {
  readonly from: string;
  readonly to: string;
}

function renameConstraint(schema: string, table: string, { from, to }: Names): Sql {
  const [old, now] = [identifier(from), identifier(to)];
  return sql`alter table ${identifier(schema, table)} rename constraint ${old} to ${now}`;
}

/** An index of texts is there only with pg_trgm, and of an index and what stands for it is one. */
function renameIndex(schema: string, from: string, to: string): Sql {
  return sql`alter index if exists ${identifier(schema, from)} rename to ${identifier(to)}`;
}

function renameField(
  schema: string,
  object: ObjectModel,
  from: Field,
  field: Field,
): readonly Sql[] {
  const [old, now] = [literal(from.key), literal(field.key)];
  return [
    ...(from.storage === 'physical' ? renameColumn(schema, object, from, field) : []),
    // Whether a stored answer may be sent again is asked by the keys of its fields.
    sql`update ${identifier(schema, '_idempotency')} set fields = array_replace(fields, ${old}, ${now})
      where object_type = ${literal(object.object_type)} and ${old} = any(fields)`,
  ];
}

function renameColumn(
  schema: string,
  object: ObjectModel,
  from: Field,
  field: Field,
): readonly Sql[] {
  const { table } = object;
  const known = new Set(namesOfIndexes(object));
  const before = conceivableIndexesOf(object, from);
  const names = conceivableIndexesOf(object, field).flatMap(({ name }, at) =>
    known.has(name) ? [[(before[at] as TableIndex).name, name] as const] : [],
  );
  const refers = FIELD_TYPE_TRAITS[field.type].refersTo !== undefined;
  const [old, now] = [identifier(from.column), identifier(field.column)];
  return [
    sql`alter table ${identifier(schema, table)} rename column ${old} to ${now}`,
    ...names.map(([name, renamed]) => renameIndex(schema, name, renamed)),
    ...(refers
      ? [
          renameConstraint(schema, table, {
            from: foreignKeyName(table, from.column),
            to: foreignKeyName(table, field.column),
          }),
        ]
      : []),
  ];
}
