import type { Field } from '@workspace-records/client';
import { folded } from '../lib/folded.ts';
import type { WordProps } from './field-filter.ts';
import type { FieldKind } from './field-kind.ts';
import { OptionTag } from './option-tag.tsx';
import { labelOf, optionsOf } from './options.ts';
import { CHOICE_PHRASES } from './phrases.ts';
import { PLAIN_DRAFT } from './plain.tsx';

export function OptionWord({ value, field }: WordProps) {
  return labelOf(field, value);
}

/** By its label or its value; undefined: none, or several that differ in case only. */
export function optionNamed(field: Field, typed: string): string | undefined {
  const options = optionsOf(field);
  const exact = options.find(({ value, label }) => [value, label].includes(typed.trim()));
  const sought = folded(typed);
  const close = options.filter(({ value, label }) => [value, label].map(folded).includes(sought));
  return exact?.value ?? (close.length === 1 ? close[0]?.value : undefined);
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
    parse(typed, { field }) {
      const value = optionNamed(field, typed);
      return value === undefined ? { problem: 'grid.notOption' } : { value };
    },
  },
  misfit: 'misfit.select',
  phrases: CHOICE_PHRASES,
  Word: OptionWord,
  edit: { control: 'choice', isChoice: true, ...PLAIN_DRAFT },
};
