import type { Field } from '@workspace-records/client';
import { folded } from '../../lib/folded.ts';
import type { FieldText } from '../field-text.ts';
import { labelOf, optionsOf } from '../options.ts';

/** The value of the option with this label or value; undefined: no option, or several that differ in case only. */
export function optionNamed(field: Field, typed: string): string | undefined {
  const options = optionsOf(field);
  const exact = options.find(({ value, label }) => [value, label].includes(typed.trim()));
  const sought = folded(typed);
  const close = options.filter(({ value, label }) => [value, label].map(folded).includes(sought));
  return exact?.value ?? (close.length === 1 ? close[0]?.value : undefined);
}

export const select: FieldText = {
  print: (value, { field }) => labelOf(field, value),
  parse(typed, { field }) {
    const value = optionNamed(field, typed);
    return value === undefined ? { problem: 'grid.notOption' } : { value };
  },
};
