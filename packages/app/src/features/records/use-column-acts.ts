// What the menus of the headings do, and which of them is open.

import { useMemo, useRef, useState } from 'react';
import type { Sorting } from '../../lib/view-state.ts';
import { moved } from './column-order.ts';
import type { GridColumn } from './grid-columns.ts';
import { HEADINGS } from './grid-place.ts';
import type { ColumnActs } from './head-menu.tsx';
import type { Grid } from './use-grid.ts';
import type { ColumnWidths } from './use-widths.ts';

interface ColumnParts {
  readonly columns: readonly GridColumn[];
  readonly grid: Grid;
  readonly widths: ColumnWidths;
  readonly onSorting: (sort: readonly Sorting[]) => void;
  readonly onFields: (keys: readonly string[]) => void;
}

export function useColumnActs(parts: ColumnParts) {
  const [menu, setMenu] = useState<number>();
  const known = useRef(parts);
  known.current = parts;
  return useMemo(() => {
    const now = () => known.current;
    return {
      menu,
      onMenu(at: number, isOpen: boolean) {
        setMenu(isOpen ? at : undefined);
        // From a menu one comes back to its heading.
        if (!isOpen) now().grid.resume();
      },
      acts: actsOf(now),
    };
  }, [menu]);
}

function actsOf(now: () => ColumnParts): ColumnActs {
  const keys = () =>
    now().columns.flatMap(({ kind, field }) =>
      kind === 'field' && field !== undefined ? [field.key] : [],
    );
  return {
    sort({ field }, isDescending) {
      if (field !== undefined) now().onSorting([{ key: field.key, isDescending }]);
    },
    move({ id }, places) {
      const { columns, grid, onFields } = now();
      const first = columns.findIndex(({ kind }) => kind === 'field');
      const next = moved(keys(), id, (at) => at + places);
      onFields(next);
      // The menu closes on the column that was moved.
      grid.move({ row: HEADINGS, column: first + next.indexOf(id) });
    },
    hide({ id }) {
      now().onFields(keys().filter((key) => key !== id));
    },
    widen: (column, steps) => now().widths.widen(column, steps),
    reset: (column) => now().widths.reset(column),
  };
}
