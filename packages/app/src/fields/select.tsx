import type { Field } from '@workspace-records/client';
import { optionsNamed } from '../../../tables/src/option-words.ts';
import type { Parsed } from './field-edit.ts';
import type { WordProps } from './field-filter.ts';
import type { FieldKind } from './field-kind.ts';
import { OptionTag } from './option-tag.tsx';
import { labelOf, optionsOf } from './options.ts';
import { CHOICE_PHRASES } from './phrases.ts';
import { PLAIN_DRAFT } from './plain.tsx';

export function OptionWord({ value, field }: WordProps) {
  return labelOf(field, value);
}

/** The option that a typed word means, or the message that it means none or several. */
export function optionNamed(field: Field, typed: string): Parsed {
  const [option, other] = optionsNamed(optionsOf(field), typed);
  if (option === undefined) return { problem: 'grid.notOption' };
  return other === undefined ? { value: option.value } : { problem: 'grid.twoOptions' };
}

export const select: FieldKind = {
  name: 'type.select',
  example: 'type.selectExample',
  icon: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11zM5.800 7.200 8 9.400l2.200-2.200',
  Show: OptionTag,
  width: 140,
  firstOn: { card: 3, head: 4 },
  text: {
    print: (value, { field }) => labelOf(field, value),
    parse: (typed, { field }) => optionNamed(field, typed),
  },
  misfit: 'misfit.select',
  phrases: CHOICE_PHRASES,
  Word: OptionWord,
  edit: { control: 'choice', isChoice: true, ...PLAIN_DRAFT },
};
