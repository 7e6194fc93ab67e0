// The field by which people and files name the records of an object. Pure.

import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';
import type { Field, ObjectModel } from './model.ts';

/** The display field, when records can be found by its texts. */
export function namingField({ fields, display_field }: ObjectModel): Field | undefined {
  const field = fields.get(display_field ?? '');
  if (field === undefined || !isIdentifying(field)) return undefined;
  return FIELD_TYPE_TRAITS[field.type].textual ? field : undefined;
}

/** True of a field by whose values records can be found. */
export function isIdentifying(field: Field): boolean {
  const { operators, isList } = FIELD_TYPE_TRAITS[field.type];
  return operators.includes('in') && field.storage === 'physical' && !isList;
}
