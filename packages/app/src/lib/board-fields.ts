// The fields whose values can be the columns of a board, and the one that is chosen.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { factsOf, isFew, isOfPerson, isQueryable } from './field-facts.ts';
import { TYPE_KEY } from './schema-queries.ts';

export const STATUS_KEY = 'status';

/** Fields whose values can be columns, the status first. */
export function columnFields({ fields }: Pick<ObjectDefinition, 'fields'>): readonly Field[] {
  // Options have an order and colours; people are many.
  const rank = (field: Field) =>
    field.key === STATUS_KEY ? 0 : factsOf(field).textual ? 1 : isOfPerson(field) ? 3 : 2;
  return fields
    .filter((field) => {
      const { key } = field;
      const isMeant = key === STATUS_KEY || isFew(field);
      return isMeant && isQueryable(field) && key !== TYPE_KEY;
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
