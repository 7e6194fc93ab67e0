// Reading records over HTTP: reach, fields, lists, aggregates, and refusals.

import { describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { useCast } from './cast.ts';

const cast = useCast();
const { deal, refused } = cast;

describe('reach and fields', () => {
  test('own, team and organisation in list and get; the rest is 404', async () => {
    const robs = await deal(cast.rob, { name: 'Reach rob' });
    const raes = await deal(cast.rae, { name: 'Reach rae' });
    const sams = await deal(cast.sam, { name: 'Reach sam' });
    const names = async (client: Client) =>
      (await client.get('/objects/deals/records?q=reach%20&sort=name')).body.data.map(
        (record: { display: string }) => record.display,
      );
    expect(await names(cast.rob)).toEqual(['Reach rob']);
    expect(await names(cast.mia)).toEqual(['Reach rae', 'Reach rob']);
    expect(await names(cast.ada)).toEqual(['Reach rae', 'Reach rob', 'Reach sam']);
    const status = async (client: Client, id: string) =>
      (await client.get(`/objects/deals/records/${id}`)).status;
    expect([await status(cast.rob, robs.id), await status(cast.rob, raes.id)]).toEqual([200, 404]);
    expect([await status(cast.mia, raes.id), await status(cast.mia, sams.id)]).toEqual([200, 404]);
    expect(await status(cast.ada, sams.id)).toBe(200);
  });

  test('objects without owner: own means created by me', async () => {
    const company = await cast.ada.post('/objects/companies/records', {
      fields: { name: 'Harbour' },
    });
    const fields = { name: 'Boat', company_id: company.body.data.id };
    const mine = await cast.rob.post('/objects/boats/records', { fields });
    expect(mine.status).toBe(201);
    expect(mine.body.data.owner_user_id).toBeNull();
    expect((await cast.rob.get(`/objects/boats/records/${mine.body.data.id}`)).status).toBe(200);
    expect((await cast.rae.get(`/objects/boats/records/${mine.body.data.id}`)).status).toBe(404);
  });

  test('an unreadable field is left out of answers and refused in filter and sort', async () => {
    const { id } = await deal(cast.rob, { name: 'Hidden' });
    const shown = (await cast.rob.get(`/objects/deals/records/${id}`)).body.data.fields;
    expect(shown).not.toHaveProperty('secret');
    expect(
      (await cast.rob.get(`/objects/deals/records/${id}?fields=secret,name`)).body.data.fields,
    ).toEqual({
      name: 'Hidden',
    });
    for (const query of ['filter[secret]=nothing-matches', 'sort=secret']) {
      await refused(
        () => cast.rob.get(`/objects/deals/records?${query}`),
        [403, 'permission_denied'],
      );
    }
    await refused(
      () =>
        cast.rob.post('/objects/deals/records/search', { filters: { secret: { is_null: true } } }),
      [403, 'permission_denied', 'filters.secret.is_null'],
    );
  });

  test('an unreadable display field gives no display and no text search', async () => {
    const bea = await cast.world.as('bea');
    const { body } = await bea.get('/objects/companies/records?limit=1');
    expect(body.data[0].display).toBeNull();
    await refused(
      () => bea.get('/objects/companies/records?q=acme'),
      [403, 'permission_denied', 'q'],
    );
    expect((await bea.get('/objects/companies')).body.data.display_field).toBeNull();
  });

  test('objects without display field: no search', async () => {
    await refused(
      () => cast.ada.get('/objects/readings/records?q=x'),
      [403, 'search_not_supported', 'q'],
    );
    await refused(
      () => cast.ada.post('/objects/readings/records/search', {}),
      [403, 'search_not_supported'],
    );
  });
});

describe('list', () => {
  test('identity properties unless fields are named', async () => {
    await deal(cast.ada);
    const plain = (await cast.ada.get('/objects/deals/records?limit=1')).body.data[0];
    expect(plain).not.toHaveProperty('fields');
    expect(plain).toHaveProperty('version');
    const some = (await cast.ada.get('/objects/deals/records?limit=1&fields=amount,status,amount'))
      .body;
    expect(Object.keys(some.data[0].fields)).toEqual(['amount', 'status']);
  });

  test('pages follow each other without gap, and a cursor belongs to its query', async () => {
    for (let count = 0; count < 7; count += 1) await deal(cast.ada, { name: `Page ${count % 3}` });
    const path = '/objects/deals/records?q=Page&sort=name,-amount&limit=3';
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await cast.ada.get(cursor === null ? path : `${path}&cursor=${cursor}`);
      seen.push(...body.data.map((record: { id: string }) => record.id));
      expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
      cursor = body.pagination.next_cursor;
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(7);
    const first = (await cast.ada.get(path)).body.pagination.next_cursor;
    for (const other of [
      `/objects/deals/records?q=Pages&sort=name,-amount&cursor=${first}`,
      `/objects/deals/records?q=Page&sort=name&cursor=${first}`,
      `/objects/deals/records?q=Page&sort=name,-amount&fields=name&cursor=${first}`,
      `${path}&filter[status]=open&cursor=${first}`,
      `/objects/companies/records?cursor=${first}`,
      `${path}&cursor=${first.slice(0, -1)}${first.endsWith('A') ? 'B' : 'A'}`,
    ]) {
      await refused(() => cast.ada.get(other), [400, 'invalid_cursor', 'cursor']);
    }
    await refused(() => cast.mia.get(`${path}&cursor=${first}`), [400, 'invalid_cursor', 'cursor']);
    await refused(
      () => cast.ada.get(`${path}&cursor=${'A'.repeat(501)}`),
      [400, 'validation_failed', 'cursor'],
    );
    expect((await cast.ada.get(`${path}&cursor=`)).status).toBe(200);
    expect(
      (await cast.ada.get(`${path.replace('limit=3', 'limit=5')}&cursor=${first}`)).status,
    ).toBe(200);
  });

  test.each([
    ['limit=0', 400, 'validation_failed', 'limit'],
    ['limit=101', 400, 'validation_failed', 'limit'],
    ['limit=1.5', 400, 'validation_failed', 'limit'],
    ['limit=+1', 400, 'validation_failed', 'limit'],
    ['limit=1&limit=2', 400, 'validation_failed', 'limit'],
    ['nope=1', 400, 'validation_failed', 'nope'],
    ['sort=', 400, 'validation_failed', 'sort'],
    ['sort=--amount', 400, 'validation_failed', 'sort'],
    ['sort=amount,-amount', 400, 'validation_failed', 'sort'],
    ['sort=name,amount,code,closes_on', 400, 'validation_failed', 'sort'],
    ['sort=nope', 400, 'invalid_filter', 'sort'],
    ['sort=tags', 400, 'invalid_filter', 'sort'],
    ['fields=nope', 400, 'invalid_filter', 'fields'],
    ['fields=a,,b', 400, 'validation_failed', 'fields'],
    [`q=${'x'.repeat(201)}`, 400, 'validation_failed', 'q'],
    ['filter[nope]=1', 400, 'invalid_filter', 'filter[nope]'],
    ['filter[amount][like]=1', 400, 'invalid_filter', 'filter[amount][like]'],
    ['filter[amount]=abc', 400, 'invalid_filter', 'filter[amount]'],
    ['filter[status][gt]=open', 400, 'invalid_filter', 'filter[status][gt]'],
    ["filter[amount]={'gte': 5}", 400, 'invalid_filter', 'filter[amount]'],
    ['filter=1', 400, 'invalid_filter', undefined],
    ['filter[a][b][c]=1', 400, 'invalid_filter', undefined],
    ['filter[__proto__][eq]=1', 400, 'invalid_filter', undefined],
  ] as const)('refuses ?%s', async (query, status, code, param) => {
    await refused(
      () => cast.ada.get(`/objects/deals/records?${encodeURI(query).replaceAll('+', '%2B')}`),
      param === undefined ? [status, code] : [status, code, param],
    );
  });

  test('filters select, in query strings and in bodies alike', async () => {
    const name = 'Filter me';
    await deal(cast.ada, { name, amount: 10, closes_on: '2026-01-01', tags: ['hot'] });
    await deal(cast.ada, { name, amount: 20, closes_on: '2026-02-01', tags: ['new', 'hot'] });
    await deal(cast.ada, { name });
    const amounts = async (query: string, filters: object) => {
      const path = `/objects/deals/records?filter[name]=Filter%20me&sort=amount&fields=amount&${query}`;
      const listed = (await cast.ada.get(path)).body.data;
      const body = {
        filters: { name, ...filters },
        sort: [{ field: 'amount' }],
        fields: ['amount'],
      };
      const searched = (await cast.ada.post('/objects/deals/records/search', body)).body.data;
      expect(searched).toEqual(listed);
      return listed.map((record: { fields: { amount: number } }) => record.fields.amount);
    };
    expect(await amounts('filter[amount][gte]=10', { amount: { gte: 10 } })).toEqual([10, 20]);
    expect(await amounts('filter[amount][gt]=10', { amount: { gt: '10' } })).toEqual([20]);
    expect(await amounts('filter[amount][ne]=10', { amount: { ne: 10 } })).toEqual([20, null]);
    expect(await amounts('filter[amount][in]=10,20', { amount: { in: [10, 20] } })).toEqual([
      10, 20,
    ]);
    expect(await amounts('filter[amount][is_null]=true', { amount: null })).toEqual([null]);
    expect(await amounts('filter[tags]=new', { tags: 'new' })).toEqual([20]);
    expect(
      await amounts('filter[closes_on][lt]=2026-02-01', { closes_on: { lt: '2026-02-01' } }),
    ).toEqual([10]);
    expect(
      await amounts('filter[amount][gt]=5&filter[amount][lt]=15', { amount: { gt: 5, lt: 15 } }),
    ).toEqual([10]);
  });

  test('text search is case-insensitive over Unicode and takes wildcards literally', async () => {
    await deal(cast.ada, { name: 'ÄRGER 100%_\\ ΣΊΣΥΦΟΣ' });
    const found = async (q: string) =>
      (await cast.ada.get(`/objects/deals/records?q=${encodeURIComponent(q)}`)).body.data.length;
    expect(await found('ärger')).toBe(1);
    expect(await found(' 100%_\\ ')).toBe(1);
    expect(await found('0%%')).toBe(0);
    expect(await found('_00')).toBe(0);
  });
});

describe('aggregate', () => {
  test('groups, measures, orders and pages', async () => {
    for (const [amount, tag] of [
      [10, 'a'],
      [20, 'a'],
      [30, 'b'],
      [null, 'b'],
    ] as const) {
      await deal(cast.ada, { name: `Sum ${tag}`, amount });
    }
    const body = {
      query: 'sum ',
      group_by: ['name'],
      metrics: [
        { name: 'deals', op: 'count' },
        { name: 'priced', op: 'count', field: 'amount' },
        { name: 'total', op: 'sum', field: 'amount' },
        { name: 'mean', op: 'avg', field: 'amount' },
        { name: 'least', op: 'min', field: 'amount' },
        { name: 'constructor', op: 'count_distinct', field: 'status' },
      ],
    };
    const path = '/objects/deals/records/aggregate';
    const all = await cast.ada.post(path, body);
    expect(all.body.data).toEqual([
      { name: 'Sum a', deals: 2, priced: 2, total: 30, mean: 15, least: 10, constructor: 1 },
      { name: 'Sum b', deals: 2, priced: 1, total: 30, mean: 30, least: 30, constructor: 1 },
    ]);
    const ordered = { ...body, order_by: { name: 'mean', direction: 'desc' }, limit: 1 };
    const first = await cast.ada.post(path, ordered);
    expect(first.body.data[0].name).toBe('Sum b');
    const next = { ...ordered, cursor: first.body.pagination.next_cursor };
    const second = await cast.ada.post(path, next);
    expect(second.body.data[0].name).toBe('Sum a');
    expect(second.body.pagination.next_cursor).toBeNull();
  });

  test('without groups there is one row, on an empty set too', async () => {
    const { body } = await cast.ada.post('/objects/deals/records/aggregate', {
      filters: { name: 'no such deal' },
      metrics: [
        { name: 'n', op: 'count' },
        { name: 's', op: 'sum', field: 'amount' },
      ],
    });
    expect(body.data).toEqual([{ n: 0, s: null }]);
  });

  test.each([
    ['no metrics', { metrics: [] }, [400, 'validation_failed', 'metrics']],
    [
      'bad name',
      { metrics: [{ name: 'A', op: 'count' }] },
      [400, 'validation_failed', 'metrics[0].name'],
    ],
    [
      'sum without field',
      { metrics: [{ name: 'a', op: 'sum' }] },
      [400, 'validation_failed', 'metrics[0].field'],
    ],
    [
      'sum of text',
      { metrics: [{ name: 'a', op: 'sum', field: 'name' }] },
      [400, 'invalid_filter', 'metrics[0].field'],
    ],
    [
      'unknown field',
      { metrics: [{ name: 'a', op: 'sum', field: 'x' }] },
      [400, 'invalid_filter', 'metrics[0].field'],
    ],
    [
      'group by tags',
      { metrics: [{ name: 'a', op: 'count' }], group_by: ['tags'] },
      [400, 'invalid_filter', 'group_by[0]'],
    ],
    [
      'same name twice',
      {
        metrics: [
          { name: 'a', op: 'count' },
          { name: 'a', op: 'count' },
        ],
      },
      [400, 'validation_failed', 'metrics[1].name'],
    ],
    [
      'name of a group',
      { metrics: [{ name: 'name', op: 'count' }], group_by: ['name'] },
      [400, 'validation_failed', 'metrics[0].name'],
    ],
    [
      'unknown order',
      { metrics: [{ name: 'a', op: 'count' }], order_by: { name: 'b', direction: 'asc' } },
      [400, 'validation_failed', 'order_by.name'],
    ],
  ] as const)('refuses %s', async (_, body, expected) => {
    await refused(() => cast.ada.post('/objects/deals/records/aggregate', body), expected);
  });

  test('a hidden field cannot be grouped by or measured', async () => {
    const metrics = [{ name: 'a', op: 'max', field: 'secret' }];
    const path = '/objects/deals/records/aggregate';
    await refused(
      () => cast.rob.post(path, { metrics }),
      [403, 'permission_denied', 'metrics[0].field'],
    );
    await refused(
      () => cast.rob.post(path, { metrics: [{ name: 'a', op: 'count' }], group_by: ['secret'] }),
      [403, 'permission_denied', 'group_by[0]'],
    );
  });
});
