// Schemas of webhooks and their deliveries (docs/design/webhooks.md).

import Type from 'typebox';
import { DELIVERY_STATES } from '../../control/events/webhook-deliveries.ts';
import type { SentMessage } from '../../http/documents/openapi-webhooks.ts';
import { LIMITS } from '../../limits.ts';
import {
  ALL_OF_RECORDS,
  WEBHOOK_EVENTS,
  WEBHOOK_PAYLOADS,
  WEBHOOK_STATES,
} from '../../plan/events/webhook-plan.ts';
import { SmallId } from '../people/administration-shapes.ts';
import { TimeZone, Where } from '../read/question-shapes.ts';
import { closed, nullable } from '../shapes.ts';
import { CHANGE_EVENTS } from './event-shapes.ts';

const Id = Type.String({ minLength: 1, maxLength: LIMITS.idLength });
export const webhookParams = Type.Object({ webhook_id: Id }, closed);
export const deliveryParams = Type.Object({ webhook_id: Id, delivery_id: Id }, closed);

const Moment = Type.String({ format: 'date-time' });
/** Sources of writes, as events name them. */
const SOURCES = ['api', 'application', 'import', 'bulk', 'cli', 'mcp', 'restore'] as const;

function names(description: string) {
  return Type.Array(Id, { maxItems: LIMITS.webhookNames, uniqueItems: true, description });
}

export const Events = Type.Array(Type.Enum([...WEBHOOK_EVENTS, ALL_OF_RECORDS]), {
  minItems: 1,
  maxItems: WEBHOOK_EVENTS.length + 1,
  uniqueItems: true,
  description: 'Types of events; `record.*` stands for all of records.',
});

const WriteOnlyHeaders = Type.Record(Type.String(), Type.String(), {
  description: [
    `At most ${LIMITS.webhookHeaders}, ${LIMITS.webhookHeaderBytes} bytes together, sent with every request. They are`,
    'stored encrypted and no answer has their values. A change of `url` to another origin needs them again.',
  ].join(' '),
});

const Exceptions = Type.Object(
  {
    own: Type.Optional(
      Type.Boolean({
        description: [
          'True: not what was written with the key of this webhook; of a webhook that was made in a session, not what',
          'its owner wrote with any key.',
        ].join(' '),
      }),
    ),
    sources: Type.Optional(
      Type.Array(Type.Enum([...SOURCES]), { maxItems: SOURCES.length, uniqueItems: true }),
    ),
  },
  { ...closed, description: 'Writes that are not sent.' },
);

/** Properties that a client can send, for a new webhook and later. */
export const givenWebhook = {
  object_types: Type.Optional(
    names('Left out or empty: every object type that the owner may read.'),
  ),
  changed_fields: Type.Optional(
    names('Field keys and ids of relationships, one of which must have changed.'),
  ),
  where: Type.Optional(nullable(Where)),
  timezone: Type.Optional(nullable(TimeZone)),
  status_to: Type.Optional(names('Ids of statuses: only moves into one of them.')),
  except: Type.Optional(Exceptions),
  payload: Type.Optional(
    Type.Enum([...WEBHOOK_PAYLOADS], {
      description: '`record`: with the record as it is when it is sent, up to 20 kB.',
    }),
  ),
  headers: Type.Optional(WriteOnlyHeaders),
  owner_user_id: Type.Optional(
    Type.Integer({
      ...SmallId,
      description:
        'The person or agent it reads as; only an administrator can name another one than themselves.',
    }),
  ),
} as const;

export const Url = Type.String({
  minLength: 1,
  maxLength: LIMITS.webhookUrlLength,
  description: 'An address with https, without credentials.',
});

export const DeliveryState = Type.Enum([...DELIVERY_STATES], {
  description: [
    '`pending`: it waits, or is retried at `next_attempt_at`. `failed`: no attempt is left. `dropped`: the record was deleted, or',
    'its owner may no longer read it.',
  ].join(' '),
});

const webhook = {
  id: Type.String({ format: 'uuid' }),
  owner_user_id: Type.Integer(),
  api_key: nullable(
    Type.Object(
      { id: Type.String(), prefix: nullable(Type.String()) },
      {
        description:
          'The key with which the webhook was made or last changed. It reads no more than that key.',
      },
    ),
  ),
  url: Type.String(),
  events: Type.Array(Type.String()),
  object_types: Type.Array(Type.String()),
  changed_fields: Type.Array(Type.String()),
  where: nullable(Where),
  timezone: nullable(Type.String()),
  status_to: Type.Array(Type.String()),
  except: Type.Object({ own: Type.Boolean(), sources: Type.Array(Type.String()) }),
  payload: Type.Enum([...WEBHOOK_PAYLOADS]),
  header_names: Type.Array(Type.String()),
  state: Type.Enum([...WEBHOOK_STATES], {
    description: [
      '`failing`: the last deliveries failed and are retried. `disabled`: it failed for 5 days, or the receiver is',
      'gone. `broken`: its owner may no longer read what it asks for, or the definition no longer has it.',
    ].join(' '),
  }),
  reason: nullable(
    Type.Object(
      { code: Type.String(), message: Type.String() },
      { description: 'Why the webhook does not send.' },
    ),
  ),
  failing_since: nullable(Moment),
  stopped_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'The time since when the webhook does not send.',
    }),
  ),
  verified_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the receiver last answered a ping. Nothing else is sent before it does.',
    }),
  ),
  position_at: nullable(
    Type.String({
      format: 'date-time',
      description: 'Changes up to this moment are sent, or are among the deliveries.',
    }),
  ),
  last_delivery: nullable(
    Type.Object(
      {
        state: DeliveryState,
        status: nullable(Type.Integer()),
        error: nullable(Type.String()),
        attempted_at: Moment,
      },
      { description: 'The newest delivery of which an attempt was made.' },
    ),
  ),
  secret_state: Type.Enum(['set', 'overlapping', 'missing'], {
    description:
      '`overlapping`: the secret before is valid until `previous_secret_until`. `missing`: after a restore.',
  }),
  previous_secret_until: nullable(Moment),
  version: Type.String({
    description: 'Opaque; send it back as `If-Match` or `expected_version`.',
  }),
  created_at: Moment,
  updated_at: Moment,
};

export const WebhookShape = Type.Object(webhook, { $id: 'Webhook' });

export const NewWebhookShape = Type.Object(
  {
    ...webhook,
    secret: Type.String({
      description: 'Verifies signatures: `whsec_…`. The service returns it only once.',
    }),
  },
  { $id: 'NewWebhook' },
);

export const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    event_id: Type.String({ description: 'The header `webhook-id`, the same for all attempts.' }),
    type: Type.String(),
    object_type: nullable(Type.String()),
    record_id: nullable(Type.String()),
    state: DeliveryState,
    attempts: Type.Integer(),
    next_attempt_at: nullable(Moment),
    attempted_at: nullable(Moment),
    status: nullable(Type.Integer({ description: 'The HTTP status of the last answer.' })),
    error: nullable(
      Type.String({ description: 'Why there was no answer, such as `timeout` or `unreachable`.' }),
    ),
    answer: nullable(Type.String({ description: 'The first 1,024 bytes of the last answer.' })),
    request_id: nullable(
      Type.String({ description: 'The request id that the receiver named in its answer.' }),
    ),
    duration_ms: nullable(Type.Integer()),
    created_at: Moment,
  },
  { $id: 'WebhookDelivery' },
);

const truncated = Type.Optional(
  Type.Literal(true, { description: 'The record would have made the body longer than 20 kB.' }),
);

const PingEvent = Type.Object(
  {
    type: Type.Literal('ping'),
    id: Type.String(),
    webhook_id: Type.String(),
    occurred_at: Moment,
  },
  { $id: 'PingEvent' },
);

/** The bodies of requests to receivers, by the types of their events. */
export const WEBHOOK_MESSAGES: Readonly<Record<string, SentMessage>> = Object.fromEntries([
  ['ping', messageOf('ping', PingEvent)],
  ...CHANGE_EVENTS.map(({ type, schema }) => [type, messageOf(type, schema)] as const),
]);

function messageOf(type: string, event: Type.TSchema): SentMessage {
  const data = Type.Intersect([event, Type.Object({ truncated })]);
  const schema = Type.Object({ type: Type.Literal(type), timestamp: Moment, data });
  return { summary: `The event ${type}`, schema };
}
