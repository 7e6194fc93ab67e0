// One webhook: its state, what it sends, and its deliveries. What is shown is read again every few seconds.

import { Button, Group, Text } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Webhook } from '@workspace-records/client';
import { isRecordsError } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForDevelopers } from '../../ui/for-developers.tsx';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { webhookQuery } from './api.ts';
import { Deliveries } from './deliveries.tsx';
import { StateBadge } from './state-badge.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import classes from './webhook-page.module.css';
import { lastDeliveryText, reasonText, shownState, sinceOf, urlText } from './webhook-words.ts';

export default function WebhookPage() {
  const t = useT();
  return (
    <ForDevelopers title={t('webhooks.title')}>
      <WebhookById />
    </ForDevelopers>
  );
}

function WebhookById() {
  const { id } = useParams({ from: '/$workspace/shell/settings/webhooks/$id' });
  const asked = webhookQuery(useSession(), id);
  // An answer that was there stays while it is read again, also when that says that the webhook is gone.
  const { error } = useQuery(asked);
  if (isRecordsError(error, 'record_not_found')) return <Gone />;
  return <OneWebhook key={id} id={id} />;
}

function OneWebhook({ id }: { readonly id: string }) {
  const { data: webhook } = useSuspenseQuery(webhookQuery(useSession(), id));
  return (
    <SettingsFrame
      title={urlText(webhook.url)}
      beside={<StateBadge state={shownState(webhook)} />}
      width="broad"
    >
      <Group justify="space-between" gap="0.5rem 1rem" mb={20}>
        <Condition webhook={webhook} />
        <WebhookActions webhook={webhook} />
      </Group>
      <WebhookFacts webhook={webhook} />
      <Deliveries webhook={webhook} />
    </SettingsFrame>
  );
}

/** Why it is in its state, and since when; of one that sends, how the last delivery went. */
function Condition({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  const formats = useFormats();
  const reason = reasonText(webhook, t);
  const since = sinceOf(webhook);
  return (
    <p className={classes.condition}>
      {reason ?? (
        <Text span c="dimmed">
          {lastDeliveryText(webhook, formats, t)}
        </Text>
      )}
      {since !== null && (
        <Text span c="dimmed">
          {' '}
          {t('webhooks.since', { moment: formats.moment(since) })}
        </Text>
      )}
    </p>
  );
}

function Gone() {
  const t = useT();
  const { workspace } = useSession();
  return (
    <SettingsFrame title={t('webhooks.gone')}>
      <EmptyState
        title={t('webhooks.goneText')}
        action={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link to="/$workspace/settings/webhooks" params={{ workspace }} {...props} />
            )}
          >
            {t('webhooks.toAll')}
          </Button>
        }
      />
    </SettingsFrame>
  );
}
