// Several questions in one request: each is answered as it is alone, or all are refused with the place of the
// problem.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { type Client, refusalOf } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let ada: Client;
let rob: Client;

beforeAll(async () => {
  world = await openWorld();
  [ada, rob] = await Promise.all([world.as('ada'), world.as('rob')]);
  const { body } = await ada.post('/objects/companies/records', { fields: { name: 'alpha' } });
  for (const [name, owner] of [
    ['one', 'rob'],
    ['two', 'rae'],
    ['three', 'ada'],
  ] as const) {
    const fields = { name, company_id: body.data.id, owner_user_id: world.users[owner] };
    await ada.post('/objects/deals/records', { fields });
  }
});
afterAll(() => world.close());

const DEALS = { object_type: 'deals', sort: [{ field: 'name' }], limit: 2, count: 'exact' };
const COMPANIES = { object_type: 'companies', fields: ['name'] };
const WRONG = { field: 'nope', op: 'eq', value: 1 };

const ask = (queries: unknown, client = ada) => client.post('/query', { queries });

test('each is answered as it is alone, with its own rights, cursor and expansion', async () => {
  for (const client of [ada, rob]) {
    const alone = async ({ object_type, ...question }: typeof DEALS) =>
      (await client.post(`/objects/${object_type}/records/query`, question)).body;
    const first = await alone(DEALS);
    const { next_cursor } = first.pagination;
    const queries = [
      DEALS,
      COMPANIES as never,
      { ...DEALS, expand: ['company_id'] },
      ...(next_cursor === null ? [] : [{ ...DEALS, cursor: next_cursor }]),
    ];
    const { status, body } = await ask(queries, client);
    expect(status).toBe(200);
    // Cursors have a moment of their own.
    const shown = (page: object) =>
      JSON.parse(JSON.stringify(page, (key, value) => (key === 'next_cursor' ? 'c' : value)));
    expect(shown(body.data)).toEqual(shown(await Promise.all(queries.map(alone))));
  }
});

test('a cursor belongs to the question, of any request', async () => {
  const { body } = await ask([COMPANIES, DEALS]);
  const cursor = body.data[1].pagination.next_cursor;
  const { object_type, ...question } = DEALS;
  const next = await ada.post(`/objects/${object_type}/records/query`, { ...question, cursor });
  expect(next.body.data.map((one: { display: string }) => one.display)).toEqual(['two']);
});

test.each<readonly [unknown, readonly [number, string, string]]>([
  [undefined, [400, 'validation_failed', 'queries']],
  [[], [400, 'validation_failed', 'queries']],
  [Array(LIMITS.questions + 1).fill(DEALS), [400, 'validation_failed', 'queries']],
  [
    [DEALS, 1],
    [400, 'validation_failed', 'queries[1]'],
  ],
  [
    [DEALS, {}],
    [400, 'validation_failed', 'queries[1].object_type'],
  ],
  [
    [DEALS, { ...DEALS, extra: 1 }],
    [400, 'validation_failed', 'queries[1].extra'],
  ],
  [
    [DEALS, { ...DEALS, limit: 101 }],
    [400, 'validation_failed', 'queries[1].limit'],
  ],
  [
    [DEALS, { ...DEALS, timezone: 'x' }],
    [400, 'validation_failed', 'queries[1].timezone'],
  ],
  [
    [DEALS, { ...DEALS, cursor: 'x' }],
    [400, 'invalid_cursor', 'queries[1].cursor'],
  ],
  [
    [DEALS, { ...DEALS, fields: ['nope'] }],
    [400, 'invalid_filter', 'queries[1].fields'],
  ],
  [
    [DEALS, { ...DEALS, where: { any: [WRONG] } }],
    [400, 'invalid_filter', 'queries[1].where.any[0].field'],
  ],
  [
    [DEALS, { object_type: 'nope' }],
    [404, 'object_not_available', 'queries[1].object_type'],
  ],
  [
    [{ object_type: 'nope' }, { ...DEALS, where: WRONG }],
    [404, 'object_not_available', 'queries[0].object_type'],
  ],
])('%j is refused as a whole', async (queries, refusal) => {
  expect(refusalOf(await ask(queries))).toEqual(refusal);
});

test('other problems of a question are reported with its place', async () => {
  const { error } = (
    await ask([DEALS, { ...DEALS, where: { all: [WRONG, { ...WRONG, field: 'nor' }] } }])
  ).body;
  expect(error.details.errors.map(({ param }: { param: string }) => param)).toEqual([
    'queries[1].where.all[0].field',
    'queries[1].where.all[1].field',
  ]);
});

test('as many as there may be', async () => {
  const { status, body } = await ask(Array(LIMITS.questions).fill(DEALS));
  expect([status, body.data.length]).toEqual([200, LIMITS.questions]);
});

test('takes the scope for reading records, and counts as one request', async () => {
  const bare = await world.as('ada', { scopes: ['users:read'] });
  expect(refusalOf(await ask([DEALS], bare)).slice(0, 2)).toEqual([403, 'insufficient_scope']);
  const before = await world.digest();
  const remaining = async () =>
    Number((await ask([DEALS, DEALS])).headers.get('x-ratelimit-remaining'));
  const first = await remaining();
  const second = await remaining();
  // A new minute begins in between, seldom.
  if (second < first) expect(first - second).toBe(1);
  expect(await world.digest()).toBe(before);
});
