// Which field the `q` of a list looks into. Pure.

import type { Field, ObjectModel } from './model.ts';

/** The display field when it is a text; undefined when records cannot be found by text. */
export function textSearchField(object: ObjectModel): Field | undefined {
  return object.capabilities.search ? object.fields.get(object.display_field ?? '') : undefined;
}
