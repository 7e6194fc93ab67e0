// Which columns are edited in the grid.

import { isKnownType } from '../../fields/texts.ts';
import type { GridColumn } from './grid-columns.ts';

/** Whether anybody may edit it here; of which records is another question. */
export function isEditable({ kind, field }: GridColumn): boolean {
  return kind !== 'select' && field !== undefined && field.editable && isKnownType(field);
}
