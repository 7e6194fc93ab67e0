// Webhooks over HTTP (docs/design/webhooks.md). Parsing and presenting only; the way there is flow/webhooks.

import Type from 'typebox';
import type { LastDelivery, WebhookRow } from '../../control/events/webhook-rows.ts';
import {
  changeWebhook,
  type MadeWebhook,
  createWebhook as makeWebhook,
  getWebhook as readWebhook,
  listWebhooks as readWebhooks,
  deleteWebhook as removeWebhook,
  rotateSecret,
  type WebhookAdministration,
} from '../../flow/webhooks/webhook-flow.ts';
import type { RouteRequest } from '../../http/route/route.ts';
import { LIMITS } from '../../limits.ts';
import type { WebhookExceptions } from '../../plan/events/webhook-plan.ts';
import { parsePreconditions, versionToken } from '../../plan/write/precondition.ts';
import { type ApiContext, defineRoute } from '../context.ts';
import { loadPage } from '../listed-pages.ts';
import { noParams, noQuery } from '../people/administration-shapes.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import {
  Events,
  givenWebhook,
  NewWebhookShape,
  Url,
  WebhookShape,
  webhookParams,
} from './webhook-shapes.ts';

/** Parts of all routes about webhooks. */
export const ofWebhooks = { tag: 'Webhooks', scope: 'webhooks:write' } as const;

/** Parts of all routes about one webhook. */
export const ofOneWebhook = {
  ...ofWebhooks,
  params: webhookParams,
  query: noQuery,
  malformedPathIsNotFound: true,
} as const;

/** Errors of what a webhook asks for. */
const ofRequest = [
  'validation_failed',
  'invalid_filter',
  'permission_denied',
  'insufficient_scope',
  'object_not_available',
  'search_not_supported',
  'invalid_write',
  'conflict',
] as const;

export const listWebhooks = defineRoute({
  ...ofWebhooks,
  method: 'GET',
  path: '/webhooks',
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'Your own, newest first. Administrators see those of all people and agents.',
  params: noParams,
  query: Type.Object(
    { limit: limitQuery(LIMITS.defaultPageSize.webhooks), cursor: CursorQuery },
    closed,
  ),
  status: 200,
  result: pageOf(WebhookShape),
  errors: ['validation_failed', 'invalid_cursor', 'permission_denied'],
  async handle({ caller, model, requestId, query, now }, { db }) {
    const { limit, cursor } = query;
    const binding = JSON.stringify(['webhooks', model.workspace.id, caller.user.id]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (before: string | undefined, most) =>
          readWebhooks({ db, model, caller, requestId }, { before, limit: most }),
        idOf: ({ id }) => id,
      },
    );
    return { body: { data: rows.map((one) => presentWebhook(one, now())), pagination } };
  },
});

export const getWebhook = defineRoute({
  ...ofOneWebhook,
  method: 'GET',
  path: '/webhooks/{webhook_id}',
  operationId: 'getWebhook',
  summary: 'Get a webhook',
  description: 'One of your own; administrators get any.',
  status: 200,
  result: responseOf(WebhookShape),
  errors: ['permission_denied', 'record_not_found'],
  async handle({ caller, model, requestId, params, now }, { db }) {
    const webhook = await readWebhook({ db, model, caller, requestId }, params.webhook_id);
    return { body: { data: presentWebhook(webhook, now()) } };
  },
});

export const createWebhook = defineRoute({
  ...ofWebhooks,
  method: 'POST',
  path: '/webhooks',
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description: [
    'The webhook reads as its owner, at the moment of each attempt, and no more than the key that creates it. A `ping`',
    'is sent first; it must succeed before anything else is sent. Only this response and that of a rotation contain the',
    'secret.',
  ].join(' '),
  params: noParams,
  query: noQuery,
  body: Type.Object({ url: Url, events: Events, ...givenWebhook }, closed),
  status: 201,
  result: responseOf(NewWebhookShape),
  errors: ofRequest,
  async handle(request, context) {
    const { except, ...given } = request.body;
    const wanted = { ...given, except: except && wholeExceptions(except) };
    const made = await makeWebhook(asked(request, context), wanted);
    return { body: { data: presentMade(made, request.now()) } };
  },
});

export const updateWebhook = defineRoute({
  ...ofOneWebhook,
  method: 'PATCH',
  path: '/webhooks/{webhook_id}',
  operationId: 'updateWebhook',
  summary: 'Change, pause or activate a webhook',
  description: [
    'Only the properties that are sent change. From then on the webhook reads no more than the key of this request,',
    'unless the request only pauses it. Another address is sent a `ping` first. With another origin the request needs',
    '`headers` too if the webhook has some: `422 invalid_write` otherwise.',
  ].join(' '),
  body: Type.Object(
    {
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      ...givenWebhook,
      active: Type.Optional(Type.Boolean({ description: 'False pauses it.' })),
      resume: Type.Optional(
        Type.Enum(['position', 'now'], {
          description: [
            'With `"active": true`: continue where it stopped, which is possible for 7 days, or with what is written',
            'from now on. `position` when left out.',
          ].join(' '),
        }),
      ),
      expected_version: Type.Optional(
        Type.String({
          maxLength: LIMITS.versionLength,
          description: 'The version the webhook must still have; an alternative to `If-Match`.',
        }),
      ),
    },
    closed,
  ),
  preconditions: true,
  status: 200,
  result: responseOf(WebhookShape),
  errors: [...ofRequest, 'record_not_found', 'stale_record'],
  async handle(request, context) {
    const { expected_version, except, ...given } = request.body;
    const precondition = parsePreconditions(request, expected_version);
    const change = except === undefined ? given : { ...given, except: wholeExceptions(except) };
    const { webhook_id } = request.params;
    const webhook = await changeWebhook(asked(request, context), webhook_id, change, precondition);
    return { body: { data: presentWebhook(webhook, request.now()) } };
  },
});

export const deleteWebhook = defineRoute({
  ...ofOneWebhook,
  method: 'DELETE',
  path: '/webhooks/{webhook_id}',
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Also deletes the deliveries of the webhook, and ends a request that is being sent.',
  status: 200,
  result: responseOf(Type.Object({ id: Type.String(), deleted: Type.Literal(true) })),
  errors: ['permission_denied', 'record_not_found'],
  async handle({ caller, model, requestId, params }, { db }) {
    const id = await removeWebhook({ db, model, caller, requestId }, params.webhook_id);
    return { body: { data: { id, deleted: true } } };
  },
});

export const rotateWebhookSecret = defineRoute({
  ...ofOneWebhook,
  method: 'POST',
  path: '/webhooks/{webhook_id}/rotate_secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description: [
    'While the secrets overlap, requests have a signature of each. The response contains the new secret; the service',
    'does not return it again.',
  ].join(' '),
  body: Type.Object(
    {
      overlap_hours: Type.Integer({
        minimum: 0,
        maximum: LIMITS.secretOverlapHours,
        default: 24,
        description: 'How long the secret before stays valid.',
      }),
    },
    closed,
  ),
  bodyOptional: true,
  status: 200,
  result: responseOf(NewWebhookShape),
  errors: ['validation_failed', 'permission_denied', 'record_not_found', 'conflict'],
  async handle(request, context) {
    const { params, body } = request;
    const made = await rotateSecret(asked(request, context), params.webhook_id, body.overlap_hours);
    return { body: { data: presentMade(made, request.now()) } };
  },
});

type Request = Pick<
  RouteRequest<unknown, unknown, unknown>,
  'model' | 'caller' | 'requestId' | 'now'
>;

function asked(
  { model, caller, requestId, now }: Request,
  { db, webhooks, events }: ApiContext,
): WebhookAdministration {
  return { db, model, caller, requestId, now, outbox: events.outbox, ...webhooks };
}

function wholeExceptions({
  own = false,
  sources = [],
}: {
  readonly own?: boolean | undefined;
  readonly sources?: readonly string[] | undefined;
}): WebhookExceptions {
  return { own, sources };
}

function presentMade({ webhook, secret }: MadeWebhook, now: number) {
  return { ...presentWebhook(webhook, now), secret };
}

/** `now`: milliseconds since 1970. */
export function presentWebhook(webhook: WebhookRow, now: number) {
  const { api_key_id, api_key_prefix, reason, reason_message } = webhook;
  return {
    id: webhook.id,
    owner_user_id: webhook.owner_user_id,
    api_key: api_key_id === null ? null : { id: api_key_id, prefix: api_key_prefix },
    url: webhook.url,
    events: webhook.events,
    object_types: webhook.object_types,
    changed_fields: webhook.changed_fields,
    where: webhook.where,
    timezone: webhook.timezone,
    status_to: webhook.status_to,
    except: webhook.except,
    payload: webhook.payload,
    header_names: webhook.header_names,
    state: webhook.state,
    reason: reason === null ? null : { code: reason, message: reason_message },
    failing_since: webhook.failing_since,
    stopped_at: webhook.stopped_at,
    verified_at: webhook.verified_at,
    position_at: webhook.position_at,
    last_delivery: lastDeliveryOf(webhook),
    ...secretStateOf(webhook, now),
    version: versionToken({ ...webhook }),
    created_at: webhook.created_at,
    updated_at: webhook.updated_at,
  };
}

function lastDeliveryOf(webhook: LastDelivery) {
  const { last_delivery_state: state, last_attempted_at: attempted_at } = webhook;
  if (state === null || attempted_at === null) return null;
  const { last_delivery_status: status, last_delivery_error: error } = webhook;
  return { state, status, error, attempted_at };
}

function secretStateOf({ secret, previous_secret_until: until }: WebhookRow, now: number) {
  const isOverlapping = until !== null && Date.parse(until) > now;
  const secret_state = secret === null ? 'missing' : isOverlapping ? 'overlapping' : 'set';
  return { secret_state, previous_secret_until: isOverlapping ? until : null };
}
