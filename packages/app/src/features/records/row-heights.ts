// Heights of rows: fixed, so that the rows in view follow from where the list is scrolled to.

import { readSetting, writeSetting } from '../../lib/storage.ts';
import { ROW_HEIGHTS, type RowHeight, type ViewState } from '../../lib/view-state.ts';

/** Pixels; as in records-table.module.css. */
export const ROW_PIXELS: Readonly<Record<RowHeight, number>> = {
  compact: 28,
  normal: 36,
  tall: 56,
};

/** The one of the address, else the one that the object had last in this browser. */
export function rowHeightOf(type: string, { rows }: Pick<ViewState, 'rows'>): RowHeight {
  const kept = readSetting(`rows.${type}`);
  return rows ?? ROW_HEIGHTS.find((one) => one === kept) ?? 'normal';
}

export function keepRowHeight(type: string, rows: RowHeight): void {
  writeSetting(`rows.${type}`, rows);
}
