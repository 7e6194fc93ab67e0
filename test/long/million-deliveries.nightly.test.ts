// A webhook for which 1,000,000 deliveries are due: the process that sends them keeps none in memory but those that it
// sends, and is as fast as with a thousand.

import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../until.ts';
import {
  makeWebhook,
  type NotingReceiver,
  openReceiver,
  openWebhookWorld,
  type WebhookWorld,
} from '../webhook-world.ts';

const RECORDS = 1000;
/** Deliveries that are sent before memory is measured. */
const SENT = 500;

let world: WebhookWorld;
let receiver: NotingReceiver;

beforeAll(async () => {
  world = await openWebhookWorld();
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver?.close();
  await world?.close();
});

/** Make so many deliveries of each event that was delivered, as if it had happened as often. */
async function addDue(times: number): Promise<void> {
  const made = await world.database.rows(
    `with made as (insert into ws_acme._webhook_deliveries
        (id, webhook_id, event_id, type, transaction, audit_id, object_type, record_id, state, next_attempt_at)
      select gen_random_uuid(), webhook_id, event_id || '#' || gen_random_uuid(), type, transaction, audit_id,
        object_type, record_id, 'pending', now() - interval '1 hour'
      from ws_acme._webhook_deliveries cross join generate_series(1, ${times}) n
      where type = 'record.created' and state = 'delivered' and event_id not like '%#%' returning id)
    select count(*)::integer as count from made`,
  );
  expect(made).toEqual([{ count: RECORDS * times }]);
  await world.database.rows('analyze ws_acme._webhook_deliveries');
}

/** Bytes of the heap while deliveries are sent, and the milliseconds that SENT of them take. */
async function send(): Promise<{ readonly heap: number; readonly time: number }> {
  const before = receiver.all.length;
  const started = performance.now();
  const sending = await world.startSending();
  await until(() => receiver.all.length >= before + SENT);
  const time = performance.now() - started;
  collect();
  const heap = process.memoryUsage().heapUsed;
  await sending.stop();
  expect(sending.errors).toEqual([]);
  receiver.all.length = 0;
  await sleep(1000);
  return { heap, time };
}

function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

test('1,000,000 due deliveries cost neither memory nor time', async () => {
  const ada = await world.as('ada');
  const sending = await world.startSending();
  await makeWebhook(ada, receiver);
  const fields = (index: number) => ({ fields: { name: `Company ${index}` } });
  for (let from = 0; from < RECORDS; from += 100) {
    const operations = Array.from({ length: 100 }, (_, index) => ({
      ...{ action: 'create', object_type: 'companies', ...fields(from + index) },
    }));
    expect((await ada.post('/batch', { operations })).status).toBe(200);
  }
  await until(() => receiver.events().length === RECORDS);
  await sending.stop();
  await addDue(1);
  const few = await send();
  await addDue(1000);
  const many = await send();
  expect(many.heap - few.heap).toBeLessThan(20_000_000);
  expect(many.time).toBeLessThan(3 * few.time);
}, 600_000);
