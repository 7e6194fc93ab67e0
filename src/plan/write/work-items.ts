// The rules for work items beyond those of other records (D59): new numbers, and checks of the trees that items are
// placed in. Pure.

import {
  type Field,
  type ObjectModel,
  PARENT_KEY,
  PUBLIC_ID_KEY,
  TYPE_KEY,
  WORK_ITEMS,
} from '../../model/definition/model.ts';
import type { PlannedWrite, WritePlan } from './write-operation.ts';
import { type Change, givenValue, type LookupResults, rowOf } from './write-validation.ts';

/** The prefix of the number of each created work item, by the index of the operation. */
export function numberPrefixes(
  { model, writes }: WritePlan,
  lookedUp: LookupResults,
): ReadonlyMap<number, string> {
  const wanted = new Map<number, string>();
  const object = model.objects.get(WORK_ITEMS);
  const [type, publicId] = [object?.fields.get(TYPE_KEY), object?.fields.get(PUBLIC_ID_KEY)];
  if (type === undefined || publicId === undefined) return wanted;
  for (const write of writes) {
    if (write.object !== object) continue;
    const prefix = model.work_item_types.get(String(write.values.get(type)))?.prefix;
    const isNamed = (write.values.get(publicId) ?? null) !== null;
    if (prefix === undefined || isNamed || !isCreating(write, lookedUp)) continue;
    wanted.set(write.index, prefix);
  }
  return wanted;
}

function isCreating(write: PlannedWrite, lookedUp: LookupResults): boolean {
  const { action } = write.operation;
  return action === 'create' || (action === 'upsert' && rowOf(lookedUp, write) === undefined);
}

/**
 * How the operations may change trees: an existing work item moves with all its descendants, a new one has
 * none. Undefined when no operation sets a parent.
 */
export function treeStrength({ writes }: WritePlan): 'move' | 'add' | undefined {
  const placed = writes.filter((write) => {
    const parent = parentField(write.object);
    return parent !== undefined && (givenValue(write, parent) ?? null) !== null;
  });
  if (placed.length === 0) return undefined;
  return placed.every(({ operation }) => operation.action === 'create') ? 'add' : 'move';
}

/** The work items that get a parent, with the index of their operation. */
export function placedItemsOf(
  { writes }: WritePlan,
  changes: readonly Change[],
): readonly { readonly id: string; readonly place: number }[] {
  return changes.flatMap((change, place) => {
    const parent = parentField((writes[place] as PlannedWrite).object);
    if (parent === undefined) return [];
    const parentId =
      change.kind === 'insert'
        ? change.columns[parent.column]
        : change.kind === 'update'
          ? change.set.get(parent)
          : undefined;
    return (parentId ?? null) === null ? [] : [{ id: change.id, place }];
  });
}

export function parentField({ object_type, fields }: ObjectModel): Field | undefined {
  return object_type === WORK_ITEMS ? fields.get(PARENT_KEY) : undefined;
}
