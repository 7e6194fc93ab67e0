// Requests that receivers of webhooks get, over real sockets: their form, their order, attempts and states by a clock that
// the tests move.

import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { type Database, wrapDatabase } from '../../src/postgres/db.ts';
import { hold } from '../until.ts';
import {
  type Answering,
  deliveriesOf,
  makeWebhook,
  openReceiver,
  type Received,
  stateOf,
} from '../webhook-world.ts';
import {
  ada,
  clock,
  create,
  receiver,
  sending,
  setUpWebhooks,
  update,
  wake,
  world,
} from './webhook-set-up.ts';

setUpWebhooks();

const SECOND = 1000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const headersOf = ({ headers }: Received) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const typesOf = (received: readonly Received[]) => received.map(({ body }) => body.type);

/** A database whose first answers about webhooks come late. */
function answersAfter(held: Promise<void>): Database {
  return wrapDatabase(world.database.db, (server) => ({
    async query(statement, options) {
      const rows = await server.query(statement, options);
      if (statement.text.includes('p.position, ')) await held;
      return rows;
    },
  }));
}

/** The time passes in steps, and after each of them everything that is due is sent. */
async function pass(milliseconds: number, steps = 1): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    clock.pass(milliseconds / steps);
    await wake();
    await new Promise((done) => setTimeout(done, 150));
  }
}

describe('requests', () => {
  test('a ping comes first, then the events, signed and in the form of the feed', async () => {
    const { id, secret } = await makeWebhook(ada, receiver);
    const made = await create('companies', { name: 'First' });
    await expect.poll(() => receiver.events().length).toBe(1);
    const [ping, created] = receiver.all as [Received, Received];
    expect(ping.body).toMatchObject({ type: 'ping', data: { webhook_id: id } });
    expect(new Webhook(secret).verify(created.text, headersOf(created))).toEqual(created.body);
    const feed = await ada.get('/changes?cursor=start&type=record.created&object_type=companies');
    expect(created.body.data).toEqual(feed.body.data.at(-1));
    expect(created.body).toMatchObject({
      ...{ type: 'record.created', timestamp: created.body.data.occurred_at },
    });
    expect([created.id, created.attempt, created.headers['content-type']]).toEqual([
      ...[created.body.data.id, 1, 'application/json'],
    ]);
    await expect.poll(async () => (await deliveriesOf(ada, id)).length).toBe(2);
    expect((await deliveriesOf(ada, id))[0]).toMatchObject({
      ...{ event_id: created.id, type: 'record.created', state: 'delivered', attempts: 1 },
      ...{ status: 204, error: null, object_type: 'companies', record_id: made },
    });
    expect((await stateOf(ada, id)).last_delivery).toEqual({
      ...{ state: 'delivered', status: 204, error: null, attempted_at: expect.any(String) },
    });
    const [row] = await world.database.rows('select * from ws_acme._webhook_deliveries');
    expect(JSON.stringify(row)).not.toContain('First');
  });

  test('headers are sent, and during a rotation a signature of each secret', async () => {
    const { id, secret } = await makeWebhook(ada, receiver, { headers: { 'X-Token': 'own' } });
    const rotated = await ada.post(`/webhooks/${id}/rotate_secret`, { overlap_hours: 1 });
    await create('companies', { name: 'During' });
    await expect.poll(() => receiver.events().length).toBe(1);
    const [during] = receiver.events() as [Received];
    expect(during.headers['x-token']).toBe('own');
    for (const one of [secret, rotated.body.data.secret]) {
      expect(new Webhook(one).verify(during.text, headersOf(during))).toEqual(during.body);
    }
    await pass(HOUR + SECOND);
    await create('companies', { name: 'After' });
    await expect.poll(() => receiver.events().length).toBe(2);
    const [, after] = receiver.events() as [Received, Received];
    expect(() => new Webhook(secret).verify(after.text, headersOf(after))).toThrow();
    new Webhook(rotated.body.data.secret).verify(after.text, headersOf(after));
  });

  test('with the record, up to 20 kB', async () => {
    await makeWebhook(ada, receiver, { payload: 'record', events: ['record.*'] });
    const id = await create('companies', { name: 'Whole', tier: 'gold' });
    await expect.poll(() => receiver.events().length).toBe(1);
    const [whole] = receiver.events();
    const { body } = await ada.get(`/objects/companies/records/${id}`);
    expect(whole?.body.data.record).toEqual(body.data);
    const custom_fields = { note: 'x'.repeat(499) };
    await create('companies', { name: 'Long', custom_fields });
    const many = { name: 'Longer', description: '\u0001'.repeat(5000) };
    const { status } = await ada.post('/objects/companies/records', { fields: many });
    const expected = status === 201 ? 3 : 2;
    await expect.poll(() => receiver.events().length).toBe(expected);
    expect((await ada.delete(`/objects/companies/records/${id}`)).status).toBe(200);
    await expect.poll(() => receiver.events().length).toBe(expected + 1);
    const gone = receiver.events().at(-1);
    expect(gone?.body.type).toBe('record.deleted');
    expect(gone?.body.data).not.toHaveProperty('record');
  });

  test('a test sends a ping and answers with its result, also while it is paused', async () => {
    const { id } = await makeWebhook(ada, receiver);
    const sent = await ada.post(`/webhooks/${id}/test`, undefined);
    expect(sent.body.data).toMatchObject({ type: 'ping', state: 'delivered', status: 204 });
    await ada.patch(`/webhooks/${id}`, { active: false });
    receiver.answer(() => ({ status: 500, text: 'No', headers: { 'x-request-id': 'r1' } }));
    const failed = await ada.post(`/webhooks/${id}/test`, undefined);
    expect(failed.body.data).toMatchObject({
      ...{ state: 'failed', status: 500, answer: 'No', request_id: 'r1', attempts: 1 },
    });
    expect(await stateOf(ada, id)).toMatchObject({ state: 'paused', failing_since: null });
  });
});

test('hidden fields are in no body, records of others in no event', async () => {
  const rob = await world.as('rob');
  const { id } = await makeWebhook(rob, receiver, { payload: 'record' });
  const owner_user_id = world.users.rob;
  const own = await create('deals', { name: 'Own', secret: 'canary 1', owner_user_id });
  await update('deals', own, { secret: 'canary 2' });
  await create('deals', { name: 'canary 3', owner_user_id: world.users.sam });
  await update('deals', own, { amount: 4 });
  await expect.poll(() => typesOf(receiver.events())).toEqual(['record.created', 'record.updated']);
  await update('deals', own, { owner_user_id: world.users.sam, name: 'canary 4' });
  await expect.poll(() => typesOf(receiver.events()).at(-1)).toBe('record.left');
  expect(JSON.stringify(receiver.all)).not.toContain('canary');
  expect(receiver.events()[0]?.body.data.record.fields).not.toHaveProperty('secret');
  expect((await deliveriesOf(rob, id)).every(({ answer }) => answer === '')).toBe(true);
});

describe('order and attempts', () => {
  test('events of a record come in their order, whatever the receiver does', async () => {
    const random: Answering = () => ({ status: 204, after: Math.random() * 20 });
    receiver.answer(random);
    await makeWebhook(ada, receiver);
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => create('companies', { name })),
    );
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(ids.map((id) => update('companies', id, { name: `${round}` })));
    }
    await expect.poll(() => receiver.events().length).toBe(24);
    for (const id of ids) {
      const own = receiver.events().filter(({ body }) => body.data.record_id === id);
      expect(own.map(({ body }) => body.data.revision)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  test('a failed one is repeated by the schedule; later ones of its record wait for it', async () => {
    const { id } = await makeWebhook(ada, receiver);
    const one = await create('companies', { name: 'One' });
    await expect.poll(() => receiver.events().length).toBe(1);
    const isOfOne = ({ body }: Received) => body.data.record_id === one;
    receiver.answer((received) => (isOfOne(received) ? 500 : 204));
    await update('companies', one, { name: 'Two' });
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?state=pending'))[0]?.attempts)
      .toBe(1);
    await update('companies', one, { name: 'Three' });
    await create('companies', { name: 'Other' });
    await expect
      .poll(() => typesOf(receiver.events()))
      .toEqual([...['record.created', 'record.updated', 'record.created']]);
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('active');
    await pass(6 * SECOND);
    await expect.poll(() => receiver.events().length).toBe(4);
    expect(receiver.events().at(-1)).toMatchObject({ attempt: 2, id: receiver.events()[1]?.id });
    // The third attempt fails as well: the next event is sent without it.
    await pass(6 * 60 * SECOND);
    await expect.poll(() => receiver.events().length).toBe(6);
    const [third, next] = receiver.events().slice(-2) as [Received, Received];
    expect([third.attempt, next.attempt]).toEqual([3, 1]);
    expect(next.body.data.revision).toBe(3);
    receiver.answer(() => 204);
    await pass(3 * HOUR);
    await expect.poll(async () => deliveriesOf(ada, id, '?state=pending')).toEqual([]);
    await expect.poll(async () => (await stateOf(ada, id)).failing_since).toBeNull();
    const done = (await deliveriesOf(ada, id)).filter(({ type }) => type === 'record.updated');
    expect(done.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['delivered', 2],
      ['delivered', 4],
    ]);
  });

  test('ten attempts, then it has failed for good, and can be sent again', async () => {
    const { id } = await makeWebhook(ada, receiver);
    const bad = await create('companies', { name: 'Bad' });
    await expect.poll(() => receiver.events().length).toBe(1);
    receiver.answer(({ body }) => (body.data.record_id === bad ? 503 : 204));
    await update('companies', bad, { name: 'Worse' });
    const own = () => receiver.events().filter(({ body }) => body.type === 'record.updated');
    await expect.poll(() => own().length).toBe(1);
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      // A success now and then, so that the webhook itself does not fail.
      await create('companies', { name: `Good ${attempt}` });
      await pass(26 * HOUR);
      await expect.poll(() => own().length).toBe(attempt);
    }
    await expect.poll(async () => (await deliveriesOf(ada, id, '?state=failed')).length).toBe(1);
    const [failed] = await deliveriesOf(ada, id, '?state=failed');
    expect(failed).toMatchObject({ attempts: 10, status: 503, next_attempt_at: null });
    expect((await stateOf(ada, id)).state).not.toBe('disabled');
    receiver.answer(() => 204);
    await ada.post(`/webhooks/${id}/deliveries/${failed.id}/replay`, undefined);
    await expect.poll(() => own().length).toBe(11);
    expect(new Set(own().map(({ id: event }) => event)).size).toBe(1);
    expect(own().at(-1)?.attempt).toBe(11);
    await expect.poll(async () => deliveriesOf(ada, id, '?state=failed')).toEqual([]);
  });

  test('a clock that jumps back holds nothing up', async () => {
    const { id } = await makeWebhook(ada, receiver);
    receiver.answer(() => 503);
    await create('companies', { name: 'Early' });
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?state=pending'))[0]?.attempts)
      .toBe(1);
    receiver.answer(() => 204);
    await pass(-20 * DAY);
    await expect.poll(() => receiver.events().length).toBe(2);
    await create('companies', { name: 'Next' });
    await expect.poll(() => receiver.events().length).toBe(3);
  });

  test('Retry-After of the receiver is honoured', async () => {
    const { id } = await makeWebhook(ada, receiver);
    receiver.answer(() => ({ status: 429, headers: { 'retry-after': '7200' } }));
    await create('companies', { name: 'Later' });
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?state=pending'))[0]?.attempts)
      .toBe(1);
    const [{ next_attempt_at }] = await deliveriesOf(ada, id, '?state=pending');
    const hours = (Date.parse(next_attempt_at) - clock.now()) / HOUR;
    expect(hours).toBeGreaterThan(1.9);
    expect(hours).toBeLessThan(2.3);
    receiver.answer(() => 204);
    await pass(HOUR);
    expect(receiver.events()).toHaveLength(1);
    await pass(2 * HOUR);
    await expect.poll(() => receiver.events().length).toBe(2);
  });

  test('a receiver that is gone disables its webhook at once', async () => {
    const { id } = await makeWebhook(ada, receiver);
    receiver.answer(() => 410);
    await create('companies', { name: 'Gone' });
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('disabled');
    expect((await stateOf(ada, id)).reason.code).toBe('receiver_gone');
    await create('companies', { name: 'Unsent' });
    await pass(DAY);
    expect(receiver.events()).toHaveLength(1);
    const [entry] = (await ada.get(`/audit?subject_id=${id}&action=disable`)).body.data;
    expect(entry).toMatchObject({ user: null, source: 'api', subject_type: 'webhook' });
    // It continues where it stopped, after a ping.
    receiver.answer(() => 204);
    await ada.patch(`/webhooks/${id}`, { active: true });
    await expect.poll(() => typesOf(receiver.all).slice(-2)).toEqual(['ping', 'record.created']);
  });

  test('after a day its owner is told, after five it is disabled', async () => {
    const { id } = await makeWebhook(ada, receiver);
    receiver.answer(() => 500);
    await create('companies', { name: 'Never' });
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('failing');
    await pass(25 * HOUR, 5);
    await expect
      .poll(async () => (await ada.get(`/audit?subject_id=${id}&action=fail`)).body.data.length)
      .toBe(1);
    expect((await stateOf(ada, id)).state).toBe('failing');
    await pass(4 * DAY, 8);
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('disabled');
    expect((await stateOf(ada, id)).reason.code).toBe('failing');
    const notices = (await ada.get('/notifications')).body.data.filter(
      (one: { readonly webhook_id?: string }) => one.webhook_id === id,
    );
    expect(notices).toMatchObject([{ kind: 'webhook_failed' }, { kind: 'webhook_failed' }]);
    const before = receiver.all.length;
    await pass(DAY);
    expect(receiver.all).toHaveLength(before);
  });

  test('it is told once, also while an attempt is being answered', async () => {
    const { id } = await makeWebhook(ada, receiver);
    receiver.answer(() => 500);
    await create('companies', { name: 'Slow' });
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('failing');
    receiver.answer(() => ({ status: 500, after: 1500 }));
    const before = receiver.all.length;
    await pass(20 * HOUR);
    await expect.poll(() => receiver.all.length).toBe(before + 1);
    await pass(5 * HOUR);
    const told = async () => (await ada.get(`/audit?subject_id=${id}&action=fail`)).body.data;
    await expect.poll(async () => (await told()).length).toBe(1);
    await expect.poll(async () => (await deliveriesOf(ada, id))[0]?.attempts).toBe(2);
    await pass(HOUR);
    expect(await told()).toHaveLength(1);
  });

  test('nothing is sent before the ping is answered', async () => {
    receiver.answer(({ body }) => (body.type === 'ping' ? 500 : 204));
    const body = { url: receiver.url, events: ['record.*'] };
    const { id } = (await ada.post('/webhooks', body)).body.data;
    await create('companies', { name: 'Waits' });
    await expect.poll(() => receiver.all.length).toBe(1);
    await pass(6 * SECOND);
    await expect.poll(() => receiver.all.length).toBe(2);
    expect(typesOf(receiver.all)).toEqual(['ping', 'ping']);
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('failing');
    expect(await stateOf(ada, id)).toMatchObject({ verified_at: null });
    receiver.answer(() => 204);
    await pass(6 * 60 * SECOND);
    await expect.poll(() => typesOf(receiver.events())).toEqual(['record.created']);
    await expect.poll(async () => (await stateOf(ada, id)).state).toBe('active');
  });

  test('an unreachable receiver, and one that answers nothing, have failed', async () => {
    const closed = await openReceiver();
    await closed.close();
    const body = { url: closed.url, events: ['record.*'] };
    const { id } = (await ada.post('/webhooks', body)).body.data;
    await expect.poll(async () => (await deliveriesOf(ada, id))[0]?.error).toBe('unreachable');
  });
});

describe('states', () => {
  test('a paused one sends nothing, and continues where it was or from now on', async () => {
    const { id } = await makeWebhook(ada, receiver);
    await ada.patch(`/webhooks/${id}`, { active: false });
    await create('companies', { name: 'While paused' });
    await pass(SECOND);
    expect(receiver.events()).toEqual([]);
    await ada.patch(`/webhooks/${id}`, { active: true });
    await expect.poll(() => receiver.events().length).toBe(1);
    await ada.patch(`/webhooks/${id}`, { active: false });
    await create('companies', { name: 'Skipped' });
    await ada.patch(`/webhooks/${id}`, { active: true, resume: 'now' });
    await create('companies', { name: 'Sent' });
    await expect.poll(() => receiver.events().length).toBe(2);
    const names = receiver.events().map(({ body }) => body.data.record_id);
    expect(new Set(names).size).toBe(2);
    await pass(SECOND);
    expect(receiver.events()).toHaveLength(2);
  });

  test('another process continues without a gap, and two of them send once', async () => {
    const { id } = await makeWebhook(ada, receiver);
    const second = await world.startSending(clock);
    try {
      for (let index = 0; index < 20; index += 1) await create('companies', { name: `${index}` });
      await expect.poll(() => receiver.events().length).toBe(20);
      await sending.stop();
      for (let index = 0; index < 20; index += 1) await create('companies', { name: `${index}` });
      await expect.poll(() => receiver.events().length).toBe(40);
      expect(new Set(receiver.events().map((one) => one.id)).size).toBe(40);
      await expect.poll(async () => (await deliveriesOf(ada, id, '?limit=100')).length).toBe(41);
    } finally {
      await second.stop();
    }
  });

  test('a webhook that is made while webhooks are read is pinged', async () => {
    const { id } = await makeWebhook(ada, receiver);
    await sending.stop();
    await ada.delete(`/webhooks/${id}`);
    const reading = hold();
    const second = await world.startSending(clock, answersAfter(reading.held));
    try {
      // The answer that lacks it comes after its commit and the notification.
      setTimeout(reading.release, 300);
      await makeWebhook(ada, receiver);
    } finally {
      await second.stop();
    }
  });

  test('a slow receiver delays no other', async () => {
    const slow = await openReceiver(({ body }) => (body.type === 'ping' ? 204 : undefined));
    try {
      await makeWebhook(ada, slow);
      await makeWebhook(ada, receiver);
      for (let index = 0; index < 30; index += 1) await create('companies', { name: `${index}` });
      await expect.poll(() => receiver.events().length).toBe(30);
      expect(slow.events().length).toBeLessThanOrEqual(8);
    } finally {
      await slow.close();
    }
  });

  test('everything up to position_at is among the deliveries, also when none is answered', async () => {
    const { id } = await makeWebhook(ada, receiver);
    receiver.answer(({ body }) => (body.type === 'ping' ? 204 : undefined));
    const made: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      made.push(await create('companies', { name: `${index}` }));
      const { position_at } = await stateOf(ada, id);
      const listed = (await deliveriesOf(ada, id, '?limit=100')).map(({ record_id }) => record_id);
      const { body } = await ada.get('/objects/companies/records?limit=100&sort=created_at');
      for (const { id: record, created_at } of body.data) {
        const isBefore = made.includes(record) && created_at <= position_at;
        if (isBefore) expect(listed).toContain(record);
      }
    }
    await expect
      .poll(async () => (await deliveriesOf(ada, id, '?state=pending&limit=100')).length)
      .toBe(30);
    await ada.patch(`/webhooks/${id}`, { active: false });
    await ada.patch(`/webhooks/${id}`, { active: true, resume: 'now' });
    // Events that were planned and never tried are not sent.
    receiver.answer(() => 204);
    await expect.poll(async () => deliveriesOf(ada, id, '?state=pending&limit=100')).toEqual([]);
    expect(new Set(receiver.events().map((one) => one.id)).size).toBeLessThanOrEqual(8);
  });

  test('a range of deliveries is sent again', async () => {
    const { id } = await makeWebhook(ada, receiver);
    for (const name of ['a', 'b', 'c']) await create('companies', { name });
    await expect.poll(async () => (await deliveriesOf(ada, id)).length).toBe(4);
    const [{ event_id: last }] = await deliveriesOf(ada, id);
    const { replayingWebhooks } = await import('../../src/flow/webhooks/replay-job.ts');
    const { startJobs } = await import('../../src/flow/jobs/job-runner.ts');
    const { db, listeners } = world.database;
    const kinds = [replayingWebhooks(db)];
    const jobs = await startJobs({ db, listeners, kinds, onError: () => undefined });
    try {
      const span = { since: '2026-01-01', states: ['delivered'] };
      const { body } = await ada.post(`/webhooks/${id}/replay`, span);
      await expect.poll(() => receiver.events().length).toBe(6);
      expect(receiver.events().filter((one) => one.id === last)).toHaveLength(2);
      const job = await ada.get(`/jobs/${body.data.id}?wait=30`);
      expect(job.body.data).toMatchObject({ state: 'done', counts: { replayed: 4 } });
    } finally {
      await jobs.stop();
    }
  });
});
