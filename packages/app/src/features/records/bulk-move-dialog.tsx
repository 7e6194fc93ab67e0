// A move of many records that the workflow has no way back from: a dialog confirms it, with the number that cannot be
// moved back.

import { Button, Modal, Text } from '@mantine/core';
import { useT } from '../../lib/messages/index.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';

interface BulkMoveDialogProps {
  /** The name of the status. */
  readonly name: string;
  readonly count: number;
  /** The number that cannot be moved back. */
  readonly stuck: number;
  readonly onMove: () => void;
  readonly onClose: () => void;
}

export default function BulkMoveDialog({
  name,
  count,
  stuck,
  onMove,
  onClose,
}: BulkMoveDialogProps) {
  const t = useT();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('grid.moveTitle', { count, name })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text c="dimmed" mb="md">
        {stuck === count
          ? t('grid.moveForGood', { name })
          : t('grid.moveSomeForGood', { count: stuck, name })}
      </Text>
      <DialogButtons beginsWithCancel onClose={onClose}>
        <Button onClick={onMove}>{t('grid.moveNow', { count })}</Button>
      </DialogButtons>
    </Modal>
  );
}
