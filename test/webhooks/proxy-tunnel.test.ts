// Sending through a proxy: what it is asked for, what it may answer, and which addresses are checked here.

import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openAddressRules } from '../../src/webhooks/addresses.ts';
import { openWebhookSender, type SenderOptions } from '../../src/webhooks/send.ts';
import { listen, type Receiver, receive, webhookTo } from './receiver.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type OnConnect = (request: IncomingMessage, socket: Socket) => void;

async function opened(receiver: Promise<Receiver>): Promise<Receiver> {
  const one = await receiver;
  closing.push(one.close);
  return one;
}

async function proxyThat(onConnect: OnConnect): Promise<Receiver> {
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (request, socket) => {
    socket.on('error', () => undefined);
    onConnect(request, socket as Socket);
  });
  return opened(listen(server));
}

/** Connects every name to a port of this machine. */
const connectTo =
  (port: number, asked: IncomingMessage[] = []): OnConnect =>
  (request, socket) => {
    asked.push(request);
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('close', () => target.destroy());
  };

function senderThrough({ port }: Receiver, options: Partial<SenderOptions> = {}, account = '') {
  const rules = openAddressRules({ allowNetworks: ['10.0.0.0/8'], proxied: true });
  const sender = openWebhookSender({
    ...{ rules, proxy: `http://${account}127.0.0.1:${port}`, userAgent: 'test' },
    resolve: async () => Promise.reject(new Error('a proxy resolves names')),
    ...options,
  });
  closing.push(sender.close);
  return sender;
}

test('the proxy is asked to connect, once for several deliveries', async () => {
  const target = await opened(receive((_, response) => response.end('ok')));
  const asked: IncomingMessage[] = [];
  const proxy = await proxyThat(connectTo(target.port, asked));
  const sender = senderThrough(proxy, {}, 'us%40er:p%3Aw@');
  for (let index = 0; index < 3; index += 1) {
    const result = await sender.send(webhookTo('http://10.0.0.1:8080/hook'));
    expect(result).toMatchObject({ kind: 'answered', status: 200, answer: 'ok' });
  }
  expect(asked.map(({ url }) => url)).toEqual(['10.0.0.1:8080']);
  const account = Buffer.from('us@er:p:w').toString('base64');
  expect(asked[0]?.headers).toMatchObject({
    ...{ host: '10.0.0.1:8080', 'proxy-authorization': `Basic ${account}` },
  });
  expect([proxy.connections(), target.connections()]).toEqual([1, 1]);
});

test('names go to the proxy as they are, with TLS inside', async () => {
  const hello: Buffer[] = [];
  const asked: string[] = [];
  const proxy = await proxyThat((request, socket) => {
    asked.push(request.url ?? '');
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.on('data', (bytes) => {
      hello.push(bytes);
      socket.destroy();
    });
  });
  const sender = senderThrough(proxy);
  const result = await sender.send(webhookTo('https://hooks.example/'));
  expect(result).toMatchObject({ kind: 'failed', reason: 'unreachable' });
  await sender.send(webhookTo('https://[2606:4700::1111]:8443/'));
  expect(asked).toEqual(['hooks.example:443', '[2606:4700::1111]:8443']);
  // A handshake of TLS, with the name of the receiver.
  expect(hello[0]?.[0]).toBe(22);
  expect(hello[0]?.includes('hooks.example')).toBe(true);
});

test('addresses are checked here as well when they need no resolution', async () => {
  const proxy = await proxyThat((_, socket) => socket.destroy());
  const sender = senderThrough(proxy);
  const urls = ['https://127.0.0.1/', 'https://169.254.169.254/', 'https://localhost/'];
  for (const url of [...urls, 'https://[::1]/', 'https://0x7f.1/', 'http://hooks.example/']) {
    expect(await sender.send(webhookTo(url)), url).toMatchObject({ reason: 'address_refused' });
  }
  expect(proxy.connections()).toBe(0);
});

const REFUSALS: readonly (readonly [string, string, RegExp])[] = [
  [
    'refuses',
    'HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n',
    /refused the connection \(403\)/,
  ],
  ['wants an account', 'HTTP/1.1 407 Account\r\ncontent-length: 0\r\n\r\n', /\(407\)/],
  ['answers 204', 'HTTP/1.1 204 No Content\r\n\r\n', /\(204\)/],
  ['is no proxy', 'SSH-2.0-OpenSSH\r\n', /cannot be reached/],
  ['closes', '', /cannot be reached/],
  ['says more than it may', 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n', /does not speak CONNECT/],
];

test.each(REFUSALS)('a proxy that %s is a failure', async (_, answer, message) => {
  const proxy = await proxyThat((_request, socket) => socket.end(answer));
  const result = await senderThrough(proxy).send(webhookTo('https://hooks.example/'));
  expect(result).toMatchObject({ kind: 'failed', reason: 'proxy' });
  expect(result.kind === 'failed' && result.message).toMatch(message);
});

test('a proxy that is not there is a failure', async () => {
  const gone = await listen(createServer());
  await gone.close();
  const result = await senderThrough(gone).send(webhookTo('https://hooks.example/'));
  expect(result).toMatchObject({ kind: 'failed', reason: 'proxy' });
});

test('a silent proxy ends with the time limit, and its connection', async () => {
  let closed = false;
  const proxy = await proxyThat((_, socket) => {
    socket.on('data', () => undefined).on('end', () => (closed = true));
  });
  const result = await senderThrough(proxy, { timeLimit: 200 }).send(
    webhookTo('https://hooks.example/'),
  );
  expect(result.kind).toBe('failed');
  await expect.poll(() => closed).toBe(true);
});
