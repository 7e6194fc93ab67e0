// The table of a list: only the rows in view are in the document, at fixed heights, and it is a grid to who cannot see it.
// Keys and pointer move from cell to cell; what is edited, chosen, copied and pasted is in files of its own.

import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import type { Field, ObjectDefinition } from '@workspace-records/client';
import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import { InGrid } from '../../fields/field-place.ts';
import { useT } from '../../lib/messages/index.ts';
import { useCanChangeEach } from '../../lib/permissions.ts';
import type { RecordRows } from '../../lib/record-lists.ts';
import { nextSort, type Sorting } from '../../lib/view-state.ts';
import { CellConflict } from './cell-conflict.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { type GridColumn, gridColumns, templateOf, type Widths } from './grid-columns.ts';
import { GridHead } from './grid-head.tsx';
import { onGridKey } from './grid-keys.ts';
import { loadCellEditor } from './lazy-cell-editor.tsx';
import { PasteHost } from './paste-host.tsx';
import { RecordRow, SkeletonRow } from './record-row.tsx';
import classes from './records-table.module.css';
import { useCellSaves } from './use-cell-saves.ts';
import { useChosenRows } from './use-chosen-rows.ts';
import { useClipboard } from './use-clipboard.ts';
import { useColumnActs } from './use-column-acts.ts';
import { useGrid } from './use-grid.ts';
import { useGridActs } from './use-grid-acts.ts';
import { useReturn } from './use-return.ts';
import { useWidths } from './use-widths.ts';

interface RecordsTableProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly Field[];
  readonly rows: RecordRows;
  /** What the list was asked: another question is another choice of rows. */
  readonly question: string;
  readonly sort: readonly Sorting[];
  readonly onSorting: (sort: readonly Sorting[]) => void;
  readonly onFields: (keys: readonly string[]) => void;
}

/** Pixels; as in records-table.module.css. */
const ROW = 36;
/** Rows in place of those that come. */
const AWAITED = 3;
const FIRST_AWAITED = 20;

export function RecordsTable({ object, rows, sort, ...props }: RecordsTableProps) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const model = useModel(object, props.columns);
  const { columns } = model;
  const grid = useGrid(table, rows, { row: 0, column: columns.length > 1 ? model.nameAt : 0 });
  const chosen = useChosenRows(rows.records, props.question);
  const saves = useCellSaves();
  const { initialOffset, keep } = useReturn(scroller, rows.isPending);
  const virtualizer = useRows({ scroller, rows, pinned: grid.place.row, initialOffset });
  useEffect(() => void loadCellEditor(), []);
  const size = { rows: rows.count, columns: columns.length, page: pageOf(virtualizer) };
  // A dialog is gone: keys go on where they were.
  const resume = () => grid.move(grid.place);
  const clipboard = useClipboard({ object, grid, rows, columns });
  const widths = useWidths(object.object_type, columns, table);
  const { onSorting, onFields } = props;
  const heads = useColumnActs({ columns, grid, widths, onSorting, onFields });
  const { rowActs, keyed, pointer } = useGridActs({
    ...{ grid, chosen, saves, rows, model, size, onOpen: keep, onEmpty: clipboard.empty },
    onMenu: heads.onMenu,
  });
  return (
    <>
      <ChosenBar {...{ object, chosen }} onClose={resume} />
      <section ref={scroller} className={classes.scroller} aria-label={object.name ?? ''}>
        <table
          ref={table}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: one moves from cell to cell in it.
          role="grid"
          className={classes.table}
          style={styleOf(columns, widths.widths)}
          aria-rowcount={rows.hasMore || rows.isPending ? -1 : rows.count + 1}
          aria-colcount={columns.length}
          aria-multiselectable
          aria-busy={rows.isPending}
          aria-label={t('records.table', { name: object.name ?? '' })}
          onKeyDown={(event) => onGridKey(event, keyed)}
          onCopy={clipboard.onCopy}
          onPaste={clipboard.onPaste}
          {...pointer}
        >
          <GridHead
            {...{ object, columns, sort }}
            {...heads}
            onDraw={widths.draw}
            onSort={(key, isAdded) => onSorting(nextSort(sort, key, isAdded))}
            place={grid.place}
            chosen={chosenState(chosen.ids.size, rows.records.length)}
            onChooseAll={chosen.ids.size > 0 ? chosen.clear : chosen.chooseAll}
          />
          <InGrid value={true}>
            <GridBody {...{ virtualizer, rows, grid, chosen, saves, model, rowActs }} />
          </InGrid>
        </table>
      </section>
      <CellConflict saves={saves} onClose={resume} />
      {clipboard.paste !== undefined && (
        <PasteHost
          key={clipboard.paste.id}
          {...{ object, columns, rows }}
          paste={clipboard.paste}
          onClose={() => {
            clipboard.close();
            resume();
          }}
        />
      )}
    </>
  );
}

function chosenState(count: number, loaded: number): 'all' | 'some' | 'none' {
  if (count === 0) return 'none';
  return count >= loaded ? 'all' : 'some';
}

export interface GridModel {
  readonly columns: readonly GridColumn[];
  readonly nameAt: number;
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
    return { columns, nameAt: columns.findIndex(({ kind }) => kind === 'name'), canUpdate };
  }, [object, fields, canSelect, canUpdate]);
}

interface RowsOptions {
  readonly scroller: React.RefObject<HTMLDivElement | null>;
  readonly rows: RecordRows;
  /** Stays in the document when it is out of view: it may have the focus. */
  readonly pinned: number;
  readonly initialOffset: number;
}

type Rows = Virtualizer<HTMLDivElement, Element>;

function useRows({ scroller, rows, pinned, initialOffset }: RowsOptions): Rows {
  const awaited = rows.isPending ? FIRST_AWAITED : rows.hasMore ? AWAITED : 0;
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.count + awaited,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
    initialOffset,
    useFlushSync: false,
    rangeExtractor(range) {
      const shown = defaultRangeExtractor(range);
      if (pinned < 0 || pinned >= range.count || shown.includes(pinned)) return shown;
      return [...shown, pinned].sort((one, other) => one - other);
    },
  });
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  useEffect(() => rows.show(startIndex, endIndex));
  return virtualizer;
}

/** Rows that are in view, one of which stays when a page is turned. */
function pageOf({ range }: Rows): number {
  return range === null ? 1 : Math.max(1, range.endIndex - range.startIndex - 1);
}

interface GridBodyProps {
  readonly virtualizer: Rows;
  readonly rows: RecordRows;
  readonly grid: ReturnType<typeof useGrid>;
  readonly chosen: ReturnType<typeof useChosenRows>;
  readonly saves: ReturnType<typeof useCellSaves>;
  readonly model: GridModel;
  readonly rowActs: ReturnType<typeof useGridActs>['rowActs'];
}

function GridBody({ virtualizer, rows, grid, chosen, saves, model, rowActs }: GridBodyProps) {
  const { columns, canUpdate } = model;
  const { place, area, isEditing } = grid;
  return (
    <tbody role="rowgroup" className={classes.body} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const record = rows.records[index - rows.first];
        if (record === undefined) return <SkeletonRow key={index} {...{ index, start, columns }} />;
        const isMarked = area !== undefined && index >= area.top && index <= area.bottom;
        return (
          <RecordRow
            key={record.id}
            {...{ record, index, start, columns }}
            active={place.row === index ? place.column : -1}
            isEditing={isEditing && place.row === index}
            from={isMarked ? area.left : -1}
            to={isMarked ? area.right : -1}
            isChosen={chosen.ids.has(record.id)}
            canChange={canUpdate(record)}
            states={saves.states.get(record.id)}
            acts={rowActs}
          />
        );
      })}
    </tbody>
  );
}

/** The same columns for every row. */
function styleOf(columns: readonly GridColumn[], widths: Widths): CSSProperties {
  const { template, minimum } = templateOf(columns, widths);
  return { '--columns': template, minWidth: minimum } as CSSProperties;
}
