// Sending to receivers on real sockets: what they get, what they may answer, and how long they may take.

import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import { openAddressRules } from '../../src/webhooks/addresses.ts';
import { openWebhookSender, type SenderOptions, type SendResult } from '../../src/webhooks/send.ts';
import { makeWebhookSecret } from '../../src/webhooks/signature.ts';
import { until } from '../until.ts';
import { listen, type Receiver, receive, SECRET, webhookTo } from './receiver.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function sender(options: Partial<SenderOptions> = {}) {
  const rules = openAddressRules({ allowNetworks: ['127.0.0.0/8'], proxied: false });
  const opened = openWebhookSender({
    ...{ rules, proxy: undefined, userAgent: 'workspace-records/1.2.3' },
    ...options,
  });
  closing.push(opened.close);
  return opened;
}

async function opened(receiver: Promise<Receiver>) {
  const one = await receiver;
  closing.push(one.close);
  return { ...one, url: `http://127.0.0.1:${one.port}/hook?x=1` };
}

function answeredBy(result: SendResult) {
  if (result.kind === 'answered') return result;
  throw new Error(`${result.reason}: ${result.message}`);
}

describe('a request', () => {
  test('is a signed POST', async () => {
    const got: { line: object; headers: object }[] = [];
    const { url } = await opened(
      receive((request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += chunk));
        request.on('end', () => {
          const line = { method: request.method, url: request.url, body };
          got.push({ line, headers: request.headers });
          response.writeHead(204).end();
        });
      }),
    );
    const other = makeWebhookSecret();
    const body = '{"type":"record.created","data":{"name":"Ä 🦆"}}';
    const result = await sender().send(
      webhookTo(url, {
        ...{ id: 'evt_9', attempt: 3, body, secrets: [SECRET, other] },
        headers: { Authorization: 'Bearer abc', 'X-Tenant': 'acme' },
      }),
    );
    expect(answeredBy(result)).toMatchObject({ status: 204, answer: '', request_id: null });
    const { line, headers } = got[0] ?? { line: {}, headers: {} };
    expect(line).toEqual({ method: 'POST', url: '/hook?x=1', body });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'workspace-records/1.2.3',
      'webhook-id': 'evt_9',
      'webhook-attempt': '3',
      authorization: 'Bearer abc',
      'x-tenant': 'acme',
      'accept-encoding': 'identity',
    });
    for (const secret of [SECRET, other]) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(
        JSON.parse(body),
      );
    }
  });

  test('has the time of the attempt, and headers of ours before those of the webhook', async () => {
    const got: object[] = [];
    const { url } = await opened(
      receive((request, response) => {
        got.push(request.headers);
        response.end();
      }),
    );
    const headers = { 'webhook-id': 'mine', 'user-agent': 'mine' };
    await sender({ now: () => 1_700_000_000_999 }).send(webhookTo(url, { headers }));
    expect(got).toMatchObject([
      {
        'webhook-timestamp': '1700000000',
        'webhook-id': 'evt_1',
        'user-agent': 'workspace-records/1.2.3',
      },
    ]);
  });
});

describe('an answer', () => {
  const kept: readonly (readonly [string, Buffer | string, string])[] = [
    ['is kept as text', 'Ä 🦆', 'Ä 🦆'],
    ['is kept to a KiB', 'a'.repeat(2000), 'a'.repeat(1024)],
    ['is cut between characters', `a${'🦆'.repeat(500)}`, `a${'🦆'.repeat(255)}`],
    ['can be stored', 'a\0b', 'a\ufffdb'],
    ['need not be UTF-8', Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80]), 'a\ufffd\ufffd\ufffd\ufffd'],
  ];
  test.each(kept)('%s', async (_, body, text) => {
    const { url } = await opened(receive((_request, response) => response.end(body)));
    expect(answeredBy(await sender().send(webhookTo(url))).answer).toBe(text);
  });

  test('is not decoded', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const { url } = await opened(
      receive((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)),
    );
    const { answer } = answeredBy(await sender().send(webhookTo(url)));
    expect(answer.startsWith('\x1f')).toBe(true);
    expect(answer.length).toBeLessThanOrEqual(1024);
  });

  test('of more than 64 KB counts, and its connection is closed', async () => {
    let written = 0;
    let isClosed = false;
    const { url, connections } = await opened(
      receive((_, response) => {
        const write = () => {
          while (response.write(Buffer.alloc(16_384, 'a'))) written += 16_384;
        };
        response.on('drain', write).on('close', () => (isClosed = true));
        write();
      }),
    );
    const one = sender();
    expect(answeredBy(await one.send(webhookTo(url)))).toMatchObject({
      ...{ status: 200, answer: 'a'.repeat(1024) },
    });
    await until(() => isClosed);
    // The buffers of both systems hold less.
    expect(written).toBeLessThan(32_000_000);
    await one.send(webhookTo(url));
    expect(connections()).toBe(2);
  });

  test.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const target = await opened(receive((_, response) => response.end()));
    const { url } = await opened(
      receive((_, response) => response.writeHead(status, { location: target.url }).end('moved')),
    );
    const result = await sender().send(webhookTo(url));
    expect(answeredBy(result)).toMatchObject({ status, answer: 'moved' });
    expect(target.connections()).toBe(0);
  });

  test.each<[status: number, value: string, wanted: number | undefined]>([
    [429, '120', 120_000],
    [503, '120', 120_000],
    [503, '999999', 86_400_000],
    [503, 'Tue, 14 Nov 2023 22:14:20 GMT', 60_000],
    [500, '120', undefined],
    [503, 'soon', undefined],
  ])('%i with Retry-After: %s', async (status, value, wanted) => {
    const { url } = await opened(
      receive((_, response) => response.writeHead(status, { 'retry-after': value }).end()),
    );
    const result = await sender({ now: () => 1_700_000_000_000 }).send(webhookTo(url));
    expect(answeredBy(result).retry_after_ms).toBe(wanted);
  });

  test.each<[headers: Record<string, string>, wanted: string]>([
    [{ 'x-request-id': 'abc', 'cf-ray': 'def' }, 'abc'],
    [{ 'request-id': 'abc', 'cf-ray': 'def' }, 'abc'],
    [{ 'CF-Ray': 'def' }, 'def'],
    [{ 'x-request-id': 'a'.repeat(500) }, 'a'.repeat(200)],
  ])('names the request: %j', async (headers, wanted) => {
    const { url } = await opened(receive((_, response) => response.writeHead(200, headers).end()));
    expect(answeredBy(await sender().send(webhookTo(url))).request_id).toBe(wanted);
  });

  test.each<[string, string, string]>([
    ['that is not HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'bad_answer'],
    ['with too many headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`, 'bad_answer'],
    [
      'of two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\na',
      'bad_answer',
    ],
    ['that ends early', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc', 'unreachable'],
    ['that is empty', '', 'unreachable'],
    [
      'of another protocol',
      'HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'unreachable',
    ],
  ])('%s is a failure', async (_, bytes, reason) => {
    const { url } = await opened(
      listen(createTcpServer((socket) => socket.once('data', () => socket.end(bytes)))),
    );
    const result = await sender().send(webhookTo(url));
    expect(result).toMatchObject({ kind: 'failed', reason });
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
  });

  test('comes after others that are not final', async () => {
    const answer = 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
    const { url } = await opened(
      listen(createTcpServer((socket) => socket.once('data', () => socket.write(answer)))),
    );
    expect(answeredBy(await sender().send(webhookTo(url)))).toMatchObject({
      status: 200,
      answer: 'ok',
    });
  });
});

describe('the time limit', () => {
  const slow: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['no answer', undefined, undefined],
    ['headers byte by byte', 'HTTP/1.1 200 OK\r\nx: ', 'a'],
    ['an answer byte by byte', 'HTTP/1.1 200 OK\r\n\r\n', 'a'],
    ['hints without end', undefined, 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ];
  test.each(slow)('ends an attempt with %s', async (_, first, next) => {
    let isClosed = false;
    const { url } = await opened(
      listen(
        createTcpServer((socket) => {
          if (first !== undefined) socket.write(first);
          const timer = setInterval(() => next !== undefined && socket.write(next), 20);
          socket.on('data', () => undefined).on('error', () => undefined);
          socket.on('close', () => {
            clearInterval(timer);
            isClosed = true;
          });
        }),
      ),
    );
    const result = await sender({ timeLimit: 300 }).send(webhookTo(url));
    expect(result).toMatchObject({ kind: 'failed', reason: 'timeout' });
    expect(result.duration_ms).toBeGreaterThanOrEqual(299);
    await until(() => isClosed);
  });

  test('includes the resolution of the name', async () => {
    const one = sender({ timeLimit: 100, resolve: () => new Promise(() => undefined) });
    expect(await one.send(webhookTo('https://hooks.example/'))).toMatchObject({
      reason: 'timeout',
    });
  });
});

describe('connections', () => {
  test('are used again, and each receiver has its own', async () => {
    const { url, connections } = await opened(receive((_, response) => response.end('ok')));
    const one = sender();
    for (let index = 0; index < 5; index += 1) await one.send(webhookTo(url));
    expect(connections()).toBe(1);
    await one.send(webhookTo(url, { receiver: 'two' }));
    expect(connections()).toBe(2);
  });

  test('are at most eight for a receiver, and do not delay another at the same host', async () => {
    const held: (() => void)[] = [];
    const { url, connections } = await opened(
      receive(({ headers }, response) => {
        if (headers['webhook-id'] === 'quick') response.end();
        else held.push(() => response.end());
      }),
    );
    const one = sender();
    const slow = Array.from({ length: 20 }, () => one.send(webhookTo(url)));
    await until(() => held.length === 8);
    const quick = await one.send(webhookTo(url, { receiver: 'two', id: 'quick' }));
    expect([answeredBy(quick).status, connections()]).toEqual([200, 9]);
    while (held.length > 0) {
      held.shift()?.();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await Promise.all(slow)).every(({ kind }) => kind === 'answered')).toBe(true);
    expect(connections()).toBe(9);
  });

  test('that the receiver has closed meanwhile are replaced', async () => {
    const seen = new WeakSet<object>();
    const { url, connections } = await opened(
      receive(({ socket }, response) => {
        if (seen.has(socket)) socket.resetAndDestroy();
        seen.add(socket);
        if (!socket.destroyed) response.end('ok');
      }),
    );
    const one = sender();
    for (let index = 0; index < 3; index += 1) {
      expect(answeredBy(await one.send(webhookTo(url))).status).toBe(200);
    }
    expect(connections()).toBe(3);
  });

  test('are replaced also when the receiver has closed all of them', async () => {
    const held: (() => void)[] = [];
    const old = new Set<object>();
    const { url, connections } = await opened(
      receive(({ socket, headers }, response) => {
        if (old.has(socket)) return void socket.resetAndDestroy();
        if (headers['webhook-id'] !== 'held') return void response.end('new');
        old.add(socket);
        held.push(() => response.end());
      }),
    );
    const one = sender();
    const first = [1, 2].map(() => one.send(webhookTo(url, { id: 'held' })));
    await until(() => held.length === 2);
    for (const answer of held) answer();
    await Promise.all(first);
    expect(answeredBy(await one.send(webhookTo(url))).answer).toBe('new');
    expect(connections()).toBe(3);
  });

  test('that nobody accepts are a failure', async () => {
    const { url, close } = await receive(() => undefined).then((one) => ({
      ...one,
      url: `http://127.0.0.1:${one.port}/`,
    }));
    await close();
    const result = await sender().send(webhookTo(url));
    expect(result).toMatchObject({ kind: 'failed', reason: 'unreachable' });
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
  });
});

test('attempts end by their signal, and with the sender', async () => {
  let requests = 0;
  const { url } = await opened(receive(() => (requests += 1)));
  const one = sender();
  const end = new AbortController();
  const [first, second] = [one.send(webhookTo(url), end.signal), one.send(webhookTo(url))];
  await until(() => requests === 2);
  end.abort();
  expect(await first).toMatchObject({ kind: 'failed', reason: 'cancelled' });
  await one.close();
  expect(await second).toMatchObject({ kind: 'failed', reason: 'cancelled' });
  const late = one.send(webhookTo(url), AbortSignal.abort());
  expect(await late).toMatchObject({ kind: 'failed', reason: 'cancelled' });
});
