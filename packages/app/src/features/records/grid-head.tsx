// The headings of the grid, which are its row -1.

import type { ObjectDefinition } from '@workspace-records/client';
import type { PointerEvent } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { Sorting } from '../../lib/view-state.ts';
import type { GridColumn } from './grid-columns.ts';
import { type CellPosition, HEADINGS } from './grid-place.ts';
import { ChooseAll, HeadCell } from './head-cell.tsx';
import type { ColumnActs } from './head-menu.tsx';
import classes from './records-table.module.css';

interface GridHeadProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly GridColumn[];
  readonly place: CellPosition;
  readonly chosen: 'all' | 'some' | 'none';
  readonly onChooseAll: () => void;
  readonly sort: readonly Sorting[];
  readonly onSort: (key: string, isAdded: boolean) => void;
  /** Column whose menu is open. */
  readonly menu: number | undefined;
  readonly onMenu: (at: number, isOpen: boolean) => void;
  readonly onDraw: (column: GridColumn, event: PointerEvent<HTMLElement>) => void;
  readonly acts: ColumnActs;
}

export function GridHead(props: GridHeadProps) {
  const { object, columns, place, chosen, onChooseAll, menu, ...others } = props;
  const t = useT();
  const isActive = (at: number) => place.row === HEADINGS && place.column === at;
  return (
    <thead role="rowgroup" className={classes.head}>
      <tr role="row" aria-rowindex={1} data-row={HEADINGS} className={classes.row}>
        {columns.map((column, at) =>
          column.kind === 'select' ? (
            <ChooseAll
              key={column.id}
              {...{ at }}
              isActive={isActive(at)}
              state={chosen}
              onChange={onChooseAll}
            />
          ) : (
            <HeadCell
              key={column.id}
              {...{ column, at }}
              {...others}
              isActive={isActive(at)}
              isMenuOpen={menu === at}
              name={object.singular_name ?? t('records.name')}
            />
          ),
        )}
      </tr>
    </thead>
  );
}
