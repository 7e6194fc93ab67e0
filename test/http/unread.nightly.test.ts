// Clients that send requests and do not read: they do not delay others, the memory for their answers is bounded, and
// they are cut off without progress. A slow reader gets everything.

import { once } from 'node:events';
import net from 'node:net';
import Type from 'typebox';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Route } from '../../src/http/route/route.ts';
import { call, sendRaw } from '../http-client.ts';
import { openServerFixture, type ServerFixture, TOYS } from '../server-fixture.ts';

let fixture: ServerFixture;
let ann: string;
let bob: string;
beforeAll(async () => {
  fixture = await openServerFixture();
  [ann, bob] = await Promise.all([fixture.key('ann', { rpm: 100_000 }), fixture.key('bob')]);
});
afterAll(() => fixture.close());

const sockets: net.Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const MEGABYTE = 2 ** 20;
/** The largest page of long texts: more than the system buffers for one connection. */
const LONG = 'x'.repeat(12 * MEGABYTE);
const longList: Route<unknown> = {
  method: 'GET',
  path: '/long',
  operationId: 'listLong',
  tag: 'Toys',
  summary: 'A toy',
  scope: 'records:read',
  params: Type.Object({}, { additionalProperties: false }),
  query: Type.Object({}, { additionalProperties: false }),
  status: 200,
  result: Type.Unknown(),
  errors: [],
  handle: async () => ({ body: { data: LONG } }),
};
const routes = [...TOYS, longList];

interface Unreading {
  readonly socket: net.Socket;
  isCut(): boolean;
}

/** Send a request and read nothing. */
function askOnly(port: number, path: string, key?: string): Unreading {
  const socket = net.connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  let cut = false;
  socket.pause();
  const end = () => {
    cut = true;
  };
  socket.on('error', end).on('end', end);
  const auth = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${auth}\r\n`);
  return { socket, isCut: () => cut };
}

test('a thousand that do not read the reference script leave everybody else their answers', async () => {
  const { port, log } = await fixture.start();
  const count = 1000;
  for (let number = 0; number < count; number += 1) askOnly(port, '/reference/standalone.js');
  const asked = () => log.filter(({ route }) => route === 'GET /reference/standalone.js');
  const statuses = new Set<number>();
  while (asked().length < count) {
    statuses.add((await call(port, '/v1/toys', { key: bob })).status);
  }
  for (let number = 0; number < 20; number += 1) {
    statuses.add((await call(port, '/v1/toys', { key: bob })).status);
  }
  expect(statuses).toEqual(new Set([200]));
  // One address has a share.
  const served = asked().filter(({ status }) => status === 200).length;
  expect([served > 20, served < count / 2]).toEqual([true, true]);
});

test('a key that reads none of its long lists holds its share, and hears 503 for more', async () => {
  const limits = { each: 30 * MEGABYTE, most: 300 * MEGABYTE, moveWithin: 600_000 };
  const { port, log } = await fixture.start({ routes, unreadLimits: limits });
  for (let number = 0; number < 10; number += 1) askOnly(port, '/v1/long', ann);
  const asked = () => log.filter(({ route }) => route === 'GET /long');
  const statuses = new Set<number>();
  while (asked().length < 10) {
    statuses.add((await call(port, '/v1/toys', { key: bob })).status);
  }
  expect(asked().filter(({ status }) => status === 200)).toHaveLength(2);
  expect(asked().filter(({ status }) => status === 503)).toHaveLength(8);
  const refused = await call(port, '/v1/long', { key: ann });
  expect([refused.status, refused.json.error.code]).toEqual([503, 'service_unavailable']);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.headers['ratelimit-remaining']).toBeDefined();
  expect((await call(port, '/v1/long', { key: bob })).status).toBe(200);
  expect(statuses).toEqual(new Set([200]));
  // Read answers make room again.
  for (const socket of sockets.splice(0)) socket.destroy();
  const again = async () => (await call(port, '/v1/long', { key: ann })).status;
  await vi.waitFor(async () => expect(await again()).toBe(200), { timeout: 20_000 });
});

test('when the process keeps as much as it may, stalled answers are dropped for others', async () => {
  const limits = {
    each: 30 * MEGABYTE,
    most: 12 * MEGABYTE + 11,
    moveWithin: 6_000_000,
    spareFor: 600_000,
    now: () => performance.now() + skipped,
  };
  let skipped = 0;
  const { port, log } = await fixture.start({ routes, unreadLimits: limits });
  const [first, second] = [askOnly(port, '/v1/long', ann), askOnly(port, '/v1/long', ann)];
  // There is room for one of them.
  await vi.waitFor(() => expect(log.map(({ status }) => status).sort()).toEqual([200, 503]), 8000);
  const status = async () => (await call(port, '/v1/long', { key: bob })).status;
  // A client that may still be reading loses nothing; short answers need no room.
  expect(await status()).toBe(503);
  expect((await call(port, '/v1/toys', { key: bob })).status).toBe(200);
  skipped = limits.spareFor;
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 8000 });
  for (const { socket } of [first, second]) socket.resume();
  await vi.waitFor(() => expect([first.isCut(), second.isCut()]).toContain(true), {
    timeout: 8000,
  });
});

test('an answer without progress is cut off, and its share is free again', async () => {
  const { port } = await fixture.start({
    routes,
    unreadLimits: { each: MEGABYTE, moveWithin: 200 },
  });
  const long = askOnly(port, '/v1/long', ann);
  const short = askOnly(port, '/v1/toys', ann);
  const status = async () => (await call(port, '/v1/long', { key: ann, method: 'HEAD' })).status;
  await vi.waitFor(async () => expect(await status()).toBe(503), { timeout: 8000 });
  await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 8000 });
  for (const { socket } of [long, short]) socket.resume();
  await vi.waitFor(() => expect(long.isCut()).toBe(true), { timeout: 8000 });
  // The system has the short answer: the service does not wait for it.
  expect(short.isCut()).toBe(false);
});

test('a slow reader that continues gets everything', async () => {
  const { port } = await fixture.start({ routes, unreadLimits: { moveWithin: 1000 } });
  const started = performance.now();
  const { socket, isCut } = askOnly(port, '/v1/long', ann);
  let read = 0;
  const timer = setInterval(() => {
    read += socket.read()?.length ?? 0;
  }, 20);
  await vi.waitFor(() => expect(read).toBeGreaterThan(LONG.length), { timeout: 50_000 });
  clearInterval(timer);
  expect(isCut()).toBe(false);
  // Longer than the time without any progress.
  expect(performance.now() - started).toBeGreaterThan(3000);
});

test('many clients that send their bodies slowly block no other', async () => {
  const { port } = await fixture.start();
  const type = 'Content-Type: application/json\r\nContent-Length: 1000';
  const auth = `Authorization: Bearer ${ann}`;
  const connected = Array.from({ length: 1100 }, () => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`POST /v1/toys HTTP/1.1\r\nHost: x\r\n${auth}\r\n${type}\r\n\r\n{`);
    return once(socket, 'connect');
  });
  await Promise.all(connected);
  const statuses = new Set<number>();
  for (let number = 0; number < 60; number += 1) {
    statuses.add((await call(port, '/v1/toys', { key: bob })).status);
  }
  expect(statuses).toEqual(new Set([200]));
  const body = '{"fields":{}}';
  const head = `POST /v1/toys HTTP/1.1\r\nHost: x\r\n${auth}\r\n`;
  const bytes = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const slow = await sendRaw(port, [`${bytes}Connection: close\r\n\r\n`, ...body], {
    apart: true,
    wait: 5000,
  });
  expect(slow.statuses).toEqual([201]);
});
