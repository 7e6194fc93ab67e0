// Whether the values of a field are stored in another form by a new definition. Pure.

import { labelledTexts } from '../../model/definition/fitting.ts';
import type { Field } from '../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';

/** True when values have to be rebuilt, besides the definition. */
export function hasNewForm(from: Field, field: Field): boolean {
  if (from.storage !== field.storage) return true;
  if (from.type === field.type) return false;
  const [old, now] = [FIELD_TYPE_TRAITS[from.type], FIELD_TYPE_TRAITS[field.type]];
  if (labelledTexts(from, field).size > 0) return true;
  return from.storage === 'physical'
    ? old.columnType !== now.columnType
    : old.becomes[field.type]?.json !== undefined;
}
