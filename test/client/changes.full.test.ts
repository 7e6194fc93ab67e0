// The change feed through the client: from a stored cursor on nothing is missing, over broken connections each event
// comes once, and a cursor that is no longer valid is said to be so.

import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ChangeEvent,
  type ChangePage,
  type Client,
  isCursorExpired,
} from '../../packages/client/src/index.ts';
import { openWorld, type World } from '../world.ts';
import { clientOf } from './client-world.ts';
import { type CuttingProxy, openCuttingProxy, refusal } from './cutting-proxy.ts';

let world: World;
let proxy: CuttingProxy;
let ada: Client;
/** Ends the readers that would otherwise wait for ever. */
const over = new AbortController();

beforeAll(async () => {
  world = await openWorld();
  proxy = await openCuttingProxy(world.port);
  ({ client: ada } = await clientOf(world, 'ada'));
});
afterAll(async () => {
  over.abort();
  await proxy?.close();
  await world?.close();
});

const create = async (name: string) => (await ada.records('deals').create({ name })).id;
const recordOf = (event: ChangeEvent) => ('record_id' in event ? event.record_id : undefined);

async function allOf(pages: AsyncIterable<ChangePage>): Promise<readonly ChangePage[]> {
  const all: ChangePage[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

async function cursorNow(client = ada): Promise<string> {
  const [page] = await allOf(client.changes({ wait: 0 }));
  return String(page?.cursor);
}

/** Reads until it is stopped. */
function readAll(pages: AsyncIterable<ChangePage>) {
  const events: ChangeEvent[] = [];
  const cursors: string[] = [];
  const ended = (async () => {
    for await (const page of pages) {
      events.push(...page.events);
      cursors.push(page.cursor);
    }
  })();
  ended.catch(() => undefined);
  return { events, cursors, ended };
}

test('the first cursor comes at once, and pages end with the last change', async () => {
  const waiting = ada.changes({ signal: over.signal });
  const { value: first } = await waiting.next();
  expect(first).toMatchObject({ events: [], hasMore: false });
  const ids = [await create('One'), await create('Two'), await create('Three')];
  const cursor = (first as ChangePage).cursor;
  const pages = await allOf(ada.changes({ cursor, wait: 0, limit: 2 }));
  expect(pages.flatMap(({ events }) => events.map(recordOf))).toEqual(ids);
  expect(pages.map(({ events, hasMore }) => [events.length <= 2, hasMore])).toEqual(
    pages.map((_, index) => [true, index < pages.length - 1]),
  );
  await waiting.return();
});

test('a program that failed before it stored a page gets it again', async () => {
  let stored = { cursor: await cursorNow(), ids: [] as (string | undefined)[] };
  const created = [await create('Kept'), await create('Lost'), await create('Last')];
  const run = async (failsAt: string | undefined) => {
    const { cursor } = stored;
    for await (const page of ada.changes({ cursor, wait: 0, limit: 1 })) {
      const ids = page.events.map(recordOf);
      if (ids.includes(failsAt)) throw new Error('killed');
      stored = { cursor: page.cursor, ids: [...stored.ids, ...ids] };
    }
  };
  await expect(run(created[1])).rejects.toThrow('killed');
  expect(stored.ids).toEqual([created[0]]);
  await run(undefined);
  expect(stored.ids).toEqual(created);
});

test('over broken connections and refusals every event comes once', async () => {
  const { client, noted } = await clientOf(world, 'ada', { baseUrl: proxy.baseUrl, maxRetries: 0 });
  const cursor = await cursorNow();
  const { events, ended } = readAll(client.changes({ cursor, wait: 20, signal: over.signal }));
  const created: string[] = [];
  const arrived = () => expect.poll(() => events.map(recordOf)).toEqual(created);
  for (const faults of [
    [],
    [refusal(503, 'service_unavailable', '1')],
    [refusal(429, 'too_many_streams', '0'), 'lose_request'],
    ['lose_answer', 'half'],
  ] as const) {
    created.push(await create('Told'));
    await arrived();
    proxy.spoil(...faults);
    proxy.cut();
    created.push(await create('Told'), await create('Told'));
    await arrived();
  }
  expect(noted.length).toBeGreaterThan(8);
  over.signal.throwIfAborted();
  void ended;
});

test('Retry-After is waited for', async () => {
  const { client, noted } = await clientOf(world, 'ada', { baseUrl: proxy.baseUrl, maxRetries: 0 });
  const cursor = await cursorNow();
  const started = performance.now();
  proxy.spoil(refusal(429, 'too_many_streams', '2'));
  await allOf(client.changes({ cursor, wait: 0 }));
  expect(noted.length).toBe(2);
  expect(performance.now() - started).toBeGreaterThanOrEqual(2000);
});

test('an event that is sent again is dropped, except changes of rights', async () => {
  const { client } = await clientOf(world, 'ada', { baseUrl: proxy.baseUrl });
  const answer = (has_more: boolean, ...data: readonly object[]) => {
    const pagination = { limit: 1, has_more, next_cursor: 'next' };
    return { status: 200, body: JSON.stringify({ data, pagination }) };
  };
  const event = { type: 'record.updated', id: 'one', record_id: 'a' };
  const rights = { type: 'reach.changed', id: 'rights', object_types: [] };
  proxy.spoil(answer(true, event, rights), answer(false, event, rights, { ...event, id: 'two' }));
  const pages = await allOf(client.changes({ cursor: 'first', wait: 0 }));
  expect(pages.map(({ events }) => events.map(({ id }) => id))).toEqual([
    ['one', 'rights'],
    ['rights', 'two'],
  ]);
});

test('a role that is taken and given again is reported each time', async () => {
  const { client } = await clientOf(world, 'rae');
  const cursor = await cursorNow(client);
  const { events } = readAll(client.changes({ cursor, wait: 20, signal: over.signal }));
  const reaches = () => events.filter(({ type }) => type === 'reach.changed').length;
  for (const [index, roles] of ['{blind}', '{rep}', '{blind}', '{rep}'].entries()) {
    await world.database.rows(`update ws_acme._users set roles = $1 where name = 'Rae'`, [roles]);
    await expect.poll(reaches).toBeGreaterThan(index);
  }
});

test('it asks for what it is told to', async () => {
  const { client, noted } = await clientOf(world, 'ada');
  const cursor = await cursorNow();
  const company = await ada.records('companies').create({ name: 'Other' });
  const id = await create('Wanted');
  await ada.records('deals').update(id, { amount: 5 });
  const [page] = await allOf(
    client.changes({
      ...{ cursor, since: new Date(0), wait: 0, include: 'record' },
      ...{ objectType: ['deals'], type: ['record.created', 'comment.*'], fields: ['amount'] },
    }),
  );
  expect(page?.events).toMatchObject([
    { type: 'record.created', record_id: id, record: { fields: { amount: 5 } } },
  ]);
  expect(noted[0]?.path).not.toContain('since');
  const since = new Date(Date.now() - 60_000);
  const pages = await allOf(client.changes({ since, wait: 0, objectType: 'companies' }));
  expect(pages.flatMap(({ events }) => events.map(recordOf))).toContain(company.id);
});

test('a cursor that is no longer valid is an error with its reason', async () => {
  const long = { since: '2020-01-01T00:00:00Z', wait: 0 };
  const error = await allOf(ada.changes(long)).catch((thrown: unknown) => thrown);
  expect(isCursorExpired(error) && error.details.reason).toBe('too_old');
  await expect(allOf(ada.changes({ cursor: 'none' }))).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
  const { client } = await clientOf(world, 'ada', { scopes: ['users:read'] });
  const refused = await allOf(client.changes()).catch((thrown: unknown) => thrown);
  expect(isCursorExpired(refused)).toBe(false);
  expect(refused).toMatchObject({ code: 'insufficient_scope' });
});

test('its signal ends a wait', async () => {
  const stop = new AbortController();
  const cursor = await cursorNow();
  const { cursors, ended } = readAll(ada.changes({ cursor, signal: stop.signal }));
  const reason = new Error('done');
  setTimeout(() => stop.abort(reason), 100);
  await expect(ended).rejects.toBe(reason);
  expect(cursors).toEqual([]);
});
