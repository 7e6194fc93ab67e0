// The rights by which data was read, in a form that is stored with it, and a check that somebody still has them. They
// name stored identities: a field or an object that has had another key since is the same one. Pure.

import type { Field, ObjectModel, WorkspaceModel } from '../definition/model.ts';
import { type Caller, knowsDirectory, objectAccess, reachOf } from './access.ts';

interface ObjectRights {
  readonly table: string;
  /** Whose records; null: everybody's. */
  readonly people: readonly number[] | null;
  readonly columns: readonly string[];
}

export interface ReadRights {
  readonly directory: boolean;
  readonly objects: readonly ObjectRights[];
}

/** The rights on these objects. */
export function readRightsOf(caller: Caller, objects: Iterable<ObjectModel>): ReadRights {
  const rights = [...new Set(objects)].map((object) => objectRightsOf(caller, object));
  return { directory: knowsDirectory(caller), objects: rights };
}

/** True when the caller may read whatever could be read by these rights. */
export function hasReadRights(model: WorkspaceModel, caller: Caller, then: ReadRights): boolean {
  const objects = new Map([...model.objects.values()].map((object) => [object.table, object]));
  const isCovered = (before: ObjectRights) => {
    const object = objects.get(before.table);
    return object !== undefined && covers(objectRightsOf(caller, object), before);
  };
  return (knowsDirectory(caller) || !then.directory) && then.objects.every(isCovered);
}

function objectRightsOf(caller: Caller, object: ObjectModel): ObjectRights {
  const { readable } = objectAccess(caller, object);
  const fields = [...object.fields.values()].filter(({ key }) => readable.has(key));
  const columns = [...new Set(fields.map(placeOf))].sort();
  return { table: object.table, people: peopleOf(caller, object), columns };
}

function placeOf({ storage, column, custom_key }: Field): string {
  return storage === 'jsonb' ? `.${custom_key}` : column;
}

function peopleOf(caller: Caller, object: ObjectModel): readonly number[] | null {
  const reach = reachOf(caller, object, 'read');
  if (reach === 'organisation') return null;
  if (reach === 'team') return [...caller.colleague_ids].sort((one, other) => one - other);
  return reach === 'own' ? [caller.user.id] : [];
}

function covers(now: ObjectRights, then: ObjectRights): boolean {
  const people = now.people === null ? null : new Set(now.people);
  const hasPeople = people === null || then.people?.every((id) => people.has(id)) === true;
  const columns = new Set(now.columns);
  return hasPeople && then.columns.every((column) => columns.has(column));
}
