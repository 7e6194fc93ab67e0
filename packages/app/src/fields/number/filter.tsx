import type { AnyFieldEdit } from '../field-edit.ts';
import type { FieldFilter, WordProps } from '../field-filter.ts';
import { NUMBER_PHRASES } from '../phrases.ts';
import { showOf } from '../shows.ts';
import { number as edit } from './edit.tsx';

/** As it stands in a list; what is no number is what the address has. */
function NumberWord({ value, field }: WordProps) {
  const { Show } = showOf(field);
  return typeof value === 'number' ? <Show value={value} field={field} /> : String(value);
}

export function numberFilter(own: AnyFieldEdit): FieldFilter {
  return { phrases: NUMBER_PHRASES, edit: own, Word: NumberWord };
}

export const number = numberFilter(edit);
