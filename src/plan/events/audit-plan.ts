// The part of the audit for people who may not read all of it: their own actions, and the consequences for records
// and fields that they may read (docs/decisions.md, D395). Pure.

import type { ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import { type Caller, objectAccess, reachOf } from '../../model/rights/access.ts';
import { type ReachPredicate, reachPredicate } from '../read/read-plan.ts';

/** Records of an object that somebody may read, and the keys of their fields that can change as a consequence. */
export interface KnownRecords {
  readonly object: ObjectModel;
  readonly reach: ReachPredicate;
  readonly keys: readonly string[];
}

/** Undefined for administrators: they read all of it. */
export function planKnownRecords(
  model: WorkspaceModel,
  caller: Caller,
): readonly KnownRecords[] | undefined {
  if (caller.access.administrator) return undefined;
  return [...model.objects.values()].flatMap((object): readonly KnownRecords[] => {
    const read = reachOf(caller, object, 'read');
    const { readable } = objectAccess(caller, object);
    const keys = [...object.fields.values()]
      .filter(
        ({ key, reference_object_type }) => reference_object_type !== null && readable.has(key),
      )
      .map(({ key }) => key);
    if (read === null || keys.length === 0) return [];
    return [{ object, reach: reachPredicate(caller, object, read), keys }];
  });
}

/** A row that names fields of a record, or of something else. */
interface NamingRow {
  readonly object_type: string | null;
  readonly changed_fields: readonly string[];
  readonly consequence: boolean;
}

/** The keys that the caller may know of. A key that no field has is a relationship, or one of earlier days. */
export function knownKeys(
  model: WorkspaceModel,
  caller: Caller,
  { object_type, changed_fields, consequence }: NamingRow,
): readonly string[] {
  const object = model.objects.get(object_type ?? '');
  if (caller.access.administrator || object === undefined) return changed_fields;
  const { readable } = objectAccess(caller, object);
  const isKnown = (key: string) => readable.has(key) || (!consequence && !object.fields.has(key));
  return changed_fields.filter(isKnown);
}
