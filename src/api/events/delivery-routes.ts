// Deliveries of webhooks over HTTP: listing, testing, sending again. Parsing and presenting only; the way there is
// flow/webhooks/delivery-flow.ts.

import Type from 'typebox';
import type { DeliveryRow } from '../../control/events/webhook-deliveries.ts';
import { errorFromProblems } from '../../errors.ts';
import {
  getDelivery,
  listDeliveries as readDeliveries,
  replayDelivery,
  requestReplays,
  testWebhook as sendTest,
  waitForAttempt,
} from '../../flow/webhooks/delivery-flow.ts';
import { LIMITS } from '../../limits.ts';
import { about, say } from '../../messages/message.ts';
import type { Caller } from '../../model/rights/access.ts';
import { parseDateTime } from '../../model/values/times.ts';
import { WEBHOOK_EVENTS } from '../../plan/events/webhook-plan.ts';
import { defineRoute } from '../context.ts';
import { answerWithJob, JobSummary } from '../jobs/job-shapes.ts';
import { loadPage } from '../listed-pages.ts';
import { CursorQuery, closed, limitQuery, pageOf, responseOf } from '../shapes.ts';
import { replyOf } from '../write/write-reply.ts';
import { ofOneWebhook } from './webhook-routes.ts';
import { Delivery, DeliveryState, deliveryParams } from './webhook-shapes.ts';

const Moment = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'A date or a date and time.',
});

export const listDeliveries = defineRoute({
  ...ofOneWebhook,
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  operationId: 'listWebhookDeliveries',
  summary: 'List the deliveries of a webhook',
  description: 'The deliveries of the last 7 days, newest first. What was sent is not stored.',
  query: Type.Object(
    {
      limit: limitQuery(LIMITS.defaultPageSize.deliveries),
      cursor: CursorQuery,
      state: Type.Optional(DeliveryState),
      type: Type.Optional(Type.Enum([...WEBHOOK_EVENTS, 'ping'])),
      since: Type.Optional(Moment),
    },
    closed,
  ),
  status: 200,
  result: pageOf(Delivery),
  errors: ['validation_failed', 'invalid_cursor', 'permission_denied', 'record_not_found'],
  async handle({ caller, model, requestId, params, query }, { db }) {
    const { limit, cursor, since, ...given } = query;
    const { webhook_id } = params;
    const filter = { webhook_id, ...given, since: since && requireMoment(since, 'since') };
    const binding = JSON.stringify(['deliveries', model.workspace.id, caller.user.id, filter]);
    const { rows, pagination } = await loadPage(
      { secret: model.cursor_secret, binding, limit, cursor },
      {
        load: (before: string | undefined, most) =>
          readDeliveries({ db, model, caller, requestId }, filter, { before, limit: most }),
        idOf: ({ id }) => id,
      },
    );
    return {
      body: { data: rows.map((delivery) => presentDelivery(delivery, caller)), pagination },
    };
  },
});

export const testWebhook = defineRoute({
  ...ofOneWebhook,
  method: 'POST',
  path: '/webhooks/{webhook_id}/test',
  operationId: 'testWebhook',
  summary: 'Test a webhook',
  description: [
    'Sends a `ping`, once, also while the webhook is paused or disabled. The answer comes with the result of the attempt,',
    'or after 20 seconds; until then the request counts as an open stream.',
  ].join(' '),
  status: 200,
  result: responseOf(Delivery),
  errors: ['permission_denied', 'record_not_found', 'conflict', 'too_many_streams'],
  async handle(request, { db }) {
    const { caller, model, requestId, params, admitAgain } = request;
    const sent = await sendTest({ db, model, caller, requestId }, params.webhook_id);
    const left = request.signal();
    return {
      wait: (closing) => waitForAttempt({ db, model }, sent, [left, closing]),
      async answer() {
        const now = await admitAgain();
        const { webhook_id, id } = sent;
        const delivery = await getDelivery({ db, ...now }, { webhook_id, id });
        return { body: { data: presentDelivery(delivery, now.caller) } };
      },
    };
  },
});

export const replayWebhookDelivery = defineRoute({
  ...ofOneWebhook,
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  operationId: 'replayWebhookDelivery',
  summary: 'Send a delivery again',
  description:
    'The delivery has the same `webhook-id`, and the record as the owner of the webhook may read it now.',
  params: deliveryParams,
  status: 200,
  result: responseOf(Delivery),
  errors: ['permission_denied', 'record_not_found', 'conflict'],
  async handle({ caller, model, requestId, params }, { db }) {
    const { webhook_id, delivery_id } = params;
    const asked = { db, model, caller, requestId };
    const delivery = await replayDelivery(asked, webhook_id, delivery_id);
    return { body: { data: presentDelivery(delivery, caller) } };
  },
});

export const replayWebhook = defineRoute({
  ...ofOneWebhook,
  method: 'POST',
  path: '/webhooks/{webhook_id}/replay',
  operationId: 'replayWebhook',
  summary: 'Send the deliveries of a span of time again',
  description: 'Starts a job. Each delivery keeps its `webhook-id`.',
  body: Type.Object(
    {
      since: Moment,
      until: Type.Optional(Moment),
      states: Type.Optional(
        Type.Array(Type.Enum(['failed', 'dropped', 'delivered']), {
          minItems: 1,
          maxItems: 3,
          uniqueItems: true,
          description: '`failed` when left out.',
        }),
      ),
    },
    closed,
  ),
  idempotent: true,
  status: 202,
  result: responseOf(JobSummary),
  errors: ['validation_failed', 'permission_denied', 'record_not_found', 'conflict'],
  async handle({ caller, model, requestId, params, body, claim, now }, { db }) {
    const since = requireMoment(body.since, 'since');
    const present = new Date(now()).toISOString();
    const until = requireMoment(body.until ?? present, 'until');
    if (since >= until) {
      const isFuture = since >= present;
      const message = isFuture ? say('since_not_past') : say('until_before_since');
      const param = isFuture ? 'since' : 'until';
      throw errorFromProblems([{ param, code: 'validation_failed', message }]);
    }
    const asking = { db, model, caller, claim, requestId };
    const range = { since, until, states: body.states ?? ['failed'] };
    return replyOf(await requestReplays(asking, params.webhook_id, range, answerWithJob));
  },
});

function requireMoment(text: string, param: string): string {
  const parsed = parseDateTime(text);
  if ('value' in parsed) return String(parsed.value);
  const message = about('The time', parsed.problem);
  throw errorFromProblems([{ param, code: 'validation_failed', message }]);
}

/** A delivery as answers have it. */
/** The answer of a receiver may repeat what it was sent: a key that reads no records does not get it (D569). */
export function presentDelivery(delivery: DeliveryRow, { scopes }: Pick<Caller, 'scopes'>) {
  return {
    id: delivery.id,
    event_id: delivery.event_id,
    type: delivery.type,
    object_type: delivery.object_type,
    record_id: delivery.record_id,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: delivery.state === 'pending' ? delivery.next_attempt_at : null,
    attempted_at: delivery.attempted_at,
    status: delivery.last_status,
    error: delivery.error,
    answer: scopes.has('records:read') ? delivery.answer : null,
    request_id: delivery.request_id,
    duration_ms: delivery.duration_ms,
    created_at: delivery.created_at,
  };
}
