// Unusual input on a connection: rubbish behind a request, a broken body, a second request, an end. Requests that
// were begun are answered, in order, and a request that the client is told was wrong has no effect.

import { setTimeout as sleep } from 'node:timers/promises';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Route, SseConnection } from '../../src/http/route/route.ts';
import { call, sendRaw } from '../http-client.ts';
import { openServerFixture, type ServerFixture, type Started } from '../server-fixture.ts';
import { FASTER, withShortTimes } from './short-times.ts';

let fixture: ServerFixture;
let server: Started;
let port: number;
let auth: string;
/** The handlers that have begun and ended, in order. */
const done: string[] = [];
/** Milliseconds that handlers take. */
let slow = 0;
/** Reads whose clients were seen to leave. */
let left = 0;

beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start({ routes: ROUTES });
  port = server.port;
  auth = `Authorization: Bearer ${await fixture.key('ann', { rpm: 100_000 })}`;
});
afterAll(() => fixture.close());
beforeEach(() => {
  done.length = 0;
  slow = 0;
  left = 0;
});

const nothing = Type.Object({}, { additionalProperties: false });
const place = {
  tag: 'Toys',
  summary: 'A toy',
  query: nothing,
  params: nothing,
  status: 200,
} as const;
const ROUTES: readonly Route<unknown>[] = [
  {
    ...place,
    method: 'POST',
    path: '/toys',
    operationId: 'createToy',
    scope: 'records:write',
    body: Type.Object({ name: Type.String() }),
    result: Type.Unknown(),
    errors: ['invalid_json', 'validation_failed'],
    handle: ({ body }) => note((body as { name: string }).name),
  },
  {
    ...place,
    method: 'DELETE',
    path: '/toys/{toy_id}',
    operationId: 'deleteToy',
    params: Type.Object({ toy_id: Type.String() }),
    scope: 'records:delete',
    result: Type.Unknown(),
    errors: ['validation_failed'],
    handle: ({ params }) => note((params as { toy_id: string }).toy_id),
  },
  {
    ...place,
    method: 'GET',
    path: '/toys',
    operationId: 'listToys',
    scope: 'records:read',
    result: Type.Unknown(),
    errors: ['validation_failed'],
    async handle({ signal }) {
      signal().addEventListener('abort', () => {
        left += 1;
      });
      return await note('list');
    },
  },
  {
    ...place,
    method: 'GET',
    path: '/toys/file',
    operationId: 'downloadToys',
    scope: 'records:read',
    result: Type.Unknown(),
    errors: ['validation_failed'],
    handle: async () => ({
      headers: { 'Content-Type': 'text/csv; charset=utf-8' },
      async stream(connection: SseConnection) {
        connection.write('name\n');
        await sleep(slow);
        connection.write('ball\n');
        connection.end();
      },
    }),
  },
];

async function note(name: string) {
  done.push(`begin ${name}`);
  await sleep(slow);
  done.push(`end ${name}`);
  return { body: { data: name } };
}

const head = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const create = (name: string, ...more: readonly string[]) => {
  const body = JSON.stringify({ name });
  const type = 'Content-Type: application/json';
  const length = `Content-Length: ${body.length}`;
  return head(['POST /v1/toys HTTP/1.1', 'Host: x', auth, type, length, ...more]) + body;
};
const remove = (...more: readonly string[]) =>
  head(['DELETE /v1/toys/7 HTTP/1.1', 'Host: x', auth, ...more]);

describe('bytes behind a request that are none', () => {
  test('one byte in the same packet: the write is answered, then 400', async () => {
    for (let round = 0; round < 20; round += 1) {
      const answer = await sendRaw(port, `${create('one')}!`);
      expect([answer.statuses, answer.closed]).toEqual([[200, 400], true]);
      expect(answer.text).toContain('"data":"one"');
      expect(answer.text).toContain('"code":"validation_failed"');
    }
    expect(done.length).toBe(40);
  });

  test('cut at every byte into two packets', async () => {
    const bytes = `${create('one')}!`;
    const cuts = Array.from(bytes, (_, at) => at);
    const answers = await Promise.all(
      cuts.map((at) =>
        sendRaw(port, [bytes.slice(0, at), bytes.slice(at)], { apart: true, wait: 5000 }),
      ),
    );
    for (const { statuses, closed } of answers)
      expect([statuses, closed]).toEqual([[200, 400], true]);
  });

  test('three requests and rubbish: three answers, in order, then 400', async () => {
    slow = 20;
    const bytes = `${create('a')}${create('b')}${create('c')}rubbish\r\n\r\n`;
    const answer = await sendRaw(port, bytes, { wait: 3000 });
    expect(answer.statuses).toEqual([200, 200, 200, 400]);
    expect(answer.text.match(/"data":"."/g)).toEqual(['"data":"a"', '"data":"b"', '"data":"c"']);
  });

  test('after an answer to a request whose body never came: no second answer', async () => {
    const lines = ['POST /v1/toys HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    const bytes = head([...lines, 'Transfer-Encoding: chunked']);
    const answer = await sendRaw(port, [bytes, 'zz\r\n'], { apart: true });
    // 400 where both packets were there before the first was read.
    expect([[401], [400]]).toContainEqual(answer.statuses);
    expect(answer.closed).toBe(true);
    const hasty = await withShortTimes(() => fixture.start({ routes: ROUTES }));
    const small = await sendRaw(hasty.port, [head([...lines, 'Content-Length: 100']), '{'], {
      wait: 18_000 / FASTER,
    });
    expect([small.statuses, small.closed]).toEqual([[401], true]);
  });
});

describe('bodies of requests that take none', () => {
  const chunked = 'Transfer-Encoding: chunked';
  test('a broken one: 400, without an effect', async () => {
    for (let round = 0; round < 15; round += 1) {
      const answer = await sendRaw(port, `${remove(chunked)}zz\r\n`);
      expect([answer.statuses, answer.closed]).toEqual([[400], true]);
    }
    expect(done).toEqual([]);
  });

  test('one that breaks later: 400 or no effect, never both', async () => {
    const bytes = [`${remove(chunked)}3\r\nabc\r\n`, 'zz\r\n'];
    const answer = await sendRaw(port, bytes, { apart: true });
    expect([answer.statuses, answer.closed]).toEqual([[400], true]);
    expect(done).toEqual([]);
  });

  test('a whole one is ignored, one that is too large is 413', async () => {
    const whole = await sendRaw(
      port,
      `${remove(chunked, 'Connection: close')}3\r\nabc\r\n0\r\n\r\n`,
    );
    expect(whole.statuses).toEqual([200]);
    const large = await sendRaw(port, [remove('Content-Length: 2000000'), 'x'.repeat(1000)]);
    expect([large.statuses, large.closed]).toEqual([[413], true]);
    const lines = ['Content-Length: 3', 'Expect: 100-continue', 'Connection: close'];
    const asked = await sendRaw(port, [remove(...lines), 'abc'], { apart: true });
    expect(asked.statuses.at(-1)).toBe(200);
    expect(done.filter((one) => one.startsWith('begin'))).toHaveLength(2);
  });
});

describe('several requests on one connection', () => {
  test('the next one begins when the one before is answered', async () => {
    slow = 10;
    const bytes = create('a') + remove() + create('b', 'Connection: close');
    const answer = await sendRaw(port, bytes);
    expect(answer.statuses).toEqual([200, 200, 200]);
    const order = ['begin a', 'end a', 'begin 7', 'end 7', 'begin b', 'end b'];
    expect(done).toEqual(order);
  });

  test('Connection: close with another behind it: the first is answered, the second is not begun', async () => {
    slow = 10;
    const answer = await sendRaw(port, create('a', 'Connection: close') + create('b'));
    expect([answer.statuses, answer.closed]).toEqual([[200], true]);
    expect(done).toEqual(['begin a', 'end a']);
  });

  test('behind one after which the service closes, none is begun', async () => {
    const wrong = head(['GET /v1/toys HTTP/1.1', 'Host: a/b']);
    const answer = await sendRaw(port, wrong + create('b'));
    expect([answer.statuses, answer.closed]).toEqual([[400], true]);
    expect(done).toEqual([]);
  });

  test('requests behind a client that leaves are not begun', async () => {
    // Longer than a busy machine takes to see that the client has left.
    slow = 2000;
    const bytes = create('a') + create('b');
    await sendRaw(port, bytes, { firstByteTimeoutMs: 100 });
    await vi.waitFor(() => expect(done).toContain('end a'), 60_000);
    expect(
      (await call(port, '/v1/toys', { headers: { authorization: auth.slice(15) } })).status,
    ).toBe(200);
    expect(done).not.toContain('begin b');
  });
});

test('a request behind 256 others is refused, and the connection closes', async () => {
  const one = head(['GET /v1/toys HTTP/1.1', 'Host: x', auth]);
  const answer = await sendRaw(port, one.repeat(400), { wait: 10_000 });
  expect([answer.statuses.at(-1), answer.statuses.length, answer.closed]).toEqual([503, 257, true]);
});

describe('clients that send an end and still read', () => {
  test.each([
    ['at once', 0],
    ['after a while', 700],
  ])('are answered %s', async (_, takes) => {
    slow = takes;
    const bytes = create('a');
    const answer = await sendRaw(port, bytes, { wait: 3000, half: true });
    expect([answer.statuses.filter((status) => status !== 102), answer.closed]).toEqual([
      [200],
      true,
    ]);
    expect(answer.text).toContain('"data":"a"');
    expect(left).toBe(0);
  });

  test('get the bytes of a file and no others', async () => {
    slow = 700;
    const bytes = head(['GET /v1/toys/file HTTP/1.0', 'Host: x', auth]);
    const { text } = await sendRaw(port, bytes, { wait: 3000, half: true });
    expect(text.split('\r\n\r\n')[1]).toBe('name\nball\n');
  });

  test('those that have gone are noticed', async () => {
    slow = 2000;
    const bytes = head(['GET /v1/toys HTTP/1.1', 'Host: x', auth]);
    await sendRaw(port, bytes, { firstByteTimeoutMs: 100 });
    await vi.waitFor(() => expect(left).toBe(1), { timeout: 1000 });
  });

  test('HTTP/1.0 gets no interim answer', async () => {
    slow = 300;
    const bytes = head(['GET /v1/toys HTTP/1.0', 'Host: x', auth]);
    const answer = await sendRaw(port, bytes, { wait: 3000, half: true });
    expect(answer.statuses).toEqual([200]);
  });

  test('half a request and an end: 400', async () => {
    const answer = await sendRaw(port, create('a').slice(0, -3), { half: true });
    expect([answer.statuses, answer.closed]).toEqual([[400], true]);
    expect(done).toEqual([]);
  });
});
