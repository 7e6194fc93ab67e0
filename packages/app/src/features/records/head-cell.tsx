// The heading of a column: a click sorts; with Shift, in addition to the columns that sort already. Its edge is
// dragged to make the column wider; its menu does all of that too.

import type { PointerEvent } from 'react';
import { kindOf } from '../../fields/kinds.ts';
import { isQueryable } from '../../lib/field-facts.ts';
import { useT } from '../../lib/messages/index.ts';
import type { Sorting } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import type { GridColumn } from './grid-columns.ts';
import { type ColumnActs, HeadMenu } from './head-menu.tsx';
import classes from './records-table.module.css';

export interface HeadCellProps {
  readonly column: GridColumn;
  readonly at: number;
  /** The name of the object, which is the heading of the name column. */
  readonly name: string;
  readonly isActive: boolean;
  readonly sort: readonly Sorting[];
  readonly onSort: (key: string, isAdded: boolean) => void;
  readonly isMenuOpen: boolean;
  readonly onMenu: (at: number, isOpen: boolean) => void;
  readonly onDraw: (column: GridColumn, event: PointerEvent<HTMLElement>) => void;
  readonly acts: ColumnActs;
}

export function HeadCell(props: HeadCellProps) {
  const { column, at, isActive, sort, onMenu, onDraw, acts } = props;
  const { kind, field } = column;
  const name = kind === 'name' ? props.name : (field?.name ?? field?.key ?? '');
  const show = field === undefined ? undefined : kindOf(field);
  const present = sort.find(({ key }) => key === field?.key);
  const canSort = field !== undefined && isQueryable(field) && show?.isSorted !== false;
  const direction =
    present === undefined ? 'none' : present.isDescending ? 'descending' : 'ascending';
  return (
    <th
      role="columnheader"
      scope="col"
      data-column={at}
      data-kind={kind}
      aria-colindex={at + 1}
      className={classes.headCell}
      data-align={kind === 'field' ? show?.align : undefined}
      {...(canSort ? { 'aria-sort': direction } : { tabIndex: isActive ? 0 : -1 })}
    >
      <Heading {...props} {...{ name, canSort, present }} />
      <HeadMenu
        {...{ column, name, canSort, acts }}
        isOpen={props.isMenuOpen}
        onOpen={(isOpen) => onMenu(at, isOpen)}
      />
      <span
        aria-hidden="true"
        className={classes.edge}
        onPointerDown={(event) => onDraw(column, event)}
        onDoubleClick={() => acts.reset(column)}
      />
    </th>
  );
}

interface HeadingProps extends HeadCellProps {
  readonly canSort: boolean;
  readonly present: Sorting | undefined;
}

function Heading({ column: { field }, name, canSort, isActive, present, onSort }: HeadingProps) {
  const t = useT();
  if (!canSort || field === undefined) return <span className={classes.headText}>{name}</span>;
  return (
    <button
      type="button"
      data-focus
      tabIndex={isActive ? 0 : -1}
      className={classes.sort}
      title={t('records.sort')}
      onClick={(event) => onSort(field.key, event.shiftKey)}
    >
      <span className={classes.headText}>{name}</span>
      {present !== undefined && <Icon name={present.isDescending ? 'down' : 'up'} size={12} />}
    </button>
  );
}

interface ChooseAllProps {
  readonly at: number;
  readonly isActive: boolean;
  readonly state: 'all' | 'some' | 'none';
  readonly onChange: () => void;
}

/** The box above the boxes: all rows that are loaded, or none. */
export function ChooseAll({ at, isActive, state, onChange }: ChooseAllProps) {
  const t = useT();
  return (
    <th
      role="columnheader"
      scope="col"
      data-column={at}
      data-kind="select"
      aria-colindex={at + 1}
      className={classes.headCell}
    >
      <input
        ref={(box) => {
          if (box !== null) box.indeterminate = state === 'some';
        }}
        type="checkbox"
        data-focus
        aria-label={t('grid.chooseAll')}
        checked={state === 'all'}
        tabIndex={isActive ? 0 : -1}
        onChange={onChange}
      />
    </th>
  );
}
