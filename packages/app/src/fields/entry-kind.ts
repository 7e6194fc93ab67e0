// The kind of a field of a definition: that of its type, or that of computed fields. Pure.

import type { FieldType } from '@workspace-records/client';
import type { EntryType } from '../lib/definition/document.ts';
import { FIELD_TYPES_TO_CHOOSE, kindOf } from './kinds.ts';

/** The types of fields that a person can add. */
export const ENTRY_TYPES: readonly EntryType[] = [...FIELD_TYPES_TO_CHOOSE, 'formula', 'rollup'];

/** Types of results, in the order in which people choose one. */
export const RESULT_TYPES: readonly FieldType[] = [
  ...(['number', 'integer', 'currency', 'percent'] as const),
  ...(['text', 'boolean', 'date', 'datetime'] as const),
];
const FORMULA_KIND = {
  name: 'type.formula',
  example: 'type.formulaExample',
  icon: 'M9.500 2.500c-2.300 0-2.600 1.700-2.900 3.700l-.700 4c-.300 1.800-.800 3.300-2.900 3.300M4.300 6.700h4.500M9.300 8.500l4.200 5M13.500 8.500l-4.200 5',
} as const;

const ROLLUP_KIND = {
  ...FORMULA_KIND,
  name: 'type.rollup',
  example: 'type.rollupExample',
} as const;

export function entryKind({ type }: { readonly type: EntryType }) {
  if (type === 'rollup') return ROLLUP_KIND;
  return type === 'formula' ? FORMULA_KIND : kindOf({ type });
}
