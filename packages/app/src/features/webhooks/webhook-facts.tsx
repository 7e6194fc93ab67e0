// The settings of a webhook: the changes it sends, its owner, its secret.

import { useQuery } from '@tanstack/react-query';
import type { Webhook } from '@workspace-records/client';
import type { ReactNode } from 'react';
import { FilterText } from '../../editing/filters/filter-text.tsx';
import { useFormats } from '../../lib/format.ts';
import { type Translate, useT } from '../../lib/messages/index.ts';
import { usePersonName } from '../../lib/person-names.ts';
import { objectQuery } from '../../lib/schema-queries.ts';
import { useSession } from '../../lib/session.ts';
import { useObjectNames } from './use-object-names.ts';
import { useChosenObjects, useOfferedFields, useOfferedStatuses } from './use-offered.ts';
import { draftOf } from './webhook-draft.ts';
import classes from './webhook-page.module.css';
import { SOURCES, summaryOf } from './webhook-words.ts';

interface OfWebhook {
  readonly webhook: Webhook;
}

export function WebhookFacts({ webhook }: OfWebhook) {
  const t = useT();
  const { moment } = useFormats();
  const nameOf = useObjectNames();
  const { header_names, api_key, position_at, created_at } = webhook;
  const isThin = webhook.payload === 'thin';
  return (
    <dl className={classes.facts}>
      <Fact name={t('webhooks.sends')}>{summaryOf(webhook, nameOf, t)}</Fact>
      <Narrowing webhook={webhook} />
      <Exclusions webhook={webhook} />
      <Fact name={t('webhooks.payload')}>
        {t(isThin ? 'webhooks.payloadThin' : 'webhooks.payloadRecord')}
      </Fact>
      {header_names.length > 0 && (
        <Fact name={t('webhooks.headers')}>{header_names.join(', ')}</Fact>
      )}
      <Fact name={t('webhooks.owner')}>
        <Person id={webhook.owner_user_id} />
      </Fact>
      {api_key !== null && (
        <Fact name={t('webhooks.key')}>
          {t('webhooks.keyText', { prefix: api_key.prefix ?? '' })}
        </Fact>
      )}
      <Fact name={t('webhooks.secret')}>{secretText(webhook, moment, t)}</Fact>
      {position_at !== null && <Fact name={t('webhooks.position')}>{moment(position_at)}</Fact>}
      <Fact name={t('webhooks.createdAt')}>{moment(created_at)}</Fact>
    </dl>
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

function Person({ id }: { readonly id: number }) {
  return usePersonName(id);
}

function secretText(
  { secret_state, previous_secret_until: until }: Webhook,
  moment: (value: string) => string,
  t: Translate,
): string {
  if (secret_state === 'missing') return t('webhooks.secretMissing');
  if (secret_state === 'set' || until === null) return t('webhooks.secretSet');
  return t('webhooks.secretOverlap', { moment: moment(until) });
}

/** The conditions that narrow the changes: by fields, by the record, by its new status. */
function Narrowing({ webhook }: OfWebhook) {
  const t = useT();
  const { object_types, changed_fields, status_to, where } = webhook;
  const isByKey = changed_fields.length > 0 || status_to.length > 0;
  const objects = useChosenObjects(isByKey ? object_types : []);
  const fields = useOfferedFields(objects, changed_fields);
  const statuses = useOfferedStatuses(objects, status_to);
  const namesOf = (offered: typeof fields, keys: readonly string[]) =>
    offered.flatMap(({ value, label }) => (keys.includes(String(value)) ? [label] : []));
  return (
    <>
      {where !== null && <Where webhook={webhook} />}
      {changed_fields.length > 0 && (
        <Fact name={t('webhooks.changedFields')}>{namesOf(fields, changed_fields).join(', ')}</Fact>
      )}
      {status_to.length > 0 && (
        <Fact name={t('webhooks.statuses')}>{namesOf(statuses, status_to).join(', ')}</Fact>
      )}
    </>
  );
}

function Where({ webhook }: OfWebhook) {
  const t = useT();
  const session = useSession();
  const [type = ''] = webhook.object_types;
  const { data: object } = useQuery({ ...objectQuery(session, type), enabled: type !== '' });
  if (object === undefined) return null;
  return (
    <Fact name={t('webhooks.where')}>
      <ul className={classes.parts}>
        {draftOf(webhook).where.map((part) => (
          <li key={JSON.stringify(part)}>
            <FilterText object={object} part={part} />
          </li>
        ))}
      </ul>
    </Fact>
  );
}

function Exclusions({ webhook: { except, api_key } }: OfWebhook) {
  const t = useT();
  const ownWrites = api_key === null ? t('webhooks.exceptOwn') : t('webhooks.exceptKey');
  const sources = except.sources.map((source) => {
    const key = SOURCES[source];
    return key === undefined ? source : t(key);
  });
  const all = [...(except.own ? [ownWrites] : []), ...sources];
  return all.length > 0 && <Fact name={t('webhooks.except')}>{all.join(', ')}</Fact>;
}
