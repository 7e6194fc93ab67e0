// Another secret for a webhook: how long the one before stays valid, then the new one, once.

import { Button, Modal, TextInput } from '@mantine/core';
import { LIMITS, type Webhook } from '@workspace-records/client';
import type { FormEvent } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { useRotateSecret } from './api.ts';
import { SecretDialog } from './secret-dialog.tsx';
import classes from './webhooks.module.css';

/** Hours. */
const USUAL = 24;

interface RotateDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function RotateDialog({ webhook, onClose }: RotateDialogProps) {
  const t = useT();
  const { mutate, data, error, isPending } = useRotateSecret(webhook.id);
  if (data !== undefined) {
    return <SecretDialog title={t('webhooks.rotated')} secret={data.secret} onClose={onClose} />;
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(Number(new FormData(event.currentTarget).get('overlap')));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('webhooks.rotate')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <form className={classes.form} onSubmit={submit}>
        <p className={classes.lead}>{t('webhooks.rotateText')}</p>
        <TextInput
          name="overlap"
          type="number"
          min={0}
          max={LIMITS.secretOverlapHours}
          step={1}
          required
          withAsterisk={false}
          defaultValue={USUAL}
          label={t('webhooks.overlap')}
          description={t('webhooks.overlapText')}
          data-autofocus
        />
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending}>
            {t('webhooks.rotate')}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}
