// The options of a field, with the words and the tints for them.

import type { Field, Tint } from '@workspace-records/client';
import { tintOf } from '../lib/tints.ts';

export interface Option {
  readonly value: string;
  readonly label: string;
}

type WithOptions = Pick<Field, 'options'>;

export function optionsOf({ options = [] }: WithOptions): readonly Option[] {
  return options.map(({ value, label }) => ({
    value: String(value),
    label: label ?? String(value),
  }));
}

/** A value that is no longer an option is its own label. */
export function labelOf(field: WithOptions, value: unknown): string {
  return optionsOf(field).find((option) => option.value === String(value))?.label ?? String(value);
}

/** A value that is no longer an option is gray. */
export function tintOfOption({ options = [] }: WithOptions, value: unknown): Tint {
  return tintOf(options.find((option) => String(option.value) === String(value))?.color);
}

const STATUS_KEYS: readonly string[] = ['status', 'custom_status_id'];

export function isStatusField({ key }: Pick<Field, 'key'>): boolean {
  return STATUS_KEYS.includes(key);
}
