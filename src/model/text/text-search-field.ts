// In which fields parts of texts are looked for. Pure.

import type { Field, ObjectModel } from '../definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../values/field-types.ts';

/** The display field when it is a text; undefined when records cannot be found by text. */
export function textSearchField(object: ObjectModel): Field | undefined {
  return object.capabilities.search ? object.fields.get(object.display_field ?? '') : undefined;
}

/** True for the fields besides it whose texts have an index of their parts. */
export function isIndexedText({ indexed, type }: Pick<Field, 'indexed' | 'type'>): boolean {
  return indexed && FIELD_TYPE_TRAITS[type].whereOperators.includes('contains');
}
