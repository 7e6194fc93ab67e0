// The shown fields of a list.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { isShort } from './field-facts.ts';
import { offeredFields } from './field-order.ts';
import { MOST_COLUMNS } from './view-state.ts';

/** Fields of a new list, in addition to the name of the record. */
const FIRST_FIELDS = 8;
const LAST = ['owner_user_id', 'updated_at'];
const SYSTEM: ReadonlySet<string> = new Set([
  'id',
  'status',
  'created_at',
  'custom_status_id',
  ...LAST,
]);

/** The columns of the object in the order in which they are shown; the name of a record is a column of its own. */
export function columnsOf(
  { fields, display_field }: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  wished: readonly string[] | undefined,
): readonly Field[] {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const columnsFor = (keys: readonly string[]) =>
    keys.flatMap((key) => byKey.get(key) ?? []).slice(0, MOST_COLUMNS);
  if (wished !== undefined) return columnsFor(wished);
  const own = fields.filter(
    (field) => !SYSTEM.has(field.key) && field.key !== display_field && isShort(field),
  );
  return columnsFor(['status', ...own.slice(0, FIRST_FIELDS).map(({ key }) => key), ...LAST]);
}

/** The fields that have no column; the name of a record always has one. */
export function hiddenColumns(
  object: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  shown: readonly string[],
): readonly Field[] {
  const { display_field } = object;
  return offeredFields(object).filter(({ key }) => key !== display_field && !shown.includes(key));
}
