// The actions of the menus of the headings, and the open menu.

import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
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
  readonly onTotalMenu: (key: string | undefined) => void;
}

export function useColumnActs(parts: ColumnParts) {
  const [menu, setMenu] = useState<number>();
  const known = useRef(parts);
  known.current = parts;
  const changed = useFocusAfter(parts);
  return useMemo(() => {
    const now = () => known.current;
    return {
      menu,
      onMenu(at: number, isOpen: boolean) {
        setMenu(isOpen ? at : undefined);
        // From a menu one comes back to its heading.
        if (!isOpen) now().grid.resume();
      },
      acts: actsOf(now, changed),
    };
  }, [menu, changed]);
}

/** Headings that change places in the document lose the focus: it goes to the column that was meant, once it is there. */
function useFocusAfter({ columns, grid }: ColumnParts): RefObject<string | undefined> {
  const changed = useRef<string | undefined>(undefined);
  const { move } = grid;
  useEffect(() => {
    const at = columns.findIndex(({ id }) => id === changed.current);
    changed.current = undefined;
    if (at >= 0) move({ row: HEADINGS, column: at });
  }, [columns, move]);
  return changed;
}

function actsOf(now: () => ColumnParts, changed: RefObject<string | undefined>): ColumnActs {
  const keys = () =>
    now().columns.flatMap(({ kind, field }) =>
      kind === 'field' && field !== undefined ? [field.key] : [],
    );
  return {
    sort({ field }, isDescending) {
      if (field !== undefined) now().onSorting([{ key: field.key, isDescending }]);
    },
    move({ id }, places) {
      changed.current = id;
      now().onFields(moved(keys(), id, (at) => at + places));
    },
    hide({ id }) {
      const { columns, onFields } = now();
      // The next column takes its place.
      changed.current = columns[columns.findIndex((column) => column.id === id) - 1]?.id;
      onFields(keys().filter((key) => key !== id));
    },
    show(key) {
      changed.current = key;
      now().onFields([...keys(), key]);
    },
    total({ id }) {
      // Once the menu of the heading has closed, which would take the focus back.
      setTimeout(() => now().onTotalMenu(id));
    },
    widen: (column, steps) => now().widths.widen(column, steps),
    reset: (column) => now().widths.reset(column),
  };
}
