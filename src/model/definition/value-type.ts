// The type of the values of a field: that of its result when it is computed. Pure.

import type { FieldType } from '../values/field-types.ts';
import type { FieldDefinition, ObjectDefinition } from './definition.ts';
import { FORMULA, ROLLUP } from './definition-words.ts';

/** A field with the type of its values in place of its own. */
export type ValueField = FieldDefinition & { readonly type: FieldType };

/** The values of a rollup have the type of another object's field, which is not known here. */
export function valueType({ type, result_type }: FieldDefinition): FieldType {
  return type === FORMULA || type === ROLLUP ? (result_type ?? 'text') : type;
}

export function isFormula({ type }: FieldDefinition): boolean {
  return type === FORMULA;
}

export function isRollup({ type }: FieldDefinition): boolean {
  return type === ROLLUP;
}

/** The object with the fields that have a value of their own in each record. */
export function withoutRollups(object: ObjectDefinition): ObjectDefinition {
  const entries = Object.entries(object.fields);
  const stored = entries.filter(([, field]) => !isRollup(field));
  return stored.length === entries.length
    ? object
    : { ...object, fields: Object.fromEntries(stored) };
}

export function asValueField(field: FieldDefinition): ValueField {
  return { ...field, type: valueType(field) };
}
