// Deliveries as a table; each opens to what the receiver answered. On a narrow screen the details have the columns that are
// left out.

import '../../lib/delivery-texts.ts';
import { Link } from '@tanstack/react-router';
import type { Webhook, WebhookDelivery } from '@workspace-records/client';
import { Fragment, useId, useState } from 'react';
import { useFormats } from '../../lib/format.ts';
import { useT } from '../../lib/messages/index.ts';
import { useRecordName } from '../../lib/record-names.ts';
import { useSession } from '../../lib/session.ts';
import { Icon } from '../../ui/icon.tsx';
import classes from './deliveries.module.css';
import { DeliveryDetails } from './delivery-details.tsx';
import { DeliveryBadge } from './state-badge.tsx';
import { useObjectNames } from './use-object-names.ts';
import { durationText, eventText, failureText } from './webhook-words.ts';

interface DeliveriesTableProps {
  readonly webhook: Webhook;
  readonly deliveries: readonly WebhookDelivery[];
}

export function DeliveriesTable({ webhook, deliveries }: DeliveriesTableProps) {
  const t = useT();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  };
  return (
    <table className={classes.table} aria-label={t('deliveries.title')}>
      <thead>
        <tr>
          <th scope="col">{t('deliveries.time')}</th>
          <th scope="col">{t('deliveries.type')}</th>
          <th scope="col">{t('deliveries.state')}</th>
          <th scope="col" className={classes.number} data-wide>
            {t('deliveries.attempts')}
          </th>
          <th scope="col" data-wide>
            {t('deliveries.answer')}
          </th>
          <th scope="col" className={classes.number} data-wide>
            {t('deliveries.duration')}
          </th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row
            key={delivery.id}
            {...{ webhook, delivery }}
            isOpen={opened.has(delivery.id)}
            onToggle={() => toggle(delivery.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly webhook: Webhook;
  readonly delivery: WebhookDelivery;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function Row({ webhook, delivery, isOpen, onToggle }: RowProps) {
  const t = useT();
  const id = useId();
  const { instant, number } = useFormats();
  const { type, state, attempts, status, error, duration_ms, next_attempt_at } = delivery;
  const time = instant(delivery.created_at);
  const event = eventText(type, t);
  return (
    <Fragment>
      <tr data-open={isOpen || undefined}>
        <td>
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-label={t('deliveries.details', { type: event, time })}
            onClick={onToggle}
          >
            <Icon name={isOpen ? 'chevron' : 'right'} size={12} />
            <span>{time}</span>
          </button>
        </td>
        <td>
          <span className={classes.event}>{event}</span>
          <OfRecord delivery={delivery} />
        </td>
        <td>
          <DeliveryBadge state={state} />
          {next_attempt_at !== null && (
            <span className={classes.next}>
              {t('deliveries.next', { moment: instant(next_attempt_at) })}
            </span>
          )}
        </td>
        <td className={classes.number} data-wide>
          {number(attempts)}
        </td>
        <td data-wide>{status ?? (error === null ? '–' : failureText(error, t))}</td>
        <td className={classes.number} data-wide>
          {duration_ms === null ? '–' : durationText(duration_ms, number)}
        </td>
      </tr>
      {isOpen && (
        <tr id={id} className={classes.opened}>
          <td colSpan={6}>
            <DeliveryDetails webhook={webhook} delivery={delivery} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function OfRecord({ delivery: { object_type: type, record_id: id } }: Pick<RowProps, 'delivery'>) {
  if (type === null || id === null) return null;
  return <RecordOf type={type} id={id} />;
}

/** The name of a record as a link; a record that is deleted or not readable has no link. */
function RecordOf({ type, id }: { readonly type: string; readonly id: string }) {
  const t = useT();
  const { workspace } = useSession();
  const nameOf = useObjectNames();
  const { name, isPending } = useRecordName(type, id);
  if (isPending) return <span className={classes.record}>{nameOf(type)}</span>;
  if (name === undefined) {
    return (
      <span className={classes.record}>
        {t('deliveries.unknownRecord', { name: nameOf(type) })}
      </span>
    );
  }
  return (
    <Link to="/$workspace/o/$type/$id" params={{ workspace, type, id }} className={classes.record}>
      {name}
    </Link>
  );
}
