// Fields for columns that an object lacks: from guesses, which a person may change, to a change of the definition. Pure.

import { keysOf } from '../../../../tables/src/field-keys.ts';
import { definedField, type GuessedField, type GuessedType } from '../../../../tables/src/guess.ts';
import type { Table } from '../../../../tables/src/reading.ts';
import { FIELD_TYPES_TO_CHOOSE } from '../../fields/kinds.ts';
import { factsOf, isMoney } from '../../lib/field-facts.ts';
import { homeCurrency } from '../../lib/home-currency.ts';

export interface NewField extends GuessedField {
  /** The heading of the column. */
  readonly heading: string;
  readonly isChosen: boolean;
}

/** References, people, files and JSON cannot be told from texts. */
export const NEW_TYPES = FIELD_TYPES_TO_CHOOSE.filter((type) => {
  const { words, refers_to, value } = factsOf({ type });
  return refers_to === null && value !== null && !words.includes('types');
}) as readonly GuessedType[];

/** The options that a list may get from a file. */
const MOST_OPTIONS = 100;

/** `taken`: keys that the object has. */
export function newFields(
  table: Pick<Table, 'headings' | 'guesses'>,
  headings: readonly string[],
  taken: readonly string[],
): readonly NewField[] {
  const keys = keysOf(headings, taken);
  return headings.flatMap((heading, index) => {
    const guess = table.guesses[table.headings.indexOf(heading)];
    const key = keys[index];
    if (guess === undefined || key === undefined) return [];
    return [{ ...guess, key, heading, isChosen: true }];
  });
}

/** Another type, with the options that the column would have as a list. */
export function withType(
  field: NewField,
  type: GuessedType,
  distinct: readonly string[],
): NewField {
  const { options: _, currency: _currency, isUnique: _isUnique, ...plain } = field;
  if (isMoney({ type })) return { ...plain, type, currency: field.currency ?? homeCurrency() };
  const { words: settings, list } = factsOf({ type });
  if (!settings.includes('options')) return { ...plain, type };
  const words = list
    ? [...new Set(distinct.flatMap((text) => text.split(/[;,]/).map((word) => word.trim())))]
    : distinct;
  const labels = words.filter((word) => word !== '').slice(0, MOST_OPTIONS);
  const values = keysOf(labels);
  const options = labels.map((label, index) => ({ value: values[index] ?? label, label }));
  return { ...plain, type, options };
}

/** A merge patch of the definition. */
export function fieldsPatch(
  objectType: string,
  fields: readonly NewField[],
): Record<string, unknown> {
  const chosen = fields.filter(({ isChosen }) => isChosen);
  const definitions = chosen.map((field) => [field.key, definedField(field)]);
  return { objects: { [objectType]: { fields: Object.fromEntries(definitions) } } };
}
