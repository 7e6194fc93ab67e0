// Connections of Server-Sent Events: how many there may be, how long a client may not read, how they end.

import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import Type from 'typebox';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { assembleServer } from '../../src/cli/service/assemble.ts';
import { readConfig } from '../../src/config.ts';
import type { Route, SseConnection } from '../../src/http/route/route.ts';
import type { RunningServer } from '../../src/http/socket/server.ts';
import type { SseLimits } from '../../src/http/socket/sse-connections.ts';
import { type EventClient, openEvents } from '../event-client.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture, TOY_ABOUT } from '../server-fixture.ts';

let fixture: ServerFixture;
let secret: string;
beforeAll(async () => {
  fixture = await openServerFixture();
  secret = await fixture.key('ann');
});
afterAll(() => fixture.close());

const servers: RunningServer[] = [];
const clients: EventClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A server with one route that hands its connections to the test. */
async function start(sseLimits: Partial<SseLimits> = {}) {
  const connections: SseConnection[] = [];
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
    handle: async () => ({ stream: (connection) => connections.push(connection) }),
  };
  const parts = { ...fixture.own, config: readConfig({}), logger: pino({ level: 'silent' }) };
  const surface = { routes: [route], about: TOY_ABOUT, context: undefined, sseLimits };
  const server = await assembleServer(parts, surface);
  servers.push(server);
  const port = await server.listen({ host: '127.0.0.1', port: 0 });
  const open = async () => {
    const client = await openEvents({ port, secret });
    clients.push(client);
    return client;
  };
  return { server, port, connections, open };
}

test('so many may be open, and one more when one has gone', async () => {
  const { port, connections, open } = await start({ most: 2 });
  const [first] = [await open(), await open()];
  const refused = await call(port, '/v1/events/stream', { key: secret });
  expect([refused.status, refused.json.error.code]).toEqual([503, 'service_unavailable']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['content-type']).toBe('application/json; charset=utf-8');
  first?.close();
  await vi.waitFor(() => expect(connections.filter((one) => one.isOpen())).toHaveLength(1), 60_000);
  await vi.waitFor(async () => expect((await open()).status).toBe(200), 60_000);
});

test.each([
  ['key', { mostOfKey: 2 }],
  ['workspace', { mostOfWorkspace: 2 }],
] as const)(
  'a %s has so many, and one again when one has gone; others are admitted',
  async (of, limits) => {
    const { port, connections, open } = await start(limits);
    const [first] = [await open(), await open()];
    const refused = await call(port, '/v1/events/stream', { key: secret });
    const { code, type, details } = refused.json.error;
    expect([refused.status, code, type]).toEqual([429, 'too_many_streams', 'rate_limit_error']);
    expect(details).toEqual({ limit: 2, of });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await fixture.key('bob', of === 'key' ? {} : { workspace: 'globex' });
    const stranger = await openEvents({ port, secret: other });
    clients.push(stranger);
    expect(stranger.status).toBe(200);
    first?.close();
    await vi.waitFor(
      () => expect(connections.filter((one) => one.isOpen())).toHaveLength(2),
      60_000,
    );
    await vi.waitFor(async () => expect((await open()).status).toBe(200), 60_000);
  },
);

test('a person has so many with all of their keys', async () => {
  const { port, open } = await start({ mostOfKey: 2, mostOfPerson: 3 });
  const openWith = async (key: string) => {
    const client = await openEvents({ port, secret: key });
    clients.push(client);
    return client;
  };
  const another = await fixture.key('ann');
  const [first] = [await open(), await open(), await openWith(another)];
  const refused = await call(port, '/v1/events/stream', { key: await fixture.key('ann') });
  expect([refused.status, refused.json.error.details]).toEqual([429, { limit: 3, of: 'person' }]);
  expect((await openWith(await fixture.key('bob'))).status).toBe(200);
  first?.close();
  await vi.waitFor(async () => expect((await openWith(another)).status).toBe(200), 60_000);
});

test('HEAD takes none of them', async () => {
  const { port, connections, open } = await start({ most: 1 });
  for (let round = 0; round < 3; round += 1) {
    const head = await call(port, '/v1/events/stream', { key: secret, method: 'HEAD' });
    expect([head.status, head.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
  }
  expect((await open()).status).toBe(200);
  expect(connections).toHaveLength(1);
});

test('text arrives as it is written, and text after the end does not', async () => {
  const { connections, open } = await start();
  const client = await open();
  const [connection] = connections as [SseConnection];
  const closed = vi.fn();
  connection.onClose(closed);
  connection.write('event: one\ndata: 1\n\n');
  await client.next(({ name }) => name === 'one');
  connection.end();
  connection.end();
  connection.write('event: two\ndata: 2\n\n');
  await client.ended();
  expect(client.events).toHaveLength(1);
  await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1), 60_000);
  expect(connection.isOpen()).toBe(false);
});

/** Write until the sockets of both sides take no more. */
async function fill(connection: SseConnection): Promise<void> {
  const block = `: ${'x'.repeat(65_536)}\n`;
  for (let quiet = 0; quiet < 10; ) {
    while (connection.hasRoom()) connection.write(block);
    await sleep(20);
    quiet = connection.hasRoom() ? 0 : quiet + 1;
  }
}

test('a client that reads again in time continues', async () => {
  const { connections, open } = await start({ drainTimeoutMs: 30_000 });
  const client = await open();
  const [connection] = connections as [SseConnection];
  client.pause();
  await fill(connection);
  const drained = connection.drained();
  client.resume();
  await drained;
  expect([connection.hasRoom(), connection.isOpen()]).toEqual([true, true]);
  connection.write('\nevent: one\ndata: 1\n\n');
  await client.next(({ name }) => name === 'one');
});

test('a client that does not read in time is cut off', async () => {
  const { connections, open } = await start({ drainTimeoutMs: 200 });
  const client = await open();
  const [connection] = connections as [SseConnection];
  client.pause();
  await fill(connection);
  await connection.drained();
  expect(connection.isOpen()).toBe(false);
  client.resume();
  await client.ended();
});

test('closing ends all, also those that do not read', async () => {
  const { server, connections, open } = await start();
  const [reading, stuck] = [await open(), await open()];
  stuck.pause();
  await fill(connections[1] as SseConnection);
  // Without that it would wait for the client, and cut the connection after 7 seconds.
  expect(await Promise.race([server.close(), sleep(6500, 'late')])).not.toBe('late');
  await reading.ended();
  expect(connections.some((connection) => connection.isOpen())).toBe(false);
});
