// Webhooks without anything to send: what they cost, and that a lost note of an answered ping does not stop them for good.

import { expect, test } from 'vitest';
import { deliveriesOf, makeWebhook, stateOf } from '../webhook-world.ts';
import {
  ada,
  clock,
  create,
  receiver,
  sending,
  setUpWebhooks,
  wake,
  world,
} from './webhook-set-up.ts';

setUpWebhooks();

test('a webhook without events costs next to nothing', async () => {
  await makeWebhook(ada, receiver);
  await expect.poll(() => receiver.all.length).toBe(1);
  const sleep = () => new Promise((done) => setTimeout(done, 2000));
  const commits = async () => {
    const [row] = await world.database.rows(
      'select xact_commit as count from pg_stat_database where datname = current_database()',
    );
    return Number(row?.count);
  };
  await sleep();
  const before = await commits();
  await sleep();
  expect((await commits()) - before).toBeLessThan(150);
});

test('a ping that was answered counts, also when its note was lost', async () => {
  const { id } = await makeWebhook(ada, receiver);
  await expect.poll(async () => (await deliveriesOf(ada, id)).length).toBe(1);
  await sending.stop();
  await world.database.rows(`with w as (update ws_acme._webhooks set verified_at = null)
    update ws_acme._webhook_positions set lease_holder = null`);
  const next = await world.startSending(clock);
  try {
    await expect.poll(async () => (await stateOf(ada, id)).verified_at).not.toBeNull();
    await create('companies', { name: 'After' });
    await expect.poll(() => receiver.events().length).toBe(1);
  } finally {
    await next.stop();
  }
});

test('the answer to a ping counts that could not be stored because of a change', async () => {
  const { id } = await makeWebhook(ada, receiver);
  await world.database.rows(
    'update ws_acme._webhooks set verified_at = null, version = version + 1',
  );
  await wake();
  await expect.poll(async () => (await stateOf(ada, id)).verified_at).not.toBeNull();
  expect(receiver.all).toHaveLength(1);
});
