// A new webhook, then its secret, once.

import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useT } from '../../lib/messages/index.ts';
import { accessQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { ForDevelopers } from '../../ui/for-developers.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { useCreateWebhook } from './api.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { bodyOf, newDraft } from './webhook-draft.ts';
import { WebhookForm } from './webhook-form.tsx';

export default function NewWebhookPage() {
  const t = useT();
  return (
    <ForDevelopers title={t('webhooks.new')}>
      <NewWebhook />
    </ForDevelopers>
  );
}

function NewWebhook() {
  const t = useT();
  const { workspace, me } = useSession();
  const navigate = useNavigate();
  const { mutate, data, error, isPending } = useCreateWebhook();
  const { data: access } = useSuspenseQuery(accessQuery(useSession()));
  const open = (id: string) =>
    navigate({
      to: '/$workspace/settings/webhooks/$id',
      params: { workspace, id },
      replace: true,
    });
  return (
    <SettingsFrame title={t('webhooks.new')}>
      <WebhookForm
        start={newDraft(me.user.id)}
        isAdministrator={access.administrator.allowed}
        storedHeaders={[]}
        isSending={isPending}
        error={error}
        action={t('webhooks.create')}
        onSend={(draft) => mutate(bodyOf(draft))}
        onCancel={() =>
          void navigate({ to: '/$workspace/settings/webhooks', params: { workspace } })
        }
      />
      {data !== undefined && (
        <SecretDialog
          title={t('webhooks.made')}
          secret={data.secret}
          onClose={() => void open(data.id)}
        />
      )}
    </SettingsFrame>
  );
}
