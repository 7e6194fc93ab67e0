// Connections when they become scarce: the address with most of them gets no more, all others do.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from '../../src/http/socket/framing.ts';
import { limitPeers } from '../../src/http/socket/peers.ts';

const sockets: net.Socket[] = [];
const servers: net.Server[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** The server has written to it, or closes it. */
const isAdmitted = (socket: net.Socket) =>
  new Promise<boolean>((resolve) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => resolve(String(data) === 'admitted'));
    socket.once('close', () => resolve(false));
  });

async function start(trusted: string | undefined) {
  const server = net.createServer();
  servers.push(server);
  const limits = { most: 12, kept: 4 };
  server.on(
    'connection',
    limitPeers(server, {
      ...limits,
      isTrusted: (address) => address === trusted,
      refuse: (socket) => socket.end('refused'),
    }),
  );
  server.on('connection', (socket) => {
    if (!socket.writableEnded) socket.write('admitted');
  });
  server.listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  /** The number of connections, of so many, that stay open. */
  const open = async (count: number, localAddress: string) => {
    const opened = Array.from({ length: count }, () => net.connect({ port, localAddress }));
    sockets.push(...opened);
    const admitted = await Promise.all(opened.map(isAdmitted));
    return admitted.filter(Boolean).length;
  };
  return { open, held: promisify(server.getConnections.bind(server)) };
}

test('the last ones are for addresses that hold less than half of the others', async () => {
  const { open, held } = await start(undefined);
  expect(await open(10, '127.0.0.1')).toBe(8);
  expect(await open(3, '127.0.0.2')).toBe(3);
  expect(await open(1, '127.0.0.1')).toBe(0);
  for (const socket of sockets.splice(0, 10)) socket.destroy();
  await expect.poll(held).toBe(3);
  expect(await open(2, '127.0.0.1')).toBe(2);
});

test('a trusted proxy has them all', async () => {
  const { open } = await start('127.0.0.1');
  expect(await open(12, '127.0.0.1')).toBe(12);
  expect(await open(1, '127.0.0.1')).toBe(0);
});

test('a connection too many hears 503 with Retry-After before it has asked', async () => {
  const crowded = createHttpServer({
    open: () => expect.unreachable(),
    begin: () => undefined,
    refuse: () => undefined,
    newRequestId: () => `req_${randomUUID()}`,
    headers: [],
    onBroken: () => undefined,
    isTrusted: () => false,
    mostConnections: 4,
    onRefused: () => undefined,
  });
  crowded.listen({ host: '127.0.0.1', port: 0 });
  await once(crowded, 'listening');
  const { port: full } = crowded.address() as net.AddressInfo;
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const socket = net.connect({ port: full });
      const text = once(socket, 'data').then(String, () => '');
      setTimeout(() => socket.destroy(new Error('waits for a request')), 500);
      return text;
    }),
  );
  const refusals = answers.filter((text) => text !== '');
  expect(refusals).not.toEqual([]);
  for (const text of refusals) {
    expect(text).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n/);
  }
  crowded.close();
});
