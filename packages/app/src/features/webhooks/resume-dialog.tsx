// Where a webhook that has stopped continues: where it stopped, or with what changes from now on.

import { Button, Modal } from '@mantine/core';
import type { Webhook } from '@workspace-records/client';
import { type FormEvent, useId, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Problem } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { useChangeWebhook } from './api.ts';
import { isPositionKept } from './webhook-words.ts';
import classes from './webhooks.module.css';

interface ResumeDialogProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

type From = 'position' | 'now';

export function ResumeDialog({ webhook, onClose }: ResumeDialogProps) {
  const t = useT();
  const { moment } = useFormats();
  const isKept = isPositionKept(webhook, Date.now());
  const [resume, setResume] = useState<From>(isKept ? 'position' : 'now');
  const { mutateAsync, error, isPending } = useChangeWebhook({ id: webhook.id });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Also when the refreshed page no longer has this dialog.
    mutateAsync({ active: true, resume }).then(
      () => {
        showToast({ text: t('webhooks.resumed') });
        onClose();
      },
      () => undefined,
    );
  };
  const at = webhook.position_at ?? webhook.stopped_at;
  const since = t('webhooks.resumePositionText', { moment: at === null ? '' : moment(at) });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('webhooks.resumeTitle')}
      closeButtonProps={{ 'aria-label': t('again.close') }}
    >
      <form className={classes.form} onSubmit={submit}>
        <fieldset className={classes.choices}>
          <legend>{t('webhooks.resumeText')}</legend>
          <Option
            label={t('webhooks.resumePosition')}
            text={isKept ? since : t('webhooks.resumePositionLost')}
            isChosen={resume === 'position'}
            isDisabled={!isKept}
            onChoose={() => setResume('position')}
          />
          <Option
            label={t('webhooks.resumeNow')}
            text={t('webhooks.resumeNowText')}
            isChosen={resume === 'now'}
            isDisabled={false}
            onChoose={() => setResume('now')}
          />
        </fieldset>
        {error !== null && <Problem error={error} />}
        <DialogButtons onClose={onClose}>
          <Button type="submit" loading={isPending}>
            {t('webhooks.resume')}
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

interface OptionProps {
  readonly label: string;
  readonly text: string;
  readonly isChosen: boolean;
  readonly isDisabled: boolean;
  readonly onChoose: () => void;
}

function Option({ label, text, isChosen, isDisabled, onChoose }: OptionProps) {
  const id = useId();
  return (
    <label className={classes.option}>
      <input
        type="radio"
        name="resume"
        checked={isChosen}
        disabled={isDisabled}
        aria-describedby={id}
        data-autofocus={isChosen || undefined}
        onChange={onChoose}
      />
      <span>
        {label}
        <span id={id} className={classes.small}>
          {text}
        </span>
      </span>
    </label>
  );
}
