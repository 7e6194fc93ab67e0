// A move into a status that no move leads out of: the question before it.

import { Button, Modal, Text } from '@mantine/core';
import { useT } from '../lib/messages/index.ts';
import { DialogButtons } from '../ui/dialog-buttons.tsx';
import type { AskedMove } from './move-confirmation.ts';

interface MoveConfirmationDialogProps extends AskedMove {
  readonly onAnswer: (isConfirmed: boolean) => void;
}

export default function MoveConfirmationDialog(props: MoveConfirmationDialogProps) {
  const { name, status, onAnswer } = props;
  const t = useT();
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={t('move.confirm', { name, status })}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <Text mb="lg">{t('move.final', { status })}</Text>
      <DialogButtons onClose={() => onAnswer(false)}>
        <Button data-autofocus onClick={() => onAnswer(true)}>
          {t('grid.moveNow', { count: 1 })}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
