// Values of a file that name no record or person, or do not fit, and without which rows are written: how many, and the
// first of them.

import { cutText } from '../errors.ts';
import type { EmptiedValue } from './rows/row-problems.ts';

export interface EmptiedField {
  readonly field: string;
  /** Values that were left out. */
  readonly values: number;
  /** The first of them, each once. */
  readonly names: readonly string[];
}

/** Names that are listed for a field. */
const SHOWN = 20;
const NAME_LENGTH = 60;

export function openEmptiedValues() {
  const counted = new Map<string, { values: number; readonly names: Set<string> }>();
  return {
    add({ field, text }: EmptiedValue): void {
      const entry = counted.get(field) ?? { values: 0, names: new Set() };
      entry.values += 1;
      if (entry.names.size < SHOWN) entry.names.add(cutText(text, NAME_LENGTH));
      counted.set(field, entry);
    },
    list: (): readonly EmptiedField[] =>
      [...counted].map(([field, { values, names }]) => ({ field, values, names: [...names] })),
  };
}
