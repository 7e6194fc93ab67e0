// The fields that an import can write, and what is known of each. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import type { MatchedObject } from '../../../../tables/src/match-columns.ts';
import { nameOf } from '../../editing/filters/filter-fields.ts';
import { kindOf } from '../../fields/kinds.ts';
import { factsOf, isBoolean, isNumeric, isOfPerson, isOfRecord } from '../../lib/field-facts.ts';
import { offeredFields } from '../../lib/field-order.ts';

/** A second name of the status. */
const ALIAS = 'custom_status_id';

/** The fields in the order in which they are offered. */
export function importFields(object: ObjectDefinition): readonly Field[] {
  return offeredFields(object).filter(
    (field) =>
      field.key !== ALIAS &&
      field.formula === undefined &&
      field.rollup === undefined &&
      !factsOf(field).words.includes('types'),
  );
}

export { nameOf };

export function referenceOf(field: Field): string | undefined {
  return isOfRecord(field) ? String(field.constraints?.reference_object_type) : undefined;
}

/** By which records can be told apart: the names of references, the keys of rows. */
export function isUnique({ key, constraints }: Field): boolean {
  return key === 'id' || key === 'public_id' || constraints?.unique === true;
}

/** Fields whose values the file names by one of a few words. */
export function hasOptions(field: Pick<Field, 'type' | 'options'>): boolean {
  return field.options !== undefined && factsOf(field).words.includes('options');
}

/** With the fields of its types, which rows of another type leave empty. */
export function withFieldsOf(
  object: ObjectDefinition,
  types: readonly Pick<ObjectDefinition, 'fields'>[],
): ObjectDefinition {
  const fields = new Map(object.fields.map((field) => [field.key, field]));
  for (const field of types.flatMap((type) => type.fields)) {
    if (!fields.has(field.key)) fields.set(field.key, { ...field, required: false });
  }
  return { ...object, fields: [...fields.values()] };
}

/** Of comments: people, several in a cell. */
export const MENTIONS = 'mention_user_ids';

/** Fields whose cells have several values. */
export function isList(field: Pick<Field, 'key' | 'type'>): boolean {
  return factsOf(field).list || field.key === MENTIONS;
}

/** Fields by which a file may name a record: unique ones, its name, its address. */
export function namingFields(object: ObjectDefinition): readonly Field[] {
  const isNaming = (field: Field) =>
    isUnique(field) || field.key === object.display_field || isAddress(field);
  return importFields(object).filter((field) => field.storage === 'physical' && isNaming(field));
}

/** True for e-mail addresses, which name people and companies. */
export function isAddress(field: Pick<Field, 'type'>): boolean {
  return kindOf(field).edit.input?.inputMode === 'email';
}

/** Amounts and shares do not identify anything. */
function isCompared(field: Field): boolean {
  return factsOf(field).indexable && !isBoolean(field) && kindOf(field).numbers?.unit === undefined;
}

/** Fields by which rows find existing records; unique ones first. */
export function matchingFields(fields: readonly Field[]): readonly Field[] {
  const fitting = fields.filter(
    (field) =>
      (isCompared(field) && field.storage === 'physical' && field.key !== 'status') ||
      field.key === 'id',
  );
  return fitting.toSorted((one, other) => Number(isUnique(other)) - Number(isUnique(one)));
}

/** Set by the service where a file has none. */
const GIVEN: ReadonlySet<string> = new Set([
  ...['id', 'public_id', 'status', 'created_at', 'updated_at', 'owner_user_id'],
]);

/** True of the fields that every record has. */
export function isGiven({ key }: Pick<Field, 'key'>): boolean {
  return GIVEN.has(key);
}

export function isNeeded({ key, required, constraints }: Field): boolean {
  return required && !GIVEN.has(key) && constraints?.default === undefined;
}

/** The object as columns of a file are matched with it. */
export function matchedObject(object: ObjectDefinition): MatchedObject {
  const { object_type, name, singular_name, display_field } = object;
  return {
    ...{ object_type, name: name ?? object_type, singular_name, display_field },
    fields: importFields(object).map((field) => ({
      ...{ key: field.key, name: field.name, isList: isList(field), isUnique: isUnique(field) },
      takes: factsOf(field).takes ?? undefined,
      options: hasOptions(field) ? (field.options ?? []) : undefined,
      reads: readsOf(field),
    })),
  };
}

function readsOf(field: Field) {
  if (isOfPerson(field)) return 'people';
  if (isNumeric(field)) return 'numbers';
  const { time } = factsOf(field);
  return time === null ? undefined : (`${time}s` as const);
}
