// The largest size of values, by the fields they are of. Values that were written before a definition allowed less
// may be longer. Pure.

import { LIMITS } from '../../limits.ts';
import type { Field } from '../definition/model.ts';
import { comparedTraits } from './field-types.ts';

/** Bytes of text. A page that would be larger has fewer rows; a record that is larger is refused. */
export interface AnswerSize {
  readonly page: number;
  readonly record: number;
}

export type Sized = Pick<Field, 'type' | 'cast_type' | 'rules'>;

/** Characters of the longest value that a field can have, as text; of a list all of them. */
export function longestOf(field: Sized): number {
  const { longest } = comparedTraits(field);
  return Math.max(longest, field.rules.maxLength ?? 0);
}

/** Bytes of a character in UTF-8, at most. */
const WIDEST = 4;

/** Bytes of the largest value that a field can have. An option goes only when no record has it. */
export function mostBytesOf(field: Sized): number {
  const { options } = field.rules;
  if (options === undefined) return longestOf(field) * WIDEST;
  const longest = Math.max(0, ...options.map(({ value }) => value.length));
  const values = comparedTraits(field).isList ? LIMITS.multiSelectValues : 1;
  return Math.min(values, options.length) * longest * WIDEST;
}
