// The text of renaming in place (D241): tables, columns and what is named after them, and the keys that rows
// of other tables hold. Where names of stored data need not follow (D260) there is nothing to do. No record gets another version; audit rows keep the key of their time. Pure.

import { FIELD_TYPE_TRAITS } from '../../model/field-types.ts';
import type { Field, ObjectModel } from '../../model/model.ts';
import { foreignKeyName, primaryKeyName } from '../../model/physical-names.ts';
import {
  conceivableIndexesOf,
  isOwnColumn,
  namesOfIndexes,
  type TableIndex,
} from '../../sql/index-sql.ts';
import { identifier, literal, type Sql, sql } from '../../sql/sql.ts';
import type { RenameStep } from './change.ts';
import { foreignKeySql, userKeySql } from './column-sql.ts';

/** `isShard`: Citus renames no constraints, so that foreign keys are dropped, and `restoredKeysSql` makes them again. */
export function renameSql(schema: string, step: RenameStep, isShard: boolean): readonly Sql[] {
  switch (step.kind) {
    case 'rename_object':
      return renameObject(schema, step, isShard);
    case 'rename_field':
      return renameField(schema, step, isShard);
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

type Step<Kind extends RenameStep['kind']> = Extract<RenameStep, { readonly kind: Kind }>;

/** The foreign keys that these steps have dropped from a shard, once all of them are made. */
export function restoredKeysSql(schema: string, steps: readonly RenameStep[]): readonly Sql[] {
  const keys = new Map<string, Sql>();
  const put = ({ table }: ObjectModel, column: string, key: Sql | undefined) => {
    if (key === undefined) return;
    keys.set(
      foreignKeyName(table, column),
      sql`alter table ${identifier(schema, table)} add ${key}`,
    );
  };
  for (const step of steps) {
    if (step.kind === 'rename_object' && step.from.table !== step.object.table) {
      const { object } = step;
      if (object.owned) put(object, OWNER, userKeySql(schema, object, OWNER));
      for (const field of referring(object)) {
        put(object, field.column, foreignKeySql(schema, object, field));
      }
    }
    if (step.kind === 'rename_field' && isRenamedKey(step)) {
      const { object, from, field } = step;
      keys.delete(foreignKeyName(object.table, from.column));
      put(object, field.column, foreignKeySql(schema, object, field));
    }
  }
  return [...keys.values()];
}

const OWNER = 'owner_user_id';

function renameObject(
  schema: string,
  { from, object: to }: Step<'rename_object'>,
  isShard: boolean,
): readonly Sql[] {
  const [old, now] = [literal(from.object_type), literal(to.object_type)];
  const marked = (['_comments', '_notifications', '_idempotency'] as const).map(
    (name) =>
      sql`update ${identifier(schema, name)} set object_type = ${now} where object_type = ${old}`,
  );
  return [
    ...(from.table === to.table ? [] : renameTable(schema, { from, to }, isShard)),
    ...marked,
    sql`update ${identifier(schema, '_leftovers')} set table_name = ${literal(to.table)}
      where table_name = ${literal(from.table)}`,
  ];
}

function renameTable(
  schema: string,
  { from, to }: { readonly from: ObjectModel; readonly to: ObjectModel },
  isShard: boolean,
): readonly Sql[] {
  const names = namesOfIndexes(to);
  const keys = columnsWithKey(from).map((column) => {
    const named = {
      from: foreignKeyName(from.table, column),
      to: foreignKeyName(to.table, column),
    };
    return renameForeignKey(schema, to.table, named, isShard);
  });
  return [
    sql`alter table ${identifier(schema, from.table)} rename to ${identifier(to.table)}`,
    // With the constraint that it is the index of.
    renameIndex(schema, primaryKeyName(from.table), primaryKeyName(to.table)),
    ...namesOfIndexes(from).map((name, at) => renameIndex(schema, name, names[at] as string)),
    ...keys,
  ];
}

/** Columns that a foreign key is named after. */
function columnsWithKey(object: ObjectModel): readonly string[] {
  return [...(object.owned ? [OWNER] : []), ...referring(object).map(({ column }) => column)];
}

function referring({ fields }: ObjectModel): readonly Field[] {
  return [...fields.values()].filter((field) => isOwnColumn(field) && refers(field));
}

function refers({ type }: Field): boolean {
  return FIELD_TYPE_TRAITS[type].refersTo !== undefined;
}

interface Names {
  readonly from: string;
  readonly to: string;
}

/** On a shard it may be gone: with the table renamed, a renamed column has no key any more. */
function renameForeignKey(
  schema: string,
  table: string,
  { from, to }: Names,
  isShard: boolean,
): Sql {
  const [of, old, now] = [identifier(schema, table), identifier(from), identifier(to)];
  return isShard
    ? sql`alter table ${of} drop constraint if exists ${old}`
    : sql`alter table ${of} rename constraint ${old} to ${now}`;
}

/** An index of texts is there only with pg_trgm. */
function renameIndex(schema: string, from: string, to: string): Sql {
  return sql`alter index if exists ${identifier(schema, from)} rename to ${identifier(to)}`;
}

function renameField(schema: string, step: Step<'rename_field'>, isShard: boolean): readonly Sql[] {
  const { object, from, field } = step;
  const [old, now] = [literal(from.key), literal(field.key)];
  return [
    ...(from.storage === 'physical' ? renameColumn(schema, step, isShard) : []),
    // Whether a stored answer may be sent again is asked by the keys of its fields.
    sql`update ${identifier(schema, '_idempotency')} set fields = array_replace(fields, ${old}, ${now})
      where object_type = ${literal(object.object_type)} and ${old} = any(fields)`,
  ];
}

function isRenamedKey({ from, field }: Step<'rename_field'>): boolean {
  return from.storage === 'physical' && refers(field);
}

function renameColumn(
  schema: string,
  step: Step<'rename_field'>,
  isShard: boolean,
): readonly Sql[] {
  const { object, from, field } = step;
  const { table } = object;
  const known = new Set(namesOfIndexes(object));
  const before = conceivableIndexesOf(object, from);
  const names = conceivableIndexesOf(object, field).flatMap(({ name }, at) =>
    known.has(name) ? [[(before[at] as TableIndex).name, name] as const] : [],
  );
  const [old, now] = [identifier(from.column), identifier(field.column)];
  const key = {
    from: foreignKeyName(table, from.column),
    to: foreignKeyName(table, field.column),
  };
  return [
    sql`alter table ${identifier(schema, table)} rename column ${old} to ${now}`,
    ...names.map(([name, renamed]) => renameIndex(schema, name, renamed)),
    ...(isRenamedKey(step) ? [renameForeignKey(schema, table, key, isShard)] : []),
  ];
}
