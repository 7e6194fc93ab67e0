// A row of a list: the name of the record, which leads to it, and its values.

import { Link } from '@tanstack/react-router';
import type { Field, RecordData } from '@workspace-records/client';
import { memo, type ReactNode } from 'react';
import { showOf } from '../../fields/shows.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import classes from './records-table.module.css';

export interface RowPlace {
  readonly index: number;
  /** Pixels from the top. */
  readonly start: number;
}

interface RecordRowProps {
  readonly record: RecordData;
  readonly place: RowPlace;
  /** Of all cells but the first, which is the name. */
  readonly columns: readonly Field[];
  /** Of each cell. */
  readonly children: readonly ReactNode[];
  /** Told the id of a record before it is opened. */
  readonly onOpen: (id: string) => void;
}

/** What is in its cells follows from the record and the columns. */
export const RecordRow = memo(RecordRowOf, (one, other) => {
  const isSame = one.record === other.record && one.columns === other.columns;
  return isSame && one.place.index === other.place.index;
});

function RecordRowOf({ record, place, columns, children, onOpen }: RecordRowProps) {
  return (
    <tr
      role="row"
      aria-rowindex={place.index + 2}
      data-index={place.index}
      className={`${classes.row} ${classes.record}`}
      style={{ transform: `translateY(${place.start}px)` }}
      onClickCapture={() => onOpen(record.id)}
    >
      {children.map((content, index) => {
        const field = columns[index - 1];
        const align = field === undefined ? undefined : showOf(field).align;
        return (
          <td key={field?.key ?? ''} role="cell" className={classes.cell} data-align={align}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

export function NameCell({ row }: { readonly row: { readonly original: RecordData } }) {
  const t = useT();
  const { workspace } = useSession();
  const { object_type, id, display } = row.original;
  return (
    <Link
      to="/$workspace/o/$type/$id"
      params={{ workspace, type: object_type, id }}
      className={classes.name}
      data-record={id}
      preload={false}
    >
      {display ?? t('records.unnamed')}
    </Link>
  );
}

interface SkeletonRowProps {
  readonly place: RowPlace;
  readonly columns: readonly Field[];
}

/** In the place of a row that comes, of the same height. */
export function SkeletonRow({ place: { index, start }, columns }: SkeletonRowProps) {
  return (
    <tr
      role="row"
      aria-rowindex={index + 2}
      className={`${classes.row} ${classes.record}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      <td role="cell" className={classes.cell}>
        <span className={classes.bone} style={{ width: `${40 + ((index * 17) % 40)}%` }} />
      </td>
      {columns.map(({ key }) => (
        <td key={key} role="cell" className={classes.cell}>
          <span className={classes.bone} />
        </td>
      ))}
    </tr>
  );
}
