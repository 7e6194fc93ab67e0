// The order in which a write locks records of several objects: referenced objects before those that refer to
// them, which is also the order of a delete (D284). Pure.

import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';

/**
 * The place of each object. Objects that refer to each other, whatever the way, share one: of these the
 * references are locked before the records that are written.
 */
export function lockRanks(model: WorkspaceModel): ReadonlyMap<ObjectModel, number> {
  const known = ranksOf.get(model);
  if (known !== undefined) return known;
  const ranks = new Map<ObjectModel, number>();
  referencedFirst(model).forEach((group, rank) => {
    for (const object of group) ranks.set(object, rank);
  });
  ranksOf.set(model, ranks);
  return ranks;
}

const ranksOf = new WeakMap<WorkspaceModel, ReadonlyMap<ObjectModel, number>>();

/** Tarjan's strongly connected components: a component comes after all that it refers to. */
function referencedFirst(model: WorkspaceModel): readonly (readonly ObjectModel[])[] {
  const groups: ObjectModel[][] = [];
  const visits = new Map<ObjectModel, { readonly index: number; low: number; isOpen: boolean }>();
  const open: ObjectModel[] = [];
  const visit = (object: ObjectModel) => {
    const visited = { index: visits.size, low: visits.size, isOpen: true };
    visits.set(object, visited);
    open.push(object);
    for (const target of targetsOf(model, object)) {
      const seen = visits.get(target);
      if (seen === undefined) visited.low = Math.min(visited.low, visit(target).low);
      else if (seen.isOpen) visited.low = Math.min(visited.low, seen.index);
    }
    if (visited.low === visited.index) {
      const group = open.splice(open.indexOf(object));
      for (const member of group) Object.assign(visits.get(member) ?? {}, { isOpen: false });
      groups.push(group);
    }
    return visited;
  };
  // By name, so that the order does not depend on that of a document.
  const objects = [...model.objects.values()];
  objects.sort((one, other) => (one.table < other.table ? -1 : 1));
  for (const object of objects) if (!visits.has(object)) visit(object);
  return groups;
}

function targetsOf(model: WorkspaceModel, object: ObjectModel): readonly ObjectModel[] {
  return [...object.fields.values()].flatMap(
    ({ reference_object_type }) => model.objects.get(reference_object_type ?? '') ?? [],
  );
}
