// The words of a definition document about the history of an object, and their meaning.

import Type, { type Static } from 'typebox';
import type { History } from './model.ts';

export const HistorySchema = Type.Object(
  {
    keep: Type.String({
      pattern: '^(?:[1-9][0-9]{0,3}d|forever)$',
      description: 'How long: a number of days, such as 90d, or forever.',
    }),
  },
  {
    additionalProperties: false,
    description: 'Keeps the values that changes of records replace.',
  },
);

/** Null when the object has no history. */
export function compileHistory(words: Static<typeof HistorySchema> | undefined): History | null {
  if (words === undefined) return null;
  const { keep } = words;
  return Object.freeze({ days: keep === 'forever' ? null : Number.parseInt(keep, 10) });
}
