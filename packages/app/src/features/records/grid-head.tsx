// The headings of the grid, which are its row -1.

import type { ObjectDefinition } from '@workspace-records/client';
import { memo, type PointerEvent } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { Sorting } from '../../lib/view-state.ts';
import { AddColumn } from './add-column.tsx';
import type { GridColumn } from './grid-columns.ts';
import { HEADINGS } from './grid-place.ts';
import { ChooseAll, HeadCell } from './head-cell.tsx';
import type { ColumnActs } from './head-menu.tsx';
import classes from './records-table.module.css';

interface GridHeadProps {
  readonly object: ObjectDefinition;
  readonly columns: readonly GridColumn[];
  /** The column whose heading the Tab key leads to; -1: none. */
  readonly active: number;
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

/** Rendered again only when something of it has changed: scrolling and moving in the rows leave it alone. */
export const GridHead = memo(function GridHead(props: GridHeadProps) {
  const { object, columns, active, chosen, onChooseAll, menu, ...rest } = props;
  const t = useT();
  return (
    <thead role="rowgroup" className={classes.head}>
      <tr role="row" aria-rowindex={1} data-row={HEADINGS} className={classes.row}>
        {columns.map((column, at) =>
          column.kind === 'select' ? (
            <ChooseAll
              key={column.id}
              {...{ at }}
              isActive={active === at}
              state={chosen}
              onChange={onChooseAll}
            />
          ) : (
            <HeadCell
              key={column.id}
              {...{ column, at }}
              {...rest}
              isActive={active === at}
              isMenuOpen={menu === at}
              name={object.singular_name ?? t('records.name')}
            />
          ),
        )}
        <AddColumn {...{ object, columns }} onShow={rest.acts.show} />
      </tr>
    </thead>
  );
});
