// The whole value of a cell that cannot be edited: Enter opens it above the rows, and Enter or Escape closes it.

import type { Field, RecordData } from '@workspace-records/client';
import { useEffect, useRef } from 'react';
import { InGrid } from '../../fields/field-place.ts';
import { kindOf } from '../../fields/kinds.ts';
import { fieldValue } from '../../lib/field-value.ts';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import classes from './records-table.module.css';
import type { RowActs } from './row-acts.ts';

interface CellReadingProps {
  readonly record: RecordData;
  readonly field: Field;
  readonly acts: RowActs;
}

export function CellReading({ record, field, acts }: CellReadingProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const t = useT();
  const value = fieldValue(record, field);
  const { Show } = kindOf(field);
  return (
    <div
      ref={box}
      role="dialog"
      aria-label={`${field.name ?? field.key}, ${recordName(record)}`}
      tabIndex={-1}
      data-editor
      className={classes.reading}
      onBlur={acts.close}
      onKeyDown={(event) => {
        if (!['Enter', 'Escape', 'Tab'].includes(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        acts.close();
      }}
    >
      <InGrid value={false}>{value === null ? null : <Show value={value} field={field} />}</InGrid>
      <p className={classes.readingNote}>{t('grid.readOnly')}</p>
    </div>
  );
}
