// Records in the trash when the definition changes. They have the names of the columns that they had, which a rename
// leaves: only values that go, statuses with another key and links are changed in them. Pure text.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import { valuePlace } from '../../model/definition/storage-key.ts';
import { identifier, joinSql, literal, type Sql, sql } from '../../sql/sql.ts';
import type { RenamedKey, RenamedStatus } from './change-kind.ts';
import type { Phased } from './column-sql.ts';

/** The place of the values of a field. */
type ValuePlace = Pick<Field, 'storage' | 'column' | 'custom_key'>;

/** Values that go with their column or their key, so that no later one of the name gets them. */
export function forgetValues(
  schema: string,
  object: ObjectModel,
  { storage, column, custom_key }: ValuePlace,
): readonly Phased[] {
  if (object.trash === null) return [];
  const place = literal(valuePlace({ storage, column, custom_key }));
  const merged = forgetMerged(schema, object, place);
  if (storage === 'physical') {
    const name = literal(column);
    return [changed(schema, object, sql`content - ${name}`, sql`content ? ${name}`), merged];
  }
  const name = literal(custom_key);
  const custom = sql`content -> 'custom_fields'`;
  const content = sql`jsonb_set(content, '{custom_fields}', (${custom}) - ${name})`;
  return [changed(schema, object, content, sql`${custom} ? ${name}`), merged];
}

/** The values that a merge has replaced. */
function forgetMerged(schema: string, { table }: ObjectModel, place: Sql): Phased {
  return {
    phase: 'columns',
    statement: sql`update ${identifier(schema, '_trash')} set merged = merged #- array['replaced', ${place}]
      where table_name = ${literal(table)} and merged -> 'replaced' ? ${place}`,
  };
}

export function renameTrashedStatuses(
  schema: string,
  object: ObjectModel,
  statuses: readonly RenamedStatus[],
): readonly Phased[] {
  if (object.trash === null || statuses.length === 0) return [];
  const arms = statuses.map(({ old_key, new_key, types }) => {
    const isOfType =
      types === undefined
        ? sql`true`
        : sql`content ->> 'work_item_type_id' in (${joinSql(types.map(literal), ', ')})`;
    return sql`when content ->> 'status' = ${literal(old_key)} and ${isOfType} then ${literal(new_key)}`;
  });
  const status = sql`case ${joinSql(arms, ' ')} else content ->> 'status' end`;
  const content = sql`jsonb_set(content, '{status}', to_jsonb((${status})::text))`;
  return [changed(schema, object, content, sql`content ->> 'status' is not null`)];
}

function changed(schema: string, { table }: ObjectModel, content: Sql, where: Sql): Phased {
  return {
    phase: 'columns',
    statement: sql`update ${identifier(schema, '_trash')} set content = ${content}
      where table_name = ${literal(table)} and ${where}`,
  };
}

/** Links of a relationship that gets another key. */
export function renameTrashedLinks(
  schema: string,
  { old_key, new_key }: RenamedKey,
): readonly Sql[] {
  const renamed = sql`case when l.value ->> 'relationship' = ${literal(old_key)}
        then l.value || jsonb_build_object('relationship', ${literal(new_key)}::text) else l.value end`;
  return changeLinks(
    schema,
    old_key,
    (links) => sql`select jsonb_agg(${renamed}) from jsonb_array_elements(${links}) l`,
  );
}

export function dropTrashedLinks(schema: string, relationship: string): readonly Sql[] {
  return changeLinks(
    schema,
    relationship,
    (links) => sql`select jsonb_agg(l.value) from jsonb_array_elements(${links}) l
        where l.value ->> 'relationship' <> ${literal(relationship)}`,
  );
}

/** Change the links of records, and those that went over in a merge. */
function changeLinks(
  schema: string,
  relationship: string,
  changed: (links: Sql) => Sql,
): readonly Sql[] {
  const trash = identifier(schema, '_trash');
  const named = sql`jsonb_build_array(jsonb_build_object('relationship', ${literal(relationship)}::text))`;
  const moved = sql`merged -> 'links'`;
  return [
    sql`update ${trash} set links = (${changed(sql`links`)}) where links @> ${named}`,
    sql`update ${trash} set merged = jsonb_set(merged, '{links}', coalesce((${changed(moved)}), '[]'))
      where ${moved} @> ${named}`,
  ];
}
