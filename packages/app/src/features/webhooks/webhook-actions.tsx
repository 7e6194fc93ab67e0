// The actions on a webhook: test, pause or resume, edit, rotate the secret, delete.

import { ActionIcon, Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '@workspace-records/client';
import { useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { useChangeWebhook, useTestWebhook } from './api.ts';
import { DeleteWebhookDialog } from './delete-webhook-dialog.tsx';
import { ResumeDialog } from './resume-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import classes from './webhook-page.module.css';
import { testText } from './webhook-words.ts';

type OpenDialog = 'resume' | 'rotate' | 'delete';

export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  const { workspace } = useSession();
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const params = { workspace, id: webhook.id };
  return (
    <div className={classes.actions}>
      <TestButton webhook={webhook} />
      {webhook.stopped_at === null ? (
        <PauseButton webhook={webhook} />
      ) : (
        <Button onClick={() => setDialog('resume')}>{t('webhooks.resume')}</Button>
      )}
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/$workspace/settings/webhooks/$id/edit" params={params} {...props} />
        )}
      >
        {t('webhooks.edit')}
      </Button>
      <MoreMenu onOpen={setDialog} />
      {dialog === 'resume' && <ResumeDialog webhook={webhook} onClose={close} />}
      {dialog === 'rotate' && <RotateDialog webhook={webhook} onClose={close} />}
      {dialog === 'delete' && <DeleteWebhookDialog webhook={webhook} onClose={close} />}
    </div>
  );
}

function MoreMenu({ onOpen }: { readonly onOpen: (dialog: OpenDialog) => void }) {
  const t = useT();
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={t('webhooks.moreActions')}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="key" />} onClick={() => onOpen('rotate')}>
          {t('webhooks.rotate')}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Icon name="trash" />} onClick={() => onOpen('delete')}>
          {t('webhooks.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Waits for the answer of the receiver. */
function TestButton({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  const { number } = useFormats();
  const { mutate, isPending } = useTestWebhook(webhook.id);
  const test = () =>
    mutate(undefined, {
      onSuccess(delivery) {
        const isProblem = delivery.state !== 'delivered';
        showToast({ text: testText(delivery, number, t), isProblem });
      },
      onError: (error) => tellFailure(error, t),
    });
  return (
    <Button variant="default" loading={isPending} onClick={test}>
      {t('webhooks.test')}
    </Button>
  );
}

function PauseButton({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  // A pause is meant whatever else has changed.
  const { mutateAsync, isPending } = useChangeWebhook({ id: webhook.id });
  // Also when the button is gone by then, because the webhook is paused.
  const pause = () =>
    mutateAsync({ active: false }).then(
      () => showToast({ text: t('webhooks.paused') }),
      (error) => tellFailure(error, t),
    );
  return (
    <Button variant="default" loading={isPending} onClick={pause}>
      {t('webhooks.pause')}
    </Button>
  );
}

function tellFailure(error: unknown, t: Translate): void {
  showToast({ text: problemText(error, t), isProblem: true });
}
