// Errors of clients and networks below the level of routes: framing, targets, methods, headers. Bytes go over raw
// sockets.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { COMMON_COMPONENTS } from '../../src/http/documents/openapi-parts.ts';
import { call, type RawAnswer, sendRaw } from '../http-client.ts';
import { openServerFixture, type ServerFixture, type Started, TOYS } from '../server-fixture.ts';
import { hold, until } from '../until.ts';
import { withShortTimes } from './short-times.ts';

let fixture: ServerFixture;
let server: Started;
let port: number;
let key: string;

beforeAll(async () => {
  fixture = await openServerFixture();
  server = await fixture.start();
  port = server.port;
  key = await fixture.key('ann');
});
afterAll(async () => {
  // Whatever was sent: the process is alive and answers.
  expect((await call(port, '/v1/me', { key })).status).toBe(200);
  await fixture.close();
});

const head = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const auth = () => `Authorization: Bearer ${key}`;

/** Every answer in the text has the envelope and the headers of one. */
function expectEnvelope({ text }: RawAnswer, code: string): void {
  expect(text).toContain(`"code":"${code}"`);
  expect(text).toMatch(/X-Request-Id: req_[0-9a-f-]{36}/i);
  expect(text).toMatch(/Content-Type: application\/json; charset=utf-8/i);
  expect(text).toMatch(/X-Content-Type-Options: nosniff/i);
  expect(text).toMatch(/Cache-Control: no-store/i);
  expect(text).not.toMatch(/access-control-/i);
}

describe('no HTTP: 400, envelope, close', () => {
  const post = ['POST /v1/json HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
  test.each<[string, string]>([
    ['both lengths', head([...post, 'Content-Length: 2', 'Transfer-Encoding: chunked'])],
    ['two lengths', head([...post, 'Content-Length: 2', 'Content-Length: 2'])],
    ['different lengths', head([...post, 'Content-Length: 2', 'Content-Length: 3'])],
    ['signed length', head([...post, 'Content-Length: +2'])],
    ['unknown coding', head([...post, 'Transfer-Encoding: xchunked'])],
    ['chunked not last', head([...post, 'Transfer-Encoding: chunked, identity'])],
    ['space before colon', head(['GET /v1/me HTTP/1.1', 'Host : x'])],
    ['folded header', head(['GET /v1/me HTTP/1.1', 'Host: x', 'X-A: a', ' b'])],
    ['bare LF', 'GET /v1/me HTTP/1.1\nHost: x\n\n'],
    ['NUL in a header', head(['GET /v1/me HTTP/1.1', 'Host: x', 'X-A: a\0b'])],
    ['no Host', head(['GET /v1/me HTTP/1.1'])],
    ['two Hosts', head(['GET /v1/me HTTP/1.1', 'Host: x', 'host: x'])],
    ['HTTP/1.0 without Host', head(['GET /v1/me HTTP/1.0'])],
    ['HTTP/0.9', head(['GET /v1/me'])],
    ['absolute target', head(['GET http://evil/v1/me HTTP/1.1', 'Host: x'])],
    ['absolute target of another port', head(['GET http://x:81/v1/me HTTP/1.1', 'Host: x'])],
    ['absolute target with a user', head(['GET http://a@x/v1/me HTTP/1.1', 'Host: x'])],
    ['absolute target of another scheme', head(['GET ftp://x/v1/me HTTP/1.1', 'Host: x'])],
    ['Host with a path', head(['GET /v1/me HTTP/1.1', 'Host: a/b'])],
    ['Host with a user', head(['GET /v1/me HTTP/1.1', 'Host: a@b'])],
    ['Host with a space', head(['GET /v1/me HTTP/1.1', 'Host: a b'])],
    ['Host with an odd port', head(['GET /v1/me HTTP/1.1', 'Host: a:http'])],
    ['chunked twice', head([...post, 'Transfer-Encoding: chunked, chunked'])],
    [
      'chunked in HTTP/1.0',
      head(['POST /v1/json HTTP/1.0', 'Host: x', 'Transfer-Encoding: chunked']),
    ],
    ['raw UTF-8 target', head(['GET /v1/caf\u00e9 HTTP/1.1', 'Host: x'])],
    ['unknown method', head(['FOO /v1/me HTTP/1.1', 'Host: x'])],
    ['lower-case method', head(['get /v1/me HTTP/1.1', 'Host: x'])],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00'],
  ])('%s', async (_, bytes) => {
    const answer = await sendRaw(port, bytes);
    expect([answer.statuses, answer.closed]).toEqual([[400], true]);
    expectEnvelope(answer, 'validation_failed');
    expect(answer.text).toMatch(/Connection: close/i);
  });

  test.each<[string, number, string]>([
    ['HTTP/2.0', 505, head(['GET /v1/me HTTP/2.0', 'Host: x'])],
    ['HTTP/0.9 with headers', 400, head(['GET /v1/me HTTP/0.9', 'Host: x'])],
    ['gzip, chunked', 501, head([...post, 'Transfer-Encoding: gzip, chunked'])],
    [
      'gzip and chunked',
      501,
      head([...post, 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked']),
    ],
  ])('%s: %i', async (_, status, bytes) => {
    const answer = await sendRaw(port, bytes);
    expect([answer.statuses, answer.closed]).toEqual([[status], true]);
    expectEnvelope(answer, 'validation_failed');
  });

  test('a broken chunk', async () => {
    const lines = [...post, auth(), 'Transfer-Encoding: chunked'];
    const answer = await sendRaw(port, [head(lines), 'zz\r\nhello\r\n']);
    expect([answer.statuses, answer.closed]).toEqual([[400], true]);
    expectEnvelope(answer, 'validation_failed');
  });
});

describe('too large', () => {
  const filler = 'a'.repeat(17_000);
  test.each<[string, () => string]>([
    ['header', () => head(['GET /v1/me HTTP/1.1', 'Host: x', `X-A: ${filler}`])],
    ['target', () => head([`GET /v1/me?${filler} HTTP/1.1`, 'Host: x'])],
    [
      '3,000 short headers',
      () => head(['GET /v1/me HTTP/1.1', 'Host: x', ...Array(3000).fill('a:b')]),
    ],
    [
      '101 headers',
      () => head(['GET /v1/me HTTP/1.1', 'Host: x', auth(), ...Array(99).fill('a:b')]),
    ],
  ])('%s: 431', async (_, bytes) => {
    const answer = await sendRaw(port, bytes());
    expect([answer.statuses, answer.closed]).toEqual([[431], true]);
    expectEnvelope(answer, 'headers_too_large');
  });

  test('100 headers pass', async () => {
    const lines = ['GET /v1/me HTTP/1.1', 'Host: x', auth(), 'Connection: close'];
    const answer = await sendRaw(port, head([...lines, ...Array(97).fill('a:b')]));
    expect(answer.statuses).toEqual([200]);
  });
});

describe.concurrent('slow clients', () => {
  let isBodyOver = false;
  let hasty: Started;
  beforeAll(async () => {
    hasty = await withShortTimes(() => fixture.start());
  });

  test('half headers: 408', async () => {
    const answer = await sendRaw(hasty.port, 'GET /v1/me HTTP/1.1\r\nHost: x\r\n');
    expect([answer.statuses, answer.closed]).toEqual([[408], true]);
    expectEnvelope(answer, 'request_timeout');
    // They have less time than a body, which is sent at the same time.
    expect(isBodyOver).toBe(false);
  });

  test('half a body: 408', async () => {
    const lines = ['POST /v1/json HTTP/1.1', 'Host: x', auth()];
    const more = ['Content-Type: application/json', 'Content-Length: 100'];
    const answer = await sendRaw(hasty.port, [head([...lines, ...more]), '{']);
    isBodyOver = true;
    expect([answer.statuses, answer.closed]).toEqual([[408], true]);
    expectEnvelope(answer, 'request_timeout');
  });
});

describe('methods and targets', () => {
  test('HEAD is GET without a body, and counts', async () => {
    const own = await fixture.key('bob', { rpm: 50 });
    const get = await call(port, '/v1/toys', { key: own });
    const answer = await call(port, '/v1/toys', { key: own, method: 'HEAD' });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers['content-length']).toBe(get.headers['content-length']);
    expect(answer.headers['content-type']).toBe(get.headers['content-type']);
    expect(answer.headers['ratelimit-remaining']).toBe('48');
  });

  test.each([
    ['PUT', '/v1/toys/1', 'GET, DELETE, HEAD'],
    ['POST', '/v1/me', 'GET, HEAD'],
    ['DELETE', '/v1/toys', 'GET, POST, HEAD'],
    ['PROPFIND', '/v1/toys', 'GET, POST, HEAD'],
    ['OPTIONS', '/v1/me', 'GET, HEAD'],
    ['POST', '/v1/openapi.json', 'GET, HEAD'],
  ])('%s %s: 405 with Allow', async (method, path, allow) => {
    const answer = await call(port, path, { key, method });
    expect([answer.status, answer.json.error.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.headers['ratelimit-limit']).toBeDefined();
  });

  test.each([
    ['http://x/v1/me', 'x'],
    ['HTTP://X:80/v1/me', 'x'],
    ['http://x/v1/me?', 'x:80'],
    ['https://x:3000/v1/me', 'X:3000'],
    ['http://[::1]:3000/v1/me', '[::1]:3000'],
  ])('%s is a path of the Host %s', async (target, host) => {
    const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, auth(), 'Connection: close'];
    const answer = await sendRaw(port, head(lines));
    expect(answer.statuses).toEqual([200]);
  });

  test('OPTIONS and TRACE without a key: 405, without an echo', async () => {
    for (const [method, target] of [
      ['OPTIONS', '/v1/me'],
      ['OPTIONS', '*'],
      ['TRACE', '/v1/me'],
    ]) {
      const lines = [`${method} ${target} HTTP/1.1`, 'Host: x', 'X-Echo: canary'];
      const answer = await sendRaw(port, head([...lines, 'Connection: close']));
      expect(answer.statuses).toEqual([405]);
      expect(answer.text).toMatch(/Allow: GET/);
      expect(answer.text).not.toContain('canary');
      expectEnvelope(answer, 'method_not_allowed');
    }
  });

  test('CONNECT is closed, Upgrade is ignored', async () => {
    const tunnel = await sendRaw(port, head(['CONNECT x:443 HTTP/1.1', 'Host: x']));
    expect([tunnel.statuses, tunnel.closed]).toEqual([[], true]);
    for (const protocol of ['websocket', 'h2c']) {
      const lines = ['GET /v1/me HTTP/1.1', 'Host: x', auth(), `Upgrade: ${protocol}`];
      const answer = await sendRaw(port, head([...lines, 'Connection: Upgrade']), { wait: 300 });
      expect(answer.statuses).toEqual([200]);
    }
  });

  test.each([
    '/v1/me/',
    '/v1//me',
    '/v1/x/../me',
    '/v1/ME',
    '/v1/me;x=1',
    '/V1/me',
    '/',
    '/v1',
    '/v2/me',
    '/v1/toys/%2e%2e/x',
    '/v1/%00',
    '/v1/%zz',
  ])('%s: 404 without the path in the answer', async (path) => {
    const answer = await call(port, path, { key });
    expect([answer.status, answer.json.error.code]).toEqual([404, 'route_not_found']);
    expect(answer.headers.location).toBeUndefined();
    if (path.length > 3) expect(answer.text).not.toContain(path);
  });

  test('path values are decoded once and never split', async () => {
    const status = async (path: string) => {
      const { status, json } = await call(port, path, { key });
      return [status, json.error?.code ?? json.data];
    };
    expect(await status('/v1/toys/%31')).toEqual([200, { toy_id: '1' }]);
    for (const id of [
      '%2F',
      '%2e%2e',
      '%5c',
      'a%2Fb',
      '%2531',
      'é'.normalize().length + '%C3%A9',
    ]) {
      expect(await status(`/v1/toys/${id}`)).toEqual([404, 'record_not_found']);
    }
    expect(await status(`/v1/toys/${'x'.repeat(200)}`)).toEqual([404, 'record_not_found']);
    expect(await status(`/v1/toys/${'%F0%9F%98%80'.repeat(200)}`)).toEqual([
      404,
      'record_not_found',
    ]);
    expect(await status(`/v1/toys/${'x'.repeat(201)}`)).toEqual([400, 'validation_failed']);
    expect(await status(`/v1/toys/${'x'.repeat(15_000)}`)).toEqual([400, 'validation_failed']);
    for (const id of ['%zz', '%ff', '%00', 'a%00b', '%', '%C3%28', '%ED%A0%80']) {
      expect(await status(`/v1/toys/${id}`)).toEqual([400, 'validation_failed']);
      expect(await status(`/v1/gadgets/${id}`)).toEqual([404, 'user_not_found']);
    }
    for (const id of ['0', '-1', '1.5', 'abc', '9007199254740993', '1e3', '%20']) {
      expect(await status(`/v1/gadgets/${id}`)).toEqual([404, 'user_not_found']);
    }
    expect(await status('/v1/gadgets/9007199254740991')).toEqual([
      200,
      { gadget_id: 9007199254740991 },
    ]);
  });
});

describe('headers', () => {
  test('two Authorization headers: 401', async () => {
    const lines = ['GET /v1/me HTTP/1.1', 'Host: x', auth(), auth(), 'Connection: close'];
    expect((await sendRaw(port, head(lines))).statuses).toEqual([401]);
  });

  test('names of prototypes and overrides are ignored', async () => {
    const lines = ['POST /v1/toys/search HTTP/1.1', 'Host: x', auth(), 'Connection: close'];
    const odd = ['__proto__: x', 'constructor: x', 'X-HTTP-Method-Override: DELETE'];
    const answer = await sendRaw(port, head([...lines, ...odd, 'X-Forwarded-Host: evil']));
    expect(answer.statuses).toEqual([200]);
  });

  test('the request id is ours', async () => {
    const headers = { 'x-request-id': '"><script>' };
    const answer = await call(port, '/v1/me', { key, headers });
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
    expect(JSON.stringify(server.log.at(-1))).not.toContain('script');
  });

  test('200 pipelined requests are answered in order and all counted', async () => {
    const own = await fixture.key('bob', { rpm: 500 });
    const one = `GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own}\r\n\r\n`;
    const last = one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const answer = await sendRaw(port, one.repeat(199) + last, { wait: 15_000 });
    expect(answer.statuses).toEqual(Array(200).fill(200));
    const left = [...answer.text.matchAll(/^RateLimit-Remaining: (\d+)/gm)].map(
      (match) => match[1],
    );
    expect(left).toEqual(Array.from({ length: 200 }, (_, n) => String(499 - n)));
  });

  test('HTTP/1.0 with Host is served and closed', async () => {
    const answer = await sendRaw(port, head(['GET /v1/me HTTP/1.0', 'Host: x', auth()]));
    expect([answer.statuses, answer.closed]).toEqual([[200], true]);
  });
});

describe('Expect', () => {
  const lines = ['POST /v1/json HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
  test('100-continue is answered after the checks, before the body', async () => {
    const rest = [auth(), 'Content-Length: 2', 'Expect: 100-continue', 'Connection: close'];
    const answer = await sendRaw(port, [head([...lines, ...rest]), '{}']);
    expect(answer.statuses).toEqual([100, 200]);
  });

  test('a bad key is refused without the body', async () => {
    const rest = ['Content-Length: 2', 'Expect: 100-continue'];
    const answer = await sendRaw(port, head([...lines, ...rest]), { wait: 2000 });
    expect([answer.statuses, answer.closed]).toEqual([[401], true]);
  });

  test('anything else: 417', async () => {
    const answer = await sendRaw(port, head([...lines, 'Expect: banana', 'Content-Length: 0']));
    expect([answer.statuses, answer.closed]).toEqual([[417], true]);
    expectEnvelope(answer, 'validation_failed');
  });
});

describe('cross-origin', () => {
  test('none by default, configured origins only otherwise', async () => {
    const origin = 'https://app.example';
    const headers = { origin, 'access-control-request-method': 'GET' };
    const plain = await call(port, '/v1/me', { key, headers: { origin } });
    expect(JSON.stringify(plain.headers)).not.toContain('access-control');
    const open = await fixture.start({ config: { corsOrigins: [origin] } });
    const answer = await call(open.port, '/v1/me', { key, headers: { origin } });
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    const preflight = await call(open.port, '/v1/me', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('PATCH');
    expect(preflight.headers['access-control-allow-headers']).toContain('traceparent');
    // A browser follows `Location` by itself, and no page can read it.
    const { Location: _, ...answered } = COMMON_COMPONENTS.headers;
    const exposed = answer.headers['access-control-expose-headers']?.split(', ');
    for (const name of ['Allow', 'Deprecation', 'Sunset', ...Object.keys(answered)]) {
      expect(exposed).toContain(name);
    }
    const allowed = preflight.headers['access-control-allow-headers']?.split(', ');
    const sent = Object.values(COMMON_COMPONENTS.parameters).filter((one) => one.in === 'header');
    for (const { name } of sent) expect(allowed).toContain(name);
    const foreign = { ...headers, origin: 'https://evil.example' };
    const refused = await call(open.port, '/v1/me', { method: 'OPTIONS', headers: foreign });
    expect(refused.status).toBe(405);
    expect(refused.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('Strict-Transport-Security', () => {
  test('only as the setting says, then on every answer', async () => {
    const value = 'max-age=31536000; includeSubDomains';
    const strict = await fixture.start({ config: { strictTransportSecurity: value } });
    for (const [bytes, statuses] of [
      [head(['GET /v1/me HTTP/1.1', 'Host: x', 'Connection: close']), [401]],
      [head(['GET /healthz HTTP/1.1', 'Host: x', 'Connection: close']), [200]],
      [head(['GET /reference HTTP/1.1', 'Host: x', 'Connection: close']), [200]],
      ['no HTTP\r\n\r\n', [400]],
    ] as const) {
      const sent = await sendRaw(strict.port, bytes);
      expect([
        sent.statuses,
        sent.text.split(`\nStrict-Transport-Security: ${value}\r`).length,
      ]).toEqual([statuses, 2]);
      expect((await sendRaw(port, bytes)).text).not.toContain('Strict-Transport');
    }
    expect(() => readConfig({ STRICT_TRANSPORT_SECURITY: 'yes' })).toThrow(/max-age/);
    expect(readConfig({ STRICT_TRANSPORT_SECURITY: value }).strictTransportSecurity).toBe(value);
  });
});

test('a server that closes finishes the requests in flight, and keeps no connection', async () => {
  const { held, release } = hold();
  let begun = 0;
  const routes = TOYS.map((route): typeof route => ({
    ...route,
    async handle(...request) {
      begun += 1;
      await held;
      return route.handle(...request);
    },
  }));
  const own = await fixture.start({ routes });
  const inFlight = Array.from({ length: 20 }, () => call(own.port, '/v1/me', { key }));
  await until(() => begun === 20);
  const closing = own.close();
  release();
  for (const { status, headers } of await Promise.all(inFlight))
    expect([status, headers.connection]).toEqual([200, 'close']);
  await closing;
  await expect(call(own.port, '/v1/me', { key })).rejects.toThrow();
});
