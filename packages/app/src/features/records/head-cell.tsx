// The heading of a column: pressed, it sorts; with Shift, beside the columns that sort already.

import type { Field } from '@workspace-records/client';
import { showOf } from '../../fields/shows.ts';
import { useT } from '../../lib/messages/index.ts';
import type { Sorting } from '../../lib/view-state.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './records-table.module.css';

interface HeadCellProps {
  /** Undefined: nothing to sort by. */
  readonly field: Field | undefined;
  readonly name: string | undefined;
  readonly sort: readonly Sorting[];
  readonly onSort: (key: string, isAdded: boolean) => void;
}

export function HeadCell({ field, name, sort, onSort }: HeadCellProps) {
  const t = useT();
  const text = name ?? field?.name ?? field?.key ?? '';
  const show = field === undefined ? undefined : showOf(field);
  const present = sort.find(({ key }) => key === field?.key);
  const canSort = field?.storage === 'physical' && show?.isSorted !== false;
  const direction =
    present === undefined ? 'none' : present.isDescending ? 'descending' : 'ascending';
  return (
    <th
      role="columnheader"
      scope="col"
      className={classes.headCell}
      data-align={name === undefined ? show?.align : undefined}
      {...(canSort ? { 'aria-sort': direction } : {})}
    >
      {canSort && field !== undefined ? (
        <button
          type="button"
          className={classes.sort}
          title={t('records.sort')}
          onClick={(event) => onSort(field.key, event.shiftKey)}
        >
          <span className={classes.headText}>{text}</span>
          {present !== undefined && <Icon name={present.isDescending ? 'down' : 'up'} size={12} />}
        </button>
      ) : (
        <span className={classes.headText}>{text}</span>
      )}
    </th>
  );
}
