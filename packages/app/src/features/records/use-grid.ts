// The state of the grid: the focused cell, the start of the marked area, the edited cell. One cell takes the focus,
// and it follows its record and its column when others come before it; the row stays in the document while it is
// scrolled out of view. An editor whose record or column has left is closed.

import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RecordRows } from '../../lib/record-lists.ts';
import type { GridColumn } from './grid-columns.ts';
import { type Area, areaOf, type CellPosition, HEADINGS } from './grid-place.ts';

interface GridState extends CellPosition {
  /** The id of the record with the active cell. */
  readonly id: string | undefined;
  /** The id of its column. */
  readonly columnId: string | undefined;
  readonly anchor: CellPosition | undefined;
  readonly isEditing: boolean;
}

export interface Grid {
  readonly place: CellPosition;
  /** Cells that are marked; undefined while it is one. */
  readonly area: Area | undefined;
  readonly isEditing: boolean;
  /** Moves the focus to a cell; `isExtended` marks the cells between. */
  move(to: CellPosition, isExtended?: boolean): void;
  /** Marks the cells between two corners, and moves the focus to the second. */
  mark(from: CellPosition, to: CellPosition): void;
  /** The focus is in this cell already. */
  note(at: CellPosition): void;
  edit(): void;
  /** Ends the editing and moves to a cell; undefined where the focus is elsewhere. */
  leave(to: CellPosition | undefined): void;
  unmark(): void;
  /** A menu is closed: keys continue where they were. */
  resume(): void;
  /** Gives the focus back after a dialog or a write, unless it is elsewhere on the page. */
  recover(): void;
}

const UNMARKED = { id: undefined, columnId: undefined, anchor: undefined, isEditing: false };

export function useGrid(
  table: RefObject<HTMLTableElement | null>,
  rows: Loaded,
  columns: Columns,
  start: CellPosition,
): Grid {
  const [state, setState] = useState<GridState>({ ...UNMARKED, ...start });
  const activeCell = useMemo(() => placeNow(state, rows, columns), [state, rows, columns]);
  const isEditing = state.isEditing && isThere(state, rows, columns);
  const wantsFocus = useFocus(table, activeCell, isEditing);
  const now = { rows, columns, place: activeCell, anchor: state.anchor };
  const latest = useRef(now);
  latest.current = now;
  const at = useCallback((to: CellPosition) => cellAt(latest.current, to), []);
  const acts = useMemo(
    () => ({
      move(to: CellPosition, isExtended = false) {
        wantsFocus.current = true;
        const anchor = isExtended ? (latest.current.anchor ?? latest.current.place) : undefined;
        setState({ ...at(to), anchor, isEditing: false });
      },
      mark(from: CellPosition, to: CellPosition) {
        wantsFocus.current = true;
        setState({ ...at(to), anchor: from, isEditing: false });
      },
      note(to: CellPosition) {
        const { row, column } = latest.current.place;
        if (to.row === row && to.column === column) return;
        // An editor that is open still has text that cannot be saved, and takes the focus back.
        setState((old) => (old.isEditing ? old : { ...UNMARKED, ...at(to) }));
      },
      edit() {
        // At once: the next typed text, and the key that was pressed now, go to the editor.
        flushSync(() =>
          setState({ ...at(latest.current.place), anchor: undefined, isEditing: true }),
        );
      },
      leave(to: CellPosition | undefined) {
        wantsFocus.current = to !== undefined;
        setState({ ...at(to ?? latest.current.place), anchor: undefined, isEditing: false });
      },
      unmark: () => setState((old) => ({ ...old, anchor: undefined })),
      resume() {
        wantsFocus.current = true;
        setState((old) => ({ ...old }));
      },
      recover() {
        wantsFocus.current = 'unlessElsewhere';
        setState((old) => ({ ...old }));
      },
    }),
    [at, wantsFocus],
  );
  const area = useArea(state.anchor, activeCell);
  return useMemo(
    () => ({ place: activeCell, area, isEditing, ...acts }),
    [activeCell, area, isEditing, acts],
  );
}

/** A cell with the ids of its record and column, by which it is found when others come or go. */
function cellAt(
  { rows, columns }: { readonly rows: Loaded; readonly columns: Columns },
  { row, column }: CellPosition,
) {
  return { row, column, id: idAt(rows, row), columnId: columns[column]?.id };
}

function useArea(anchor: CellPosition | undefined, place: CellPosition): Area | undefined {
  return useMemo(() => anchor && areaOf(anchor, place), [anchor, place]);
}

type Loaded = Pick<RecordRows, 'records' | 'first' | 'isEmpty'>;
type Columns = readonly Pick<GridColumn, 'id'>[];

function idAt({ records, first }: Loaded, row: number): string | undefined {
  return records[row - first]?.id;
}

/** The present position of the active record and column: in the headings of a list without records. */
function placeNow(
  { row, column, id, columnId }: GridState,
  rows: Loaded,
  columns: Columns,
): CellPosition {
  const isStill = id === undefined || idAt(rows, row) === id;
  const found = isStill ? -1 : rows.records.findIndex((record) => record.id === id);
  const foundColumn = columns.findIndex((one) => one.id === columnId);
  return {
    row: rows.isEmpty ? HEADINGS : found < 0 ? row : rows.first + found,
    column: foundColumn < 0 ? Math.min(column, columns.length - 1) : foundColumn,
  };
}

/** False when the record or the column of the active cell has left the list. */
function isThere({ id, columnId }: GridState, rows: Loaded, columns: Columns): boolean {
  const isRecord = id === undefined || rows.records.some((record) => record.id === id);
  return isRecord && columns.some((one) => one.id === columnId);
}

/** Puts the focus where one has gone, and back when its element has left the document. */
function useFocus(
  table: RefObject<HTMLTableElement | null>,
  place: CellPosition,
  isEditing: boolean,
) {
  const wantsFocus = useRef<boolean | 'unlessElsewhere'>(false);
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const active = document.activeElement ?? document.body;
    const isNowhere = active === document.body;
    const isLost = held.current?.isConnected === false && isNowhere;
    const isWanted =
      wantsFocus.current === 'unlessElsewhere'
        ? isNowhere || table.current?.contains(active) === true
        : wantsFocus.current;
    if ((isWanted || isLost) && !isEditing) focusCell(table.current, place);
    wantsFocus.current = false;
    const now = document.activeElement;
    held.current = table.current?.contains(now) === true ? now : null;
  });
  useLayoutEffect(() => {
    const element = table.current;
    const hold = ({ target }: FocusEvent) => {
      held.current = target as Element;
    };
    element?.addEventListener('focusin', hold);
    return () => element?.removeEventListener('focusin', hold);
  }, [table]);
  return wantsFocus;
}

export function focusCell(table: HTMLTableElement | null, { row, column }: CellPosition): void {
  const cell = table?.querySelector<HTMLElement>(`[data-row="${row}"] > [data-column="${column}"]`);
  if (cell == null) return;
  const target = cell.querySelector<HTMLElement>('[data-focus]') ?? cell;
  target.focus({ preventScroll: true });
  cell.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
}
