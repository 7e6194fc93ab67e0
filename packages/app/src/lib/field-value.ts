// The value of a record's field, wherever it is kept.

import type { Field, RecordData } from '@workspace-records/client';

/** The properties of every record, with any fields requested. */
const OUTER: ReadonlySet<string> = new Set([
  'id',
  'status',
  'owner_user_id',
  'created_at',
  'updated_at',
]);

/** The value, or null. */
export function fieldValue(
  record: RecordData,
  { key, storage }: Pick<Field, 'key' | 'storage'>,
): unknown {
  if (OUTER.has(key)) return record[key as keyof RecordData] ?? null;
  const { fields = {} } = record;
  const from = storage === 'jsonb' ? (fields.custom_fields as typeof fields | undefined) : fields;
  return from?.[key] ?? null;
}

/** True when the field was requested; an empty one is present as null. */
export function hasField(
  { fields = {} }: RecordData,
  { key, storage }: Pick<Field, 'key' | 'storage'>,
): boolean {
  const from = storage === 'jsonb' ? fields.custom_fields : fields;
  return OUTER.has(key) || key in Object(from);
}

/** The fields of a write that sets this value. */
export function changeOf({ key, storage }: Pick<Field, 'key' | 'storage'>, value: unknown) {
  return storage === 'jsonb' ? { custom_fields: { [key]: value } } : { [key]: value };
}

/** Values are plain JSON, whose keys come in one order. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
