// The world of the tests that send webhooks over real sockets, with a sender, a receiver and a clock of its own for each
// test.

import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Client } from '../client.ts';
import {
  type NotingReceiver,
  openReceiver,
  openTestClock,
  openWebhookWorld,
  type Sending,
  type TestClock,
  type WebhookWorld,
} from '../webhook-world.ts';

export let world: WebhookWorld;
export let ada: Client;
export let clock: TestClock;
export let sending: Sending;
export let receiver: NotingReceiver;

/** Called by a file of tests before anything else. */
export function setUpWebhooks(): void {
  beforeAll(async () => {
    world = await openWebhookWorld();
    ada = await world.as('ada');
  });
  beforeEach(async () => {
    clock = openTestClock();
    sending = await world.startSending(clock);
    receiver = await openReceiver();
  });
  afterEach(async () => {
    await sending.stop();
    await receiver.close();
    await world.database.rows('delete from ws_acme._webhooks');
    expect(sending.errors).toEqual([]);
  });
  afterAll(() => world?.close());
}

/** The id of a new record. */
export async function create(type: string, fields: object, client = ada): Promise<string> {
  const { status, body } = await client.post(`/objects/${type}/records`, { fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

export const update = (type: string, id: string, fields: object) =>
  ada.patch(`/objects/${type}/records/${id}`, { fields });

/** As after a change of the webhooks: everything is looked at again. */
export async function wake(): Promise<void> {
  await world.database.rows(
    'update workspace_records.webhook_runners set wanted_at = clock_timestamp()',
  );
  await sending.look();
}
