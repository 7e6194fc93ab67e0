// The cards of a column: those in view and the one with the focus are in the document, at fixed heights.

import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import type { RecordData } from '@workspace-records/client';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { RecordRows } from '../../lib/record-lists.ts';
import { Failure } from '../../ui/failure.tsx';
import classes from './board.module.css';
import { BoardCard } from './board-card.tsx';
import { type FocusTarget, useBoard } from './board-context.ts';
import { cardHeight } from './card-fields.ts';
import type { BoardColumn } from './columns.ts';

interface ColumnCardsProps {
  readonly column: BoardColumn;
  readonly rows: RecordRows;
  readonly records: readonly RecordData[];
  readonly headId: string;
  /** The record that is being moved, here or in another column. */
  readonly heldId: string | undefined;
}

/** Pixels between cards; as in board.module.css. */
const GAP = 8;
/** Cards in place of those that come. */
const AWAITED = 1;
const FIRST_AWAITED = 5;

export function ColumnCards(props: ColumnCardsProps) {
  const { column, rows, records, headId, heldId } = props;
  const { first, isPending, hasMore } = rows;
  const scroller = useRef<HTMLDivElement>(null);
  const { items, totalSize, height, tabStop, setCurrent } = useCards(props, scroller);
  return (
    <div ref={scroller} className={classes.cards}>
      {rows.error !== null && <Failure error={rows.error} onRetry={rows.refresh} />}
      <ul
        // biome-ignore lint/a11y/noRedundantRoles: without marks some readers take it for no list.
        role="list"
        aria-labelledby={headId}
        aria-busy={isPending}
        className={classes.list}
        style={{ height: totalSize }}
      >
        {items.map(({ index, start }) => {
          const record = records[index - first];
          const style = { height, transform: `translateY(${start}px)` };
          if (record === undefined)
            return <li key={index} className={classes.bone} style={style} aria-hidden="true" />;
          return (
            <li
              key={record.id}
              className={classes.place}
              style={style}
              data-column={column.id}
              data-index={index - first}
              aria-setsize={hasMore ? -1 : first + records.length}
              aria-posinset={index + 1}
              onFocus={() => setCurrent(index)}
            >
              <BoardCard
                record={record}
                column={column}
                isTabStop={index === tabStop}
                isHeld={record.id === heldId}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The cards that are in the document, and the one that Tab reaches. */
function useCards(
  { column, rows, records, heldId }: ColumnCardsProps,
  scroller: RefObject<HTMLDivElement | null>,
) {
  const { cardFields } = useBoard();
  const [current, setCurrent] = useState(0);
  const { first, isPending, hasMore } = rows;
  const count = first + records.length;
  const heldIndex = records.findIndex(({ id }) => id === heldId);
  const height = cardHeight(cardFields);
  const virtualizer = useVirtualizer({
    count: count + (isPending ? FIRST_AWAITED : hasMore ? AWAITED : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => height + GAP,
    paddingStart: GAP,
    overscan: 4,
    rangeExtractor: useKept([current, heldIndex < 0 ? current : first + heldIndex]),
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const { index: top = 0 } = items[0] ?? {};
  const { index: bottom = 0 } = items.at(-1) ?? {};
  useEffect(() => rows.show(top, bottom));
  useHandle({ column, records, first, scroller }, (index) => virtualizer.scrollToIndex(index));
  const tabStop = Math.min(Math.max(current, first), count - 1);
  return { items, totalSize: virtualizer.getTotalSize(), height, tabStop, setCurrent };
}

/** A focused or dragged card must stay in the document at any scroll position. */
function useKept(kept: readonly number[]) {
  const key = kept.join(' ');
  return useCallback(
    (range: Range) => {
      const within = key
        .split(' ')
        .map(Number)
        .filter((index) => index >= 0 && index < range.count);
      const all = new Set([...within, ...defaultRangeExtractor(range)]);
      return [...all].sort((one, other) => one - other);
    },
    [key],
  );
}

interface HandleProps {
  readonly column: BoardColumn;
  readonly records: readonly RecordData[];
  /** The index in the list of the first loaded record. */
  readonly first: number;
  readonly scroller: RefObject<HTMLDivElement | null>;
}

/** Gives the board access to the cards: for the keys of another column, and after a move. */
function useHandle(props: HandleProps, scrollTo: (index: number) => void): void {
  const { column, records, first, scroller } = props;
  const { handles, wanted } = useBoard();
  const sought = useRef<number>(undefined);
  const giveFocus = () => {
    const card = `[data-index="${sought.current}"] [data-card]`;
    const found = scroller.current?.querySelector<HTMLElement>(card);
    if (!found) return;
    sought.current = undefined;
    found.focus();
  };
  const focus = (index: number) => {
    sought.current = index;
    scrollTo(first + index);
    giveFocus();
  };
  // Before the next one: a later removal would remove the handle of the same column drawn again.
  useLayoutEffect(() => () => void handles.delete(column.id), [handles, column.id]);
  useLayoutEffect(() => {
    handles.set(column.id, { records, focus });
    const index = indexOfWanted(wanted.current, column, records);
    if (index >= 0) {
      wanted.current = undefined;
      focus(index);
      // One that was too far away to be drawn may have come with this drawing.
    } else if (sought.current !== undefined) giveFocus();
  });
}

/** Not in the column that a card has yet to leave: columns are drawn one after the other, and also for other causes. */
function indexOfWanted(
  wanted: FocusTarget | undefined,
  column: BoardColumn,
  records: readonly RecordData[],
): number {
  const indexOf = (id: string | undefined) => records.findIndex((record) => record.id === id);
  if (wanted?.leaves === column.id && indexOf(wanted.moved) >= 0) return -1;
  return indexOf(wanted?.id);
}
