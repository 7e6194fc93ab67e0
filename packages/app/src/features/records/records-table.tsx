// The table of a list: only the rows in view are in the document, at fixed heights, and screen readers get a grid.
// Keys and pointer move from cell to cell; editing, choosing, copying and pasting are in files of their own.

import { type CSSProperties, useMemo } from 'react';
import { InGrid } from '../../fields/field-place.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSteadyActs } from '../../lib/steady-acts.ts';
import { type TotalKind, withTotal } from '../../lib/totals.ts';
import { nextSort } from '../../lib/view-state.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { GridBody } from './grid-body.tsx';
import { type GridColumn, templateOf, type Widths } from './grid-columns.ts';
import { GridFoot } from './grid-foot.tsx';
import { GridHead } from './grid-head.tsx';
import { onGridKey } from './grid-keys.ts';
import { type GridParts, type RecordsTableProps, useGridParts } from './grid-parts.ts';
import { HEADINGS } from './grid-place.ts';
import { NewRow } from './new-row.tsx';
import { PasteHost } from './paste-host.tsx';
import classes from './records-table.module.css';
import { useTotals } from './use-totals.ts';

export function RecordsTable(props: RecordsTableProps) {
  const { object, rows } = props;
  const parts = useGridParts(props);
  const { chosen, grid } = parts;
  return (
    <>
      <ChosenBar
        {...{ object, chosen }}
        question={props.asked}
        hasMore={rows.hasMore}
        onClose={grid.recover}
      />
      <section
        ref={parts.scroller}
        className={classes.scroller}
        data-empty={rows.isEmpty || undefined}
        aria-label={object.name ?? ''}
      >
        <GridTable {...props} parts={parts} />
      </section>
      <GridDialogs {...props} parts={parts} />
    </>
  );
}

interface GridPartProps extends RecordsTableProps {
  readonly parts: GridParts;
}

function GridTable(props: GridPartProps) {
  const { object, rows, asked: selecting, sort, parts } = props;
  const t = useT();
  const { table, model, grid, chosen, saves, clipboard, widths, heads, acts } = parts;
  const { columns } = model;
  const headActs = useHeadActs(props);
  return (
    <div className={classes.sheet} style={styleOf(columns, widths.widths)}>
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: one moves from cell to cell in it.
        role="grid"
        className={classes.table}
        data-rows={props.height}
        aria-rowcount={rows.hasMore || rows.isPending ? -1 : rows.count + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-busy={rows.isPending}
        aria-label={t('records.table', { name: object.name ?? '' })}
        aria-description={t('grid.leave')}
        onKeyDown={(event) => onGridKey(event, acts.keyed)}
        onCopy={clipboard.onCopy}
        onPaste={clipboard.onPaste}
        {...acts.pointer}
      >
        <GridHead
          {...{ object, columns, sort }}
          {...heads}
          onDraw={widths.draw}
          onSort={headActs.onSort}
          active={grid.place.row === HEADINGS ? grid.place.column : -1}
          chosen={chosen.ofLoaded}
          onChooseAll={headActs.onChooseAll}
        />
        <InGrid value={true}>
          <GridBody
            {...{ rows, grid, chosen, saves, model }}
            virtualizer={parts.virtualizer}
            rowActs={acts.rowActs}
          />
        </InGrid>
        <NewRow {...{ object, columns }} where={selecting.where} />
      </table>
      <Foot {...props} />
    </div>
  );
}

function useHeadActs({ sort, onSorting, parts: { chosen } }: GridPartProps) {
  return useSteadyActs({
    onSort: (key: string, isAdded: boolean) => onSorting(nextSort(sort, key, isAdded)),
    onChooseAll() {
      if (chosen.ofLoaded === 'all') chosen.clear();
      else chosen.chooseAll();
    },
  });
}

/** A group has one where there is a total to say. */
function Foot({ object, rows, asked, isPart, totals, onTotals, parts }: GridPartProps) {
  const kinds = useMemo(() => new Map(totals.map(({ key, kind }) => [key, kind])), [totals]);
  const shown = parts.model.columns;
  // A total of a hidden column would not be visible.
  const wanted = useMemo(
    () => totals.filter(({ key }) => shown.some(({ id }) => id === key)),
    [totals, shown],
  );
  const isShown = !isPart || wanted.length > 0 || parts.totalMenu !== undefined;
  if (!isShown || rows.isEmpty) return null;
  return (
    <FootOf
      {...{ object, rows, asked, kinds, parts }}
      totals={wanted}
      onTotal={(key, kind) => onTotals(withTotal(totals, key, kind))}
    />
  );
}

interface FootOfProps
  extends Pick<GridPartProps, 'object' | 'rows' | 'asked' | 'totals' | 'parts'> {
  readonly kinds: ReadonlyMap<string, TotalKind>;
  readonly onTotal: (key: string, kind: TotalKind | undefined) => void;
}

function FootOf({ object, rows, asked, totals, kinds, parts, onTotal }: FootOfProps) {
  const footer = useTotals(object.object_type, asked, { totals, rows });
  const acts = useSteadyActs({ onTotal, onMenu: parts.onTotalMenu });
  return (
    <GridFoot
      {...{ footer, kinds }}
      {...acts}
      columns={parts.model.columns}
      menu={parts.totalMenu}
    />
  );
}

function GridDialogs({ object, rows, asked, sort, parts }: GridPartProps) {
  const { model, grid, clipboard } = parts;
  const { paste } = clipboard;
  if (paste === undefined) return null;
  return (
    <PasteHost
      key={paste.id}
      {...{ object, rows, paste }}
      columns={model.columns}
      where={asked.where}
      isNewestFirst={sort.length === 0}
      onClose={() => {
        clipboard.close(paste.id);
        grid.recover();
      }}
    />
  );
}

/** The grid columns as a style, which all rows share. */
function styleOf(columns: readonly GridColumn[], widths: Widths): CSSProperties {
  const { template, minimum } = templateOf(columns, widths);
  return { '--columns': template, minWidth: minimum } as CSSProperties;
}
