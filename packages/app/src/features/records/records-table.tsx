// The table of a list: only the rows in view are in the document, at fixed heights, and it is a table to who cannot
// see it. The arrow keys move from record to record.

import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { Field, ObjectDefinition, RecordData } from '@workspace-records/client';
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { showOf } from '../../fields/shows.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import type { RecordRows } from '../../lib/record-lists.ts';
import type { Sorting } from '../../lib/view-state.ts';
import { HeadCell } from './head-cell.tsx';
import { NameCell, RecordRow, SkeletonRow } from './record-row.tsx';
import classes from './records-table.module.css';
import { useReturn } from './use-return.ts';

interface RecordsTableProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly Field[];
  readonly rows: RecordRows;
  readonly sort: readonly Sorting[];
  readonly onSort: (key: string, isAdded: boolean) => void;
}

/** Pixels; as in records-table.module.css, which has the width of the first column too. */
const ROW = 36;
const NAME_WIDTH = 'var(--name-width)';
/** Rows in place of those that come. */
const AWAITED = 3;
const FIRST_AWAITED = 20;

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, RecordData>();
/** No field has such a key. */
const NAME = 'display';

export function RecordsTable({ object, columns, rows, sort, onSort }: RecordsTableProps) {
  const t = useT();
  const scroller = useRef<HTMLDivElement>(null);
  const awaited = rows.isPending ? FIRST_AWAITED : rows.hasMore ? AWAITED : 0;
  const { initialOffset, keep } = useReturn(scroller, rows.isPending);
  const virtualizer = useVirtualizer({
    count: rows.count + awaited,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 10,
    initialOffset,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const { index: top = 0 } = items[0] ?? {};
  const { index: bottom = 0 } = items.at(-1) ?? {};
  useEffect(() => rows.show(top, bottom));
  const table = useModel(object, columns, rows.records);
  const { rows: loaded } = table.getRowModel();
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keys too.
      tabIndex={0}
      aria-label={object.name ?? ''}
    >
      <table
        role="table"
        className={classes.table}
        style={styleOf(columns)}
        aria-rowcount={rows.hasMore || rows.isPending ? -1 : rows.count + 1}
        aria-busy={rows.isPending}
        aria-label={t('records.table', { name: object.name ?? '' })}
        onKeyDown={(event) => moveFocus(event, (index) => virtualizer.scrollToIndex(index))}
      >
        <Head {...{ object, sort, onSort }} ids={table.getFlatHeaders().map(({ id }) => id)} />
        <tbody
          role="rowgroup"
          className={classes.body}
          style={{ height: virtualizer.getTotalSize() }}
        >
          {items.map(({ index, start }) => {
            const row = loaded[index - rows.first];
            const place = { index, start };
            if (row === undefined)
              return <SkeletonRow key={index} place={place} columns={columns} />;
            return (
              <RecordRow key={row.id} record={row.original} {...{ place, columns }} onOpen={keep}>
                {row.getAllCells().map((cell) => (
                  <table.FlexRender key={cell.id} cell={cell} />
                ))}
              </RecordRow>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface HeadProps extends Pick<RecordsTableProps, 'object' | 'sort' | 'onSort'> {
  /** Of the columns. */
  readonly ids: readonly string[];
}

function Head({ object, ids, sort, onSort }: HeadProps) {
  const t = useT();
  const fieldOf = (id: string) =>
    object.fields.find(({ key }) => key === (id === NAME ? object.display_field : id));
  return (
    <thead role="rowgroup" className={classes.head}>
      <tr role="row" aria-rowindex={1} className={classes.row}>
        {ids.map((id) => (
          <HeadCell
            key={id}
            field={fieldOf(id)}
            name={id === NAME ? (object.singular_name ?? t('records.name')) : undefined}
            {...{ sort, onSort }}
          />
        ))}
      </tr>
    </thead>
  );
}

/** The same columns for every row, the first of them as wide as there is room. */
function styleOf(columns: readonly Field[]): CSSProperties {
  const widths = columns.map((field) => showOf(field).width);
  const template = [`minmax(${NAME_WIDTH}, 1fr)`, ...widths.map((width) => `${width}px`)];
  const width = widths.reduce((sum, one) => sum + one, 0);
  const style = { '--columns': template.join(' '), minWidth: `calc(${NAME_WIDTH} + ${width}px)` };
  return style as CSSProperties;
}

/** The model of rows and columns: that of the library, with nothing that the service does: it sorts and filters. */
function useModel(object: ObjectDefinition, fields: readonly Field[], records: RecordData[]) {
  const columns = useMemo(
    () => [
      helper.display({ id: NAME, header: object.singular_name ?? '', cell: NameCell }),
      ...fields.map((field) =>
        helper.display({
          id: field.key,
          header: field.name ?? field.key,
          cell: ({ row }) => <Value field={field} value={fieldValue(row.original, field)} />,
        }),
      ),
    ],
    [object, fields],
  );
  return useTable({ features, columns, data: records, getRowId: ({ id }) => id });
}

function Value({ field, value }: { readonly field: Field; readonly value: unknown }) {
  const { Show } = showOf(field);
  return value === null ? null : <Show value={value} field={field} />;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
};

/** From the name of a record to that of another one. */
function moveFocus(
  event: KeyboardEvent<HTMLTableElement>,
  scrollTo: (index: number) => void,
): void {
  const step = STEPS[event.key];
  const from = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
  if (step === undefined || from === null || event.altKey || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  const table = event.currentTarget;
  const index = Math.max(0, Number(from.dataset.index) + step);
  const focus = () => table.querySelector<HTMLElement>(`[data-index="${index}"] a`)?.focus();
  scrollTo(index);
  requestAnimationFrame(() => requestAnimationFrame(focus));
}
