// Webhooks in the file of a workspace: they come along paused and without secrets, and a copy sends nothing until it has a
// new secret. Also what the sweeper deletes of webhooks.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepWebhooks } from '../../src/flow/jobs/sweeper.ts';
import { type Client, openClient } from '../client.ts';
import { exported, restored, workspaceOf } from '../moved-workspace.ts';
import {
  makeWebhook,
  type NotingReceiver,
  openReceiver,
  openWebhookWorld,
  type Sending,
  stateOf,
  type WebhookWorld,
} from '../webhook-world.ts';
import { makeKey } from '../world.ts';

let world: WebhookWorld;
let ada: Client;
let sending: Sending;
let receiver: NotingReceiver;

beforeAll(async () => {
  world = await openWebhookWorld();
  ada = await world.as('ada');
  sending = await world.startSending();
  receiver = await openReceiver();
});
afterAll(async () => {
  await sending?.stop();
  await receiver?.close();
  await world?.close();
});

test('a copy sends nothing until somebody gives it a new secret', async () => {
  const headers = { 'X-Token': 'token-of-the-receiver' };
  const { id } = await makeWebhook(ada, receiver, { headers, object_types: ['companies'] });
  await ada.post('/objects/companies/records', { fields: { name: 'Before' } });
  await expect.poll(() => receiver.events().length).toBe(1);
  const { file } = await exported(world.database, 'acme');
  const [stored] = await world.database.rows('select secret, headers from ws_acme._webhooks');
  const [place] = await world.database.rows('select position from ws_acme._webhook_positions');
  for (const hidden of [stored?.secret, stored?.headers, place?.position]) {
    expect(file.includes(String(hidden))).toBe(false);
  }
  expect(file.includes('"_webhook_deliveries"')).toBe(false);
  await restored(world.database, file, { slug: 'copy', withoutKeys: true });
  const copy = await workspaceOf(world.database, 'copy');
  const { secret } = await makeKey(world.database, copy, 'ada@acme.example');
  const owner = openClient({ port: world.port, secret });
  const paused = await stateOf(owner, id);
  expect(paused).toMatchObject({
    ...{ state: 'paused', secret_state: 'missing', header_names: [], verified_at: null },
    reason: { code: 'restored' },
  });
  await owner.post('/objects/companies/records', { fields: { name: 'In the copy' } });
  await owner.post(`/webhooks/${id}/rotate_secret`, {});
  await owner.patch(`/webhooks/${id}`, { active: true, resume: 'now' });
  await expect.poll(async () => (await stateOf(owner, id)).verified_at).not.toBeNull();
  await owner.post('/objects/companies/records', { fields: { name: 'After' } });
  await expect.poll(() => receiver.events().length).toBe(2);
  // The original continues.
  await ada.post('/objects/companies/records', { fields: { name: 'Original' } });
  await expect.poll(() => receiver.events().length).toBe(3);
  expect(await stateOf(ada, id)).toMatchObject({ state: 'active', header_names: ['X-Token'] });
  expect(sending.errors).toEqual([]);
});

test('old deliveries, positions and replaced secrets are swept', async () => {
  const { id } = await makeWebhook(ada, receiver);
  const other = await makeWebhook(ada, receiver);
  await ada.post(`/webhooks/${other.id}/rotate_secret`, {});
  await ada.patch(`/webhooks/${id}`, { active: false });
  await sending.stop();
  const { rows, db } = world.database;
  await rows(
    `update ws_acme._webhook_deliveries set created_at = now() - interval '8 days'
    where webhook_id = $1`,
    [id],
  );
  await rows(`update ws_acme._webhooks set stopped_at = now() - interval '8 days' where id = $1`, [
    id,
  ]);
  await rows(
    `update ws_acme._webhooks set previous_secret_until = now() - interval '1 second'
    where id = $1`,
    [other.id],
  );
  const count = async () =>
    Number((await rows('select count(*) from ws_acme._webhook_deliveries'))[0]?.count);
  const before = await count();
  expect(await sweepWebhooks(db)).toBe(1);
  expect(await count()).toBe(before - 1);
  const positions = await rows('select webhook_id, position from ws_acme._webhook_positions');
  const known = new Map(positions.map((row) => [row.webhook_id, row.position]));
  expect([known.get(id), known.get(other.id)]).toEqual([null, expect.any(String)]);
  const [swept] = await rows('select previous_secret from ws_acme._webhooks where id = $1', [
    other.id,
  ]);
  expect(swept?.previous_secret).toBeNull();
});
