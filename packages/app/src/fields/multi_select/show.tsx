import { useContext } from 'react';
import { TagLine, WrappedTags } from '../../ui/tag.tsx';
import { InGrid } from '../field-place.ts';
import type { FieldShow, ShowProps } from '../field-show.ts';
import { OptionTag } from '../option-tag.tsx';
import { labelOf } from '../options.ts';

function Show({ value, field }: ShowProps) {
  const values = Array.isArray(value) ? value : [value];
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

export const multi_select: FieldShow = { Show, width: 200, isSorted: false };
