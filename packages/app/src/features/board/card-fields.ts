// The fields of a card besides the name of its record, and the numbers that a column can add up. Pure.

import type { Field, ObjectDefinition } from '@workspace-records/client';
import { sumFields } from '../../lib/groups.ts';

/** The most fields on a card; two of them share a line. */
const MOST = 4;
const MOST_AT_FIRST = 3;
const OWNER = 'owner_user_id';
/** Types of fields, the ones that say most in few letters first. */
const AT_FIRST = ['currency', 'reference', 'date', 'select', 'number', 'integer', 'percent'];
const NOT_ON_CARDS: ReadonlySet<string> = new Set(['long_text', 'json']);

/** The name of the record, its column and its owner have places of their own. */
export function cardFields(
  { fields, display_field }: Pick<ObjectDefinition, 'fields' | 'display_field'>,
  wished: readonly string[] | undefined,
  by: string,
): readonly Field[] {
  const elsewhere = new Set([display_field, by, OWNER, 'id', 'status', 'custom_status_id']);
  const possible = fields.filter(({ key, type }) => !elsewhere.has(key) && !NOT_ON_CARDS.has(type));
  if (wished !== undefined) {
    const byKey = new Map(possible.map((field) => [field.key, field]));
    return wished.flatMap((key) => byKey.get(key) ?? []).slice(0, MOST);
  }
  const own = possible.filter(({ key, type }) => AT_FIRST.includes(type) && !isSystem(key));
  const rank = ({ type }: Field) => AT_FIRST.indexOf(type);
  // One of a kind before a second one of any.
  const firsts = own.filter((field) => own.find(({ type }) => type === field.type) === field);
  const others = own.filter((field) => !firsts.includes(field));
  const chosen = [...firsts.toSorted((one, other) => rank(one) - rank(other)), ...others];
  return chosen.slice(0, MOST_AT_FIRST);
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
  return possible.find(({ type }) => type === 'currency');
}
