// References to records of an object, the effect of deleting their target, and which of them the caller may
// see (D54, D150). Pure.

import {
  type Field,
  type ObjectModel,
  PARENT_KEY,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';
import { type Caller, canReadField, objectAccess } from '../../model/rights/access.ts';
import { type ReachPredicate, reachPredicate } from '../read/read-plan.ts';

/** A field of `object` that refers to records of the target object. */
export interface Referrer {
  readonly object: ObjectModel;
  readonly field: Field;
}

/** References of one object that have to be counted before their targets are deleted. */
export interface CountedReferrers {
  readonly object: ObjectModel;
  /** The referring records that the caller may read. */
  readonly reach: ReachPredicate;
  readonly fields: readonly {
    readonly field: Field;
    readonly restricts: boolean;
    readonly readable: boolean;
  }[];
}

/** References that become null when their target is deleted. */
export function clearedReferrers(model: WorkspaceModel, target: ObjectModel): readonly Referrer[] {
  return referrersOf(model, target).filter((referrer) => !isRestricting(referrer));
}

/**
 * References to check before records of `target` are deleted, by object: all that restrict, and those that are
 * cleared and visible to the caller.
 */
export function planReferrers(
  model: WorkspaceModel,
  caller: Caller,
  target: ObjectModel,
): readonly CountedReferrers[] {
  const referrers = referrersOf(model, target);
  const objects = [...new Set(referrers.map(({ object }) => object))];
  return objects.flatMap((object): readonly CountedReferrers[] => {
    const { read } = objectAccess(caller, object).reach;
    const fields = referrers
      .filter((referrer) => referrer.object === object)
      .map(({ field }) => ({
        field,
        restricts: isRestricting({ object, field }),
        readable: read !== null && canReadField(caller, object, field),
      }))
      .filter(({ restricts, readable }) => restricts || readable);
    if (fields.length === 0) return [];
    return [{ object, reach: reachPredicate(caller, object, read), fields }];
  });
}

/** All references to records of an object. */
export function referrersOf(model: WorkspaceModel, target: ObjectModel): readonly Referrer[] {
  return [...model.objects.values()].flatMap((object) =>
    [...object.fields.values()]
      .filter((field) => field.reference_object_type === target.object_type)
      .map((field) => ({ object, field })),
  );
}

/** A work item with children cannot be deleted, whatever the definition says. */
function isRestricting({ object, field }: Referrer): boolean {
  const isParent = object.object_type === WORK_ITEMS && field.key === PARENT_KEY;
  return field.on_delete === 'restrict' || isParent;
}
