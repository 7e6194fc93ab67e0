// Requests that receivers of webhooks get, over real sockets.

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import {
  deliveriesOf,
  makeWebhook,
  type NotingReceiver,
  openReceiver,
  openWebhookWorld,
  type Sending,
  stateOf,
  type WebhookWorld,
} from '../webhook-world.ts';

let world: WebhookWorld;
let sending: Sending;
let ada: Client;
let receiver: NotingReceiver;

beforeAll(async () => {
  world = await openWebhookWorld();
  sending = await world.startSending();
  ada = await world.as('ada');
  receiver = await openReceiver();
});
afterAll(async () => {
  await sending?.stop();
  await receiver?.close();
  await world?.close();
});

test('a ping comes first, then the events, signed and in the form of the feed', async () => {
  const { id, secret } = await makeWebhook(ada, receiver);
  const made = await ada.post('/objects/companies/records', { fields: { name: 'First' } });
  expect(made.status).toBe(201);
  await expect.poll(() => receiver.events().length).toBe(1);
  const [ping, created] = receiver.all;
  expect(ping?.body).toMatchObject({ type: 'ping', data: { webhook_id: id } });
  expect(created?.body).toMatchObject({
    type: 'record.created',
    data: { type: 'record.created', record_id: made.body.data.id, object_type: 'companies' },
  });
  const headers = Object.fromEntries(
    Object.entries(created?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  expect(new Webhook(secret).verify(created?.text ?? '', headers)).toEqual(created?.body);
  expect(created?.id).toBe(created?.body.data.id);
  await expect.poll(async () => (await deliveriesOf(ada, id)).length).toBe(2);
  const [delivery] = await deliveriesOf(ada, id);
  expect(delivery).toMatchObject({
    ...{ event_id: created?.id, type: 'record.created', state: 'delivered', attempts: 1 },
    ...{ status: 204, error: null, record_id: made.body.data.id },
  });
  expect((await stateOf(ada, id)).state).toBe('active');
  expect(sending.errors).toEqual([]);
});
