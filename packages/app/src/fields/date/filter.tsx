import { useT } from '../../lib/messages/index.ts';
import { relativeOf, relativeText } from '../../lib/periods.ts';
import type { FieldEdit } from '../field-edit.ts';
import type { FieldFilter, WordProps } from '../field-filter.ts';
import { momentEdit } from '../moment-edit.tsx';
import { TIME_PHRASES } from '../phrases.ts';
import { showOf } from '../shows.ts';
import { date as edit } from './edit.tsx';

function MomentWord({ value, field }: WordProps) {
  const t = useT();
  const relative = relativeOf(value);
  const { Show } = showOf(field);
  return relative === undefined ? <Show value={value} field={field} /> : relativeText(relative, t);
}

export function momentFilter(fixed: FieldEdit<string>): FieldFilter {
  return { phrases: TIME_PHRASES, edit: momentEdit(fixed), Word: MomentWord };
}

export const date = momentFilter(edit);
