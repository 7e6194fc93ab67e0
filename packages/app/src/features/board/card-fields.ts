// The fields of a card besides the name of its record, and the numbers that a column can add up. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { firstFields } from '../../fields/kinds.ts';
import { isLong, isMoney } from '../../lib/field-facts.ts';
import { sumFields } from '../../lib/groups.ts';

/** The most fields on a card; two of them share a line. */
export const MOST_CARD_FIELDS = 4;
const MOST_AT_FIRST = 3;
const OWNER = 'owner_user_id';

/** The fields that a card can have: the name of the record, its column and its owner have places of their own. */
export function possibleCardFields(
  { fields, display_field }: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  by: string,
): readonly Field[] {
  const elsewhere = new Set([display_field, by, OWNER, 'id', 'status', 'custom_status_id']);
  return fields.filter((field) => !elsewhere.has(field.key) && !isLong(field));
}

export function cardFields(
  object: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  wished: readonly string[] | undefined,
  by: string,
): readonly Field[] {
  const possible = possibleCardFields(object, by);
  if (wished !== undefined) {
    const byKey = new Map(possible.map((field) => [field.key, field]));
    return wished.flatMap((key) => byKey.get(key) ?? []).slice(0, MOST_CARD_FIELDS);
  }
  const own = possible.filter(({ key }) => !isSystem(key));
  return firstFields(own, 'card').slice(0, MOST_AT_FIRST);
}

function isSystem(key: string): boolean {
  return key === 'created_at' || key === 'updated_at';
}

/** Pixels, as in board.module.css: borders and padding, the name, lines of two values or of the owner alone. */
export function cardHeight(fields: readonly Field[]): number {
  return 44 + Math.max(1, Math.ceil(fields.length / 2)) * 22;
}

/** The requested one, else the first amount of money. */
export function summedField(
  object: Pick<ObjectDefinition, 'fields'>,
  sum: string | undefined,
): Field | undefined {
  const possible = sumFields(object.fields);
  if (sum !== undefined) return possible.find(({ key }) => key === sum);
  return possible.find(isMoney);
}
