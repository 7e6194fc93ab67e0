// The order in which fields are offered: the name of a record, its status, the object's own fields, and last the
// fields that the service sets on every record.

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
