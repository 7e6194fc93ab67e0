// How large values can be, by the fields they are of. Values that were written before a definition allowed less
// may be longer. Pure.

import { comparedTraits } from './field-types.ts';
import type { Field } from './model.ts';

/** Bytes of text. A page that would be larger has fewer rows; a record that is larger is refused. */
export interface AnswerSize {
  readonly page: number;
  readonly record: number;
}

export type Sized = Pick<Field, 'type' | 'cast_type' | 'rules'>;

/** Characters of the longest value that a field can have, as text; of a list all of them. */
export function longestOf(field: Sized): number {
  return Math.max(comparedTraits(field).longest, field.rules.maxLength ?? 0);
}

/** Bytes of a character in UTF-8, at most. */
const WIDEST = 4;

/** Bytes of the largest value that a field can have. */
export function mostBytesOf(field: Sized): number {
  return longestOf(field) * WIDEST;
}
