// A new object: its table, with keys and indexes. Pure.

import type { ObjectModel } from '../../../model/definition/model.ts';
import { primaryKeyName } from '../../../model/definition/physical-names.ts';
import { identifier, joinSql, sql } from '../../../sql/sql.ts';
import { ageIndex, displayIndexes, isOwnColumn, ownerIndex } from '../../../sql/write/index-sql.ts';
import { type ChangeKind, NO_LOCKS } from '../change-kind.ts';
import { change, named } from '../change-notice.ts';
import {
  columnSql,
  laterConstraints,
  makeIndex,
  ownKeys,
  type Phased,
  userKeySql,
} from '../column-sql.ts';
import { type OfObject, objectPath } from './parts.ts';

export interface AddObject extends OfObject {
  readonly kind: 'add_object';
}

export const addObject: ChangeKind<AddObject> = Object.freeze({
  kind: 'add_object',
  path: objectPath,
  locks: () => NO_LOCKS,
  statements: (schema: string, { object }: AddObject) => createTable(schema, object),
});

export function findAddedObject(object: ObjectModel) {
  const keys = [...object.fields.values()].filter((field) => !field.system).map(({ key }) => key);
  const summary = `+ object ${object.object_type} (${named(keys)})`;
  return change<AddObject>({ kind: 'add_object', object }, summary);
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
