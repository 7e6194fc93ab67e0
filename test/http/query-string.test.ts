// The query string, as syntax and through the pipeline (D8, D40).

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseQueryString } from '../../src/http/request/query-string.ts';
import { call } from '../http-client.ts';
import { openServerFixture, type ServerFixture } from '../server-fixture.ts';
import { leastWork } from '../until.ts';

const shape = {
  names: new Set(['limit', 'cursor', 'q', 'fields', 'sort']),
  integers: new Set(['limit']),
  filters: true,
};

const parse = (text: string) => parseQueryString(text, shape);
const codes = (text: string) => parse(text).problems.map(({ code }) => code);

describe('syntax', () => {
  test('scalars and filters', () => {
    const { values, filters, problems } = parse(
      'limit=5&q=a+b%26c&sort=-x&filter[a]=1&filter%5Bb%5D%5Bgte%5D=%C3%A9&&filter[c][in]=x,y',
    );
    expect(problems).toEqual([]);
    expect({ ...values }).toEqual({ limit: 5, q: 'a b&c', sort: '-x' });
    expect(filters).toEqual([
      { param: 'filter[a]', path: ['a'], value: '1' },
      { param: 'filter[b][gte]', path: ['b', 'gte'], value: 'é' },
      { param: 'filter[c][in]', path: ['c', 'in'], value: 'x,y' },
    ]);
  });

  test('cursor=, q= and fields= are absent, sort= is not', () => {
    expect({ ...parse('cursor=&q=&fields=&sort=').values }).toEqual({ sort: '' });
  });

  test.each(['+5', '-1', '1.0', '0x1', ' 5', '1e2', '', '５', '12345678901234567'])(
    'limit=%s stays text',
    (text) => expect(parse(`limit=${encodeURIComponent(text)}`).values.limit).toBe(text),
  );

  test.each([
    'filter=1',
    'filter[]=1',
    'filter[a]',
    'filter[a][b][c]=1',
    'filter[a][]=1',
    'filter[a=1',
    'filter]a[=1',
    'filter[[a]]=1',
    'filter[a]x=1',
    'filter[a]=%zz',
    'filter[a]=%00',
    'filter[%ff]=1',
  ])('%s is invalid_filter', (text) => expect(codes(text)).toEqual(['invalid_filter']));

  test.each([
    'x=1',
    'limit=1&limit=2',
    'cursor=&cursor=x',
    'fields[]=a',
    'a[length]=1e9',
    '__proto__=1',
    'constructor[prototype]=1',
    'q=%zz',
    'q=%ff',
    'q=%00',
    '%zz=1',
    'Limit=1',
    'filters=1',
  ])('%s is validation_failed', (text) => expect(codes(text)).toEqual(['validation_failed']));

  test('names of prototypes are names', () => {
    const { filters } = parse('filter[__proto__][eq]=1&filter[constructor][prototype]=1');
    expect(filters.map(({ path }) => path)).toEqual([
      ['__proto__', 'eq'],
      ['constructor', 'prototype'],
    ]);
  });

  test('all problems are found, and too many parameters are not read', async () => {
    expect(codes('x=1&y=2&limit=1&limit=2')).toHaveLength(3);
    const parameters = (count: number, each: string) => Array(count).fill(each).join('&');
    expect(codes(parameters(1500, 'filter[a]=1'))).toEqual(['validation_failed']);
    expect(codes(parameters(200, 'x=1'))).toHaveLength(200);
    // Twenty times as many cost no more than those that are read.
    const workOf = (text: string) =>
      leastWork(() => {
        for (let time = 0; time < 50; time += 1) codes(text);
      });
    const read = await workOf(parameters(200, 'x=1'));
    expect(await workOf(parameters(4000, 'filter[a]=1'))).toBeLessThan(3 * read);
  });

  test('without filters, a filter is an unknown parameter', () => {
    const { problems } = parseQueryString('filter[a]=1', { ...shape, filters: false });
    expect(problems).toMatchObject([{ code: 'validation_failed', param: 'filter[a]' }]);
  });
});

describe('through the pipeline', () => {
  let fixture: ServerFixture;
  let port: number;
  let key: string;
  beforeAll(async () => {
    fixture = await openServerFixture();
    ({ port } = await fixture.start());
    key = await fixture.key('ann');
  });
  afterAll(() => fixture.close());

  test('defaults', async () => {
    const { json } = await call(port, '/v1/toys?q=x', { key });
    expect(json.data).toEqual({ query: { limit: 25, q: 'x', mode: 'false' }, filters: [] });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=9007199254740993', 'limit'],
    ['mode=TRUE', 'mode'],
    ['mode=1', 'mode'],
    ['sort=', 'sort'],
    [`cursor=${'x'.repeat(21)}`, 'cursor'],
    ['x=1', 'x'],
    ['fields[]=a', 'fields[]'],
  ])('%s', async (query, param) => {
    const { status, json } = await call(port, `/v1/toys?${query}`, { key });
    expect([status, json.error.code, json.error.param]).toEqual([400, 'validation_failed', param]);
    expect(json.error.details.errors).toHaveLength(1);
  });

  test('several problems at once', async () => {
    const { json } = await call(port, '/v1/toys?limit=0&x=1&filter[a&mode=no', { key });
    const found = json.error.details.errors.map(({ param }: { param: string }) => param);
    expect(found.sort()).toEqual(['filter[a', 'limit', 'mode', 'x']);
  });

  test('lengths are counted in code points', async () => {
    const emoji = encodeURIComponent('😀'.repeat(20));
    expect((await call(port, `/v1/toys?q=${emoji}`, { key })).status).toBe(200);
  });

  test('a route without parameters refuses any', async () => {
    expect((await call(port, '/v1/me?x=1', { key })).status).toBe(400);
    expect((await call(port, '/v1/me?', { key })).status).toBe(200);
  });
});
