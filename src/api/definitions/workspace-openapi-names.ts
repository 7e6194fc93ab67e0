// The names and facts of objects that the OpenAPI document of a workspace and its TypeScript types need beyond the
// definition: names that are not slugs, and the fields that a create requires.

import {
  type Field,
  type ObjectModel,
  WORK_ITEMS,
  type WorkspaceModel,
} from '../../model/definition/model.ts';

/**
 * Names by object type: `work_items` is `WorkItems`. None of them, nor with `Write`, is used
 * twice.
 */
export function namesOfObjects(model: WorkspaceModel): ReadonlyMap<string, string> {
  const used = new Set(['Objects', 'ObjectsWrite']);
  const names = new Map<string, string>();
  for (const objectType of model.objects.keys()) {
    const words = objectType
      .split(/[_-]+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const plain = words.join('').replace(/^(?=\d)/, 'Object');
    let name = plain;
    for (let number = 2; used.has(name) || used.has(`${name}Write`); number += 1) {
      name = `${plain}${number}`;
    }
    used.add(name).add(`${name}Write`);
    names.set(objectType, name);
  }
  return names;
}

/** Keys of the fields that a work item has only when it is of one of some types. */
export function keysOfSomeTypes(model: WorkspaceModel, object: ObjectModel): ReadonlySet<string> {
  if (object.object_type !== WORK_ITEMS) return new Set();
  return new Set([...model.work_item_types.values()].flatMap(({ fields }) => [...fields]));
}

export function isNeededByCreate(field: Field): boolean {
  return field.required && field.default === undefined;
}
