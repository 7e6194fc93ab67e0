// One delivery: its ids, its attempts, the answer of the receiver, and the way to send it again.

import '../../lib/delivery-texts.ts';
import { Button, Text } from '@mantine/core';
import type { Webhook, WebhookDelivery } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { problemText } from '../../ui/problem.tsx';
import { showToast } from '../../ui/toast.ts';
import { useReplay } from './api.ts';
import classes from './deliveries.module.css';
import { durationText, failureText } from './webhook-words.ts';

interface DeliveryDetailsProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
}

export function DeliveryDetails({ webhook, delivery }: DeliveryDetailsProps) {
  const t = useT();
  const { instant, number } = useFormats();
  const { event_id, request_id, attempts, attempted_at, next_attempt_at } = delivery;
  const { status, error, duration_ms } = delivery;
  return (
    <div className={classes.details}>
      <dl className={classes.facts}>
        <Fact name={t('deliveries.eventId')}>
          <code>{event_id}</code>
        </Fact>
        {request_id !== null && (
          <Fact name={t('deliveries.requestId')}>
            <code>{request_id}</code>
          </Fact>
        )}
        <Fact name={t('deliveries.attempts')}>{number(attempts)}</Fact>
        {attempted_at !== null && (
          <Fact name={t('deliveries.lastAttempt')}>{instant(attempted_at)}</Fact>
        )}
        {next_attempt_at !== null && (
          <Fact name={t('deliveries.nextAttempt')}>{instant(next_attempt_at)}</Fact>
        )}
        {(status !== null || error !== null) && (
          <Fact name={t('deliveries.answer')}>
            {status ?? failureText(error ?? '', t)}
            {duration_ms !== null && ` · ${durationText(duration_ms, number)}`}
          </Fact>
        )}
      </dl>
      {delivery.state === 'dropped' && <Text c="dimmed">{t('deliveries.droppedText')}</Text>}
      {status !== null && <Body answer={delivery.answer ?? ''} />}
      <ReplayButton webhook={webhook} delivery={delivery} />
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Body({ answer }: { readonly answer: string }) {
  const t = useT();
  if (answer === '') return <Text c="dimmed">{t('deliveries.noBody')}</Text>;
  return (
    <figure className={classes.body}>
      <figcaption>{t('deliveries.body')}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys. */}
      <pre tabIndex={0}>{answer}</pre>
    </figure>
  );
}

/** The button that sends a waiting or ended delivery at once. */
function ReplayButton({ webhook, delivery }: DeliveryDetailsProps) {
  const t = useT();
  const { mutateAsync, isPending } = useReplay(webhook.id);
  // Not by callbacks of TanStack Query, which drops them with the component: the refreshed list may lack this delivery.
  const replay = () =>
    mutateAsync(delivery.id).then(
      () => showToast({ text: t('deliveries.replayed') }),
      (error) => showToast({ text: problemText(error, t), isProblem: true }),
    );
  return (
    <Button variant="default" loading={isPending} onClick={replay}>
      {t('deliveries.replay')}
    </Button>
  );
}
