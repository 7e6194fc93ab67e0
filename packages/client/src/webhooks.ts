// Calls for webhooks, their deliveries and secrets. Calls that make something are sent once: when the outcome is
// unknown, check the result before you repeat the call.

import { itemsFrom, type Page } from './pages.ts';
import type { CallOptions, Send } from './request.ts';
import type { Endpoints, JobSummary, NewWebhook, Webhook, WebhookDelivery } from './schema.ts';
import type { ViewWriteOptions } from './views.ts';

type WebhookQuery = Endpoints['listWebhooks']['query'];
type DeliveryQuery = Endpoints['listWebhookDeliveries']['query'];

export interface Deliveries {
  /** One page of the deliveries of the last 7 days, newest first. */
  list(query?: DeliveryQuery, options?: CallOptions): Promise<Page<WebhookDelivery>>;
  all(
    query?: DeliveryQuery,
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined>;
  /** Send a delivery again, with the same `webhook-id`. */
  replay(id: string, options?: CallOptions): Promise<WebhookDelivery>;
}

export interface Webhooks {
  /** One page of webhooks, newest first. */
  list(query?: WebhookQuery, options?: CallOptions): Promise<Page<Webhook>>;
  all(query?: WebhookQuery, options?: CallOptions): AsyncGenerator<Webhook, void, undefined>;
  get(id: string, options?: CallOptions): Promise<Webhook>;
  /** The secret is in this answer and nowhere else. */
  create(webhook: Endpoints['createWebhook']['body'], options?: CallOptions): Promise<NewWebhook>;
  update(
    id: string,
    changes: Endpoints['updateWebhook']['body'],
    options?: ViewWriteOptions,
  ): Promise<Webhook>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Send a ping and wait for its result. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** The new secret is in this answer and nowhere else. */
  rotateSecret(
    id: string,
    rotation?: Endpoints['rotateWebhookSecret']['body'],
    options?: CallOptions,
  ): Promise<NewWebhook>;
  /** Send the deliveries of a span of time again, as a job. */
  replay(
    id: string,
    range: Endpoints['replayWebhook']['body'],
    options?: CallOptions,
  ): Promise<JobSummary>;
  deliveries(id: string): Deliveries;
}

export function webhooksOf(send: Send): Webhooks {
  const list = (query: WebhookQuery = {}, options?: CallOptions) =>
    send('listWebhooks', { query }, options);
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    get: async (webhook_id, options) =>
      (await send('getWebhook', { params: { webhook_id } }, options)).data,
    create: async (body, options) =>
      (await send('createWebhook', { body, once: true }, options)).data,
    update: async (webhook_id, body, { version, ...options } = {}) =>
      (await send('updateWebhook', { params: { webhook_id }, body, version }, options)).data,
    delete: async (webhook_id, options) => {
      await send('deleteWebhook', { params: { webhook_id }, once: true }, options);
    },
    test: async (webhook_id, options) =>
      (await send('testWebhook', { params: { webhook_id }, once: true }, options)).data,
    rotateSecret: async (webhook_id, body = {}, options) => {
      const ask = { params: { webhook_id }, body, once: true };
      return (await send('rotateWebhookSecret', ask, options)).data;
    },
    replay: async (webhook_id, body, options) =>
      (await send('replayWebhook', { params: { webhook_id }, body }, options)).data,
    deliveries: (webhook_id) => deliveriesOf(send, webhook_id),
  };
}

function deliveriesOf(send: Send, webhook_id: string): Deliveries {
  const list = (query: DeliveryQuery = {}, options?: CallOptions) =>
    send('listWebhookDeliveries', { params: { webhook_id }, query }, options);
  return {
    list,
    all: (query = {}, options) => itemsFrom(query, (page) => list(page, options)),
    replay: async (delivery_id, options) => {
      const ask = { params: { webhook_id, delivery_id }, once: true };
      return (await send('replayWebhookDelivery', ask, options)).data;
    },
  };
}
