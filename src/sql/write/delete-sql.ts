// The statements that delete records with their dependent data: links and comments are deleted, optional
// references to them become null, each with its audit row (D54). Objects with a trash keep all of it there first. Pure
// text.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { Referrer } from '../../plan/write/referrers.ts';
import { auditConsequencesSql, type DefinitionRevision } from '../events/audit-sql.ts';
import { forgetRecordsSql, keepReferencesSql } from '../events/history-sql.ts';
import { EMPTY, identifier, joinSql, type Sql, sql } from '../sql.ts';
import type { Attached, Deleted } from './deleted-records.ts';
import { linksOfSql } from './link-sql.ts';
import { trashSql } from './trash-sql.ts';

/** Delete locked records, or move them to the trash; no row refers to them when the last of the statements runs. */
export function deleteSql(
  definition: DefinitionRevision,
  deleted: Deleted,
  attached: Attached,
): readonly Sql[] {
  const { trash } = attached;
  return [
    ...(trash === null ? [] : [trashSql(definition.schema, deleted, attached, trash.days)]),
    ...removedSql(definition, deleted, attached),
  ];
}

/** Delete locked records with what the trash has of them already. */
export function removedSql(
  definition: DefinitionRevision,
  deleted: Deleted,
  { cleared, linked, requested, trash }: Attached,
): readonly Sql[] {
  const { object, ids } = deleted;
  const { schema } = definition;
  return [
    ...(linked ? [unlinkedSql(schema, deleted)] : []),
    // Also of objects without comments, which may have had some.
    rowsOfSql(schema, '_comments', deleted),
    rowsOfSql(schema, '_follows', deleted),
    rowsOfSql(schema, '_notifications', deleted),
    ...(requested ? [rowsOfSql(schema, '_status_requests', deleted)] : []),
    ...referencesSql(definition, deleted, cleared, null),
    // The history of a record in the trash stays until it is removed for good.
    ...(object.history === null || trash !== null ? [] : [forgetRecordsSql(schema, object, ids)]),
    sql`delete from ${identifier(schema, object.table)} where id = any(${ids}::uuid[]) returning id`,
  ];
}

/** Delete the rows of a service table that are about records. Objects may share ids (D590). */
function rowsOfSql(
  schema: string,
  table: string,
  { object, ids }: Pick<Deleted, 'object' | 'ids'>,
): Sql {
  return sql`delete from ${identifier(schema, table)}
    where record_id = any(${ids}::uuid[]) and object_type = ${object.object_type}::text`;
}

function unlinkedSql(schema: string, { object, ids }: Pick<Deleted, 'object' | 'ids'>): Sql {
  return sql`delete from ${identifier(schema, '_links')} l
    where ${linksOfSql(object, (id) => sql`${id} = any(${ids}::uuid[])`)}`;
}

/**
 * References to the deleted records become null, or lead to the record `into`. One update an object, however many of
 * its fields refer to them, after its audit rows.
 */
export function referencesSql(
  definition: DefinitionRevision,
  deleted: Deleted,
  cleared: readonly Referrer[],
  into: string | null,
): readonly Sql[] {
  const objects = [...new Set(cleared.map(({ object }) => object))];
  return objects.flatMap((object) => {
    const fields = cleared
      .filter((referrer) => referrer.object === object)
      .map(({ field }) => field);
    const referrers = referrersOf(definition.schema, { ...deleted, into }, object, fields);
    const { object_type } = object;
    const { actor } = deleted;
    const traces = { actor, object_type, action: 'update' };
    return [
      auditConsequencesSql(definition, traces, referrers.held),
      ...(object.history === null
        ? []
        : [keepReferencesSql(definition, { actor, object, into }, referrers.replaced)]),
      referrers.cleared,
    ];
  });
}

/**
 * The records of `object` that refer to deleted ones: a statement that selects and locks them, one that selects the
 * values that they lose, and one that changes them.
 */
function referrersOf(
  schema: string,
  deleted: Deleted & { readonly into: string | null },
  object: ObjectModel,
  fields: readonly Field[],
): { readonly held: Sql; readonly replaced: Sql; readonly cleared: Sql } {
  const { ids, into } = deleted;
  const value = into === null ? sql`null` : sql`${into}::uuid`;
  const gone = into === null ? ids : [...ids, into];
  const table = identifier(schema, object.table);
  const refers = ({ column }: Field) => sql`t.${identifier(column)} = any(${ids}::uuid[])`;
  const own = object === deleted.object ? sql` and not t.id = any(${gone}::uuid[])` : EMPTY;
  const where = sql`(${joinSql(fields.map(refers), ' or ')})${own}`;
  const keys = fields.map((field) => sql`case when ${refers(field)} then ${field.key}::text end`);
  const changed = sql`array_remove(array[${joinSql(keys, ', ')}], null)`;
  const values = fields.map((field) => {
    const value = sql`case when ${refers(field)} then t.${identifier(field.column)} end`;
    return sql`${field.key}::text, ${value}`;
  });
  const assignments = fields.map((field) => {
    const name = identifier(field.column);
    return sql`${name} = case when ${refers(field)} then ${value} else t.${name} end`;
  });
  return {
    held: sql`select t.id as record_id, ${changed}
        as changed_fields, t.version + 1 as revision from ${table} t where ${where} order by t.id for no key update of t`,
    replaced: sql`select t.id as record_id, ${changed} as fields, t.version + 1 as revision,
        json_strip_nulls(json_build_object(${joinSql(values, ', ')})) as old_values from ${table} t where ${where}`,
    cleared: sql`update ${table} t set ${joinSql(assignments, ', ')}, version = t.version + 1,
      updated_at = now() where ${where}`,
  };
}
