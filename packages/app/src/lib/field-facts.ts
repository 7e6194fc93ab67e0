// The abilities of field types, from the service. A type that is newer than this application has none.

import {
  FIELD_TYPES,
  type Field,
  type FieldType,
  type FieldTypeFacts,
} from '@workspace-records/client';

/** A field, or what is known of one. */
export interface Typed {
  readonly type: string;
}

const NOTHING: FieldTypeFacts = {
  operators: [],
  gate_operators: [],
  aggregates: [],
  becomes: [],
  takes: null,
  words: [],
  groupable: false,
  sortable: false,
  indexable: false,
  textual: false,
  can_display: false,
  time: null,
  refers_to: null,
  list: false,
  value: null,
  contact: false,
};

export function factsOf({ type }: Typed): FieldTypeFacts {
  return Object.hasOwn(FIELD_TYPES, type) ? FIELD_TYPES[type as FieldType] : NOTHING;
}

/** True for types whose values can be added up. */
export function isNumeric(field: Typed): boolean {
  return factsOf(field).aggregates.includes('sum');
}

export function isBoolean(field: Typed): boolean {
  return factsOf(field).value === 'boolean';
}

/** True for ids of records. */
export function isOfRecord(field: Typed): boolean {
  return factsOf(field).refers_to === 'record';
}

/** True for ids of people. */
export function isOfPerson(field: Typed): boolean {
  return factsOf(field).refers_to === 'user';
}

/** True for amounts of money. */
export function isMoney(field: Typed): boolean {
  return factsOf(field).words.includes('currency');
}

/** True for one of a few values that have names: they can be the columns of a board. */
export function isFew(field: Typed): boolean {
  const { groupable, aggregates } = factsOf(field);
  return groupable && aggregates.length === 0 && !isOfRecord(field);
}

/** True for texts of many lines, and JSON. */
export function isLong(field: Typed): boolean {
  const { indexable, value } = factsOf(field);
  return !indexable && value !== 'array';
}

/** True for values that fit in a cell. */
export function isShort(field: Typed): boolean {
  return !isLong(field) && !factsOf(field).list;
}

/** True for days. */
export function isDay(field: Typed): boolean {
  return factsOf(field).time === 'day';
}

/** True for days and moments. */
export function isOfTime(field: Typed): boolean {
  return factsOf(field).time !== null;
}

/** True for fields that records are filtered, sorted and grouped by. */
export function isQueryable(field: Pick<Field, 'storage' | 'rollup'> | undefined): boolean {
  return field?.storage === 'physical' && field.rollup === undefined;
}
