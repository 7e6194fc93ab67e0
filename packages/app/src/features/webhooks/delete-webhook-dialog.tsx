// The question before a webhook is deleted.

import { Button, Modal } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@workspace-records/client';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { useDeleteWebhook } from './api.ts';
import { urlText } from './webhook-words.ts';
import classes from './webhooks.module.css';

interface DeleteWebhookDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function DeleteWebhookDialog({ webhook, onClose }: DeleteWebhookDialogProps) {
  const t = useT();
  const navigate = useNavigate();
  const { workspace } = useSession();
  const { mutate, error, isPending } = useDeleteWebhook(webhook.id);
  const remove = () =>
    mutate(undefined, {
      onSuccess() {
        showToast({ text: t('webhooks.deleted') });
        void navigate({ to: '/$workspace/settings/webhooks', params: { workspace } });
      },
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('webhooks.deleteTitle')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <p className={classes.lead}>{t('webhooks.deleteText', { url: urlText(webhook.url) })}</p>
      {error !== null && <Problem error={error} />}
      <DialogButtons beginsWithCancel onClose={onClose}>
        <Button color="red" loading={isPending} onClick={remove}>
          {t('webhooks.deleteNow')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
