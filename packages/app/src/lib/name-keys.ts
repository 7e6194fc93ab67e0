// Where names of records and people are kept, however they have come.

import type { QueryKey } from '@tanstack/react-query';
import type { Field } from '@workspace-records/client';
import { isOfPerson } from './field-facts.ts';

export function recordNameKey(workspace: string, type: string, id: unknown): QueryKey {
  return [workspace, type, 'name', id];
}

export function personNameKey(workspace: string, id: unknown): QueryKey {
  return [workspace, 'person', id];
}

/** The query key of the names of a field's targets. */
export function nameKeyOf(
  workspace: string,
  field: Pick<Field, 'type' | 'constraints'>,
  value: unknown,
): QueryKey {
  if (isOfPerson(field)) return personNameKey(workspace, value);
  return recordNameKey(workspace, String(field.constraints?.reference_object_type), value);
}
