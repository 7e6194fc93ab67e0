// The head of a column: its name, the number of its records, and their sum. Counts may arrive later.

import { ActionIcon } from '@mantine/core';
import type { Field, RecordData } from '@workspace-records/client';
import { kindOf } from '../../fields/kinds.ts';
import { isStatusField } from '../../fields/options.ts';
import { STATUS_KEY } from '../../lib/board-fields.ts';
import { canCreate } from '../../lib/creation-fields.ts';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import type { RecordRows } from '../../lib/record-lists.ts';
import { Hidden } from '../../ui/hidden.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Tag } from '../../ui/tag.tsx';
import classes from './board.module.css';
import { useBoard } from './board-context.ts';
import type { BoardColumn } from './columns.ts';
import type { Figures } from './figures.ts';
import { useNewCard } from './use-new-card.ts';

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
  const { sum, field } = useBoard();
  // Where all of them are loaded they need not be counted by anybody else.
  const isWhole = !rows.isPending && !rows.hasMore && rows.first === 0;
  const count = isWhole ? records.length : figures?.count;
  return (
    <header className={classes.head}>
      <h2 id={id} className={classes.name}>
        {column.tint === undefined ? (
          column.name
        ) : (
          <Tag tint={column.tint} isStatus={isStatusField(field)}>
            {column.name}
          </Tag>
        )}
      </h2>
      {count !== undefined && (
        <span className={classes.count}>
          <span aria-hidden="true">{number(count)}</span>
          <Hidden>{t('board.records', { count })}</Hidden>
        </span>
      )}
      {sum !== undefined && figures?.sum !== undefined && (
        <span className={classes.sum} title={t('board.sumOf', { name: sum.name ?? sum.key })}>
          <Total field={sum} value={figures.sum} />
        </span>
      )}
      <NewHere column={column} />
    </header>
  );
}

/** A sum, shown like a value of its field. */
function Total({ field, value }: { readonly field: Field; readonly value: number }) {
  const { Show } = kindOf(field);
  return <Show field={field} value={value} />;
}

/** A record that begins in the column; a status is given by the workflow alone. */
function NewHere({ column }: Pick<ColumnHeadProps, 'column'>) {
  const t = useT();
  const { name, value } = column;
  const open = useNewCard(column);
  const { object, field } = useBoard();
  const isGiven = field.key !== STATUS_KEY && field.editable && value !== null;
  if (!isGiven || !canCreate(object)) return null;
  return (
    <ActionIcon
      size={22}
      className={classes.new}
      aria-label={t('board.new', { name: object.singular_name ?? '', column: name })}
      onClick={open}
    >
      <Icon name="plus" size={14} />
    </ActionIcon>
  );
}
