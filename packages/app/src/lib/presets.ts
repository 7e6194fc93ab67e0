// The initial values of a new record in a list: those that its filters and its group ask for. Pure.

import type { ObjectDefinition, Where } from '@workspace-records/client';
import { TYPE_KEY } from './schema-queries.ts';
import { isCondition } from './where.ts';

/** The initial values of a new record that make it match the list: the values of conditions on one value. */
export function presetOf(
  { fields }: Pick<ObjectDefinition, 'fields'>,
  where: readonly Where[],
): Readonly<Record<string, unknown>> {
  const isGiven = (key: string) =>
    key === TYPE_KEY || fields.some((field) => field.key === key && field.editable);
  const given = where.flatMap((part) => {
    if (!isCondition(part) || part.op !== 'eq' || !isGiven(part.field)) return [];
    return Object(part.value) === part.value ? [] : [[part.field, part.value] as const];
  });
  return Object.fromEntries(given);
}
