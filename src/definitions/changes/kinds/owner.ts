// Records of an object that belong to somebody from now on, or no longer. Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { identifier, sql } from '../../../sql/sql.ts';
import { ownerIndex } from '../../../sql/write/index-sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import { dropColumn, makeIndex, type Phased, userKeySql } from '../column-sql.ts';
import { forgetValues } from '../trash-content-sql.ts';
import { endOfHistory, type OfObject, reshapesTable, wordPath } from './parts.ts';

export interface AddOwner extends OfObject {
  readonly kind: 'add_owner';
}

export interface DropOwner extends OfObject {
  readonly kind: 'drop_owner';
}

export const addOwner: ChangeKind<AddOwner> = Object.freeze({
  kind: 'add_owner',
  path: wordPath('owned'),
  locks: reshapesTable,
  statements: (schema: string, { object }: AddOwner) => addColumn(schema, object),
  works: () => ['index' as const],
});

export const dropOwner: ChangeKind<DropOwner> = Object.freeze({
  kind: 'drop_owner',
  alters: true,
  path: wordPath('owned'),
  locks: reshapesTable,
  statements: (schema: string, { object }: DropOwner) => [
    dropColumn(schema, object, 'owner_user_id'),
    ...forgetValues(schema, object, object.fields.get('owner_user_id') as Field),
  ],
  loses: ({ object }: DropOwner) => ({
    of: 'values' as const,
    field: object.fields.get('owner_user_id') as Field,
  }),
});

export function findOwner(old: ObjectModel, object: ObjectModel) {
  if (old.owned === object.owned) return [];
  const { object_type } = object;
  if (object.owned) {
    return [change<AddOwner>({ kind: 'add_owner', object }, `+ owner of ${object_type}`)];
  }
  const loss = `${object_type}.owner_user_id`;
  const step: DropOwner = { kind: 'drop_owner', object: old };
  const { words, notice } = endOfHistory(old, 'owner_user_id');
  return [change(step, `- owner of ${object_type}${words}`, { loss, ...notice })];
}

function addColumn(schema: string, object: ObjectModel): readonly Phased[] {
  const table = identifier(schema, object.table);
  const key = userKeySql(schema, object, 'owner_user_id');
  return [
    { phase: 'columns', statement: sql`alter table ${table} add column owner_user_id integer` },
    { phase: 'tighten', statement: sql`alter table ${table} add ${key}` },
    makeIndex(ownerIndex(object)),
  ];
}
