// An object that goes: its table, what other tables have of it, and later its search rows. Pure.

import type { ObjectModel } from '../../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../../model/values/field-types.ts';
import { identifier, literal, sql } from '../../../sql/sql.ts';
import type { ChangeKind } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import { dropForeignKey, type Phased } from '../column-sql.ts';
import { type OfObject, objectPath, reshapesTable, searchRowsOf } from './parts.ts';
import { emptyTrash } from './trash.ts';

export interface DropObject extends OfObject {
  readonly kind: 'drop_object';
}

export const dropObject: ChangeKind<DropObject> = Object.freeze({
  kind: 'drop_object',
  path: objectPath,
  locks: reshapesTable,
  statements: (schema: string, { object }: DropObject) => dropTable(schema, object),
  loses: () => ({ of: 'records' as const }),
  leaves: ({ object }: DropObject) => searchRowsOf(object),
  deletesViews: ({ object }: DropObject) => object.object_type,
});

export function findDroppedObject(object: ObjectModel) {
  const { object_type: loss } = object;
  return change<DropObject>({ kind: 'drop_object', object }, `- object ${loss}`, { loss });
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
    {
      phase: 'drop_tables',
      statement: sql`delete from ${identifier(schema, '_history')} where table_name = ${literal(object.table)}`,
    },
    {
      phase: 'drop_tables',
      statement: sql`delete from ${identifier(schema, '_merged')} where table_name = ${literal(object.table)}`,
    },
    ...(object.trash === null ? [] : [emptyTrash(schema, object)]),
    ...(['_comments', '_notifications', '_follows', '_status_requests'] as const).map(
      (table): Phased => {
        const of = sql`where object_type = ${literal(object.object_type)}`;
        return {
          phase: 'drop_tables',
          statement: sql`delete from ${identifier(schema, table)} ${of}`,
        };
      },
    ),
  ];
}
