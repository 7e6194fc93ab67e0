// The fields that an import can write, and what is known of each. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { nameOf } from '../../editing/filters/filter-fields.ts';
import { offeredFields } from '../../lib/field-order.ts';

/** A second name of the status. */
const ALIAS = 'custom_status_id';

/** In the order in which they are offered. */
export function importFields(object: ObjectDefinition): readonly Field[] {
  return offeredFields(object).filter(({ key, type }) => key !== ALIAS && type !== 'file');
}

export { nameOf };

export function referenceOf({ type, constraints }: Field): string | undefined {
  return type === 'reference' ? String(constraints?.reference_object_type) : undefined;
}

/** By which records can be told apart: the names of references, the keys of rows. */
export function isUnique({ key, constraints }: Field): boolean {
  return key === 'id' || key === 'public_id' || constraints?.unique === true;
}

/** Fields whose values the file names by one of a few words. */
export function hasOptions({ type, options }: Pick<Field, 'type' | 'options'>): boolean {
  return options !== undefined && (type === 'select' || type === 'multi_select');
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
export function isList({ key, type }: Pick<Field, 'key' | 'type'>): boolean {
  return type === 'multi_select' || key === MENTIONS;
}

/** Fields by which a file may name a record: unique ones, its name, its address. */
export function namingFields(object: ObjectDefinition): readonly Field[] {
  const isNaming = (field: Field) =>
    isUnique(field) || field.key === object.display_field || field.type === 'email';
  return importFields(object).filter((field) => field.storage === 'physical' && isNaming(field));
}

const COMPARED: ReadonlySet<string> = new Set([
  ...['text', 'email', 'phone', 'url', 'integer', 'number', 'date', 'datetime'],
  ...['select', 'reference', 'user'],
]);

/** Fields by which rows find existing records; unique ones first. */
export function matchingFields(fields: readonly Field[]): readonly Field[] {
  const fitting = fields.filter(
    ({ type, storage, key }) =>
      (COMPARED.has(type) && storage === 'physical' && key !== 'status') || key === 'id',
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
