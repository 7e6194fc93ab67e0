// The table of a list: only the rows in view are in the document, at fixed heights, and screen readers get a grid.
// Keys and pointer move from cell to cell; editing, choosing, copying and pasting are in files of their own.

import type { Where } from '@workspace-records/client';
import type { CSSProperties } from 'react';
import { InGrid } from '../../fields/field-place.ts';
import { useT } from '../../lib/messages/index.ts';
import { nextSort } from '../../lib/view-state.ts';
import { CellConflict } from './cell-conflict.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { GridBody } from './grid-body.tsx';
import { type GridColumn, templateOf, type Widths } from './grid-columns.ts';
import { GridHead } from './grid-head.tsx';
import { onGridKey } from './grid-keys.ts';
import { type GridParts, type RecordsTableProps, useGridParts } from './grid-parts.ts';
import { NewRow } from './new-row.tsx';
import { PasteHost } from './paste-host.tsx';
import classes from './records-table.module.css';

export function RecordsTable(props: RecordsTableProps) {
  const { object, rows } = props;
  const parts = useGridParts(props);
  const { chosen, grid } = parts;
  return (
    <>
      <ChosenBar
        {...{ object, chosen }}
        question={props.question}
        hasMore={rows.hasMore}
        onClose={grid.resume}
      />
      <section ref={parts.scroller} className={classes.scroller} aria-label={object.name ?? ''}>
        <GridTable {...props} parts={parts} />
      </section>
      <GridDialogs {...props} parts={parts} />
    </>
  );
}

interface GridPartProps extends RecordsTableProps {
  readonly parts: GridParts;
}

function GridTable({ object, rows, question, sort, onSorting, parts }: GridPartProps) {
  const t = useT();
  const { table, model, grid, chosen, saves, clipboard, widths, heads, acts } = parts;
  const { columns } = model;
  return (
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
      onKeyDown={(event) => onGridKey(event, acts.keyed)}
      onCopy={clipboard.onCopy}
      onPaste={clipboard.onPaste}
      {...acts.pointer}
    >
      <GridHead
        {...{ object, columns, sort }}
        {...heads}
        onDraw={widths.draw}
        onSort={(key, isAdded) => onSorting(nextSort(sort, key, isAdded))}
        place={grid.place}
        chosen={chosen.ofLoaded}
        onChooseAll={chosen.ofLoaded === 'all' ? chosen.clear : chosen.chooseAll}
      />
      <InGrid value={true}>
        <GridBody
          {...{ rows, grid, chosen, saves, model }}
          virtualizer={parts.virtualizer}
          rowActs={acts.rowActs}
        />
      </InGrid>
      <NewRow {...{ object, columns }} where={whereIn(question)} />
    </table>
  );
}

function GridDialogs({ object, rows, parts }: GridPartProps) {
  const { model, grid, saves, clipboard } = parts;
  const { paste } = clipboard;
  return (
    <>
      <CellConflict saves={saves} onClose={grid.resume} />
      {paste !== undefined && (
        <PasteHost
          key={paste.id}
          {...{ object, rows, paste }}
          columns={model.columns}
          onClose={() => {
            clipboard.close();
            grid.resume();
          }}
        />
      )}
    </>
  );
}

function whereIn(question: string): readonly Where[] {
  return (JSON.parse(question) as { readonly where: readonly Where[] }).where;
}

/** The same columns for every row. */
function styleOf(columns: readonly GridColumn[], widths: Widths): CSSProperties {
  const { template, minimum } = templateOf(columns, widths);
  return { '--columns': template, minWidth: minimum } as CSSProperties;
}
