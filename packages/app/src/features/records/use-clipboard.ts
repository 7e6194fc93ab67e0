// Copying and pasting in the grid. The browser's own events are used: they need no permission, and copying elsewhere
// on the page works as before.

import type { ObjectDefinition } from '@workspace-records/client';
import { type ClipboardEvent, useMemo, useRef, useState } from 'react';
import { useTextContext } from '../../fields/use-text-context.ts';
import { makeKey } from '../../lib/idempotency-key.ts';
import { useT } from '../../lib/messages/index.ts';
import type { RecordRows } from '../../lib/record-lists.ts';
import { showToast } from '../../ui/toast.ts';
import { type ContextOf, cellText } from './cell-text.ts';
import type { GridColumn } from './grid-columns.ts';
import { type Area, areaOf, HEADINGS } from './grid-place.ts';
import { filled, MOST_PASTED, repeated } from './paste-plan.ts';
import { CELLS, parseCells, printCells, printPlain } from './tab-text.ts';
import type { Grid } from './use-grid.ts';

/** A text on its way into the grid. */
export interface Paste {
  /** Another one has another. */
  readonly id: string;
  readonly cells: readonly (readonly string[])[];
  /** The position of the first pasted cell. */
  readonly row: number;
  readonly column: number;
  /** True: the cells are emptied or filled; the text has no headings, and no record is new. */
  readonly isInside: boolean;
  /** True: its rows are new records, unless the person decides otherwise. */
  readonly isAppended: boolean;
}

type PasteStart = Omit<Paste, 'id' | 'cells'>;

interface ClipboardParts {
  readonly object: ObjectDefinition;
  readonly grid: Pick<Grid, 'place' | 'area' | 'isEditing'>;
  readonly rows: Pick<RecordRows, 'records' | 'first' | 'count' | 'hasMore'>;
  readonly columns: readonly GridColumn[];
}

export function useClipboard(parts: ClipboardParts) {
  const t = useT();
  const contextOf = useTextContext();
  // One after the other: the next one begins with the versions that the one before has left.
  const [pastes, setPastes] = useState<readonly Paste[]>([]);
  const latest = useRef(parts);
  latest.current = parts;
  const acts = useMemo(() => {
    const begin = (cells: Paste['cells'], start: PasteStart) => {
      const most = { count: MOST_PASTED };
      // One more may be headings.
      if (cells.length > MOST_PASTED + 1)
        showToast({ text: t('grid.tooLong', most), isProblem: true });
      else setPastes((all) => [...all, { id: makeKey(), cells, ...start }]);
    };
    const insert = (cells: Paste['cells'], isNew: boolean) => {
      const { rows } = latest.current;
      const { area, all } = spread(
        cells,
        isNew ? endOf(latest.current) : positionOf(latest.current),
      );
      const isLast = !rows.hasMore && area.top >= rows.count - 1 && all.length > 1;
      begin(all, { ...cornerOf(area), isInside: false, isAppended: isNew || isLast });
    };
    return {
      onCopy(event: ClipboardEvent) {
        if (!isAboutCells(event, latest.current)) return;
        event.preventDefault();
        const cells = copied(latest.current, contextOf, positionOf(latest.current).area);
        event.clipboardData.setData('text/plain', printPlain(cells));
        event.clipboardData.setData(CELLS, printCells(cells));
      },
      onPaste(event: ClipboardEvent) {
        if (!isAboutCells(event, latest.current)) return;
        event.preventDefault();
        const { clipboardData } = event;
        const text = clipboardData.getData(CELLS) || clipboardData.getData('text/plain');
        const isNew = (event.target as Element).closest('[data-new-row]') !== null;
        if (text !== '') insert(parseCells(text), isNew);
      },
      empty() {
        const { area, all } = spread([['']], positionOf(latest.current));
        begin(all, { ...cornerOf(area), isInside: true, isAppended: false });
      },
      /** Writes the rows of an area again and again into the rows below it, down to one. */
      fill(source: Area, bottom: number) {
        const cells = copied(latest.current, contextOf, source);
        const below = repeated(cells, bottom - source.bottom);
        const start = { row: source.bottom + 1, column: source.left };
        if (below.length > 0) begin(below, { ...start, isInside: true, isAppended: false });
      },
      close: (id: string) => setPastes((all) => all.filter((one) => one.id !== id)),
    };
  }, [t, contextOf]);
  return { paste: pastes[0], ...acts };
}

/** Not for events in inputs, marked text, or a heading. */
function isAboutCells(event: ClipboardEvent, { grid }: ClipboardParts): boolean {
  const target = event.target as Element;
  const isTyped = target.closest('textarea, [data-editor], input:not([type=checkbox])') !== null;
  if (isTyped || grid.isEditing) return false;
  if (target.closest('[data-new-row]') !== null) return event.type === 'paste';
  return target.closest('[role=gridcell]') !== null && grid.place.row > HEADINGS;
}

/** Below the last row, wherever that is. */
function endOf({ columns }: ClipboardParts) {
  const left = columns.findIndex(({ kind }) => kind !== 'select');
  const end = Number.MAX_SAFE_INTEGER;
  const area: Area = { top: end, bottom: end, left, right: left };
  return { area, columns: columns.length - left };
}

function positionOf({ grid, columns }: ClipboardParts) {
  const area = grid.area ?? areaOf(grid.place, grid.place);
  const first = columns.findIndex(({ kind }) => kind !== 'select');
  // The box has no text to copy: a paste on it begins with the name.
  const inside: Area = {
    ...area,
    left: Math.max(first, area.left),
    right: Math.max(first, area.right),
  };
  return { area: inside, columns: columns.length - inside.left };
}

type Position = ReturnType<typeof positionOf>;

/** The cells of a text, or one for all that are marked. */
function spread(cells: Paste['cells'], { area, columns }: Position) {
  const width = Math.min(area.right - area.left + 1, columns);
  return { area, all: filled(cells, area.bottom - area.top + 1, width) };
}

function cornerOf({ top, left }: Area): Pick<Paste, 'row' | 'column'> {
  return { row: top, column: left };
}

function copied(parts: ClipboardParts, contextOf: ContextOf, area: Area): Paste['cells'] {
  const { records, first } = parts.rows;
  const columns = parts.columns.slice(area.left, area.right + 1);
  const rows = records.slice(Math.max(0, area.top - first), area.bottom - first + 1);
  return rows.map((record) => columns.map((column) => cellText(record, column, contextOf)));
}
