import type { FieldShow, ShowProps } from '../field-show.ts';
import { OptionTag } from '../option-tag.tsx';

function Show({ value, field }: ShowProps) {
  return <OptionTag field={field} value={value} />;
}

export const select: FieldShow = { Show, width: 140 };
