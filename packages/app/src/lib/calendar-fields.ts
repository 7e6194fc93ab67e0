// The fields that a calendar can be of. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { columnFields } from './board-fields.ts';
import { isOfTime, isQueryable } from './field-facts.ts';

/** The fields that a calendar can show, the ones that people set first. */
export function calendarFieldsOf({ fields }: Pick<ObjectDefinition, 'fields'>): readonly Field[] {
  const possible = fields.filter((field) => isOfTime(field) && isQueryable(field));
  return possible.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ key }: Field): number {
  return key === 'created_at' || key === 'updated_at' ? 1 : 0;
}

/** The fields with options, which have tints: the status first. */
export function colorFields({ fields }: Pick<ObjectDefinition, 'fields'>): readonly Field[] {
  return columnFields({ fields }).filter(({ options }) => options !== undefined);
}

/** The requested one, else the first. */
export function colorField(
  object: Pick<ObjectDefinition, 'fields'>,
  color: string | undefined,
): Field | undefined {
  const possible = colorFields(object);
  return possible.find(({ key }) => key === color) ?? possible[0];
}

/** The requested one, else the first. */
export function calendarField(
  object: Pick<ObjectDefinition, 'fields'>,
  by: string | undefined,
): Field | undefined {
  const possible = calendarFieldsOf(object);
  return possible.find(({ key }) => key === by) ?? possible[0];
}
