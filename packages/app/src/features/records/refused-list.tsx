// The refused writes of many, one line for each.

import { Alert } from '@mantine/core';
import type { Field, RecordData } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import type { BatchOutcome } from '../../lib/record-batches.ts';
import { recordName } from '../../lib/record-name.ts';
import classes from './bulk-dialog.module.css';
import { refusalText } from './refusals.ts';

interface RefusedListProps {
  readonly outcome: BatchOutcome;
  readonly fields: readonly Field[];
  readonly nameAt: (index: number) => RecordData | undefined;
}

export function RefusedList({ outcome: { written, refused }, fields, nameAt }: RefusedListProps) {
  const t = useT();
  if (refused.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert" mt="lg">
      {t('grid.notDone', { count: refused.length, done: written.length })}
      <ul className={classes.list}>
        {refused.map((one) => {
          const record = nameAt(one.index);
          return (
            <li key={one.index}>
              {record === undefined ? '' : `${recordName(record)}: `}
              {refusalText(one, fields)}
            </li>
          );
        })}
      </ul>
    </Alert>
  );
}
