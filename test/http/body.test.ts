// Bodies: media types, sizes, strict JSON, shapes (D7, D8, D10). The JSON suite is Nicolas Seriot's; each file is a
// line with its name and bytes, and its licence is next to them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, sendRaw } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';
import { leastWork } from '../until.ts';

let fixture: ServerFixture;
let port: number;
let key: string;

beforeAll(async () => {
  fixture = await openServerFixture();
  ({ port } = await fixture.start());
  key = await fixture.key('ann');
});
afterAll(() => fixture.close());

const post = (path: string, body: unknown, headers = {}) =>
  call(port, path, { key, method: 'POST', body, headers });

async function outcome(path: string, body: unknown, headers = {}) {
  const { status, json } = await post(path, body, headers);
  return [status, json.error?.code ?? 'ok'];
}

describe('media type', () => {
  test.each<[string | undefined, number]>([
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
    ['Application/JSON;charset="UTF-8"', 200],
    [' application/json', 200],
    [undefined, 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data', 415],
    ['application/json garbage', 415],
    ['application/json\ta', 415],
    ['application/json; charset=utf-16', 415],
    ['application/json; charset=latin1', 415],
    ['application/merge-patch+json', 415],
    ['application/jsonx', 415],
  ])('%s: %i', async (type, status) => {
    const lines = ['POST /v1/json HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
    if (type !== undefined) lines.push(`Content-Type: ${type}`);
    lines.push('Content-Length: 2', 'Connection: close', '', '{}');
    const answer = await sendRaw(port, lines.join('\r\n'));
    expect(answer.statuses).toEqual([status]);
    if (status === 415) expect(answer.text).toContain('"unsupported_media_type"');
  });

  test('two Content-Type headers and any Content-Encoding: 415', async () => {
    const type = 'Content-Type: application/json';
    const lines = ['POST /v1/json HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, type, type];
    const answer = await sendRaw(port, [...lines, 'Content-Length: 2', '', '{}'].join('\r\n'));
    expect(answer.statuses).toEqual([415]);
    const gzip = { 'content-encoding': 'gzip' };
    expect(await outcome('/v1/json', gzipSync('{}'), gzip)).toEqual([
      415,
      'unsupported_media_type',
    ]);
    expect(await outcome('/v1/json', '{}', gzip)).toEqual([415, 'unsupported_media_type']);
  });
});

describe('empty and ignored bodies', () => {
  test('empty is {} where the body is optional, else invalid_json', async () => {
    expect(await outcome('/v1/toys/search', undefined)).toEqual([200, 'ok']);
    expect(await outcome('/v1/toys/search', '')).toEqual([200, 'ok']);
    expect(await outcome('/v1/toys', undefined)).toEqual([400, 'invalid_json']);
    expect(await outcome('/v1/toys', '')).toEqual([400, 'invalid_json']);
  });

  test.each<readonly [string, string, string]>([
    ['application/x-www-form-urlencoded', 'Content-Length: 0\r\n', ''],
    ['application/x-www-form-urlencoded', '', ''],
    ['text/plain', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['application/json\r\nContent-Encoding: gzip', 'Content-Length: 0\r\n', ''],
  ])('an empty body of type %j (%j) counts as none', async (type, length, body) => {
    const send = (path: string) =>
      sendRaw(
        port,
        `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
          `Content-Type: ${type}\r\n${length}Connection: close\r\n\r\n${body}`,
      );
    expect((await send('/v1/toys/search')).statuses).toEqual([200]);
    const refused = await send('/v1/toys');
    expect(refused.statuses).toEqual([400]);
    expect(refused.text).toContain('"invalid_json"');
  });

  test('one byte of another type is a body, however it is sent', async () => {
    const text = { 'content-type': 'text/plain' };
    expect(await outcome('/v1/toys/search', 'x', text)).toEqual([415, 'unsupported_media_type']);
    const chunked =
      `POST /v1/toys/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      'Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n';
    expect((await sendRaw(port, chunked)).statuses).toEqual([415]);
  });

  test('GET and DELETE ignore a body, whatever it is', async () => {
    for (const body of ['{', '{"a":1}', Buffer.from([0xff])]) {
      for (const headers of [{}, { 'content-type': 'text/plain' }, { 'content-encoding': 'x' }]) {
        const get = await call(port, '/v1/toys/1', { key, body, headers });
        const del = await call(port, '/v1/toys/1', { key, method: 'DELETE', body, headers });
        expect([get.status, del.status]).toEqual([200, 200]);
      }
    }
  });
});

describe('size', () => {
  const large = `{"a":"${'x'.repeat(1024 * 1024)}"}`;
  test('over the limit: 413, however the length is given', async () => {
    expect(await outcome('/v1/toys', large)).toEqual([413, 'payload_too_large']);
    const lines = ['POST /v1/toys HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
    lines.push('Content-Type: application/json', 'Transfer-Encoding: chunked', '', '');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const answer = await sendRaw(port, [lines.join('\r\n'), ...Array(40).fill(chunk)]);
    expect([answer.statuses, answer.closed]).toEqual([[413], true]);
    expect(answer.text).toContain('"payload_too_large"');
  });

  test('a batch may be larger', async () => {
    expect(await outcome('/v1/json', large)).toEqual([200, 'ok']);
    const tooLarge = Buffer.alloc(9 * 1024 * 1024, ' ');
    expect(await outcome('/v1/json', tooLarge)).toEqual([413, 'payload_too_large']);
  });

  test('at the limit', async () => {
    const body = `{"fields":{"a":"${'x'.repeat(1024 * 1024 - 19)}"}}`;
    expect(Buffer.byteLength(body)).toBe(1024 * 1024);
    expect(await outcome('/v1/toys', body)).toEqual([201, 'ok']);
  });
});

describe('JSON', () => {
  test.each([
    '{',
    '{}{}',
    '{a:1}',
    '{"a":[1,]}',
    'NaN',
    '01',
    "{'a':1}",
    '{}//x',
    '\u{feff}{}',
    Buffer.from('{"a":"\xc3\x28"}', 'latin1'),
    Buffer.from('{"a":"\xc0\xaf"}', 'latin1'),
    Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1'),
  ])('%j is invalid_json', async (body) => {
    expect(await outcome('/v1/json', body)).toEqual([400, 'invalid_json']);
  });

  test.each(['null', '[]', '"x"', '1', 'true'])('%s is validation_failed', async (body) => {
    expect(await outcome('/v1/json', body)).toEqual([400, 'validation_failed']);
  });

  test('32 levels pass, 33 do not, and 500,000 cost little', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(await outcome('/v1/json', nested(32))).toEqual([200, 'ok']);
    const brackets = JSON.stringify({ a: '[{'.repeat(50), b: '\\"[[[' });
    expect(await outcome('/v1/json', brackets)).toEqual([200, 'ok']);
    for (const levels of [33, 5000, 500_000]) {
      expect(await outcome('/v1/json', nested(levels))).toEqual([400, 'invalid_json']);
    }
    const taken = JSON.stringify({ a: Array(110_000).fill(123_456) });
    expect(await outcome('/v1/json', taken)).toEqual([200, 'ok']);
    const ofTaken = await leastWork(() => outcome('/v1/json', taken));
    expect(await leastWork(() => outcome('/v1/json', nested(500_000)))).toBeLessThan(3 * ofTaken);
  });

  test('names of prototypes are names', async () => {
    const body = '{"fields":{},"__proto__":{"polluted":1},"constructor":{"prototype":{}}}';
    const { status, json } = await post('/v1/toys', body);
    expect(status).toBe(400);
    expect(json.error.details.errors.map(({ param }: { param: string }) => param)).toEqual([
      '__proto__',
      'constructor',
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('the JSON suite', () => {
  const lines = readFileSync(join(import.meta.dirname, '..', 'data', 'json-parsing.jsonl'), 'utf8');
  const files = lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly name: string; readonly base64: string });

  test('is there', () => expect(files).toHaveLength(318));

  test.each(files)('$name', async ({ name, base64 }) => {
    const bytes = Buffer.from(base64, 'base64');
    const [status, code] = await outcome('/v1/json', bytes);
    if (name.startsWith('y_')) {
      const isObject = bytes.toString().trimStart().startsWith('{');
      expect([status, code]).toEqual(isObject ? [200, 'ok'] : [400, 'validation_failed']);
    } else if (name.startsWith('n_')) {
      expect([status, code]).toEqual([400, 'invalid_json']);
    } else {
      expect([200, 400]).toContain(status);
    }
  });
});

describe('shape', () => {
  test('all problems with their places', async () => {
    const { json } = await post('/v1/batch', {
      operations: [
        { action: 'make', id: 'a' },
        { action: 'MAKE' },
        { id: 1, action: 'break', x: 1 },
      ],
      extra: 1,
    });
    expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'validation_failed' });
    const places = json.error.details.errors.map(({ param }: { param: string }) => param).sort();
    expect(places).toEqual([
      'extra',
      'operations[1].action',
      'operations[1].id',
      'operations[2].id',
      'operations[2].x',
    ]);
    expect(json.error.param).toBe(json.error.details.errors[0].param);
    expect(json.error.message).toBe(json.error.details.errors[0].message);
  });

  test.each([
    [{}, 'fields'],
    [{ fields: null }, 'fields'],
    [{ fields: [] }, 'fields'],
    [{ fields: 'x' }, 'fields'],
    [{ fields: {}, extra: 1 }, 'extra'],
  ])('%j: %s', async (body, param) => {
    const { status, json } = await post('/v1/toys', body);
    expect([status, json.error.code, json.error.param]).toEqual([400, 'validation_failed', param]);
  });

  test('fifty thousand operations are refused quickly', async () => {
    const body = JSON.stringify({ operations: Array(50_000).fill({}) });
    const { status, json } = await post('/v1/batch', body);
    expect([status, json.error.param]).toEqual([400, 'operations']);
    expect(json.error.details.errors).toHaveLength(1);
    // At most the cost of the same text on a route that does not read the operations.
    const ofTaken = await leastWork(() => outcome('/v1/json', body));
    expect(await leastWork(() => post('/v1/batch', body))).toBeLessThan(2 * ofTaken);
  });

  test('defaults are filled in, values are not converted', async () => {
    expect((await post('/v1/toys/search', {})).json.data).toEqual({ limit: 25 });
    for (const body of [{ limit: '5' }, { limit: 1.5 }, { limit: null }, { query: 1 }]) {
      expect(await outcome('/v1/toys/search', body)).toEqual([400, 'validation_failed']);
    }
  });
});

describe('Idempotency-Key', () => {
  test.each(['', 'x'.repeat(256), 'a b', 'a\tb', 'é'])('%j: 400', async (sent) => {
    const lines = ['POST /v1/toys HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
    lines.push('Content-Type: application/json', 'Content-Length: 13', 'Connection: close');
    const bytes = [...lines, `Idempotency-Key: ${sent}`, '', '{"fields":{}}'].join('\r\n');
    const answer = await sendRaw(port, Buffer.from(bytes));
    expect(answer.statuses).toEqual([400]);
    expect(answer.text).toContain('"param":"Idempotency-Key"');
  });

  test('the fingerprint is of method, path and bytes', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(255) };
    const print = async (body: string) =>
      (await post('/v1/toys', body, headers)).json.data.fingerprint;
    const first = await print('{"fields":{}}');
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await print('{"fields":{}}')).toBe(first);
    expect(await print('{"fields": {}}')).not.toBe(first);
    expect((await post('/v1/toys', { fields: {} })).json.data.fingerprint).toBeUndefined();
  });

  test('is ignored where it has no meaning', async () => {
    const headers = { 'idempotency-key': 'a b' };
    expect(await outcome('/v1/toys/search', {}, headers)).toEqual([200, 'ok']);
  });
});
