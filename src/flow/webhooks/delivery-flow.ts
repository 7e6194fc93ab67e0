// Deliveries of a webhook: listed, sent again, tested. People who see a webhook see its deliveries; webhook-runner.ts
// sends them.

import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import {
  appendPing,
  type DeliveryFilter,
  type DeliveryRow,
  loadDeliveries,
  putReplay,
} from '../../control/events/webhook-deliveries.ts';
import { lockWebhook, type WebhookRow } from '../../control/events/webhook-rows.ts';
import { wantRunner } from '../../control/events/webhook-runs.ts';
import { REPLAY_JOBS, type ReplayInput } from '../../control/jobs/job-kinds.ts';
import type { JobRow } from '../../control/jobs/jobs.ts';
import {
  type AskedByCaller,
  administer,
  administrationOf,
} from '../../control/workspace/administer.ts';
import { ApiError } from '../../errors.ts';
import { say } from '../../messages/message.ts';
import type { CancelSignal } from '../../model/cancel-signal.ts';
import { parseRecordId } from '../../model/values/record-id.ts';
import type { Queryable } from '../../postgres/db.ts';
import { askedBy, requestJob } from '../jobs/job-requests.ts';
import type { Answer } from '../records/idempotency.ts';
import type { Asking } from '../records/keyed-requests.ts';
import { eventOf, requireWebhook } from './webhook-flow.ts';

/** A page of the deliveries of a webhook, newest first. Errors: `permission_denied`, `record_not_found`. */
export async function listDeliveries(
  asked: AskedByCaller,
  filter: DeliveryFilter,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly DeliveryRow[]> {
  const { id } = await requireWebhook(asked.db, asked, filter.webhook_id);
  return loadDeliveries(asked.db, asked.model.schema, { ...filter, webhook_id: id }, page);
}

/** Send a delivery again. Errors: `record_not_found`, `conflict` while the webhook does not send. */
export function replayDelivery(
  asked: AskedByCaller,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRow> {
  return administer(administrationOf(asked), async (tx) => {
    const webhook = await requireWebhook(tx, asked, webhookId, lockWebhook);
    const { schema, workspace } = asked.model;
    const id = parseRecordId(deliveryId);
    const delivery = id && (await findDelivery(tx, schema, { webhook_id: webhook.id, id }));
    if (delivery === undefined || delivery === '') throw noDelivery();
    requireSending(webhook);
    await putReplay(tx, schema, delivery);
    await wantRunner(tx, workspace.id);
    const result = await findDelivery(tx, schema, { webhook_id: webhook.id, id: delivery.id });
    return { result: result as DeliveryRow, events: [eventOf(webhook.id, 'replay')] };
  });
}

/** Send a ping now; answers its delivery, which is not sent yet. Errors: as for a replay. */
export function testWebhook(asked: AskedByCaller, webhookId: string): Promise<DeliveryRow> {
  const id = uuidv7();
  return administer(administrationOf(asked), async (tx) => {
    const webhook = await requireWebhook(tx, asked, webhookId, lockWebhook);
    const { schema, workspace } = asked.model;
    if (webhook.secret === null) {
      throw new ApiError('conflict', { message: say('webhook_without_secret') });
    }
    await appendPing(tx, schema, { id, webhook_id: webhook.id, event_id: `ping_${id}` });
    await wantRunner(tx, workspace.id);
    const result = await findDelivery(tx, schema, { webhook_id: webhook.id, id });
    return { result: result as DeliveryRow, events: [eventOf(webhook.id, 'test')] };
  });
}

/** A little more than the longest attempt. */
const TEST_SECONDS = 20;
const LOOK_EVERY_MS = 200;

/** Resolves when the first attempt has ended, after 20 seconds, or when a signal is aborted. */
export async function waitForAttempt(
  { db, model }: Pick<AskedByCaller, 'db' | 'model'>,
  { webhook_id, id }: DeliveryRow,
  signals: readonly CancelSignal[],
): Promise<void> {
  const looks = (TEST_SECONDS * 1000) / LOOK_EVERY_MS;
  for (let look = 0; look < looks && !signals.some(({ aborted }) => aborted); look += 1) {
    await sleep(LOOK_EVERY_MS);
    const delivery = await findDelivery(db, model.schema, { webhook_id, id });
    if (delivery === undefined || delivery.attempts > 0) return;
  }
}

/** One that the caller sees. Errors: `record_not_found`. */
export async function getDelivery(
  asked: Pick<AskedByCaller, 'db' | 'model' | 'caller'>,
  filter: DeliveryFilter,
): Promise<DeliveryRow> {
  const { id: webhook_id } = await requireWebhook(asked.db, asked, filter.webhook_id);
  const delivery = await findDelivery(asked.db, asked.model.schema, { ...filter, webhook_id });
  if (delivery !== undefined) return delivery;
  throw noDelivery();
}

/** The deliveries to send again. */
export type ReplayRange = Pick<ReplayInput, 'since' | 'until' | 'states'>;

/** A job for it, once for each `Idempotency-Key`. Errors: as for a replay of one, and those of jobs and the key. */
export async function requestReplays(
  asking: Asking & Pick<AskedByCaller, 'requestId'>,
  webhookId: string,
  range: ReplayRange,
  respond: (row: JobRow) => Answer,
): Promise<Answer> {
  const { caller, requestId } = asking;
  const { id } = await requireWebhook(asking.db, asking, webhookId);
  return requestJob(
    asking,
    async (tx) => {
      requireSending(await requireWebhook(tx, asking, id));
      const input: ReplayInput = { ...askedBy(caller, requestId), webhook_id: id, ...range };
      return { kind: REPLAY_JOBS, input, asked: ['webhook_id', 'since', 'until', 'states'] };
    },
    respond,
  );
}

function requireSending({ state, stopped_at }: WebhookRow): void {
  if (stopped_at === null) return;
  const message = say('webhook_not_sending', { state });
  throw new ApiError('conflict', { message, details: { state } });
}

async function findDelivery(
  db: Queryable,
  schema: string,
  filter: DeliveryFilter,
): Promise<DeliveryRow | undefined> {
  const [delivery] = await loadDeliveries(db, schema, filter, { before: undefined, limit: 1 });
  return delivery;
}

function noDelivery(): ApiError {
  const message = say('delivery_not_found');
  return new ApiError('record_not_found', { param: 'delivery_id', message });
}
