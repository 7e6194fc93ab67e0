// The column that fills a narrow screen: people swipe from column to column, or choose one.

import { useRef, useState } from 'react';
import type { BoardColumn } from './columns.ts';

export function useShownColumn(columns: readonly BoardColumn[]) {
  const board = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<string>();
  const visibleColumn = columns.find(({ id }) => id === seen) ?? columns[0];
  const placeOf = (id: string) =>
    board.current?.children[columns.findIndex((one) => one.id === id)];
  return {
    board,
    shown: visibleColumn,
    show(id: string) {
      setSeen(id);
      placeOf(id)?.scrollIntoView({ block: 'nearest', inline: 'center' });
    },
    /** The one in the middle. */
    onScroll() {
      const { current } = board;
      if (current === null) return;
      const { left, width } = current.getBoundingClientRect();
      const middle = left + width / 2;
      const at = [...current.children].findIndex(
        (child) => child.getBoundingClientRect().right > middle,
      );
      const column = columns[at];
      if (column !== undefined && column !== visibleColumn) setSeen(column.id);
    },
  };
}
