// Values of a field, rebuilt for a definition that is to come: in another type, in another place, or with other
// names of statuses. What is read and what comes of it; the SQL is in definitions/changes/value-sql.ts. Pure.

import { FIELD_TYPE_TRAITS } from '../../model/field-types.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/model.ts';
import type { Change } from './change.ts';
import type { Renamed } from './diff-renames.ts';

export interface RenamedStatus {
  readonly old_key: string;
  readonly new_key: string;
  /** Only records of these work-item types. */
  readonly types: readonly string[] | undefined;
}

export interface ValueBuild {
  /** As it will be. */
  readonly object: ObjectModel;
  readonly field: Field;
  /** The key that the audit of the object has until now. */
  readonly object_type: string;
  /** As it is stored until now. */
  readonly from: Field;
  /** The change that it is for, or the first of them. */
  readonly change: Change;
  /** Of the field `status` only. */
  readonly statuses: readonly RenamedStatus[];
}

/** The definition before, with its new keys. */
type Stored = Pick<Renamed, 'before' | 'typeBefore'>;

/** True when values have to be rebuilt, besides the definition. */
export function isStoredAnew(from: Field, field: Field): boolean {
  if (from.storage !== field.storage) return true;
  if (from.type === field.type) return false;
  const [old, now] = [FIELD_TYPE_TRAITS[from.type], FIELD_TYPE_TRAITS[field.type]];
  return from.storage === 'physical'
    ? old.columnType !== now.columnType
    : old.becomes[field.type]?.json !== undefined;
}

export function valueBuildOf(
  object: ObjectModel,
  field: Field,
  { before, typeBefore }: Stored,
): Omit<ValueBuild, 'change'> {
  const object_type = typeBefore(object.object_type);
  const old = before.model.objects.get(object.object_type);
  return { object, field, object_type, from: old?.fields.get(field.key) as Field, statuses: [] };
}

/** The values that the changes rebuild, each field once. */
export function valueBuildsOf(
  changes: readonly Change[],
  after: WorkspaceModel,
  stored: Stored,
): readonly ValueBuild[] {
  const builds = new Map<string, ValueBuild>();
  for (const change of changes) {
    if (change.kind === 'retype_field' || change.kind === 'move_field') {
      const build = valueBuildOf(change.object, change.field, stored);
      if (!isStoredAnew(build.from, build.field)) continue;
      const first = builds.get(placeOf(build))?.change ?? change;
      builds.set(placeOf(build), { ...build, change: first });
    }
    if (change.kind !== 'rename_status') continue;
    for (const { object: old, types } of change.places) {
      const object = after.objects.get(old.object_type);
      const field = object?.fields.get('status');
      if (object === undefined || field === undefined) continue;
      const build = valueBuildOf(object, field, stored);
      const { statuses, change: first } = builds.get(placeOf(build)) ?? { ...build, change };
      const { old_key, new_key } = change;
      const all = [...statuses, { old_key, new_key, types }];
      builds.set(placeOf(build), { ...build, change: first, statuses: all });
    }
  }
  return [...builds.values()];
}

function placeOf({ object, field }: Pick<ValueBuild, 'object' | 'field'>): string {
  return `${object.object_type}.${field.key}`;
}

/** The same for the same values, whatever name they get. */
export function describeValues({
  object,
  field,
  from,
  statuses,
}: Omit<ValueBuild, 'change'>): string {
  const old = [from.storage, from.storage === 'jsonb' ? from.custom_key : from.column, from.type];
  return JSON.stringify(['values', object.table, old, [field.storage, field.type], statuses]);
}
