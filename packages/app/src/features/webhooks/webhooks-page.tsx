// Webhooks: one's own, or for administrators those of everybody.

import { Button, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '@workspace-records/client';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { useSession } from '../../lib/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ForDevelopers } from '../../ui/for-developers.tsx';
import framed from '../../ui/framed-rows.module.css';
import { SettingsFrame } from '../../ui/settings-frame.tsx';
import { webhooksQuery } from './api.ts';
import { StateBadge } from './state-badge.tsx';
import { useObjectNames } from './use-object-names.ts';
import {
  lastDeliveryText,
  reasonText,
  shownState,
  sinceOf,
  summaryOf,
  urlText,
} from './webhook-words.ts';
import classes from './webhooks.module.css';

export default function WebhooksPage() {
  const t = useT();
  return (
    <ForDevelopers title={t('webhooks.title')}>
      <Webhooks />
    </ForDevelopers>
  );
}

function Webhooks() {
  const t = useT();
  const session = useSession();
  const { data: webhooks } = useSuspenseQuery(webhooksQuery(session));
  const params = { workspace: session.workspace };
  const make = (
    <Button
      renderRoot={(props) => (
        <Link to="/$workspace/settings/webhooks/new" params={params} {...props} />
      )}
    >
      {t('webhooks.new')}
    </Button>
  );
  return (
    <SettingsFrame title={t('webhooks.title')} actions={webhooks.length > 0 && make}>
      {webhooks.length === 0 ? (
        <EmptyState title={t('webhooks.none')} text={t('webhooks.noneText')} action={make} />
      ) : (
        <>
          <Text c="dimmed" mb="lg">
            {t('webhooks.text')}
          </Text>
          <ul className={framed.rows}>
            {webhooks.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        </>
      )}
    </SettingsFrame>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const t = useT();
  const { workspace, me } = useSession();
  const formats = useFormats();
  const nameOf = useObjectNames();
  const { id, url, owner_user_id } = webhook;
  const reason = reasonText(webhook, t);
  const since = sinceOf(webhook);
  return (
    <li className={`${framed.covered} ${classes.webhook}`}>
      <Group wrap="nowrap" miw={0}>
        <Link
          to="/$workspace/settings/webhooks/$id"
          params={{ workspace, id }}
          className={framed.cover}
          title={url}
        >
          {urlText(url)}
        </Link>
        <StateBadge state={shownState(webhook)} />
      </Group>
      <div className={classes.small}>{summaryOf(webhook, nameOf, t)}</div>
      {reason !== undefined && (
        <div className={classes.reason}>
          {reason} {since !== null && t('webhooks.since', { moment: formats.moment(since) })}
        </div>
      )}
      <div className={classes.small}>
        {lastDeliveryText(webhook, formats, t)}
        {owner_user_id !== me.user.id && <Owner id={owner_user_id} />}
      </div>
    </li>
  );
}

function Owner({ id }: { readonly id: number }) {
  const t = useT();
  return ` · ${t('webhooks.ownedBy', { name: usePersonName(id) })}`;
}
