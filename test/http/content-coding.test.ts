// Compressed answers (D161): the codings that a client takes, tags of each coding, HEAD and 304, and documents that
// are kept compressed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerCoding, documentCoding, encode } from '../../src/http/answer/content-coding.ts';
import { scriptDocument } from '../../src/http/documents/reference.ts';
import type { Route } from '../../src/http/route/route.ts';
import { expectNoCanary } from '../access/canary.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture, TOYS } from '../server-fixture.ts';

const nothing = Type.Object({}, { additionalProperties: false });
const LONG = Array.from({ length: 3000 }, (_, number) => `line ${number} ä`);

const wordy = (name: string, words: readonly string[]): Route<unknown> => ({
  ...{ method: 'GET', path: `/${name}`, operationId: name, tag: 'Toys', summary: 'Words' },
  ...{ scope: null, params: nothing, query: nothing, status: 200, etag: true, errors: [] },
  result: Type.Object({ data: Type.Unknown() }),
  handle: async () => ({ body: { data: words }, version: '1-a' }),
});

let fixture: ServerFixture;
let port: number;
let portWithCors: number;
let key: string;
beforeAll(async () => {
  fixture = await openServerFixture();
  key = await fixture.key('ann');
  const routes = [...TOYS, wordy('long', LONG), wordy('short', LONG.slice(0, 3))];
  ({ port } = await fixture.start({ routes }));
  const config = { corsOrigins: ['https://app.example'] };
  ({ port: portWithCors } = await fixture.start({ routes, config }));
});
afterAll(() => fixture.close());

interface Received {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

function get(path: string, headers: http.OutgoingHttpHeaders, method = 'GET'): Promise<Received> {
  const sent = { authorization: `Bearer ${key}`, ...headers };
  const at = headers.origin === undefined ? port : portWithCors;
  return new Promise((resolve, reject) => {
    const options = { port: at, host: '127.0.0.1', path, method, headers: sent, agent: false };
    const request = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0 } = response;
        expectNoCanary(key, Buffer.concat(chunks).toString());
        resolve({ status, headers: response.headers, bytes: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject).end();
  });
}

const accepting = (coding: string) => ({ 'accept-encoding': coding });
const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const;

describe('the coding', () => {
  test.each<readonly [string | undefined, string | undefined]>([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=0', undefined],
    ['gzip;q=0.000, br', 'br'],
    ['gzip;q=0.5, br;q=0.8', 'br'],
    ['gzip ; q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['*;q=0.5, gzip;q=0', 'br'],
    ['gzip;q=0, br;q=0, *', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip;q=2', undefined],
    ['gzip;q=', undefined],
    ['gzip;level=1', undefined],
    [',,gzip,,', 'gzip'],
  ])('%j: %s', (accepted, coding) => {
    expect(answerCoding(accepted, 100_000)).toBe(coding);
  });

  test('a small body is compressed only for clients that refuse it as it is', () => {
    expect(answerCoding('gzip', 100)).toBeUndefined();
    expect(answerCoding('gzip, identity;q=0', 100)).toBe('gzip');
    expect(answerCoding('br, *;q=0', 100)).toBe('br');
    expect(answerCoding('identity;q=0', 100)).toBeUndefined();
  });

  test('a kept document is sent in the smallest form that is kept', () => {
    expect(documentCoding('gzip, br', ['br', 'gzip'])).toBe('br');
    expect(documentCoding('gzip', ['br', 'gzip'])).toBe('gzip');
    expect(documentCoding('gzip, br', [])).toBeUndefined();
  });
});

describe.each(['gzip', 'br'] as const)('an answer in %s', (coding) => {
  test('is the same when it is decoded, and has a tag of its own', async () => {
    const plain = await get('/v1/long', {});
    const coded = await get('/v1/long', accepting(coding));
    expect(decoders[coding](coded.bytes).equals(plain.bytes)).toBe(true);
    expect(coded.headers).toMatchObject({
      'content-encoding': coding,
      'content-length': String(coded.bytes.length),
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept-Encoding',
      etag: `${plain.headers.etag?.slice(0, -1)}-${coding}"`,
    });
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect([plain.headers.vary, plain.headers['content-encoding']]).toEqual([
      'Accept-Encoding',
      undefined,
    ]);
  });

  test('HEAD has its headers; 304 is for its own tag', async () => {
    const { headers } = await get('/v1/long', accepting(coding));
    const head = await get('/v1/long', accepting(coding), 'HEAD');
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['etag', 'content-length', 'content-encoding', 'vary']) {
      expect(head.headers[name], name).toBe(headers[name]);
    }
    const tag = { 'if-none-match': String(headers.etag) };
    const same = await get('/v1/long', { ...accepting(coding), ...tag });
    expect([same.status, same.bytes.length, same.headers.etag]).toEqual([304, 0, headers.etag]);
    expect([same.headers.vary, same.headers['content-encoding']]).toEqual([
      'Accept-Encoding',
      undefined,
    ]);
    expect((await get('/v1/long', tag)).status).toBe(200);
    const weak = { ...accepting(coding), 'if-none-match': `W/${headers.etag}` };
    expect((await get('/v1/long', weak)).status).toBe(304);
  });
});

test('small answers and failures are sent as they are; Vary names the origin as well', async () => {
  const small = await get('/v1/short', accepting('gzip'));
  expect(small.headers['content-encoding']).toBeUndefined();
  expect(small.headers.etag).toMatch(/^"1-a\.[\w-]{16}"$/);
  const refused = await get('/v1/gadgets/x', accepting('gzip'));
  expect([refused.status, refused.headers['content-encoding']]).toEqual([404, undefined]);
  const origin = { ...accepting('gzip'), origin: 'https://app.example' };
  const { headers } = await get('/v1/long', origin);
  expect(headers.vary?.split(', ').sort()).toEqual(['Accept-Encoding', 'Origin']);
});

test('of many at once some are sent as they are, and all are whole', async () => {
  const plain = (await get('/v1/long', {})).bytes;
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => get('/v1/long', accepting('gzip'))),
  );
  for (const { headers, bytes } of answers) {
    const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    expect(body.equals(plain)).toBe(true);
  }
  expect(answers.some(({ headers }) => headers['content-encoding'] === 'gzip')).toBe(true);
});

test('of large ones only a few are compressed at once; those that must be wait for their turn', async () => {
  const text = 'a line of text\n'.repeat(400_000);
  const coded = Array.from({ length: 5 }, () => encode(text, 'br'));
  expect(answerCoding('br', text.length)).toBeUndefined();
  expect(answerCoding('br', 20_000)).toBe('br');
  expect(answerCoding('br, identity;q=0', text.length)).toBe('br');
  for (const bytes of await Promise.all(coded)) {
    expect(brotliDecompressSync(bytes).toString() === text).toBe(true);
  }
  expect(answerCoding('br', text.length)).toBe('br');
});

describe('documents', () => {
  test('the OpenAPI document in both codings', async () => {
    const plain = await get('/v1/openapi.json', {});
    for (const coding of ['gzip', 'br'] as const) {
      const coded = await get('/v1/openapi.json', accepting(coding));
      expect(coded.headers['content-encoding']).toBe(coding);
      expect(decoders[coding](coded.bytes).equals(plain.bytes)).toBe(true);
      expect(coded.headers.etag).not.toBe(plain.headers.etag);
      const tag = { 'if-none-match': String(coded.headers.etag) };
      const same = await get('/v1/openapi.json', { ...accepting(coding), ...tag });
      expect([same.status, same.headers.vary]).toEqual([304, 'Accept-Encoding']);
    }
    expect(plain.headers.vary).toBe('Accept-Encoding');
  });

  test('the script of the page in the compressed form of the build', () => {
    const folder = mkdtempSync(join(tmpdir(), 'records-script-'));
    const script = join(folder, 'standalone.js');
    writeFileSync(script, 'plain');
    expect([...scriptDocument(script).load().encoded.keys()]).toEqual([]);
    writeFileSync(`${script}.br`, 'small');
    writeFileSync(`${script}.gz`, 'larger');
    const { body, encoded } = scriptDocument(script).load();
    expect([String(body), String(encoded.get('br')), String(encoded.get('gzip'))]).toEqual([
      ...['plain', 'small', 'larger'],
    ]);
    rmSync(folder, { recursive: true });
  });

  test.each(['/favicon.ico', '/robots.txt'])('%s needs no key', async (path) => {
    const answer = await call(port, path);
    expect([answer.status, answer.text.length > 0]).toEqual([200, true]);
    expect(answer.headers['cache-control']).toBe('public, max-age=86400');
    expect((await call(port, path, { method: 'POST' })).status).toBe(401);
  });
});
