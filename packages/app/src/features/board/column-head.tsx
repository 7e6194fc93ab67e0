// The head of a column: its name, how many records are in it, what they add up to. Counts come when they come.

import type { RecordData } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import type { RecordRows } from '../../lib/record-lists.ts';
import classes from './board.module.css';
import { useBoard } from './board-context.ts';
import type { BoardColumn } from './columns.ts';
import type { Figures } from './figures.ts';

interface ColumnHeadProps {
  readonly id: string;
  readonly column: BoardColumn;
  readonly figures: Figures | undefined;
  readonly rows: RecordRows;
  readonly records: readonly RecordData[];
}

export function ColumnHead({ id, column, figures, rows, records }: ColumnHeadProps) {
  const t = useT();
  const { number } = useFormats();
  const { sum } = useBoard();
  // Where all of them are loaded they need not be counted by anybody else.
  const isWhole = !rows.isPending && !rows.hasMore && rows.first === 0;
  const count = isWhole ? records.length : figures?.count;
  const total = sum === undefined ? undefined : figures?.sum;
  const money = sum?.constraints?.currency;
  const options: Intl.NumberFormatOptions =
    typeof money === 'string'
      ? { style: 'currency', currency: money, maximumFractionDigits: 0 }
      : { maximumFractionDigits: 2 };
  return (
    <header className={classes.head}>
      <h2 id={id} className={classes.name}>
        {column.name}
      </h2>
      {count !== undefined && (
        <span className={classes.count}>
          <span aria-hidden="true">{number(count)}</span>
          <span className={classes.hidden}>{t('board.records', { count })}</span>
        </span>
      )}
      {total !== undefined && (
        <span className={classes.sum} title={t('board.sumOf', { name: sum?.name ?? '' })}>
          {number(total, options)}
        </span>
      )}
    </header>
  );
}
