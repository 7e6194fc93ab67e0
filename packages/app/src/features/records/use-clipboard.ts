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
import { filled, MOST_PASTED } from './paste-plan.ts';
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
  /** True: the cells become empty, and no record is new. */
  readonly isEmptying: boolean;
  /** True: its rows are new records, unless the person decides otherwise. */
  readonly isAppended: boolean;
}

interface ClipboardParts {
  readonly object: ObjectDefinition;
  readonly grid: Pick<Grid, 'place' | 'area' | 'isEditing'>;
  readonly rows: Pick<RecordRows, 'records' | 'first' | 'count' | 'hasMore'>;
  readonly columns: readonly GridColumn[];
}

export function useClipboard(parts: ClipboardParts) {
  const t = useT();
  const contextOf = useTextContext();
  const [paste, setPaste] = useState<Paste>();
  const latest = useRef(parts);
  latest.current = parts;
  const acts = useMemo(() => {
    const begin = (cells: Paste['cells'], { isEmptying = false, isNew = false } = {}) => {
      const { rows } = latest.current;
      const { area, columns } = isNew ? endOf(latest.current) : positionOf(latest.current);
      const height = area.bottom - area.top + 1;
      const width = area.right - area.left + 1;
      const all = filled(cells, height, Math.min(width, columns));
      const most = { count: MOST_PASTED };
      // One more may be headings.
      if (all.length > MOST_PASTED + 1)
        showToast({ text: t('grid.tooLong', most), isProblem: true });
      else {
        const isLast = !rows.hasMore && area.top >= rows.count - 1 && all.length > 1;
        const isAppended = isNew || (isLast && !isEmptying);
        const place = { row: area.top, column: area.left };
        setPaste({ id: makeKey(), cells: all, ...place, isEmptying, isAppended });
      }
    };
    return {
      onCopy(event: ClipboardEvent) {
        if (!isAboutCells(event, latest.current)) return;
        event.preventDefault();
        const cells = copied(latest.current, contextOf);
        event.clipboardData.setData('text/plain', printPlain(cells));
        event.clipboardData.setData(CELLS, printCells(cells));
      },
      onPaste(event: ClipboardEvent) {
        if (!isAboutCells(event, latest.current)) return;
        event.preventDefault();
        const { clipboardData } = event;
        const text = clipboardData.getData(CELLS) || clipboardData.getData('text/plain');
        const isNew = (event.target as Element).closest('[data-new-row]') !== null;
        if (text !== '') begin(parseCells(text), { isNew });
      },
      empty: () => begin([['']], { isEmptying: true }),
      close: () => setPaste(undefined),
    };
  }, [t, contextOf]);
  return { paste, ...acts };
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

function copied(parts: ClipboardParts, contextOf: ContextOf): Paste['cells'] {
  const { area } = positionOf(parts);
  const { records, first } = parts.rows;
  const columns = parts.columns.slice(area.left, area.right + 1);
  const rows = records.slice(Math.max(0, area.top - first), area.bottom - first + 1);
  return rows.map((record) => columns.map((column) => cellText(record, column, contextOf)));
}
