import type { FieldFilter, WordProps } from '../field-filter.ts';
import { TEXT_PHRASES } from '../phrases.ts';
import { text as edit } from './edit.tsx';

export function TextWord({ value }: WordProps) {
  return String(value);
}

export const text: FieldFilter = { phrases: TEXT_PHRASES, edit, Word: TextWord };
