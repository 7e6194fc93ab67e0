// The type of the values of a field: that of its result when it is computed. Pure.

import type { FieldType } from '../values/field-types.ts';
import type { FieldDefinition } from './definition.ts';
import { FORMULA } from './definition-words.ts';

/** A field with the type of its values in place of its own. */
export type ValueField = FieldDefinition & { readonly type: FieldType };

export function valueType({ type, result_type }: FieldDefinition): FieldType {
  return type === FORMULA ? (result_type ?? 'text') : type;
}

export function isFormula({ type }: FieldDefinition): boolean {
  return type === FORMULA;
}

export function asValueField(field: FieldDefinition): ValueField {
  return { ...field, type: valueType(field) };
}
