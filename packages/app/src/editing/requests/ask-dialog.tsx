// Asks for a move that needs approval, with a comment for the approvers if there is one.

import { Button, Modal, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { recordName } from '../../lib/record-name.ts';
import { MOST_SAID, useAskApproval } from '../../lib/status-requests.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import type { AskedMove } from './asked-move.ts';

interface AskDialogProps extends AskedMove {
  readonly onClose: () => void;
}

export default function AskDialog({ record, to, status, onClose }: AskDialogProps) {
  const t = useT();
  const [comment, setComment] = useState('');
  const asking = useAskApproval();
  const name = recordName(record);
  // Also when the refreshed record no longer has the move, and so this dialog.
  const ask = () =>
    asking.mutateAsync({ record, to, comment }).then(
      () => {
        showToast({ text: t('approval.sent', { name, status }) });
        onClose();
      },
      () => undefined,
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('approval.ask')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <Text mb="lg">{t('approval.askText', { name, status })}</Text>
        <Textarea
          data-autofocus
          label={t('approval.comment')}
          description={t('approval.optional')}
          maxLength={MOST_SAID}
          rows={2}
          mb="md"
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
        {asking.error !== null && <Problem error={asking.error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={asking.isPending}>
            {t('approval.send')}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}
