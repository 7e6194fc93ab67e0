import { Choices } from '../choices.tsx';
import type { ChooseProps, FieldFilter, WordProps } from '../field-filter.ts';
import { labelOf, optionsOf } from '../options.ts';
import { CHOICE_PHRASES } from '../phrases.ts';

export function OptionWord({ value, field }: WordProps) {
  return labelOf(field, value);
}

export function ChooseOption(props: ChooseProps) {
  return <Choices {...props} offered={optionsOf(props.field)} />;
}

export const select: FieldFilter = {
  phrases: CHOICE_PHRASES,
  Choose: ChooseOption,
  Word: OptionWord,
};
