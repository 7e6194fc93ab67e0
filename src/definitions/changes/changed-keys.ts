// The keys by which two parts of documents differ. Pure.

import { isDeepStrictEqual } from 'node:util';
import { ownValue } from '../../model/text/own-value.ts';

export type Entries = Readonly<Record<string, unknown>>;

/** Keys whose values differ. */
export function changedKeys(before: Entries, after: Entries): readonly string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter((key) => !isDeepStrictEqual(ownValue(before, key), ownValue(after, key)));
}
