// The columns that are edited in the grid.

import { isKnownType } from '../../fields/kinds.ts';
import type { GridColumn } from './grid-columns.ts';

/** Of a column whose cells are moved along a workflow. */
export function isStatus({ kind, field }: GridColumn): boolean {
  return kind === 'field' && field?.key === 'status';
}

/** Whether something opens in its cells: what edits the field, or the moves of the status. */
export function hasEditor(column: GridColumn): boolean {
  return isEditable(column) || isStatus(column);
}

/** Whether anybody may edit it here; of which records is another question. */
export function isEditable({ kind, field }: GridColumn): boolean {
  return kind !== 'select' && field !== undefined && field.editable && isKnownType(field);
}
