// The columns that are edited in the grid.

import { isKnownType } from '../../fields/kinds.ts';
import type { GridColumn } from './grid-columns.ts';

/** True for a column whose cells are moved along a workflow. */
export function isStatus({ kind, field }: GridColumn): boolean {
  return kind === 'field' && field?.key === 'status';
}

/** True when a cell opens something: an editor of the field, or the moves of the status. */
export function hasEditor(column: GridColumn): boolean {
  return isEditable(column) || isStatus(column);
}

/** True when people can edit the column here; whether a record may be edited is another question. */
export function isEditable({ kind, field }: GridColumn): boolean {
  return kind !== 'select' && field !== undefined && field.editable && isKnownType(field);
}
