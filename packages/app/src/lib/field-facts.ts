// The abilities of field types, from the service. A type that is newer than this application has none.

import { FIELD_TYPES, type FieldType, type FieldTypeFacts } from '@workspace-records/client';

/** A field, or what is known of one. */
export interface Typed {
  readonly type: string;
}

const NOTHING: FieldTypeFacts = {
  operators: [],
  gate_operators: [],
  aggregates: [],
  becomes: [],
  words: [],
  groupable: false,
  sortable: false,
  indexable: false,
  textual: false,
  can_display: false,
  time: null,
  refers_to: null,
  list: false,
};

export function factsOf({ type }: Typed): FieldTypeFacts {
  return Object.hasOwn(FIELD_TYPES, type) ? FIELD_TYPES[type as FieldType] : NOTHING;
}

/** True for types whose values can be added up. */
export function isNumeric(field: Typed): boolean {
  return factsOf(field).aggregates.includes('sum');
}

/** True for days and moments. */
export function isOfTime(field: Typed): boolean {
  return factsOf(field).time !== null;
}
