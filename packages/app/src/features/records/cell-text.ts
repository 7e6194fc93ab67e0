// A cell of the grid as text: for copying, and for comparing a pasted text with the present value.

import type { Field, RecordData } from '@workspace-records/client';
import type { TextContext } from '../../fields/field-text.ts';
import { printValue } from '../../fields/texts.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { recordName } from '../../lib/record-name.ts';
import type { GridColumn } from './grid-columns.ts';

export type ContextOf = (field: Field) => TextContext;

export function cellText(
  record: RecordData,
  { kind, field }: Pick<GridColumn, 'kind' | 'field'>,
  contextOf: ContextOf,
): string {
  if (kind === 'name') return recordName(record);
  return field === undefined ? '' : printValue(fieldValue(record, field), contextOf(field));
}
