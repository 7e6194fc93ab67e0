// The actions of keys, pointer and rows in the grid. The props of rows stay the same object, so that they are not
// rendered again for it.

import { type MouseEvent, type PointerEvent, useMemo, useRef } from 'react';
import type { CellStep } from '../../editing/cell-editor.tsx';
import type { RecordRows } from '../../lib/record-lists.ts';
import { hasEditor, isStatus } from './editable.ts';
import { fillPointerOf } from './fill-pointer.ts';
import type { KeyedGrid } from './grid-keys.ts';
import type { GridModel } from './grid-parts.ts';
import {
  type Area,
  areaOf,
  type CellPosition,
  type GridSize,
  nextPlace,
  placeOf,
  tabPlace,
} from './grid-place.ts';
import { loadCellEditor, noteTyped } from './lazy-cell-editor.tsx';
import type { RowActs } from './row-acts.ts';
import type { useCellSaves } from './use-cell-saves.ts';
import type { ChosenRows } from './use-chosen-rows.ts';
import { focusCell, type Grid } from './use-grid.ts';

interface ActParts {
  readonly grid: Grid;
  readonly chosen: ChosenRows;
  readonly saves: ReturnType<typeof useCellSaves>;
  readonly rows: RecordRows;
  readonly model: GridModel;
  readonly size: GridSize;
  readonly onOpen: (id: string) => void;
  readonly onEmpty: () => void;
  readonly onFill: (source: Area, bottom: number) => void;
  readonly onMenu: (at: number, isOpen: boolean) => void;
}

export function useGridActs(parts: ActParts) {
  const known = useRef(parts);
  known.current = parts;
  return useMemo(() => {
    const now = () => known.current;
    const tabs = tabsOf(now);
    const pointer = { ...pointerOf(now, tabs), ...fillPointerOf(now) };
    return { rowActs: rowActsOf(now, tabs), keyed: keyedOf(now, tabs), pointer };
  }, []);
}

type Now = () => ActParts;

type Tabs = ReturnType<typeof tabsOf>;

/** Tab goes from cell to cell; Enter in an editor then goes to the column in which it began, as in spreadsheets. */
function tabsOf(now: Now) {
  let start: number | undefined;
  let isLeaving = false;
  const end = () => {
    start = undefined;
    isLeaving = false;
  };
  return {
    end,
    letLeave() {
      isLeaving = true;
    },
    next(isBack: boolean): CellPosition | undefined {
      const { grid, size, model, chosen } = now();
      const first = model.columns.findIndex(({ kind }) => kind !== 'select');
      // The bar above the grid has the actions on chosen rows.
      const isOut = isLeaving || chosen.ids.size > 0;
      const to = isOut ? undefined : tabPlace(grid.place, isBack, { ...size, first });
      const from = start ?? grid.place.column;
      end();
      if (to !== undefined) start = from;
      return to;
    },
    down(): CellPosition | undefined {
      const { grid, size } = now();
      const to = nextPlace(grid.place, { key: 'ArrowDown', isCtrl: false }, size);
      const column = start;
      end();
      return to === undefined || column === undefined ? to : { ...to, column };
    },
  };
}

function rowActsOf(now: Now, tabs: Tabs): RowActs {
  return {
    open: (id) => now().onOpen(id),
    choose: (id, isRange) => now().chosen.toggle(id, isRange),
    save(edited, step) {
      const { grid, saves } = now();
      grid.leave(step === 'away' ? undefined : (placeBehind(step, tabs) ?? grid.place));
      saves.save(edited);
    },
    type: (cell, draft) => now().saves.type(cell, draft),
    cancel(cell) {
      const { grid, saves } = now();
      grid.leave(grid.place);
      saves.cancel(cell);
    },
    close() {
      const { grid } = now();
      grid.leave(grid.place);
    },
  };
}

function placeBehind(step: CellStep, tabs: Tabs): CellPosition | undefined {
  if (step === 'down') return tabs.down();
  return step === 'right' || step === 'left' ? tabs.next(step === 'left') : undefined;
}

function recordAt({ rows }: ActParts, { row }: CellPosition) {
  return rows.records[row - rows.first];
}

function canEdit(parts: ActParts, place: CellPosition): boolean {
  const column = parts.model.columns[place.column];
  const record = recordAt(parts, place);
  if (column === undefined || record === undefined) return false;
  return hasEditor(column) && parts.model.canUpdate(record);
}

async function edit(now: Now, typed?: string): Promise<void> {
  const { model, grid } = now();
  const column = model.columns[grid.place.column];
  if (column === undefined || !canEdit(now(), grid.place)) return;
  if (!isStatus(column)) noteTyped(typed);
  now().grid.edit();
  // Only in the first moments of the page it is not there yet.
  await loadCellEditor();
}

function keyedOf(now: Now, tabs: Tabs): KeyedGrid {
  return {
    get place() {
      return now().grid.place;
    },
    get area() {
      return now().grid.area;
    },
    get columns() {
      return now().model.columns;
    },
    get size() {
      return now().size;
    },
    move(to, isExtended) {
      tabs.end();
      now().grid.move(to, isExtended);
    },
    tab(isBack) {
      const to = tabs.next(isBack);
      if (to !== undefined) now().grid.move(to);
      return to !== undefined;
    },
    letLeave: tabs.letLeave,
    unmark: () => now().grid.unmark(),
    canEdit: (place) => canEdit(now(), place),
    edit: (typed) => void edit(now, typed),
    read: () => now().grid.edit(),
    toggleRow(row, isRange) {
      const record = recordAt(now(), { row, column: 0 });
      const [first] = now().model.columns;
      if (record !== undefined && first?.kind === 'select') now().chosen.toggle(record.id, isRange);
    },
    chooseAll: () => now().chosen.chooseAll(),
    clearChosen: () => now().chosen.clear(),
    empty: () => now().onEmpty(),
    fillDown() {
      const { grid, onFill } = now();
      const { area = areaOf(grid.place, grid.place) } = grid;
      const top = Math.max(0, area.top === area.bottom ? area.top - 1 : area.top);
      onFill({ ...area, top, bottom: top }, area.bottom);
    },
    openMenu() {
      // Once the key has been dealt with: a menu that is there by then would take it for one that closes it.
      setTimeout(() => now().onMenu(now().grid.place.column, true));
    },
  };
}

function pointerOf(now: Now, tabs: Tabs) {
  let pressed: CellPosition | undefined;
  let isLinkHeldBack = false;
  return {
    onMouseDown(event: MouseEvent<HTMLElement>) {
      const at = placeOf(event.target);
      pressed = undefined;
      tabs.end();
      const link = valueLinkOf(event.target);
      isLinkHeldBack = link !== undefined && !isFollowed(link, event);
      if (link !== undefined && !isLinkHeldBack) return;
      if (at === undefined || at.row < 0 || event.button !== 0 || isControl(event.target)) return;
      // The browser would mark text, and the focus of a name is on its link.
      event.preventDefault();
      const { place, isEditing } = now().grid;
      // The editor saves when the focus leaves it, and the focus selects the cell.
      if (isEditing) return focusCell((event.target as Element).closest('table'), at);
      pressed = at.row === place.row && at.column === place.column ? at : undefined;
      now().grid.move(at, event.shiftKey);
    },
    /** Keys and screen readers click without a press: `detail` is 0. */
    onClickCapture(event: MouseEvent<HTMLElement>) {
      if (isLinkHeldBack && event.detail > 0) event.preventDefault();
    },
    onMouseOver(event: MouseEvent<HTMLElement>) {
      const at = placeOf(event.target);
      if (event.buttons !== 1 || at === undefined || at.row < 0 || isControl(event.target)) return;
      const { place } = now().grid;
      if (at.row !== place.row || at.column !== place.column) now().grid.move(at, true);
    },
    onDoubleClick(event: MouseEvent<HTMLElement>) {
      if (placeOf(event.target) !== undefined && !isControl(event.target)) void edit(now);
    },
    /** A finger cannot press twice as fast: a second time on the same cell edits it. */
    onPointerUp({ pointerType, target }: PointerEvent<HTMLElement>) {
      if (pointerType === 'touch' && pressed !== undefined && !isControl(target)) void edit(now);
    },
    onFocus({ target }: { readonly target: EventTarget }) {
      const at = placeOf(target);
      if (at !== undefined) now().grid.note(at);
    },
  };
}

function isControl(target: EventTarget): boolean {
  return (
    (target as Element).closest('[data-record], [data-fill], button, input, [data-editor]') !== null
  );
}

/** The link in the value of a cell, which is not the link of the record's name. */
function valueLinkOf(target: EventTarget): HTMLElement | undefined {
  if (isControl(target)) return undefined;
  return (target as Element).closest<HTMLElement>('a') ?? undefined;
}

/**
 * True when a click follows the link: one press in the cell with the focus, or Ctrl in any cell. Another press selects
 * the cell.
 */
function isFollowed(link: HTMLElement, { ctrlKey, metaKey, detail }: MouseEvent): boolean {
  const cell = link.closest('[data-column]');
  return ctrlKey || metaKey || (detail === 1 && cell?.contains(document.activeElement) === true);
}
