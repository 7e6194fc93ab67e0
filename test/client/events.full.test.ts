// Live events through the client: over broken connections each arrives once and none is missed; the stream ends when
// the caller stops, and when the key may not read.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveEvent } from '../../packages/client/src/index.ts';
import { openWorld, type World } from '../world.ts';
import { clientOf } from './client-world.ts';
import { type CuttingProxy, openCuttingProxy, refusal } from './cutting-proxy.ts';
import type { Noted } from './guarded-fetch.ts';

let world: World;
let proxy: CuttingProxy;
/** Ends the streams that would otherwise connect for ever. */
const over = new AbortController();

beforeAll(async () => {
  world = await openWorld();
  proxy = await openCuttingProxy(world.port);
});
afterAll(async () => {
  over.abort();
  await proxy?.close();
  await world?.close();
});

/** Reads until it is stopped. */
function readAll(events: AsyncIterable<LiveEvent>) {
  const seen: LiveEvent[] = [];
  const ended = (async () => {
    for await (const event of events) seen.push(event);
  })();
  ended.catch(() => undefined);
  return { seen, ended };
}

const connectionsOf = (noted: readonly Noted[]) =>
  noted.filter(({ path }) => path === '/events/stream');
const idsOf = (events: readonly LiveEvent[]) =>
  events.map(({ data }) => ('record_id' in data ? data.record_id : ''));

test('over broken connections every event comes once', async () => {
  const { client: reader, noted } = await clientOf(world, 'ada', { baseUrl: proxy.baseUrl });
  const { client } = await clientOf(world, 'ada');
  const deals = client.records('deals');
  const stop = new AbortController();
  const { seen, ended } = readAll(reader.events.stream({ signal: stop.signal }));
  const created: string[] = [];
  const create = async () => void created.push((await deals.create({ name: 'Told' })).id);
  // Events before the stream is open are not sent.
  await expect.poll(() => connectionsOf(noted).length).toBe(1);
  await expect
    .poll(async () => {
      await deals.create({ name: 'Before' });
      await new Promise((resolve) => setTimeout(resolve, 30));
      return seen.length;
    })
    .toBeGreaterThan(0);
  const told = () => new Set(idsOf(seen));
  for (const faults of [
    [],
    [refusal(503, 'service_unavailable', '0')],
    ['lose_request'],
  ] as const) {
    await create();
    await expect.poll(() => created.every((id) => told().has(id)), { timeout: 60_000 }).toBe(true);
    proxy.spoil(...faults);
    proxy.cut();
    await create();
    await create();
    await expect.poll(() => created.every((id) => told().has(id)), { timeout: 60_000 }).toBe(true);
  }
  const ids = seen.map(({ data }) => ('id' in data ? data.id : ''));
  expect(new Set(ids).size).toBe(ids.length);
  expect(seen.every(({ event }) => event === 'record.created')).toBe(true);
  const [first, ...later] = connectionsOf(noted).map(({ headers }) => headers.get('last-event-id'));
  expect(first).toBeNull();
  expect(later.length).toBeGreaterThanOrEqual(5);
  expect(later.every((id) => id !== null)).toBe(true);
  const reason = new Error('done');
  stop.abort(reason);
  await expect(ended).rejects.toBe(reason);
});

test('a reader that starts with the id of an event gets the events after it', async () => {
  const { client, noted } = await clientOf(world, 'ada');
  const deals = client.records('deals');
  const next = async (events: AsyncIterable<LiveEvent>) => {
    for await (const event of events) return event;
    throw new Error('the stream ended');
  };
  const waiting = next(client.events.stream());
  await expect.poll(() => connectionsOf(noted).length).toBe(1);
  const poke = setInterval(() => void deals.create({ name: 'First' }), 100);
  const first = await waiting.finally(() => clearInterval(poke));
  expect(first.id).toMatch(/^\S+$/);
  const { id } = await deals.create({ name: 'While away' });
  const { seen } = readAll(
    client.events.stream({ lastEventId: String(first.id), signal: over.signal }),
  );
  await expect.poll(() => idsOf(seen)).toContain(id);
});

test('repeated events are dropped, and the service sets the time of the reconnect', async () => {
  const { client, noted } = await clientOf(world, 'ada', { baseUrl: proxy.baseUrl });
  const headers = { 'Content-Type': 'text/event-stream' };
  const event = (id: string) =>
    `event: record.created\ndata: ${JSON.stringify({ id, record_id: id })}\n\n`;
  proxy.spoil(
    { status: 200, headers, body: `retry: 10\n\n${event('one')}: heartbeat\n\nevent: record.cre` },
    { status: 200, headers, body: `${event('one')}id: here\n${event('two')}` },
  );
  const { seen } = readAll(client.events.stream({ signal: over.signal }));
  await expect.poll(() => connectionsOf(noted).length).toBe(3);
  expect(seen.map(({ data, id }) => ['id' in data && data.id, id])).toEqual([
    ['one', undefined],
    ['two', 'here'],
  ]);
  const sent = connectionsOf(noted).map((request) => request.headers.get('last-event-id'));
  expect(sent).toEqual([null, null, 'here']);
});

test('a stream ends with its key', async () => {
  const { client, noted } = await clientOf(world, 'ada', { expiresIn: 2 });
  const { ended } = readAll(client.events.stream());
  await expect(ended).rejects.toMatchObject({ code: 'api_key_expired', status: 401 });
  expect(connectionsOf(noted).length).toBeLessThanOrEqual(2);
});

test('a key that may not read, and an answer that is not a stream, end it', async () => {
  const { client } = await clientOf(world, 'ada', { scopes: ['users:read'] });
  await expect(client.events.stream().next()).rejects.toMatchObject({ code: 'insufficient_scope' });
  const { client: misled } = await clientOf(world, 'ada', { baseUrl: proxy.baseUrl });
  proxy.spoil({ status: 200, headers: { 'Content-Type': 'text/html' }, body: '<html></html>' });
  await expect(misled.events.stream().next()).rejects.toMatchObject({ code: 'unexpected_answer' });
  const wrong = client.events.stream({ lastEventId: 'a b' }).next();
  await expect(wrong).rejects.toThrow('lastEventId must be visible ASCII');
});
