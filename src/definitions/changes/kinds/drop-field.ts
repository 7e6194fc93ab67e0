// A field that goes: its column at once, its values in `custom_fields` afterwards, in portions (D261). Pure.

import type { Field, ObjectModel } from '../../../model/model.ts';
import type { ChangeKind } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import { dropColumn } from '../column-sql.ts';
import { endOfHistory, fieldName, fieldPath, type OfField, reshapesTable } from './parts.ts';

export interface DropField extends OfField {
  readonly kind: 'drop_field';
}

export const dropField: ChangeKind<DropField> = Object.freeze({
  kind: 'drop_field',
  path: fieldPath,
  locks: (step: DropField) => (hasColumn(step) ? reshapesTable(step) : {}),
  statements: (schema: string, step: DropField) =>
    hasColumn(step) ? [dropColumn(schema, step.object, step.field.column)] : [],
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

function hasColumn({ field }: DropField): boolean {
  return field.storage === 'physical';
}
