// The values that a change of a record replaces, for its history (docs/design/history.md). Pure.

import type { Field, ObjectModel } from '../../model/definition/model.ts';
import type { FileValue } from '../../model/fields/file-field.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import { type Change, currentValue } from './write-validation.ts';

/** Values before and after, by the key of the field. */
export interface ReplacedValues {
  readonly old: Readonly<Record<string, unknown>>;
  readonly now: Readonly<Record<string, unknown>>;
}

/** Undefined when there are none to keep. A new record replaces nothing. */
export function replacedValues(object: ObjectModel, change: Change): ReplacedValues | undefined {
  if (object.history === null || change.kind !== 'update') return undefined;
  const fields = [...change.set.keys()].filter((field) => isKept(object, field.key));
  if (fields.length === 0) return undefined;
  const valuesOf = (value: (field: Field) => unknown) =>
    Object.fromEntries(fields.map((field) => [field.key, keptValue(field, value(field))]));
  return {
    old: valuesOf((field) => currentValue(change.before, field)),
    now: valuesOf((field) => change.set.get(field) ?? null),
  };
}

/** The value for the history; only the names of files, because their bytes are not kept. */
export function keptValue({ type }: Field, value: unknown): unknown {
  if (!FIELD_TYPE_TRAITS[type].holdsFiles || value === null) return value;
  return (value as readonly FileValue[]).map(({ name }) => name);
}

/** Every change has a time of its own; the author, whom imports may set, is not a field. */
function isKept({ fields }: ObjectModel, key: string): boolean {
  return key !== 'updated_at' && fields.has(key);
}
