// Values of a file that name no record or person, or do not fit, and without which rows are written: how many, and the
// first of them.

import { cutText } from '../errors.ts';
import type { EmptiedValue } from './rows/row-problems.ts';

export interface EmptiedField {
  /** The number of its file, where an import has several. */
  readonly file?: number;
  readonly field: string;
  /** Values that were left out. */
  readonly values: number;
  /** The first of them, each once. */
  readonly names: readonly string[];
}

/** Names that are listed for a field. */
const SHOWN = 20;
const NAME_LENGTH = 60;

export interface EmptiedValues {
  /** `file`: its number, where an import has several. */
  add(value: EmptiedValue, file?: number): void;
  list(): readonly EmptiedField[];
}

/** `before`: those that an earlier attempt has listed. */
export function openEmptiedValues(before: readonly EmptiedField[] = []): EmptiedValues {
  const counted = new Map<string, EmptiedField>();
  const keyOf = (field: string, file?: number) => `${file ?? ''} ${field}`;
  for (const one of before) counted.set(keyOf(one.field, one.file), one);
  return {
    add({ field, text }, file) {
      const key = keyOf(field, file);
      const { values = 0, names = [] } = counted.get(key) ?? {};
      const name = cutText(text, NAME_LENGTH);
      const isListed = names.length === SHOWN || names.includes(name);
      const next = { field, values: values + 1, names: isListed ? names : [...names, name] };
      counted.set(key, file === undefined ? next : { file, ...next });
    },
    list: () => [...counted.values()],
  };
}
