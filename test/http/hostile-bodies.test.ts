// Bodies that are made to be expensive: they are refused before they are parsed, or with a short message. The test
// measures work, not time: calls of JSON.parse, problems made, characters of the answer.

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { requireJsonBody } from '../../src/http/request/body.ts';
import { LIMITS } from '../../src/limits.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';

let fixture: ServerFixture;
let port: number;
let key: string;

beforeAll(async () => {
  fixture = await openServerFixture();
  ({ port } = await fixture.start());
  key = await fixture.key('ann');
});
afterAll(() => fixture.close());
afterEach(() => vi.restoreAllMocks());

const post = (path: string, body: string) => call(port, path, { key, method: 'POST', body });

/** As many items as fit the bytes. */
function filled(item: (index: number) => string, bytes: number): string {
  const items: string[] = [];
  for (let size = 0; size < bytes; size += (items.at(-1) as string).length + 1) {
    items.push(item(items.length));
  }
  return items.join();
}

const MEGABYTE = 1_000_000;

describe('more than a body may hold', () => {
  test.each<[string, string, string]>([
    ['keys that are integers', '{', filled((at) => `"${at}":1`, MEGABYTE)],
    ['keys that are large integers', '{', filled((at) => `"${at * 4099}":1`, MEGABYTE)],
    ['short keys', '{', filled((at) => `"k${at}":1`, MEGABYTE)],
    ['escaped keys', '{', filled((at) => `"\\u006b${at}":1`, MEGABYTE)],
    ['the same key', '{', filled(() => '"a":1', MEGABYTE)],
    ['empty lists', '[', filled(() => '[]', MEGABYTE)],
    ['empty objects', '[', filled(() => '{}', MEGABYTE)],
    ['objects of one key', '[', filled((at) => `{"k${at}":1}`, MEGABYTE)],
    ['numbers', '[', filled(() => '1', MEGABYTE)],
    ['strings', '[', filled(() => '""', MEGABYTE)],
  ])('%s: 400 before anything is parsed', async (_, open, items) => {
    const parse = vi.spyOn(JSON, 'parse');
    const body = `{"fields":${open}${items}${open === '{' ? '}' : ']'}}`;
    const sent = call(port, '/v1/toys', { key, method: 'POST', body });
    const { status, json } = await sent;
    expect([status, json.error.code]).toEqual([400, 'validation_failed']);
    expect(json.error.message).toContain(String(LIMITS.jsonNodes));
    const parsed = parse.mock.calls.map(([text]) => String(text).length);
    expect(parsed.filter((length) => length > MEGABYTE / 2)).toEqual([]);
  });

  test('a batch of 100 operations with 500 fields each is accepted', async () => {
    const fields = Array.from({ length: 500 }, (_, at) => `"field_${at}":["a"]`);
    const operations = Array(100).fill(`{"action":"create","fields":{${fields}}}`);
    const { status } = await post('/v1/json', `{"operations":[${operations}]}`);
    expect(status).toBe(200);
  });
});

describe('properties that do not exist', () => {
  const extras = (count: number) => filled((at) => `"x${at}":1`, count * 8);

  test('ten are named one by one', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `"x${at}":1`);
    const { json } = await post('/v1/toys', `{"fields":{},${names}}`);
    expect(json.error.details.errors).toHaveLength(10);
  });

  test('thousands are one problem that names ten', async () => {
    const { json } = await post('/v1/toys', `{"fields":{},${extras(5000)}}`);
    expect(json.error.details.errors).toHaveLength(1);
    expect(json.error.message).toMatch(
      /^There are no such properties: "x0", .*"x9" and \d+ more\.$/,
    );
  });

  test('behind another problem too', async () => {
    const fine = '{"action":"make","id":"a"}';
    const bad = `{"action":"make","id":1,${extras(5000)}}`;
    const body = `{"extra":1,"operations":[${fine},${bad},${bad}]}`;
    const { status, text } = await post('/v1/batch', body);
    expect(status).toBe(400);
    expect(text.length).toBeLessThan(2000);
  });

  test('names are shown up to 100 characters', async () => {
    const { json, text } = await post('/v1/toys', `{"fields":{},"${'😀'.repeat(9999)}":1}`);
    expect(json.error.param).toBe(`${'😀'.repeat(49)}…`);
    expect(text.length).toBeLessThan(1000);
  });
});

describe('others are served between reading a body and what comes then', () => {
  /** Whether what was ready before got its turn. */
  async function servesOthers(length: number): Promise<boolean> {
    const raw = Buffer.from(JSON.stringify('x'.repeat(length)));
    const transport = { isRepeated: () => false, readBody: async () => raw };
    const headers = { 'content-type': 'application/json' };
    const rules = { limit: LIMITS.bodyBytes, nodes: LIMITS.jsonNodes, optional: false };
    let isServed = false;
    setImmediate(() => {
      isServed = true;
    });
    const call = { headers, transport } as unknown as Parameters<typeof requireJsonBody>[0];
    expect((await requireJsonBody(call, rules))?.value).toHaveLength(length);
    return isServed;
  }

  test('a long one', async () => expect(await servesOthers(300_000)).toBe(true));
  test('a short one does not wait', async () => expect(await servesOthers(1000)).toBe(false));
});
