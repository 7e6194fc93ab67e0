// Rebuilds the values of a field for the next definition: in another type, in another place, or with other names of
// statuses. It names the columns to read and computes the new value; the SQL is in definitions/changes/value-sql.ts.
// Pure.

import { labelledTexts } from '../../model/definition/fitting.ts';
import type { Field, ObjectModel, WorkspaceModel } from '../../model/definition/model.ts';
import type { Change } from './change.ts';
import type { RebuiltField, RenamedStatus } from './change-kind.ts';
import type { Renamed } from './diff/diff-renames.ts';
import { kindOf } from './kinds/index.ts';
import { hasNewForm } from './stored-form.ts';

export interface ValueBuild {
  /** The object after the change. */
  readonly object: ObjectModel;
  readonly field: Field;
  /** The key that the audit of the object has until now. */
  readonly object_type: string;
  /** The field as it is stored now. */
  readonly from: Field;
  /** The change that it is for, or the first of them. */
  readonly change: Change;
  /** The renamed statuses, for the field `status` only. */
  readonly statuses: readonly RenamedStatus[];
}

/** The definition before, with its new keys. */
type Stored = Pick<Renamed, 'before' | 'typeBefore'>;

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
    for (const rebuilt of kindOf(change).rebuilds?.(change) ?? []) {
      const build = rebuiltValues(rebuilt, after, stored);
      if (build === undefined) continue;
      const name = `${rebuilt.object_type}.${rebuilt.key}`;
      const known = builds.get(name);
      const statuses = [...(known?.statuses ?? []), ...build.statuses];
      builds.set(name, { ...build, change: known?.change ?? change, statuses });
    }
  }
  return [...builds.values()];
}

/** Undefined when the values stay, or the field is not in the new definition. */
function rebuiltValues(
  { object_type, key, status }: RebuiltField,
  after: WorkspaceModel,
  stored: Stored,
): Omit<ValueBuild, 'change'> | undefined {
  const object = after.objects.get(object_type);
  const field = object?.fields.get(key);
  if (object === undefined || field === undefined) return undefined;
  const build = valueBuildOf(object, field, stored);
  if (status !== undefined) return { ...build, statuses: [status] };
  return hasNewForm(build.from, build.field) ? build : undefined;
}

/** A text that is equal for builds of equal values, whatever name the values get. */
export function describeValues({
  object,
  field,
  from,
  statuses,
}: Omit<ValueBuild, 'change'>): string {
  const old = [from.storage, from.storage === 'jsonb' ? from.custom_key : from.column, from.type];
  const now = [field.storage, field.type, ...labelledTexts(from, field)];
  return JSON.stringify(['values', object.table, old, now, statuses]);
}
