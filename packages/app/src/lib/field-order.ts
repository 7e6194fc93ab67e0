// The order in which fields are offered: the name of a record, its status, what the object is about, and what the service
// notes of every record last.

import type { Field, ObjectDefinition } from '@workspace-records/client';

const LAST = ['owner_user_id', 'created_at', 'updated_at', 'custom_status_id', 'id'];

export function offeredFields({
  fields,
  display_field,
}: Pick<ObjectDefinition, 'fields' | 'display_field'>): readonly Field[] {
  const rank = ({ key }: Field) => {
    if (key === display_field) return -2;
    return key === 'status' ? -1 : LAST.indexOf(key) + 1;
  };
  return fields.toSorted((one, other) => rank(one) - rank(other));
}
