import { useContext } from 'react';
import { TagLine, WrappedTags } from '../ui/tag.tsx';
import type { FieldKind, ShowProps } from './field-kind.ts';
import { InGrid } from './field-place.ts';
import { OptionTag } from './option-tag.tsx';
import { labelOf } from './options.ts';
import { LIST_PHRASES } from './phrases.ts';
import { OptionWord, optionNamed } from './select.tsx';

const valuesIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function Show({ value, field }: ShowProps) {
  const values = valuesIn(value);
  const tags = values.map((one) => <OptionTag key={String(one)} field={field} value={one} />);
  const isLine = useContext(InGrid);
  if (!isLine) return <WrappedTags>{tags}</WrappedTags>;
  const title = values.map((one) => labelOf(field, one)).join(', ');
  return (
    <TagLine key={title} title={title}>
      {tags}
    </TagLine>
  );
}

export const multi_select: FieldKind = {
  name: 'type.multiSelect',
  example: 'type.multiSelectExample',
  icon: 'M3.500 4.500h.01M6.500 4.500h7M3.500 8h.01M6.500 8h7M3.500 11.500h.01M6.500 11.500h7',
  Show,
  width: 200,
  isSorted: false,
  text: {
    // Between commas or semicolons.
    print: (value, { field }) =>
      valuesIn(value)
        .map((one) => labelOf(field, one))
        .join(', '),
    parse(typed, { field }) {
      const whole = optionNamed(field, typed);
      if ('value' in whole) return { value: [whole.value] };
      const words = typed.split(/[,;]/).filter((word) => word.trim() !== '');
      const options = words.map((word) => optionNamed(field, word));
      const values = options.flatMap((one) => ('value' in one ? one.value : []));
      return options.find((one) => 'problem' in one) ?? { value: [...new Set(values)] };
    },
  },
  phrases: LIST_PHRASES,
  Word: OptionWord,
  edit: {
    control: 'options',
    isGroup: true,
    start: (value) => (Array.isArray(value) ? value.map(String) : []),
    parse: (draft) => ({ value: draft.length === 0 ? null : draft }),
  },
};
