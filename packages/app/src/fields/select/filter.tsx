import { Choices } from '../choices.tsx';
import type { ChooseProps, FieldFilter, WordProps } from '../field-filter.ts';
import { OptionTag } from '../option-tag.tsx';
import { labelOf, optionsOf } from '../options.ts';
import { CHOICE_PHRASES } from '../phrases.ts';

export function OptionWord({ value, field }: WordProps) {
  return labelOf(field, value);
}

export function ChooseOption(props: ChooseProps) {
  const { field } = props;
  const offered = optionsOf(field).map(({ value, label }) => {
    return { value, label, content: <OptionTag field={field} value={value} /> };
  });
  return <Choices {...props} offered={offered} />;
}

export const select: FieldFilter = {
  phrases: CHOICE_PHRASES,
  Choose: ChooseOption,
  Word: OptionWord,
};
