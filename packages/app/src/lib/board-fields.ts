// The fields whose values can be the columns of a board, and the one that is chosen.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { TYPE_KEY } from './schema-queries.ts';

export const STATUS_KEY = 'status';
const TYPES: readonly string[] = ['select', 'boolean', 'user'];

/** Fields whose values can be columns, the status first. */
export function columnFields({ fields }: Pick<ObjectDefinition, 'fields'>): readonly Field[] {
  const rank = ({ key, type }: Field) => (key === STATUS_KEY ? -1 : TYPES.indexOf(type));
  return fields
    .filter(({ key, type, storage }) => {
      const isMeant = key === STATUS_KEY || TYPES.includes(type);
      return isMeant && storage === 'physical' && key !== TYPE_KEY;
    })
    .toSorted((one, other) => rank(one) - rank(other));
}

/** The requested one, else the first. */
export function columnField(
  object: Pick<ObjectDefinition, 'fields'>,
  by: string | undefined,
): Field | undefined {
  const possible = columnFields(object);
  return possible.find(({ key }) => key === by) ?? possible[0];
}
