// Questions over HTTP: their records, expansions and counts, and every refusal with its place.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { type Answer, type Client, refusalOf } from '../client.ts';
import { openWorldWith, type World } from '../world.ts';
import { WITH_QUOTES } from './quotes.ts';

let world: World;
let ada: Client;
let rob: Client;
let mia: Client;
const ids: Record<string, string> = {};

const DEALS = [
  ['one', 'alpha', 'rob', 10, '2026-01-15', ['new']],
  ['two', 'alpha', 'rae', 20, '2026-02-15', ['new', 'hot']],
  ['three', 'beta', 'sam', 30, '2026-02-28', ['hot']],
  ['four', 'beta', 'rob', 40, null, null],
  ['five', null, 'rob', 50, '2025-12-31', null],
] as const;

beforeAll(async () => {
  world = await openWorldWith(WITH_QUOTES);
  [ada, rob, mia] = await Promise.all([world.as('ada'), world.as('rob'), world.as('mia')]);
  const create = async (object: string, fields: Record<string, unknown>) => {
    const { body } = await ada.post(`/objects/${object}/records`, { fields });
    ids[String(fields.name)] = body.data.id;
    return body.data.id as string;
  };
  await create('companies', { name: 'alpha', tier: 'gold', revenue: 100 });
  await create('companies', { name: 'beta', tier: 'silver', revenue: 200 });
  for (const [name, company, owner, amount, closes_on, tags] of DEALS) {
    const company_id = company === null ? null : ids[company];
    const owner_user_id = world.users[owner];
    await create('deals', { name, amount, closes_on, tags, company_id, owner_user_id });
  }
});
afterAll(() => world.close());

const path = '/objects/deals/records';

function query(body: object, client = ada): Promise<Answer> {
  return client.post(`${path}/query`, body);
}

const namesOf = ({ body }: Answer) => body.data.map((one: { display: string }) => one.display);

async function find(where: object, client = ada): Promise<readonly string[]> {
  const answer = await query({ where, sort: [{ field: 'amount' }] }, client);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return namesOf(answer);
}

const is = (field: string, op: string, value: unknown) => ({ field, op, value });

describe('where finds', () => {
  test.each<readonly [object, readonly string[]]>([
    [is('name', 'eq', 'one'), ['one']],
    [{ any: [is('name', 'eq', 'one'), is('amount', 'gte', 40)] }, ['one', 'four', 'five']],
    [{ not: is('closes_on', 'gte', '2026-02-01') }, ['one', 'four', 'five']],
    [is('amount', 'not_in', [10, 20]), ['three', 'four', 'five']],
    [is('closes_on', 'not_in', ['2026-01-15']), ['two', 'three', 'four', 'five']],
    [is('amount', 'between', [20, 40]), ['two', 'three', 'four']],
    [is('closes_on', 'between', ['2026-02-15', '2026-02-28']), ['two', 'three']],
    [is('name', 'contains', 'REE'), ['three']],
    [is('name', 'starts_with', 'THR'), ['three']],
    [is('name', 'ends_with', 'our'), ['four']],
    [is('name', 'contains', '%%%'), []],
    [is('tags', 'has_any', ['hot']), ['two', 'three']],
    [is('tags', 'has_all', ['hot', 'new']), ['two']],
    [is('tags', 'has_none', ['hot']), ['one', 'four', 'five']],
    [is('company_id.tier', 'eq', 'gold'), ['one', 'two']],
    [is('company_id.tier', 'ne', 'gold'), ['three', 'four', 'five']],
    [is('company_id.tier', 'is_null', true), ['five']],
    [{ not: is('company_id.tier', 'eq', 'gold') }, ['three', 'four', 'five']],
    [
      { any: [is('company_id.tier', 'eq', 'gold'), is('company_id', 'is_null', true)] },
      ['one', 'two', 'five'],
    ],
    [is('company_id.name', 'contains', 'LPH'), ['one', 'two']],
    [is('created_at', 'gte', { relative: '-1h' }), ['one', 'two', 'three', 'four', 'five']],
    [is('created_at', 'lt', { relative: 'start_of_day-1d' }), []],
  ])('%j', async (where, expected) => {
    expect(await find(where)).toEqual(expected);
  });

  test('callers and the people of their teams', async () => {
    expect(await find(is('owner_user_id', 'eq', { me: true }), rob)).toEqual([
      'one',
      'four',
      'five',
    ]);
    expect(await find(is('owner_user_id', 'ne', { me: true }), mia)).toEqual([
      'one',
      'two',
      'four',
      'five',
    ]);
    expect(await find(is('owner_user_id', 'in', { my_teams: true }), mia)).toEqual([
      'one',
      'two',
      'four',
      'five',
    ]);
    expect(await find(is('owner_user_id', 'in', { my_teams: true }), ada)).toEqual([]);
    expect(await find(is('owner_user_id', 'not_in', [{ my_teams: true }]), ada)).toHaveLength(5);
  });
});

describe('where is refused', () => {
  const bad = (param: string, code = 'invalid_filter') => [
    code === 'permission_denied' ? 403 : 400,
    code,
    param,
  ];

  test.each<readonly [string, object, readonly unknown[]]>([
    ['an unknown field', is('nope', 'eq', 1), bad('where.field')],
    [
      'an unknown field deep',
      { any: [{ not: is('nope', 'eq', 1) }] },
      bad('where.any[0].not.field'),
    ],
    ['an unknown operator', is('name', 'like', 'x'), bad('where.op')],
    ['an operator of other types', is('amount', 'contains', 'abc'), bad('where.op')],
    ['a wrong value', is('amount', 'eq', 'much'), bad('where.value')],
    ['null', is('amount', 'eq', null), bad('where.value')],
    ['one value for a list', is('amount', 'not_in', 1), bad('where.value')],
    ['an empty list', is('tags', 'has_any', []), bad('where.value')],
    ['101 values', is('amount', 'in', Array(101).fill(1)), bad('where.value')],
    ['half a range', is('amount', 'between', [1]), bad('where.value')],
    ['a range of other values', is('amount', 'between', [1, 'x']), bad('where.value')],
    ['two characters', is('name', 'contains', 'ab'), bad('where.value')],
    ['201 characters', is('name', 'contains', 'a'.repeat(201)), bad('where.value')],
    ['parts of a number', is('name', 'contains', 123), bad('where.value')],
    ['what cannot be stored', is('name', 'contains', 'a\0bc'), bad('where.value')],
    ['parts of texts that have no index', is('code', 'contains', 'abc'), bad('where.value')],
    ['a field of storage jsonb', is('company_id.note', 'eq', 'x'), bad('where.field')],
    ['a path through no reference', is('name.tier', 'eq', 'x'), bad('where.field')],
    ['a path through people', is('owner_user_id.name', 'eq', 'x'), bad('where.field')],
    ['an unknown field behind a reference', is('company_id.nope', 'eq', 'x'), bad('where.field')],
    [
      'a time that is not relative',
      is('closes_on', 'eq', { relative: 'soon' }),
      bad('where.value'),
    ],
    ['a relative number', is('amount', 'eq', { relative: '-1d' }), bad('where.value')],
    ['too far away', is('closes_on', 'gt', { relative: '-1001y' }), bad('where.value')],
    ['two words', is('closes_on', 'gt', { relative: '-1d', me: true }), bad('where.value')],
    ['me among numbers', is('amount', 'eq', { me: true }), bad('where.value')],
    ['not me', is('owner_user_id', 'eq', { me: false }), bad('where.value')],
    ['teams as a person', is('owner_user_id', 'eq', { my_teams: true }), bad('where.value')],
    ['teams among numbers', is('amount', 'in', [{ my_teams: true }]), bad('where.value')],
    ['no tree', [], [400, 'validation_failed', 'where']],
  ])('%s', async (_, where, expected) => {
    expect(refusalOf(await query({ where }))).toEqual(expected);
  });

  test('naming the remedy where parts of texts cannot be looked for', async () => {
    const { body } = await query({ where: is('code', 'contains', 'abc') });
    expect(body.error.message).toMatch(/indexed: true/);
  });

  test.each<readonly [string, object]>([
    ['a hidden field', is('secret', 'eq', 'x')],
    ['a hidden field behind a reference', is('company_id.revenue', 'gt', 1)],
    ['parts of a hidden field', is('secret', 'contains', 'x')],
  ])('%s, to whom may not read it', async (_, where) => {
    for (const tree of [where, { not: where }, { any: [is('name', 'eq', 'one'), where] }]) {
      const { status, body } = await query({ where: tree }, rob);
      expect([status, body.error.code]).toEqual([403, 'permission_denied']);
    }
  });

  test('behind a reference to records that are not all readable, known fields or not', async () => {
    for (const field of ['deal_id.name', 'deal_id.nope', 'deal_id.secret']) {
      const answer = await rob.post('/objects/quotes/records/query', {
        where: is(field, 'eq', 'x'),
      });
      expect(refusalOf(answer)).toEqual([403, 'permission_denied', 'where.field']);
    }
  });

  test('in lists and searches, with the words of questions', async () => {
    const search = (body: object) => ada.post(`${path}/search`, body);
    const closed = ['where', 'expand', 'count', 'timezone'];
    for (const name of closed) {
      expect(refusalOf(await search({ [name]: name === 'expand' ? [] : {} }))).toEqual([
        400,
        'validation_failed',
        name,
      ]);
    }
    for (const filters of [
      { name: { contains: 'one' } },
      { amount: { not_in: [1] } },
      { created_at: { gt: { relative: '-1d' } } },
      { owner_user_id: { me: true } },
      { owner_user_id: { eq: { me: true } } },
      { 'company_id.tier': 'gold' },
    ]) {
      const { status, body } = await search({ filters });
      expect([status, body.error.code]).toEqual([400, 'invalid_filter']);
    }
    for (const text of [
      'filter[company_id.tier]=gold',
      'sort=company_id.tier',
      'fields=company_id.name',
    ]) {
      const { status, body } = await ada.get(`${path}?${text}`);
      expect([status, body.error.code]).toEqual([400, 'invalid_filter']);
    }
    const grouped = await ada.post(`${path}/aggregate`, {
      metrics: [{ name: 'n', op: 'count' }],
      group_by: ['company_id.tier'],
    });
    expect([grouped.status, grouped.body.error.code]).toEqual([400, 'invalid_filter']);
  });
});

describe('sort', () => {
  const sort = [{ field: 'company_id.name', direction: 'desc' }, { field: 'amount' }];

  test('by what references lead to, nulls last, on one page and on many', async () => {
    const expected = ['three', 'four', 'one', 'two', 'five'];
    expect(namesOf(await query({ sort }))).toEqual(expected);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await query({ sort, limit: 2, cursor });
      found.push(...namesOf(page));
      cursor = page.body.pagination.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toEqual(expected);
  });

  test.each([
    ['company_id.nope', 400, 'invalid_filter'],
    ['company_id.', 400, 'invalid_filter'],
    ['company_id.owner_user_id.x', 400, 'invalid_filter'],
    ['company_id.revenue', 403, 'permission_denied'],
  ])('by %s is refused', async (field, status, code) => {
    const answer = await query({ sort: [{ field: 'name' }, { field }] }, rob);
    expect(refusalOf(answer)).toEqual([...[status, code, 'sort[1].field']]);
  });
});

describe('cursors', () => {
  test('belong to the whole question', async () => {
    const base = {
      where: is('created_at', 'gte', { relative: '-1d' }),
      fields: ['name'],
      expand: ['company_id'],
      sort: [{ field: 'company_id.name' }],
      limit: 1,
    };
    const { body } = await query(base);
    const cursor = body.pagination.next_cursor;
    expect((await query({ ...base, cursor, limit: 2, count: 'exact' })).status).toBe(200);
    const others = [
      { where: is('created_at', 'gte', { relative: '-2d' }) },
      { where: { not: base.where } },
      { timezone: 'Asia/Tokyo' },
      { fields: ['amount'] },
      { fields: ['name', 'company_id.name'] },
      { expand: ['owner_user_id'] },
      { sort: [{ field: 'name' }] },
      { query: 'one' },
      { filters: { amount: 10 } },
    ];
    for (const other of others) {
      const answer = await query({ ...base, ...other, cursor });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_cursor']);
    }
    const { where: _, expand: __, ...search } = base;
    const foreign = await ada.post(`${path}/search`, {
      ...search,
      sort: [{ field: 'name' }],
      cursor,
    });
    expect(foreign.body.error.code).toBe('invalid_cursor');
    expect((await query({ ...base, cursor }, rob)).body.error.code).toBe('invalid_cursor');
  });

  test('carry the moment of the first page', async () => {
    const where = is('created_at', 'lte', { relative: 'now' });
    const sort = [{ field: 'name' }];
    const first = await query({ where, sort, limit: 2 });
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await world.rows(`update ws_acme.deals set created_at = $1 where name = 'two'`, [later]);
    const again = await query({ where, sort });
    expect(namesOf(again)).not.toContain('two');
    const rest = await query({ where, sort, cursor: first.body.pagination.next_cursor });
    expect(namesOf(rest)).toEqual(['one', 'three']);
    await world.rows(
      `update ws_acme.deals set created_at = now() - interval '1 minute' where name = 'two'`,
    );
  });
});

describe('expand', () => {
  test('shows the records and people that fields refer to', async () => {
    const { body } = await query({
      where: is('name', 'in', ['one', 'five']),
      sort: [{ field: 'amount' }],
      fields: ['amount', 'company_id.name', 'company_id.note', 'company_id.tier'],
      expand: ['company_id', 'owner_user_id'],
    });
    const [one, five] = body.data;
    expect(one.fields).toEqual({ amount: 10 });
    const company = (await ada.get(`/objects/companies/records/${ids.alpha}?fields=name,note,tier`))
      .body;
    expect(one.expanded.company_id).toEqual(company.data);
    const person = (await ada.get(`/users/${world.users.rob}`)).body.data;
    expect(one.expanded.owner_user_id).toEqual(person);
    expect(five.expanded).toEqual({ company_id: null, owner_user_id: person });
  });

  test('to each as far as they may read', async () => {
    const body = {
      where: is('name', 'eq', 'one'),
      fields: ['company_id.revenue', 'company_id.tier'],
      expand: ['company_id', 'owner_user_id'],
    };
    const [seen] = (await query(body, rob)).body.data;
    expect(seen.expanded.company_id.fields).toEqual({ tier: 'gold' });
    expect(seen.expanded.owner_user_id).toMatchObject({ name: 'Rob' });
    const keyed = await world.as('ada', { scopes: ['records:read'] });
    expect((await query(body, keyed)).body.data[0].expanded.owner_user_id).toBeNull();
    const own = await query({ ...body, where: is('name', 'eq', 'two') }, mia);
    expect(own.body.data[0].expanded.owner_user_id).toMatchObject({ name: 'Rae' });
  });

  test('in lists and lists of linked records as well', async () => {
    const list = await ada.get(
      `${path}?filter[name]=one&expand=company_id&fields=name,company_id.name`,
    );
    expect(list.body.data[0]).toMatchObject({
      fields: { name: 'one' },
      expanded: { company_id: { display: 'alpha', fields: { name: 'alpha' } } },
    });
    const linked = `/objects/companies/records/${ids.alpha}/relationships/inv.deals.company_id`;
    const page = await ada.get(`${linked}?expand=company_id,owner_user_id&limit=1`);
    expect(page.body.data[0].expanded).toMatchObject({ company_id: { id: ids.alpha } });
    const { next_cursor } = page.body.pagination;
    const next = await ada.get(`${linked}?expand=company_id,owner_user_id&cursor=${next_cursor}`);
    expect(next.body.data[0].expanded.company_id.id).toBe(ids.alpha);
    const other = await ada.get(`${linked}?cursor=${next_cursor}`);
    expect(other.body.error.code).toBe('invalid_cursor');
  });

  test('of hits of a search, as far as each object has it', async () => {
    const search = (text: string, client = ada) => client.get(`/search?${text}`);
    const contact = await ada.post('/objects/contacts/records', {
      fields: { name: 'Alphonse', company_id: ids.alpha },
    });
    expect(contact.status).toBe(201);
    const { data } = (await search('q=alph&expand=company_id,owner_user_id')).body;
    const hitOf = (type: string) =>
      data.find((one: { object_type: string }) => one.object_type === type);
    expect(hitOf('contacts').expanded).toMatchObject({
      company_id: { object_type: 'companies', id: ids.alpha, display: 'alpha' },
      owner_user_id: { name: 'Ada' },
    });
    expect(Object.keys(hitOf('companies').expanded)).toEqual(['owner_user_id']);
    const plain = (await search('q=alph')).body.data;
    expect(plain.every((one: object) => !('expanded' in one))).toBe(true);
    expect(refusalOf(await search('q=alph&expand=nope'))).toEqual([
      400,
      'invalid_filter',
      'expand',
    ]);
    expect(refusalOf(await search('q=alph&expand=a,b,c,d,e'))).toEqual([
      ...[400, 'validation_failed', 'expand'],
    ]);
    expect((await search('q=alph&expand=', rob)).status).toBe(200);
  });

  test.each<readonly [object, readonly unknown[]]>([
    [{ expand: ['nope'] }, [400, 'invalid_filter', 'expand[0]']],
    [{ expand: ['company_id', 'amount'] }, [400, 'invalid_filter', 'expand[1]']],
    [{ expand: ['company_id.name'] }, [400, 'invalid_filter', 'expand[0]']],
    [{ expand: Array(5).fill('company_id') }, [400, 'validation_failed', 'expand']],
    [{ expand: 'company_id' }, [400, 'validation_failed', 'expand']],
    [{ expand: [''] }, [400, 'validation_failed', 'expand']],
    [{ fields: ['company_id.name'] }, [400, 'invalid_filter', 'fields']],
    [{ fields: ['owner_user_id.name'], expand: ['company_id'] }, [400, 'invalid_filter', 'fields']],
    [
      { fields: ['owner_user_id.name'], expand: ['owner_user_id'] },
      [400, 'invalid_filter', 'expand[0]'],
    ],
    [{ fields: ['company_id.nope'], expand: ['company_id'] }, [400, 'invalid_filter', 'fields']],
  ])('%j is refused', async (body, expected) => {
    const answer = await query(body);
    expect(refusalOf(answer)).toEqual(expected);
  });

  test('of a field that may not be read is left out, and null has no values', async () => {
    expect((await query({ expand: Array(4).fill('company_id') })).status).toBe(200);
    const text = await ada.get(`${path}?expand=nope`);
    expect([text.status, text.body.error.param]).toEqual([400, 'expand']);
  });
});

describe('count', () => {
  const countOf = async (body: object, client = ada) => (await query(body, client)).body.count;

  test('says how many there are, to each of those they may read', async () => {
    expect(await countOf({})).toBeUndefined();
    expect(await countOf({ count: 'none' })).toBeUndefined();
    expect(await countOf({ count: 'exact', limit: 1 })).toEqual({ value: 5, relation: 'exact' });
    expect(await countOf({ count: 'exact' }, rob)).toEqual({ value: 3, relation: 'exact' });
    expect(await countOf({ count: 'exact' }, mia)).toEqual({ value: 4, relation: 'exact' });
    const where = is('name', 'eq', 'nobody');
    expect((await query({ where, count: 'exact' })).body).toMatchObject({
      ...{ data: [], count: { value: 0, relation: 'exact' } },
      pagination: { has_more: false, next_cursor: null },
    });
    expect((await query({ count: 'all' })).body.error.param).toBe('count');
  });

  test('is the same on every page, in any order', async () => {
    const sort = [{ field: 'company_id.name' }, { field: 'closes_on', direction: 'desc' }];
    const first = await query({ sort, limit: 3, count: 'exact' });
    const rest = await query({ sort, count: 'exact', cursor: first.body.pagination.next_cursor });
    expect([first.body.count, rest.body.count]).toEqual(
      [5, 5].map((value) => ({ value, relation: 'exact' })),
    );
    expect([...namesOf(first), ...namesOf(rest)]).toEqual(namesOf(await query({ sort })));
  });

  test('goes as far as its limit', async () => {
    const most = LIMITS.exactCount;
    const insert = (times: number) =>
      world.database.rows(`insert into ws_acme.readings (id, created_by_user_id)
        select gen_random_uuid(), ${world.users.ada} from generate_series(1, ${times})`);
    const count = async () => {
      const { body } = await ada.post('/objects/readings/records/query', {
        count: 'exact',
        limit: 1,
      });
      return body.count;
    };
    await insert(most);
    expect(await count()).toEqual({ value: most, relation: 'exact' });
    await insert(1);
    expect(await count()).toEqual({ value: most, relation: 'at_least' });
    await world.rows('delete from readings');
  });
});

describe('time zones', () => {
  const ABBREVIATIONS = ['ACT', 'AST', 'BST', 'bst', 'CST', 'IST', 'JST', 'PST', 'SystemV/PST8PDT'];

  test.each([
    ...['Nowhere/City', '', 'UTC+3', '+02:00', 'x'.repeat(65), 'Europe/Berlin;'],
    ...ABBREVIATIONS,
    ...['posix/Europe/Berlin', 'right/UTC', 'localtime', 'Factory'],
  ])('%j is none', async (timezone) => {
    expect(refusalOf(await query({ timezone }))).toEqual([400, 'validation_failed', 'timezone']);
  });

  test('unknown to PostgreSQL are refused as well', async () => {
    const where = is('created_at', 'gt', { relative: 'start_of_day' });
    for (const timezone of ['US/Pacific', 'Asia/Calcutta', 'Etc/GMT+12', 'EST5EDT']) {
      const { status } = await query({ where, timezone });
      expect([200, 400]).toContain(status);
    }
  });
});

describe('aggregates', () => {
  const metrics = [{ name: 'n', op: 'count' }];
  const group = (body: object, client = ada) =>
    client.post(`${path}/aggregate/query`, { metrics, ...body });

  test('of conditions, by what references lead to', async () => {
    const { body } = await group({
      group_by: ['company_id.name'],
      where: { not: is('amount', 'eq', 10) },
    });
    expect(body.data).toEqual([
      { 'company_id.name': 'alpha', n: 1 },
      { 'company_id.name': 'beta', n: 2 },
      { 'company_id.name': null, n: 1 },
    ]);
  });

  test('of what references lead to, once for each record that refers to it', async () => {
    const measured = (name: string, op: string) => ({ name, op, field: 'company_id.name' });
    const { body } = await group({
      metrics: [measured('there', 'count'), measured('different', 'count_distinct')],
      where: { not: is('amount', 'eq', 10) },
    });
    expect(body.data).toEqual([{ there: 3, different: 2 }]);
    const aggregate = await ada.post(`${path}/aggregate`, { metrics: [measured('n', 'count')] });
    expect(refusalOf(aggregate)).toEqual([400, 'invalid_filter', 'metrics[0].field']);
  });

  test('by periods, page by page, in any order', async () => {
    const group_by = [{ field: 'closes_on', by: 'month' }];
    const order_by = { name: 'closes_on:month', direction: 'desc' };
    const first = await group({ group_by, order_by, limit: 2 });
    const cursor = first.body.pagination.next_cursor;
    const rest = await group({ group_by, order_by, cursor });
    expect([...first.body.data, ...rest.body.data]).toEqual([
      { 'closes_on:month': '2026-02-01', n: 2 },
      { 'closes_on:month': '2026-01-01', n: 1 },
      { 'closes_on:month': '2025-12-01', n: 1 },
      { 'closes_on:month': null, n: 1 },
    ]);
    const by = async (period: string) =>
      (await group({ group_by: [{ field: 'closes_on', by: period }] })).body.data.map(
        (one: Record<string, unknown>) => one[`closes_on:${period}`],
      );
    expect(await by('year')).toEqual(['2025-01-01', '2026-01-01', null]);
    expect(await by('quarter')).toEqual(['2025-10-01', '2026-01-01', null]);
    expect(await by('week')).toEqual([
      '2025-12-29',
      '2026-01-12',
      '2026-02-09',
      '2026-02-23',
      null,
    ]);
    expect(await by('day')).toContain('2026-02-28');
  });

  test('of moments in a time zone', async () => {
    await world.rows(
      `update ws_acme.deals set created_at = '2026-03-31T22:30:00Z' where name = 'one'`,
    );
    const where = is('name', 'eq', 'one');
    const month = async (body: object) =>
      (await group({ where, ...body })).body.data[0]['created_at:month'];
    const item = { field: 'created_at', by: 'month' };
    expect(await month({ group_by: [item] })).toBe('2026-03-01');
    expect(await month({ group_by: [item], timezone: 'Europe/Berlin' })).toBe('2026-04-01');
    const own = { ...item, timezone: 'America/New_York' };
    expect(await month({ group_by: [own], timezone: 'Europe/Berlin' })).toBe('2026-03-01');
    await world.rows(`update ws_acme.deals set created_at = now() where name = 'one'`);
  });

  test.each<readonly [object, readonly unknown[]]>([
    [{ group_by: ['company_id.nope'] }, [400, 'invalid_filter', 'group_by[0]']],
    [{ group_by: ['company_id.revenue'] }, [403, 'permission_denied', 'group_by[0]']],
    [{ group_by: ['a.b.c'] }, [400, 'invalid_filter', 'group_by[0]']],
    [{ group_by: [{ field: 'amount', by: 'day' }] }, [400, 'invalid_filter', 'group_by[0].field']],
    [
      { group_by: [{ field: 'secret', by: 'day' }] },
      [403, 'permission_denied', 'group_by[0].field'],
    ],
    [{ group_by: ['tags'] }, [400, 'invalid_filter', 'group_by[0]']],
    [{ group_by: [{ field: 'closes_on', by: 'hour' }] }, [400, 'validation_failed', 'group_by[0]']],
    [{ group_by: [{ field: 'closes_on' }] }, [400, 'validation_failed', 'group_by[0]']],
    [
      { group_by: [{ field: 'closes_on', by: 'day', timezone: 'UTC' }] },
      [400, 'invalid_filter', 'group_by[0].timezone'],
    ],
    [
      { group_by: [{ field: 'created_at', by: 'day', timezone: 'x' }] },
      [400, 'validation_failed', 'group_by[0].timezone'],
    ],
    [{ group_by: ['name', 'name'] }, [400, 'validation_failed', 'group_by[1]']],
    [{ group_by: Array(4).fill('name') }, [400, 'validation_failed', 'group_by']],
    [{ order_by: { name: 'x', direction: 'asc' } }, [400, 'validation_failed', 'order_by.name']],
    [
      { metrics: [{ name: 'x', op: 'sum', field: 'company_id.revenue' }] },
      [403, 'permission_denied', 'metrics[0].field'],
    ],
    [
      { metrics: [{ name: 'x', op: 'sum', field: 'company_id.name' }] },
      [400, 'invalid_filter', 'metrics[0].field'],
    ],
    [
      { metrics: [{ name: 'x', op: 'max', field: 'company_id.nope' }] },
      [400, 'invalid_filter', 'metrics[0].field'],
    ],
    [
      { metrics: [{ name: 'x', op: 'max', field: 'a.b.c' }] },
      [400, 'invalid_filter', 'metrics[0].field'],
    ],
    [{ metrics: [] }, [400, 'validation_failed', 'metrics']],
    [{ where: is('nope', 'eq', 1) }, [400, 'invalid_filter', 'where.field']],
    [{ count: 'exact' }, [400, 'validation_failed', 'count']],
    [{ timezone: 'x' }, [400, 'validation_failed', 'timezone']],
  ])('%j is refused', async (body, expected) => {
    const answer = await group(body, rob);
    expect(refusalOf(answer)).toEqual(expected);
  });

  test('have cursors of their own', async () => {
    const body = { metrics, group_by: ['name'], limit: 1 };
    const { next_cursor: cursor } = (await group(body)).body.pagination;
    const other = await ada.post(`${path}/aggregate`, { ...body, cursor });
    expect(other.body.error.code).toBe('invalid_cursor');
    const where = is('created_at', 'gte', { relative: '-1d' });
    expect((await group({ ...body, where, cursor })).body.error.code).toBe('invalid_cursor');
    const relative = await group({ ...body, where });
    const next = await group({ ...body, where, cursor: relative.body.pagination.next_cursor });
    expect(next.status).toBe(200);
  });
});

describe('the whole', () => {
  test.each([
    [{ extra: 1 }, 'extra'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ cursor: 'x'.repeat(501) }, 'cursor'],
    [{ fields: Array.from({ length: 21 }, (_, index) => `f${index}`) }, 'fields'],
    [{ sort: ['a', 'b', 'c', 'd'].map((field) => ({ field })) }, 'sort'],
    [{ timezone: 1 }, 'timezone'],
    [{ where: 'x' }, 'where'],
    [{ query: 'x'.repeat(201) }, 'query'],
  ])('%j is refused', async (body, param) => {
    const answer = await query(body);
    expect(refusalOf(answer)).toEqual([...[400, 'validation_failed', param]]);
  });

  test('is refused in the order of checks', async () => {
    const wrong = { where: is('nope', 'eq', 1) };
    const at = async (type: string, body: object, client = ada) =>
      (await client.post(`/objects/${type}/records/query`, body)).body.error.code;
    expect(await at('nope', { ...wrong, timezone: 'x' })).toBe('validation_failed');
    expect(await at('nope', wrong)).toBe('object_not_available');
    expect(await at('readings', wrong, rob)).toBe('object_not_available');
    expect(await at('readings', { query: 'x' })).toBe('search_not_supported');
    const bare = await world.as('ada', { scopes: ['users:read'] });
    expect(await at('deals', wrong, bare)).toBe('insufficient_scope');
  });

  test('takes no body as everything', async () => {
    expect(namesOf(await ada.request('POST', `${path}/query`))).toHaveLength(5);
  });

  test('leaves no trace', async () => {
    const before = await world.digest();
    await query({ where: is('name', 'eq', 'one'), count: 'exact', expand: ['company_id'] });
    await query({ where: is('nope', 'eq', 'one') });
    expect(await world.digest()).toBe(before);
  });
});
