// A webhook that is changed. Only what differs is sent, unless somebody else has changed it meanwhile.

import { Alert } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Webhook } from '@workspace-records/client';
import { useState } from 'react';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { ForDevelopers } from '../../ui/for-developers.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { showToast } from '../../ui/toast.ts';
import { useChangeWebhook, webhookQuery } from './api.ts';
import { changesOf, draftOf, type WebhookDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';

export default function EditWebhookPage() {
  const t = useT();
  return (
    <ForDevelopers title={t('webhooks.editTitle')}>
      <EditWebhook />
    </ForDevelopers>
  );
}

function EditWebhook() {
  const { id } = useParams({ from: '/$workspace/shell/settings/webhooks/$id/edit' });
  const asked = { ...webhookQuery(useSession(), id), refetchInterval: false } as const;
  const { data } = useSuspenseQuery(asked);
  // The form keeps what it began with, also when the answer is read again.
  const [webhook] = useState(data);
  return <EditForm webhook={webhook} />;
}

function EditForm({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  const session = useSession();
  const navigate = useNavigate();
  const { data: access } = useSuspenseQuery(accessQuery(session));
  const { mutate, error, isPending } = useChangeWebhook(webhook);
  const [start] = useState(() => draftOf(webhook));
  const params = { workspace: session.workspace, id: webhook.id };
  const leave = () => void navigate({ to: '/$workspace/settings/webhooks/$id', params });
  const save = (draft: WebhookDraft) => {
    const changes = changesOf(start, draft);
    if (Object.keys(changes).length === 0) return leave();
    mutate(changes, {
      onSuccess() {
        showToast({ text: t('webhooks.saved') });
        leave();
      },
    });
  };
  const prefix = webhook.api_key?.prefix ?? '';
  return (
    <SettingsFrame title={t('webhooks.editTitle')}>
      {webhook.api_key !== null && (
        <Alert variant="light" color="yellow" icon={<Icon name="warning" />} mb="lg">
          {t('webhooks.keyLost', { prefix })}
        </Alert>
      )}
      <WebhookForm
        start={start}
        isAdministrator={access.administrator.allowed}
        storedHeaders={webhook.header_names}
        isSending={isPending}
        error={error}
        action={t('webhooks.save')}
        onSend={save}
        onCancel={leave}
      />
    </SettingsFrame>
  );
}
