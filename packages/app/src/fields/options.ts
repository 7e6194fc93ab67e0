// The options of a field, with the words for them.

import type { Field } from '@workspace-records/client';

export interface Option {
  readonly value: string;
  readonly label: string;
}

export function optionsOf({ options = [] }: Field): readonly Option[] {
  return options.map(({ value, label }) => ({
    value: String(value),
    label: label ?? String(value),
  }));
}

/** A value that is no longer an option is its own label. */
export function labelOf(field: Field, value: unknown): string {
  return optionsOf(field).find((option) => option.value === String(value))?.label ?? String(value);
}
