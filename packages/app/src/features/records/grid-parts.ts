// The parts of the grid: its columns, the rows in view, the focus, and the parts for choosing, saving, copying and
// drawing.

import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useCanChangeEach } from '../../lib/permissions.ts';
import type { RecordQuestion, RecordRows } from '../../lib/record-lists.ts';
import { OWNER_KEY, useMayAssign } from '../../lib/schema-queries.ts';
import type { Total } from '../../lib/totals.ts';
import type { RowHeight, Sorting } from '../../lib/view-state.ts';
import { hasInitials } from '../../ui/record-mark.tsx';
import { type GridColumn, gridColumns } from './grid-columns.ts';
import { loadCellEditor } from './lazy-cell-editor.tsx';
import { ROW_PIXELS } from './row-heights.ts';
import { useCellSaves } from './use-cell-saves.ts';
import { useChosenRows } from './use-chosen-rows.ts';
import { useClipboard } from './use-clipboard.ts';
import { useColumnActs } from './use-column-acts.ts';
import { useFullText } from './use-full-text.ts';
import { useGrid } from './use-grid.ts';
import { useGridActs } from './use-grid-acts.ts';
import { useReturn } from './use-return.ts';
import { useWidths } from './use-widths.ts';

export interface RecordsTableProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly Field[];
  readonly rows: RecordRows;
  readonly asked: AskedRecords;
  /** True: of a group, whose records are counted above it. */
  readonly isPart: boolean;
  readonly sort: readonly Sorting[];
  readonly totals: readonly Total[];
  readonly height: RowHeight;
  readonly onSorting: (sort: readonly Sorting[]) => void;
  readonly onFields: (keys: readonly string[]) => void;
  readonly onTotals: (totals: readonly Total[]) => void;
}

/** Which records they are; another question has another choice of rows. */
export type AskedRecords = Pick<RecordQuestion, 'q' | 'where'>;

/** Rows in place of those that come. */
const AWAITED = 3;
const FIRST_AWAITED = 20;

export function useGridParts({ object, rows, columns: shown, ...props }: RecordsTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const model = useModel(object, shown);
  const { columns } = model;
  const grid = useGrid(table, rows, columns, {
    row: 0,
    column: columns.length > 1 ? model.nameAt : 0,
  });
  const question = JSON.stringify(props.asked);
  const chosen = useChosenRows(rows.records, question);
  // Requested before an owner could be edited; then the object has it (useObject).
  const isAtOwner = columns[grid.place.column]?.id === OWNER_KEY;
  useMayAssign(object, isAtOwner || grid.area !== undefined || chosen.ids.size > 0);
  const saves = useCellSaves(object.object_type);
  const { initialOffset, keep } = useReturn(scroller, question, rows.isPending);
  const pinned = grid.place.row;
  const virtualizer = useRows({ scroller, rows, pinned, initialOffset, height: props.height });
  const clipboard = useClipboard({ object, grid, rows, columns });
  const widths = useWidths(object.object_type, columns, table);
  const { onSorting, onFields } = props;
  const [totalMenu, setTotalMenu] = useState<string>();
  const onTotalMenu = (key: string | undefined) => {
    setTotalMenu(key);
    if (key === undefined) grid.resume();
  };
  const heads = useColumnActs({ columns, grid, widths, onSorting, onFields, onTotalMenu });
  const size = { rows: rows.count, columns: columns.length, page: pageOf(virtualizer) };
  const acts = useGridActs({
    ...{ grid, chosen, saves, rows, model, size, onOpen: keep },
    ...{ onEmpty: clipboard.empty, onFill: clipboard.fill },
    onMenu: heads.onMenu,
  });
  useFullText(table);
  useAside(scroller);
  useEffect(() => void loadCellEditor(), []);
  return {
    ...{ scroller, table, model, grid, chosen, saves, virtualizer, clipboard, widths, heads, acts },
    ...{ totalMenu, onTotalMenu },
  };
}

/** Marks the scroller while it shows other columns than the first ones. */
function useAside(scroller: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    const onScroll = () => element?.toggleAttribute('data-aside', element.scrollLeft !== 0);
    element?.addEventListener('scroll', onScroll, { passive: true });
    return () => element?.removeEventListener('scroll', onScroll);
  }, [scroller]);
}

export type GridParts = ReturnType<typeof useGridParts>;

export interface GridModel {
  readonly columns: readonly GridColumn[];
  readonly nameAt: number;
  /** The object, where its records have a mark before their names. */
  readonly mark: ObjectDefinition | undefined;
  readonly canUpdate: ReturnType<typeof useCanChangeEach>;
}

function useModel(object: ObjectDefinition, fields: readonly Field[]): GridModel {
  const canUpdate = useCanChangeEach(object, 'update');
  const { capabilities, permissions } = object;
  const canSelect =
    (capabilities.update && permissions.update.allowed) ||
    (capabilities.delete && permissions.delete.allowed);
  return useMemo(() => {
    const columns = gridColumns(object, fields, canSelect);
    const nameAt = columns.findIndex(({ kind }) => kind === 'name');
    return { columns, nameAt, mark: hasInitials(object) ? object : undefined, canUpdate };
  }, [object, fields, canSelect, canUpdate]);
}

interface RowsOptions {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: RecordRows;
  /** Stays in the document when it is out of view: it may have the focus. */
  readonly pinned: number;
  readonly initialOffset: number;
  readonly height: RowHeight;
}

export type Rows = Virtualizer<HTMLDivElement, Element>;

function useRows({ scroller, rows, pinned, initialOffset, height }: RowsOptions): Rows {
  const awaited = rows.isPending ? FIRST_AWAITED : rows.hasMore ? AWAITED : 0;
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.count + awaited,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS[height],
    overscan: 10,
    initialOffset,
    useFlushSync: false,
    rangeExtractor(range) {
      const shown = defaultRangeExtractor(range);
      if (pinned < 0 || pinned >= range.count || shown.includes(pinned)) return shown;
      return [...shown, pinned].sort((one, other) => one - other);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are elsewhere.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => rows.show(startIndex, endIndex));
  return virtualizer;
}

/** The number of rows by which a page is turned: those in view but one, which stays. */
function pageOf({ range }: Rows): number {
  return range === null ? 1 : Math.max(1, range.endIndex - range.startIndex - 1);
}
