// The deletion of a record: its consequences are counted before the question. Where much is lost for good, the person
// types the name.

import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import type { ObjectDefinition, RecordData } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { keepsDeleted, outlookOf } from '../../lib/trash.ts';
import { Problem } from '../../ui/problem.tsx';
import classes from './delete-dialog.module.css';
import { useConsequences } from './use-consequences.ts';
import { useDelete } from './use-delete.ts';

interface DeleteDialogProps {
  readonly object: ObjectDefinition;
  readonly record: RecordData;
  readonly onClose: () => void;
}

/** Records, links and comments. */
const MUCH = 20;

export default function DeleteDialog({ object, record, onClose }: DeleteDialogProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const { consequences, isPending, error } = useConsequences(object, record);
  const { remove, isDeleting, problem } = useDelete(object, record);
  const name = recordName(record);
  const isPrevented = consequences.some(({ isObstacle }) => isObstacle);
  const lost = consequences.reduce((sum, { count }) => sum + count, 0);
  const isMuch = lost >= MUCH && !keepsDeleted(object);
  const isTyped = !isMuch || typed.trim() === name.trim();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('delete.title', { name })}
      closeButtonProps={{ 'aria-label': t('create.close') }}
    >
      <Text mb="md">{isPrevented ? t('delete.prevented') : outlookOf(object, 1, t)}</Text>
      {isPending && <Text mb="md">{t('delete.counting')}</Text>}
      {error !== null && <Text mb="md">{t('delete.uncounted')}</Text>}
      {consequences.length > 0 && (
        <ul className={classes.list}>
          {consequences.map(({ key, text }) => (
            <li key={key}>{text}</li>
          ))}
        </ul>
      )}
      {!isPrevented && isMuch && (
        <TextInput
          label={t('delete.type', { name })}
          value={typed}
          autoComplete="off"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          mb="md"
        />
      )}
      {problem !== undefined && <Problem error={problem} />}
      <Group wrap="nowrap" justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t(isPrevented ? 'create.close' : 'record.cancel')}
        </Button>
        {!isPrevented && (
          <Button
            color="red"
            loading={isDeleting}
            disabled={isPending || !isTyped}
            onClick={remove}
          >
            {t('delete.submit')}
          </Button>
        )}
      </Group>
    </Modal>
  );
}
