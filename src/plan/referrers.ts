// Which references point to records of an object, and what deleting their target does to them (D54).
// Pure.

import {
  type Field,
  type ObjectModel,
  PARENT_KEY,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../model/model.ts';

/** A field of `object` that refers to records of the object asked for. */
export interface Referrer {
  readonly object: ObjectModel;
  readonly field: Field;
}

/** References that become null when their target is deleted. */
export function clearedReferrers(model: WorkspaceModel, target: ObjectModel): readonly Referrer[] {
  return referrersOf(model, target).filter((referrer) => !isRestricting(referrer));
}

/** References that keep their target from being deleted: required ones and child work items. */
export function restrictingReferrers(
  model: WorkspaceModel,
  target: ObjectModel,
): readonly Referrer[] {
  return referrersOf(model, target).filter(isRestricting);
}

function referrersOf(model: WorkspaceModel, target: ObjectModel): readonly Referrer[] {
  return [...model.objects.values()].flatMap((object) =>
    [...object.fields.values()]
      .filter((field) => field.reference_object_type === target.object_type)
      .map((field) => ({ object, field })),
  );
}

function isRestricting({ object, field }: Referrer): boolean {
  return field.required || (object.object_type === WORK_ITEMS && field.key === PARENT_KEY);
}
