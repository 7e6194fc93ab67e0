// A reference to another object, or another effect of deleting its target: a new foreign key. Pure.

import type { Field, ObjectModel } from '../../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../../model/values/field-types.ts';
import type { ChangeKind } from '../change-kind.ts';
import { change } from '../change-notice.ts';
import { dropForeignKey, foreignKey } from '../column-sql.ts';
import type { Requirement } from '../requirement.ts';
import { endOfHistory, fieldName, fieldPath, type OfField, reshapesTable } from './parts.ts';

export interface RebuildReference extends OfField {
  readonly kind: 'rebuild_reference';
}

export const rebuildReference: ChangeKind<RebuildReference> = Object.freeze({
  kind: 'rebuild_reference',
  path: fieldPath,
  locks: reshapesTable,
  statements: (schema: string, { object, field }: RebuildReference) => [
    dropForeignKey(schema, object, field),
    ...foreignKey(schema, object, field),
  ],
  works: () => ['check' as const],
});

export function findReference(old: ObjectModel, object: ObjectModel, from: Field, field: Field) {
  if (FIELD_TYPE_TRAITS[field.type].refersTo !== 'record') return [];
  const target = field.reference_object_type;
  const retargeted = from.reference_object_type !== target;
  if (!retargeted && from.on_delete === field.on_delete) return [];
  const requirement: Requirement = { kind: 'field_empty', object: old, field: from };
  const { words, notice } = endOfHistory(old, field.key);
  const what = retargeted ? `refers to ${target}${words}` : 'effect of deleting the target';
  const step: RebuildReference = { kind: 'rebuild_reference', object, field };
  return [
    change(step, `~ ${fieldName(step)} (${what})`, {
      requirements: retargeted ? [requirement] : [],
      ...(retargeted ? notice : {}),
    }),
  ];
}
