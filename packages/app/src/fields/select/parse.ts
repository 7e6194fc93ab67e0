import type { Field } from '@workspace-records/client';
import { optionsNamed } from '../../../../tables/src/option-words.ts';
import type { Parsed } from '../field-edit.ts';
import type { FieldText } from '../field-text.ts';
import { labelOf, optionsOf } from '../options.ts';

/** The option that a typed word means, or the message that it means none or several. */
export function optionNamed(field: Field, typed: string): Parsed {
  const [option, other] = optionsNamed(optionsOf(field), typed);
  if (option === undefined) return { problem: 'grid.notOption' };
  return other === undefined ? { value: option.value } : { problem: 'grid.twoOptions' };
}

export const select: FieldText = {
  print: (value, { field }) => labelOf(field, value),
  parse: (typed, { field }) => optionNamed(field, typed),
};
