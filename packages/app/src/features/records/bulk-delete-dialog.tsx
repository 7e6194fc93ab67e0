// Deleting the chosen rows: a dialog confirms it, with their names. It can be undone where the service keeps deleted
// records.

import { Button, Modal, Progress, Text } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useQueryClient } from '@tanstack/react-query';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import type { BatchOutcome } from '../../lib/record-batches.ts';
import { recordName } from '../../lib/record-name.ts';
import { useSession } from '../../lib/session.ts';
import { deletionAct, keepsDeleted, outlookOf } from '../../lib/trash.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import classes from './bulk-dialog.module.css';
import type { BulkDialogProps } from './chosen-bar.tsx';
import { RefusedList } from './refused-list.tsx';
import { type Reversible, useWriteMany } from './write-many.ts';

/** The most names that are listed; people choose larger numbers by other means. */
const NAMED = 5;

interface BulkDeleteDialogProps extends BulkDialogProps {
  readonly onDeleted: (ids: readonly string[]) => void;
}

export default function BulkDeleteDialog({
  object,
  total,
  onClose,
  onDeleted,
  ...props
}: BulkDeleteDialogProps) {
  const t = useT();
  // The records at the start: deleted rows leave the list, and their names must still be shown.
  const [records] = useState(props.records);
  const { remove, done, outcome } = useRemoval(object, records, { onClose, onDeleted });
  const unnamedCount = records.length - NAMED;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('grid.deleteTitle', { count: records.length })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text c="dimmed" mb="md">
        {outlookOf(object, records.length, t)}
      </Text>
      <ul className={classes.list}>
        {records.slice(0, NAMED).map((record) => (
          <li key={record.id}>{recordName(record)}</li>
        ))}
        {unnamedCount > 0 && <li>{t('grid.others', { count: unnamedCount })}</li>}
      </ul>
      {records.length < total && (
        <Text c="dimmed" mb="md">
          {t('grid.someOnly', { count: total - records.length })}
        </Text>
      )}
      {done !== undefined && (
        <Progress aria-label={t('grid.progress')} mt="lg" value={(done / records.length) * 100} />
      )}
      {outcome !== undefined && (
        <RefusedList {...{ outcome }} fields={[]} nameAt={(index) => records[index]} />
      )}
      <DialogButtons beginsWithCancel onClose={onClose}>
        {outcome === undefined && (
          <Button color="red" loading={done !== undefined} onClick={() => void remove()}>
            {t('grid.deleteNow', { count: records.length })}
          </Button>
        )}
      </DialogButtons>
    </Modal>
  );
}

function useRemoval(
  object: ObjectDefinition,
  records: readonly RecordData[],
  { onClose, onDeleted }: Pick<BulkDeleteDialogProps, 'onClose' | 'onDeleted'>,
) {
  const t = useT();
  const { object_type: type } = object;
  const { workspace, client } = useSession();
  const queries = useQueryClient();
  const { run } = useWriteMany();
  const [done, setDone] = useState<number>();
  const [outcome, setOutcome] = useState<BatchOutcome>();
  const remove = async () => {
    setDone(0);
    const writes = records.map(deletionOf);
    const text = (count: number) => t('grid.deleted', { count });
    const actOf = (ids: readonly string[], done: string) =>
      deletionAct({ workspace, client, queries, type }, { ids, text: done });
    const undoing = keepsDeleted(object) ? { actOf } : {};
    const result = await run({ type, writes, text, onProgress: setDone, ...undoing });
    setDone(undefined);
    setOutcome(result);
    if (result.refused.length === 0) onClose();
    onDeleted(result.written.map(({ id }) => id));
  };
  return { remove, done, outcome };
}

function deletionOf({ object_type, id, version }: RecordData): Reversible {
  return {
    operation: {
      action: 'delete',
      object_type,
      id,
      ...(version === undefined ? {} : { expected_version: version }),
    },
    inverse: () => undefined,
  };
}
