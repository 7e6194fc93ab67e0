// A field that goes: its column at once, its values in `custom_fields` afterwards, in portions (D261). Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { type ChangeKind, type Locks, NO_LOCKS } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import { dropColumn, dropComputed } from '../column-sql.ts';
import { forgetValues } from '../trash-content-sql.ts';
import { endOfHistory, fieldName, fieldPath, type OfField, reshapesTable } from './parts.ts';

export interface DropField extends OfField {
  readonly kind: 'drop_field';
}

export const dropField: ChangeKind<DropField> = Object.freeze({
  kind: 'drop_field',
  alters: true,
  path: fieldPath,
  locks: locksOf,
  statements: (schema: string, step: DropField) => {
    const { object, field } = step;
    const drop =
      field.formula === null
        ? dropColumn(schema, object, field.column)
        : dropComputed(schema, object, field);
    return [...(hasColumn(step) ? [drop] : []), ...forgetValues(schema, object, field)];
  },
  loses: ({ field }: DropField) => ({ of: 'values' as const, field }),
  leaves: (step: DropField) => {
    const { table: table_name } = step.object;
    const { custom_key: name } = step.field;
    return hasColumn(step) ? [] : [{ kind: 'custom' as const, table_name, name }];
  },
});

export function findDroppedField(old: ObjectModel, field: Field) {
  const step: DropField = { kind: 'drop_field', object: old, field };
  const loss = `${old.object_type}.${field.key}`;
  const { words, notice } = endOfHistory(old, field.key);
  return change(step, `- ${fieldName(step)} (${field.type}${words})`, { loss, ...notice });
}

function locksOf(step: DropField): Locks {
  if (hasColumn(step)) return reshapesTable(step);
  return step.object.trash === null ? NO_LOCKS : { rewritten: ['_trash'] };
}

function hasColumn({ field }: DropField): boolean {
  return field.storage === 'physical';
}
