// The keys of the grid, as spreadsheets have them.

import type { KeyboardEvent } from 'react';
import type { GridColumn } from './grid-columns.ts';
import { type CellPosition, type GridSize, HEADINGS, nextPlace } from './grid-place.ts';
import type { Grid } from './use-grid.ts';

export interface KeyedGrid extends Pick<Grid, 'place' | 'area' | 'move' | 'unmark'> {
  readonly columns: readonly GridColumn[];
  readonly size: GridSize;
  canEdit(place: CellPosition): boolean;
  /** `typed`: by this key, which what edits is to have. */
  edit(typed?: string): void;
  /** Shows the whole value of a cell that cannot be edited. */
  read(): void;
  toggleRow(row: number, isRange: boolean): void;
  chooseAll(): void;
  clearChosen(): void;
  /** Empties the marked cells. */
  empty(): void;
  /** Writes the first marked row, or the row above the cell, into the others. */
  fillDown(): void;
  /** Moves to the next cell; false: there is none, or Tab leaves the grid. */
  tab(isBack: boolean): boolean;
  /** The next Tab leaves the grid. */
  letLeave(): void;
  /** The menu of the heading with the focus. */
  openMenu(): void;
}

export function onGridKey(event: KeyboardEvent<HTMLElement>, grid: KeyedGrid): void {
  if (event.defaultPrevented || event.nativeEvent.isComposing || isElsewhere(event)) return;
  if (event.key === 'Tab') {
    if (isRow(grid.place) && grid.tab(event.shiftKey)) event.preventDefault();
    return;
  }
  const act = actOf(event, grid);
  if (act === undefined) return;
  event.preventDefault();
  act();
}

const ELSEWHERE = '[data-editor], [data-new-row], [role=menu], [role=dialog]';

/** True for an element that edits a cell, on the line for a new record, or in a menu of a heading. */
function isElsewhere({ target }: KeyboardEvent<HTMLElement>): boolean {
  return (target as Element).closest(ELSEWHERE) !== null;
}

function actOf(event: KeyboardEvent<HTMLElement>, grid: KeyedGrid): (() => void) | undefined {
  const { key, shiftKey } = event;
  const isCtrl = event.ctrlKey || event.metaKey;
  const { place: activeCell, columns } = grid;
  if (isCtrl && key.toLowerCase() === 'a' && !shiftKey) return grid.chooseAll;
  if (!event.altKey) {
    const to = nextPlace(activeCell, { key, isCtrl }, grid.size);
    if (to !== undefined) return () => grid.move(to, shiftKey && isRow(to) && isRow(activeCell));
  }
  if (!isRow(activeCell)) return opensMenu(event) ? grid.openMenu : undefined;
  if (key === ' ' && !isCtrl) return () => grid.toggleRow(activeCell.row, shiftKey);
  if (key === 'Escape') return () => discard(grid);
  if (key === 'Delete' || key === 'Backspace') return grid.empty;
  if (isCtrl && key.toLowerCase() === 'd' && !shiftKey && !event.altKey) return grid.fillDown;
  const column = columns[activeCell.column];
  return column === undefined || !grid.canEdit(activeCell)
    ? reading(event, column, grid)
    : editing(event, column, grid);
}

/** Ends the marks; without marks the choice of rows, and Tab leaves the grid. */
function discard(grid: KeyedGrid): void {
  if (grid.area !== undefined) grid.unmark();
  else {
    grid.clearChosen();
    grid.letLeave();
  }
}

/** True for the keys that open menus in the operating systems. */
function opensMenu({ key, altKey, shiftKey }: KeyboardEvent<HTMLElement>): boolean {
  if (key === 'ContextMenu') return true;
  return (key === 'ArrowDown' && altKey) || (key === 'F10' && shiftKey);
}

function isRow({ row }: CellPosition): boolean {
  return row > HEADINGS;
}

/** Enter in a cell that cannot be edited follows its link; what would edit another one shows all of its value. */
function reading(
  event: KeyboardEvent<HTMLElement>,
  column: GridColumn | undefined,
  grid: KeyedGrid,
): (() => void) | undefined {
  if (column?.kind !== 'field') return openLink(event);
  const isRead = event.key === 'Enter' || event.key === 'F2' || isTyped(event);
  return openLink(event) ?? (isRead ? grid.read : undefined);
}

/** Enter in a cell that cannot be edited follows its link; with Ctrl in any. */
function openLink({ key, target }: KeyboardEvent<HTMLElement>): (() => void) | undefined {
  const link = (target as Element).querySelector('a');
  return key === 'Enter' && link !== null ? () => link.click() : undefined;
}

function editing(
  event: KeyboardEvent<HTMLElement>,
  { kind }: GridColumn,
  grid: KeyedGrid,
): (() => void) | undefined {
  const isCtrl = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter' && isCtrl) return openLink(event);
  // On a name it opens the record: the focus is on the link.
  if (event.key === 'Enter') return kind === 'name' ? undefined : () => grid.edit();
  if (event.key === 'F2') return () => grid.edit();
  // Not prevented: the key goes into the editor, which has the focus already.
  if (isTyped(event)) grid.edit(event.key);
  else if (event.key === 'Process') grid.edit('');
  return undefined;
}

function isTyped(event: KeyboardEvent<HTMLElement>): boolean {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  return [...event.key].length === 1 && (!isCommand || event.getModifierState('AltGraph'));
}
