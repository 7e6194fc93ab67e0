// Answers that stay open: how many, for how long nobody may read, and how they end.

import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import Type from 'typebox';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { assembleServer } from '../../src/cli/assemble.ts';
import { readConfig } from '../../src/config.ts';
import type { OutletLimits } from '../../src/http/outlet.ts';
import type { Outlet, Route } from '../../src/http/route.ts';
import type { RunningServer } from '../../src/http/server.ts';
import { openTestDoor, type TestDoor, TOY_ABOUT } from '../door.ts';
import { type EventClient, openEvents } from '../event-client.ts';
import { call } from '../http-client.ts';

let door: TestDoor;
let secret: string;
beforeAll(async () => {
  door = await openTestDoor();
  secret = await door.key('ann');
});
afterAll(() => door.close());

const servers: RunningServer[] = [];
const clients: EventClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server with one route that hands its outlets to the test. */
async function start(outletLimits: Partial<OutletLimits> = {}) {
  const outlets: Outlet[] = [];
  const nothing = Type.Object({}, { additionalProperties: false });
  const route: Route<unknown> = {
    method: 'GET',
    path: '/events/stream',
    operationId: 'streamToys',
    tag: 'Toys',
    summary: 'A toy',
    scope: ['records:read', 'comments:read'],
    params: nothing,
    query: nothing,
    status: 200,
    result: nothing,
    events: true,
    errors: [],
    handle: async () => ({ stream: (outlet) => outlets.push(outlet) }),
  };
  const { db } = door.own;
  const parts = { db, config: readConfig({}), logger: pino({ level: 'silent' }) };
  const surface = { routes: [route], about: TOY_ABOUT, context: undefined, outletLimits };
  const server = await assembleServer(parts, surface);
  servers.push(server);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const open = async () => {
    const client = await openEvents({ port, secret });
    clients.push(client);
    return client;
  };
  return { server, port, outlets, open };
}

test('has a place for so many, and one again when one has gone', async () => {
  const { port, outlets, open } = await start({ most: 2 });
  const [first] = [await open(), await open()];
  const refused = await call(port, '/v1/events/stream', { key: secret });
  expect([refused.status, refused.json.error.code]).toEqual([503, 'service_unavailable']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
  first?.close();
  await vi.waitFor(() => expect(outlets.filter((one) => one.isOpen())).toHaveLength(1), 60_000);
  await vi.waitFor(async () => expect((await open()).status).toBe(200), 60_000);
});

test.each([
  ['key', { mostOfKey: 2 }],
  ['workspace', { mostOfWorkspace: 2 }],
] as const)(
  'a %s has so many, and one again when one has gone; others are let in',
  async (of, limits) => {
    const { port, outlets, open } = await start(limits);
    const [first] = [await open(), await open()];
    const refused = await call(port, '/v1/events/stream', { key: secret });
    const { code, type, details } = refused.json.error;
    expect([refused.status, code, type]).toEqual([429, 'too_many_streams', 'rate_limit_error']);
    expect(details).toEqual({ limit: 2, of });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await door.key('bob', of === 'key' ? {} : { workspace: 'globex' });
    const stranger = await openEvents({ port, secret: other });
    clients.push(stranger);
    expect(stranger.status).toBe(200);
    first?.close();
    await vi.waitFor(() => expect(outlets.filter((one) => one.isOpen())).toHaveLength(2));
    await vi.waitFor(async () => expect((await open()).status).toBe(200));
  },
);

test('HEAD takes no place', async () => {
  const { port, outlets, open } = await start({ most: 1 });
  for (let round = 0; round < 3; round += 1) {
    const head = await call(port, '/v1/events/stream', { key: secret, method: 'HEAD' });
    expect([head.status, head.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  }
  expect((await open()).status).toBe(200);
  expect(outlets).toHaveLength(1);
});

test('text arrives as it is written, and what is written when it has ended does not', async () => {
  const { outlets, open } = await start();
  const client = await open();
  const [outlet] = outlets as [Outlet];
  const closed = vi.fn();
  outlet.onClose(closed);
  outlet.write('event: one\ndata: 1\n\n');
  await client.next(({ name }) => name === 'one');
  outlet.end();
  outlet.end();
  outlet.write('event: two\ndata: 2\n\n');
  await client.ended();
  expect(client.events).toHaveLength(1);
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1), 60_000);
  expect(outlet.isOpen()).toBe(false);
});

/** Write until the sockets of both sides take no more. */
async function fill(outlet: Outlet): Promise<void> {
  const block = `: ${'x'.repeat(65_536)}\n`;
  for (let quiet = 0; quiet < 10; ) {
    while (outlet.hasRoom()) outlet.write(block);
    await sleep(20);
    quiet = outlet.hasRoom() ? 0 : quiet + 1;
  }
}

test('who reads again in time goes on', async () => {
  const { outlets, open } = await start({ drainWithin: 30_000 });
  const client = await open();
  const [outlet] = outlets as [Outlet];
  client.pause();
  await fill(outlet);
  const drained = outlet.drained();
  client.resume();
  await drained;
  expect([outlet.hasRoom(), outlet.isOpen()]).toEqual([true, true]);
  outlet.write('\nevent: one\ndata: 1\n\n');
  await client.next(({ name }) => name === 'one');
});

test('who does not read in time is cut off', async () => {
  const { outlets, open } = await start({ drainWithin: 200 });
  const client = await open();
  const [outlet] = outlets as [Outlet];
  client.pause();
  await fill(outlet);
  await outlet.drained();
  expect(outlet.isOpen()).toBe(false);
  client.resume();
  await client.ended();
});

test('closing ends all, also who does not read', async () => {
  const { server, outlets, open } = await start();
  const [reading, stuck] = [await open(), await open()];
  stuck.pause();
  await fill(outlets[1] as Outlet);
  // Without that it would wait for the client, and cut the connection after 7 seconds.
  expect(await Promise.race([server.close(), sleep(6500, 'late')])).not.toBe('late');
  await reading.ended();
  expect(outlets.some((outlet) => outlet.isOpen())).toBe(false);
});
