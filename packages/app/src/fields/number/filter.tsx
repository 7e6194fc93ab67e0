import type { AnyFieldEdit } from '../field-edit.ts';
import type { FieldFilter, WordProps } from '../field-filter.ts';
import { NUMBER_PHRASES } from '../phrases.ts';
import { showOf } from '../shows.ts';
import { number as edit } from './edit.tsx';

/** A number as lists show it; text that is not a number, as the address has it. */
function NumberWord({ value, field }: WordProps) {
  const { Show } = showOf(field);
  return typeof value === 'number' ? <Show value={value} field={field} /> : String(value);
}

export function numberFilter(own: AnyFieldEdit): FieldFilter {
  return { phrases: NUMBER_PHRASES, edit: own, Word: NumberWord };
}

export const number = numberFilter(edit);
