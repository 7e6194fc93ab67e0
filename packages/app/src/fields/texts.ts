// Values of a field as text, by its type; and the value of a text.

import type { Parsed } from './field-edit.ts';
import type { TextContext } from './field-text.ts';
import { kindOf } from './kinds.ts';

export function printValue(value: unknown, context: TextContext): string {
  return value === null ? '' : kindOf(context.field).text.print(value, context);
}

/** A blank text is not a value. */
export function parseValue(written: string, context: TextContext): Parsed {
  if (written.trim() !== '') return kindOf(context.field).text.parse(written, context);
  return context.field.required ? { problem: 'grid.required' } : { value: null };
}
