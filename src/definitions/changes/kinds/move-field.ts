// Values of a field that get a column, or lose it to `custom_fields`: rebuilt while clients write. Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import type { ChangeKind, RecordWork } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import {
  columnOf,
  fieldName,
  fieldPath,
  type OfField,
  rebuiltField,
  reshapesTable,
} from './parts.ts';

/** A move of a field from its previous storage to `field.storage`. */
export interface MoveField extends OfField {
  readonly kind: 'move_field';
}

export const moveField: ChangeKind<MoveField> = Object.freeze({
  kind: 'move_field',
  path: fieldPath,
  locks: reshapesTable,
  // They are those of the rebuilt values (value-sql.ts).
  statements: () => [],
  works: ({ field }: MoveField): readonly RecordWork[] =>
    field.indexed || field.unique ? ['update', 'index'] : ['update'],
  newColumn: columnOf,
  rebuilds: (step: MoveField) => [rebuiltField(step)],
});

export function findMove(object: ObjectModel, from: Field, field: Field) {
  if (from.storage === field.storage) return [];
  const step: MoveField = { kind: 'move_field', object, field };
  return [change(step, `~ ${fieldName(step)} (storage ${from.storage} -> ${field.storage})`)];
}
