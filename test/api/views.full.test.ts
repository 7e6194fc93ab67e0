// Views over HTTP: their readers and editors, their content, views with removed fields, and the order each person has
// them in.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { type Answer, type Client, refusalOf } from '../client.ts';
import { useRestoredWorld } from '../restored-world.ts';
import { ACME, type World } from '../world.ts';

let world: World;
let ada: Client;
let mia: Client;
let rob: Client;
let sam: Client;
let bea: Client;

useRestoredWorld(async (own) => {
  world = own;
  [ada, mia, rob, sam, bea] = (await Promise.all(
    ['ada', 'mia', 'rob', 'sam', 'bea'].map((person) => own.as(person)),
  )) as [Client, Client, Client, Client, Client];
});

const BIG = {
  where: { all: [{ field: 'amount', op: 'gte', value: 1000 }] },
  sort: [{ field: 'amount', direction: 'desc' }],
};
const bigDeals = { object_type: 'deals', name: 'Big deals', query: BIG };
const ABSENT = '01900000-0000-7000-8000-000000000000';

async function made(client: Client, change: object = {}) {
  const answer = await client.post('/views', { ...bigDeals, ...change });
  expect(answer.body.error).toBeUndefined();
  expect(answer.status).toBe(201);
  return answer.body.data;
}

const namesOf = ({ body }: Answer) => body.data.map((view: { name: string }) => view.name);
const namesSeen = async (client: Client, query = '') => namesOf(await client.get(`/views${query}`));
const audit = () =>
  world.rows(`select user_id, subject_type, subject_id, action, changed_fields from _audit
    where subject_type = 'view' order by transaction, id`);

describe('a view', () => {
  test('is stored as it was sent, without parts of an answer', async () => {
    const columns = [
      { field: 'name', width: 240 },
      { field: 'amount', total: 'sum' },
    ];
    const metrics = [{ op: 'sum', field: 'amount' }];
    const board = { columns, kind: 'board', group_by: 'status', metrics };
    const view = await made(rob, { ...board, shared: 'team' });
    const { id, version, created_at, updated_at, ...rest } = view;
    expect(rest).toEqual({
      ...bigDeals,
      ...{ ...board, shared: 'team', owner_user_id: world.users.rob },
      ...{
        chart: null,
        hidden: false,
        is_default: false,
        is_favorite: false,
        can_change: true,
        problems: [],
      },
    });
    expect([typeof version, created_at]).toEqual(['string', updated_at]);
    expect((await rob.get(`/views/${id}`)).body.data).toEqual(view);
    expect((await rob.get(`/views/${id.toUpperCase()}`)).body.data).toEqual(view);
    expect(await audit()).toEqual([
      {
        ...{ user_id: world.users.rob, subject_type: 'view', subject_id: id, action: 'create' },
        changed_fields: ['object_type', 'name', 'kind', 'shared', 'query'],
      },
    ]);
  });

  test('left out: a private table without columns', async () => {
    const view = await made(rob);
    expect(view).toMatchObject({ kind: 'table', shared: 'private', columns: [] });
    expect(view).toMatchObject({ group_by: null, metrics: null });
  });

  test('of a report has a question for an aggregate', async () => {
    const query = {
      where: { field: 'amount', op: 'gte', value: 10 },
      group_by: ['status'],
      metrics: [{ name: 'sum', op: 'sum', field: 'amount' }],
    };
    expect(await made(rob, { kind: 'report', query })).toMatchObject({ query, problems: [] });
  });

  test.each<[string, object, readonly unknown[]]>([
    ['an unknown object', { object_type: 'dealz' }, [404, 'object_not_available', 'object_type']],
    [
      'an object out of reach',
      { object_type: 'readings' },
      [404, 'object_not_available', 'object_type'],
    ],
    ['no question', { query: undefined }, [400, 'validation_failed', 'query']],
    ['a question that is a list', { query: [] }, [400, 'validation_failed', 'query']],
    ['an unknown part', { query: { wher: {} } }, [400, 'validation_failed', 'query.wher']],
    ['a page', { query: { limit: 5 } }, [400, 'validation_failed', 'query.limit']],
    ['a cursor', { query: { cursor: 'x' } }, [400, 'validation_failed', 'query.cursor']],
    [
      'a wrong operator',
      { query: { where: { field: 'amount', op: 'near', value: 1 } } },
      [400, 'invalid_filter', 'query.where.op'],
    ],
    [
      'an unknown field',
      { query: { where: { any: [{ field: 'amuont', op: 'eq', value: 1 }] } } },
      [400, 'invalid_filter', 'query.where.any[0].field'],
    ],
    [
      'a field out of reach',
      { query: { sort: [{ field: 'secret' }] } },
      [403, 'permission_denied', 'query.sort[0].field'],
    ],
    [
      'a value of another type',
      { query: { where: { field: 'amount', op: 'gte', value: 'much' } } },
      [400, 'invalid_filter', 'query.where.value'],
    ],
    [
      'a report without metrics',
      { kind: 'report', query: {} },
      [400, 'validation_failed', 'query.metrics'],
    ],
    [
      'an unknown column',
      { columns: [{ field: 'nam' }] },
      [400, 'invalid_filter', 'columns[0].field'],
    ],
    [
      'a column out of reach',
      { columns: [{ field: 'name' }, { field: 'secret' }] },
      [403, 'permission_denied', 'columns[1].field'],
    ],
    [
      'a column twice',
      { columns: [{ field: 'name' }, { field: 'name' }] },
      [400, 'validation_failed', 'columns[1].field'],
    ],
    [
      'a narrow column',
      { columns: [{ field: 'name', width: 39 }] },
      [400, 'validation_failed', 'columns[0].width'],
    ],
    [
      'an unknown total of a column',
      { columns: [{ field: 'name', total: 'median' }] },
      [400, 'validation_failed', 'columns[0].total'],
    ],
    ['a board of unknown columns', { group_by: 'stage' }, [400, 'invalid_filter', 'group_by']],
    ['a board of texts that vary', { group_by: 'tags' }, [400, 'invalid_filter', 'group_by']],
    [
      'a board of a report',
      { kind: 'report', group_by: 'status', query: { metrics: [{ name: 'n', op: 'count' }] } },
      [400, 'validation_failed', 'group_by'],
    ],
    ['a board without columns', { kind: 'board' }, [400, 'validation_failed', 'group_by']],
    ['a calendar without days', { kind: 'calendar' }, [400, 'validation_failed', 'group_by']],
    [
      'a calendar of a field without days',
      { kind: 'calendar', group_by: 'amount' },
      [400, 'invalid_filter', 'group_by'],
    ],
    [
      'a sum of texts',
      { metrics: [{ op: 'sum', field: 'name' }] },
      [400, 'invalid_filter', 'metrics[0].field'],
    ],
    [
      'a sum of an unknown field',
      { metrics: [{ op: 'sum', field: 'amuont' }] },
      [400, 'invalid_filter', 'metrics[0].field'],
    ],
    [
      'a sum out of reach',
      { metrics: [{ op: 'sum', field: 'secret' }] },
      [403, 'permission_denied', 'metrics[0].field'],
    ],
    [
      'a mean',
      { metrics: [{ op: 'avg', field: 'amount' }] },
      [400, 'validation_failed', 'metrics'],
    ],
    [
      'two sums',
      { metrics: ['amount', 'amount'].map((field) => ({ op: 'sum', field })) },
      [400, 'validation_failed', 'metrics'],
    ],
    [
      'a sum beside a report',
      { kind: 'report', metrics: [], query: { metrics: [{ name: 'n', op: 'count' }] } },
      [400, 'validation_failed', 'metrics'],
    ],
    ['no name', { name: '' }, [400, 'validation_failed', 'name']],
    ['another owner', { owner_user_id: 1 }, [400, 'validation_failed', 'owner_user_id']],
    ['an unknown kind', { kind: 'map' }, [400, 'validation_failed', 'kind']],
    ['shared with all the world', { shared: 'public' }, [400, 'validation_failed', 'shared']],
  ])('refused: %s', async (_, change, expected) => {
    const before = await world.digest();
    const answer = await rob.post('/views', { ...bigDeals, ...change });
    expect(refusalOf(answer)).toEqual(expected);
    expect(await world.digest()).toBe(before);
  });

  test('as many columns as there may be, and one more', async () => {
    const fields = [
      'name',
      'amount',
      'code',
      'closes_on',
      'tags',
      'id',
      'created_at',
      'updated_at',
    ];
    const columns = fields.map((field) => ({ field, width: 2000 }));
    await made(ada, { columns });
    const refusalOfMany = async (length: number) => {
      const many = Array.from({ length }, () => ({ field: 'name' }));
      return refusalOf(await ada.post('/views', { ...bigDeals, columns: many }));
    };
    // So many would do, if they were different ones.
    expect(await refusalOfMany(LIMITS.columnsOfView)).toEqual([
      ...[400, 'validation_failed', 'columns[1].field'],
    ]);
    expect(await refusalOfMany(LIMITS.columnsOfView + 1)).toEqual([
      ...[400, 'validation_failed', 'columns'],
    ]);
  });

  test('a question of so many bytes, and one more', async () => {
    const queryOf = (bytes: number) => {
      // Texts of a field are shorter than that: many of them.
      const one = (at: number, length: number) => String(at).padStart(length, 'x');
      const values = Array.from({ length: 40 }, (_, at) => one(at, 400));
      const around = JSON.stringify({ where: { field: 'name', op: 'in', value: [...values, ''] } });
      const rest = one(99, bytes - around.length);
      return { where: { field: 'name', op: 'in', value: [...values, rest] } };
    };
    expect(JSON.stringify(queryOf(LIMITS.storedQuestionBytes))).toHaveLength(16_384);
    const { id } = await made(ada, { query: queryOf(LIMITS.storedQuestionBytes) });
    const query = queryOf(LIMITS.storedQuestionBytes + 1);
    const refused = [400, 'validation_failed', 'query'];
    expect(refusalOf(await ada.post('/views', { ...bigDeals, query }))).toEqual(refused);
    expect(refusalOf(await ada.patch(`/views/${id}`, { query }))).toEqual(refused);
  });

  test('views from before there was a limit come on pages of their own, and keep their names', async () => {
    await made(ada, { name: 'before' });
    await world.database.rows(
      `insert into ws_acme._views (id, object_type, owner_user_id, name, kind, shared, query, columns)
        select gen_random_uuid(), 'deals', owner_user_id, 'long ' || place, kind, shared,
          json_build_object('query', repeat('x', 900000)), columns
        from ws_acme._views cross join generate_series(1, 11) place where name = 'before'`,
    );
    const names: string[] = [];
    let cursor = '';
    do {
      const answer = await ada.get(`/views?limit=100&cursor=${cursor}`);
      expect(JSON.stringify(answer.body).length).toBeLessThan(LIMITS.answerBytes);
      names.push(...namesOf(answer));
      cursor = answer.body.pagination.next_cursor ?? '';
    } while (cursor !== '');
    expect(names.filter((name) => name.startsWith('long'))).toHaveLength(11);
    expect(new Set(names).size).toBeGreaterThan(11);
  });

  test('so many of an owner and object type, and one more', async () => {
    await made(rob);
    await world.database.rows(
      `insert into ws_acme._views (id, object_type, owner_user_id, name, kind, shared, query, columns)
        select gen_random_uuid(), object_type, owner_user_id, name, kind, shared, query, columns
        from ws_acme._views cross join generate_series(2, $1::integer - 1)`,
      [LIMITS.viewsOfOwner],
    );
    const asked = Array.from({ length: 6 }, () => rob.post('/views', bigDeals));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(refusalOf(await rob.post('/views', bigDeals))).toEqual([409, 'conflict', 'object_type']);
    await made(sam);
    await made(rob, { object_type: 'companies', query: {} });
  });
});

describe('readers', () => {
  test('its owner, people who share a team with them, or everybody who reads the object', async () => {
    for (const shared of ['private', 'team', 'workspace'])
      await made(rob, { shared, name: shared });
    const all = ['private', 'team', 'workspace'];
    expect(await namesSeen(rob)).toEqual(all);
    expect(await namesSeen(mia)).toEqual(['team', 'workspace']);
    expect(await namesSeen(sam)).toEqual(['workspace']);
    expect(await namesSeen(ada)).toEqual(['workspace']);
    expect(await namesSeen(bea)).toEqual([]);
    expect(refusalOf(await bea.get('/views?object_type=deals'))).toEqual([
      404,
      'object_not_available',
      'object_type',
    ]);
    expect(await namesSeen(await world.as('ada', { workspace: 'globex' }))).toEqual([]);
  });

  test('a hidden view does not exist for any request', async () => {
    const hidden = await made(rob, { shared: 'private' });
    const before = await world.digest();
    for (const id of [hidden.id, ABSENT, 'x']) {
      const answers = [
        await ada.get(`/views/${id}`),
        await ada.patch(`/views/${id}`, { name: 'Mine' }),
        await ada.delete(`/views/${id}`),
      ];
      expect(answers.map(refusalOf)).toEqual(
        answers.map(() => [404, 'record_not_found', 'view_id']),
      );
    }
    expect(await world.digest()).toBe(before);
  });

  describe('with fields that a reader may not know of', () => {
    const SECRET = { field: 'secret', op: 'eq', value: 'Zanzibar' };
    const SHARED = { shared: 'workspace', columns: [{ field: 'secret' }, { field: 'name' }] };
    const HIDDEN = { hidden: true };
    const AMOUNT = { field: 'amount', op: 'gte', value: 5 };
    const BY_AMOUNT = { field: 'amount', direction: 'asc' };

    test.each<[string, object, object, object]>([
      ['the condition', { where: SECRET }, { where: HIDDEN }, {}],
      [
        'one of several',
        { where: { any: [AMOUNT, { not: SECRET }, { all: [SECRET] }] } },
        { where: { any: [AMOUNT, { not: HIDDEN }, { all: [HIDDEN] }] } },
        { where: { any: [AMOUNT] } },
      ],
      [
        'a filter',
        { filters: { secret: { eq: 'Zanzibar' }, amount: { gte: 5 } } },
        { filters: { amount: { gte: 5 } }, where: { all: [HIDDEN] } },
        { filters: { amount: { gte: 5 } } },
      ],
      [
        'an order',
        { sort: [{ field: 'secret' }, BY_AMOUNT], where: AMOUNT },
        { sort: [BY_AMOUNT], where: { all: [HIDDEN, AMOUNT] } },
        { sort: [BY_AMOUNT], where: AMOUNT },
      ],
    ])('%s is hidden, and the rest can be copied', async (_, query, shown, rest) => {
      const { id } = await made(ada, { ...SHARED, query });
      const told = await rob.get(`/views/${id}`);
      expect(told.body.data).toMatchObject({ hidden: true, columns: [{ field: 'name' }] });
      expect(told.body.data.query).toEqual(shown);
      const { problems } = told.body.data;
      expect(problems.map(({ code, param }: Record<string, string>) => [code, param])).toEqual([
        ['permission_denied', 'query'],
        ['permission_denied', 'columns'],
      ]);
      const listed = await rob.get('/views?object_type=deals&limit=100');
      const run = await rob.post('/objects/deals/records/query', told.body.data.query);
      expect([run.status, run.body.error.code]).toEqual([403, 'permission_denied']);
      expect(run.body.error.message).toContain('a field that you cannot see');
      const copy = await rob.post(`/views/${id}/copy`, { name: 'Mine' });
      expect(copy.status).toBe(201);
      expect(copy.body.data).toMatchObject({
        ...{ name: 'Mine', shared: 'private', owner_user_id: world.users.rob, query: rest },
        ...{ hidden: false, problems: [], columns: [{ field: 'name' }], can_change: true },
      });
      const asked = await rob.post('/objects/deals/records/query', copy.body.data.query);
      expect(asked.status).toBe(200);
      for (const { body } of [told, listed, run, copy]) {
        expect(JSON.stringify(body)).not.toMatch(/secret|Zanzibar/);
      }
      const whole = (await ada.get(`/views/${id}`)).body.data;
      expect(whole).toMatchObject({ query, hidden: false, problems: [] });
    });

    test('groups and measures of a report, and the columns of a board', async () => {
      const count = { name: 'n', op: 'count' };
      const query = {
        where: AMOUNT,
        group_by: ['secret', 'status'],
        metrics: [count, { name: 'secret_ones', op: 'count', field: 'secret' }],
        order_by: { name: 'secret_ones', direction: 'desc' },
      };
      const report = await made(ada, { kind: 'report', shared: 'workspace', query });
      const told = (await rob.get(`/views/${report.id}`)).body.data;
      expect(told.query).toEqual({
        where: { all: [HIDDEN, AMOUNT] },
        group_by: ['status'],
        metrics: [count],
      });
      const run = await rob.post('/objects/deals/records/aggregate/query', told.query);
      expect([run.status, run.body.error.code]).toEqual([403, 'permission_denied']);
      const copy = await rob.post(`/views/${report.id}/copy`, {});
      expect(copy.body.data.query).toEqual({
        ...{ where: AMOUNT, group_by: ['status'], metrics: [count] },
      });
      const board = { kind: 'board', group_by: 'company_id', shared: 'workspace', query: {} };
      const shared = await made(ada, { ...board, columns: [{ field: 'company_id.revenue' }] });
      const seen = (await rob.get(`/views/${shared.id}`)).body.data;
      expect(seen).toMatchObject({ hidden: true, columns: [], group_by: 'company_id' });
      expect(JSON.stringify([told, copy.body, seen])).not.toMatch(/secret|revenue/);
    });

    test('a text that is searched for in a display field that they cannot see', async () => {
      const query = { query: 'Zanzibar', filters: { revenue: { gte: 5 } } };
      const asked = {
        object_type: 'companies',
        shared: 'workspace',
        columns: [{ field: 'revenue' }],
      };
      const { id } = await made(ada, { ...asked, query });
      const bea = await world.as('bea');
      const told = await bea.get(`/views/${id}`);
      expect(told.body.data).toMatchObject({
        ...{ hidden: true, problems: [{ param: 'query', code: 'permission_denied' }] },
        query: { filters: query.filters, where: { all: [HIDDEN] } },
      });
      const copy = await bea.post(`/views/${id}/copy`, {});
      expect([copy.status, copy.body.data.query]).toEqual([201, { filters: query.filters }]);
      expect(JSON.stringify([told.body, copy.body])).not.toContain('Zanzibar');
      expect((await ada.get(`/views/${id}`)).body.data).toMatchObject({ query, hidden: false });
    });

    test('a caller who may not see the view cannot copy it', async () => {
      const { id } = await made(ada, { shared: 'private' });
      const answer = await rob.post(`/views/${id}/copy`, {});
      expect(refusalOf(answer)).toEqual([404, 'record_not_found', 'view_id']);
    });

    test('a removed field is reported to those who may change the view', async () => {
      const { id } = await made(ada, {
        shared: 'workspace',
        query: { where: { field: 'origin', op: 'eq', value: 'Zanzibar' } },
      });
      await world.rows(
        `update _views set query = replace(query::text, 'origin', 'once_hidden')::json where id = $1`.replace(
          '_views',
          'ws_acme._views',
        ),
        [id],
      );
      const { query } = (await ada.get(`/views/${id}`)).body.data;
      expect(query.where.field).toBe('once_hidden');
      const { body } = await rob.get(`/views/${id}`);
      expect(body.data.query).toEqual({ where: HIDDEN });
    });
  });

  test('scopes: reading is for records:read, keeping and ordering for records:write', async () => {
    const reader = await world.as('rob', { scopes: ['records:read'] });
    const writer = await world.as('rob', { scopes: ['records:write'] });
    const { id } = await made(rob);
    const denied = [403, 'insufficient_scope', undefined];
    expect(refusalOf(await reader.post('/views', bigDeals))).toEqual(denied);
    expect(refusalOf(await reader.patch(`/views/${id}`, { name: 'x' }))).toEqual(denied);
    expect(refusalOf(await reader.delete(`/views/${id}`))).toEqual(denied);
    const order = { object_type: 'deals', view_ids: [id] };
    expect(refusalOf(await reader.put('/views/order', order))).toEqual(denied);
    expect(refusalOf(await writer.get('/views'))).toEqual(denied);
    expect(refusalOf(await writer.get(`/views/${id}`))).toEqual(denied);
    expect((await reader.get(`/views/${id}`)).status).toBe(200);
  });

  test('a session, as its person', async () => {
    const session = await world.inSession('rob');
    const view = await made(session, { shared: 'workspace' });
    expect(view.owner_user_id).toBe(world.users.rob);
    expect(await namesSeen(session)).toEqual(['Big deals']);
  });
});

describe('changing', () => {
  test('its owner may, and an administrator when it is shared with them', async () => {
    const { id, version } = await made(rob, { shared: 'workspace' });
    const denied = [403, 'permission_denied', undefined];
    expect(refusalOf(await mia.patch(`/views/${id}`, { name: 'x' }))).toEqual(denied);
    expect(refusalOf(await mia.delete(`/views/${id}`))).toEqual(denied);
    const shown = (await mia.get(`/views/${id}`)).body.data;
    expect(shown.can_change).toBe(false);
    const changed = await rob.patch(
      `/views/${id}`,
      { name: 'Large' },
      { 'if-match': `"${version}"` },
    );
    expect([changed.status, changed.body.data.name]).toEqual([200, 'Large']);
    expect((await ada.patch(`/views/${id}`, { kind: 'table', query: {} })).body.data).toMatchObject(
      {
        ...{ name: 'Large', query: {}, owner_user_id: world.users.rob, can_change: true },
      },
    );
    const hidden = await ada.patch(`/views/${id}`, { shared: 'private' });
    expect([hidden.status, hidden.body.data.shared]).toEqual([200, 'private']);
    expect((await ada.get(`/views/${id}`)).status).toBe(404);
    expect((await rob.delete(`/views/${id}`)).body.data).toEqual({ id, deleted: true });
    expect((await audit()).map(({ action, changed_fields }) => [action, changed_fields])).toEqual([
      ['create', ['object_type', 'name', 'kind', 'shared', 'query']],
      ['update', ['name']],
      ['update', ['query']],
      ['update', ['shared']],
      ['delete', []],
    ]);
  });

  test('an equal value is not a change', async () => {
    const view = await made(rob);
    const before = await world.digest();
    const same = await rob.patch(`/views/${view.id}`, { name: view.name, query: view.query });
    expect(same.body.data).toEqual(view);
    expect(await world.digest()).toBe(before);
  });

  test('of two changes with one version one is refused as late', async () => {
    const { id, version } = await made(rob);
    const answers = await Promise.all(
      ['a', 'b'].map((name) => rob.patch(`/views/${id}`, { name, expected_version: version })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const late = await rob.patch(`/views/${id}`, { name: 'c', expected_version: version });
    expect(late.body.error.code).toBe('stale_record');
  });

  test.each<[object, readonly unknown[]]>([
    [
      { query: { where: { field: 'x', op: 'eq', value: 1 } } },
      [400, 'invalid_filter', 'query.where.field'],
    ],
    [{ kind: 'report' }, [400, 'validation_failed', 'query.metrics']],
    [{ kind: 'board' }, [400, 'validation_failed', 'group_by']],
    [{ object_type: 'companies' }, [400, 'validation_failed', 'object_type']],
    [{ name: null }, [400, 'validation_failed', 'name']],
  ])('%j is refused', async (patch, expected) => {
    const { id } = await made(rob);
    const before = await world.digest();
    expect(refusalOf(await rob.patch(`/views/${id}`, patch))).toEqual(expected);
    expect(await world.digest()).toBe(before);
  });
});

describe('a definition that changes', () => {
  test('a field that is gone: the view opens and says so', async () => {
    const { id } = await made(ada, {
      query: { where: { field: 'origin', op: 'eq', value: 'x' } },
      columns: [{ field: 'name' }, { field: 'origin' }],
    });
    const { origin: _, ...fields } = ACME.objects.deals.fields;
    const without = { ...ACME.objects, deals: { ...ACME.objects.deals, fields } };
    await world.apply({ ...ACME, objects: without }, ['deals.origin']);
    const { data } = (await ada.get(`/views/${id}`)).body;
    expect(data.problems.map(({ code, param }: Record<string, string>) => [code, param])).toEqual([
      ['invalid_filter', 'query.where.field'],
      ['invalid_filter', 'columns[1].field'],
    ]);
    const renamed = await ada.patch(`/views/${id}`, { name: 'Still there' });
    expect([renamed.status, renamed.body.data.problems.length]).toEqual([200, 2]);
  });

  test('renames are applied to them, and their versions stay', async () => {
    const query = {
      where: {
        any: [
          { field: 'status', op: 'in', value: ['won', 'open'] },
          { not: { field: 'company_id.tier', op: 'eq', value: 'gold' } },
        ],
      },
      filters: { status: 'won', amount: { gte: 5 } },
      fields: ['amount', 'company_id.tier'],
      expand: ['company_id'],
      sort: [{ field: 'amount', direction: 'desc' }],
    };
    const columns = [{ field: 'amount', width: 90 }, { field: 'company_id.tier' }];
    const metrics = [{ op: 'sum', field: 'amount' }];
    const board = await made(rob, { query, columns, kind: 'board', group_by: 'status', metrics });
    const report = await made(rob, {
      kind: 'report',
      query: {
        group_by: ['company_id.tier', { field: 'closes_on', by: 'month' }],
        metrics: [{ name: 'amount', op: 'sum', field: 'amount' }],
        order_by: { name: 'closes_on:month', direction: 'asc' },
      },
    });
    await rob.put('/views/order', { object_type: 'deals', view_ids: [report.id, board.id] });
    const { deals, companies, boats, ...others } = ACME.objects;
    const { amount, closes_on, ...fields } = deals.fields;
    const { tier, ...about } = companies.fields;
    const { open, ...statuses } = ACME.workflows.pipeline.statuses;
    await world.apply({
      ...ACME,
      objects: {
        ...others,
        boats,
        companies: { ...companies, fields: { ...about, rank: { ...tier, renamed_from: 'tier' } } },
        deals: {
          ...deals,
          fields: {
            ...fields,
            value: { ...amount, renamed_from: 'amount' },
            ends_on: { ...closes_on, renamed_from: 'closes_on' },
          },
        },
      },
      workflows: {
        pipeline: {
          ...ACME.workflows.pipeline,
          initial: 'begun',
          statuses: {
            ...statuses,
            begun: { ...open, renamed_from: 'open' },
            lost: { name: 'Lost', transitions: ['begun'] },
          },
        },
      },
    });
    const after = (await rob.get(`/views/${board.id}`)).body.data;
    expect(after).toEqual({
      ...board,
      query: {
        where: {
          any: [
            { field: 'status', op: 'in', value: ['won', 'begun'] },
            { not: { field: 'company_id.rank', op: 'eq', value: 'gold' } },
          ],
        },
        filters: { status: 'won', value: { gte: 5 } },
        fields: ['value', 'company_id.rank'],
        expand: ['company_id'],
        sort: [{ field: 'value', direction: 'desc' }],
      },
      columns: [{ field: 'value', width: 90 }, { field: 'company_id.rank' }],
      metrics: [{ op: 'sum', field: 'value' }],
    });
    expect((await rob.get(`/views/${report.id}`)).body.data).toEqual({
      ...report,
      query: {
        group_by: ['company_id.rank', { field: 'ends_on', by: 'month' }],
        metrics: [{ name: 'amount', op: 'sum', field: 'value' }],
        order_by: { name: 'ends_on:month', direction: 'asc' },
      },
    });
  });

  test('an object that is renamed keeps its views and their order', async () => {
    const views = [];
    for (const name of ['a', 'b']) {
      views.push((await made(ada, { object_type: 'boats', name, query: {} })).id);
    }
    await ada.put('/views/order', { object_type: 'boats', view_ids: views.toReversed() });
    const { boats, ...others } = ACME.objects;
    const { objects: rep } = ACME.roles.rep;
    const { boats: grants, ...granted } = rep;
    await world.apply({
      ...ACME,
      objects: { ...others, ships: { ...boats, renamed_from: 'boats' } },
      roles: {
        ...ACME.roles,
        rep: { ...ACME.roles.rep, objects: { ...granted, ships: grants } },
      },
    });
    expect(await namesSeen(ada, '?object_type=ships')).toEqual(['b', 'a']);
  });

  test('an object that is gone takes its views along', async () => {
    await made(ada, { object_type: 'readings', query: {} });
    const { readings: _, ...objects } = ACME.objects;
    await world.apply({ ...ACME, objects }, ['readings']);
    expect(await world.rows('select id from _views')).toEqual([]);
  });
});

describe('their order', () => {
  test('is by age until somebody says another, and is their own', async () => {
    const views = [];
    for (const name of ['a', 'b', 'c', 'd'])
      views.push(await made(rob, { name, shared: 'workspace' }));
    const [a, , c, d] = views.map(({ id }) => id as string);
    expect(await namesSeen(rob)).toEqual(['a', 'b', 'c', 'd']);
    const order = { object_type: 'deals', view_ids: [d, a], default_view_id: c };
    const put = await rob.put('/views/order', order);
    expect([put.status, put.body.data]).toEqual([200, order]);
    expect(await namesSeen(rob, '?object_type=deals')).toEqual(['d', 'a', 'b', 'c']);
    expect(await namesSeen(mia)).toEqual(['a', 'b', 'c', 'd']);
    const defaults = (await rob.get('/views')).body.data.filter(
      (view: { is_default: boolean }) => view.is_default,
    );
    expect(defaults.map((view: { id: string }) => view.id)).toEqual([c]);
    await rob.delete(`/views/${c}`);
    await rob.delete(`/views/${d}`);
    expect(await namesSeen(rob)).toEqual(['a', 'b']);
    await rob.put('/views/order', { object_type: 'deals', view_ids: [] });
    expect(
      (await rob.get('/views')).body.data.map((view: { is_default: boolean }) => view.is_default),
    ).toEqual([false, false]);
  });

  test('favorites come with the session where asked, as far as the person sees them now', async () => {
    const kept = await made(rob, { name: 'kept', shared: 'workspace' });
    const gone = await made(rob, { name: 'gone', shared: 'workspace' });
    const order = { object_type: 'deals', view_ids: [] };
    await mia.put('/views/order', { ...order, favorite_view_ids: [kept.id, gone.id] });
    const session = await world.inSession('mia');
    const shown = async () => (await session.get('/me?include=favorite_views')).body.data;
    const of = ({ id, name }: { readonly id: string; readonly name: string }) => {
      return { id, object_type: 'deals', name };
    };
    expect((await shown()).favorite_views).toEqual([of(kept), of(gone)]);
    await rob.patch(`/views/${gone.id}`, { shared: 'private' });
    expect((await shown()).favorite_views).toEqual([of(kept)]);
    expect((await session.get('/me')).body.data).not.toHaveProperty('favorite_views');
    expect((await mia.get('/me?include=favorite_views')).body).toEqual((await mia.get('/me')).body);
    const { body } = await session.post('/dashboards', { name: 'The quarter', tiles: [] });
    const linked = (await session.get('/me?include=links')).body.data;
    expect(linked.dashboards).toEqual([{ id: body.data.id, name: 'The quarter' }]);
    expect(linked.favorite_views).toEqual([of(kept)]);
    expect(await shown()).not.toHaveProperty('dashboards');
    const other = await session.get('/me?include=views');
    expect(refusalOf(other)).toEqual([400, 'validation_failed', 'include']);
  });

  test('favorites are those of a person, and stay when the order changes', async () => {
    const [a, b] = [
      await made(rob, { name: 'a', shared: 'workspace' }),
      await made(rob, { name: 'b' }),
    ];
    const order = { object_type: 'deals', view_ids: [] };
    await rob.put('/views/order', { ...order, favorite_view_ids: [b.id] });
    await mia.put('/views/order', { ...order, favorite_view_ids: [a.id] });
    expect(await namesSeen(rob, '?favorite=true')).toEqual(['b']);
    expect(await namesSeen(mia, '?favorite=true')).toEqual(['a']);
    expect((await rob.get(`/views/${b.id}`)).body.data.is_favorite).toBe(true);
    await rob.put('/views/order', { object_type: 'deals', view_ids: [b.id, a.id] });
    expect(await namesSeen(rob, '?favorite=true')).toEqual(['b']);
    await rob.put('/views/order', { ...order, favorite_view_ids: [] });
    expect(await namesSeen(rob, '?favorite=true')).toEqual([]);
    const foreign = await mia.put('/views/order', { ...order, favorite_view_ids: [b.id] });
    expect(refusalOf(foreign)).toEqual([422, 'invalid_write', 'favorite_view_ids[0]']);
    await rob.delete(`/views/${a.id}`);
    expect(await namesSeen(mia, '?favorite=true')).toEqual([]);
  });

  test('views of one kind are listed alone, page by page', async () => {
    const query = { metrics: [{ name: 'n', op: 'count' }] };
    for (const name of ['r1', 'r2', 'r3']) await made(rob, { name, kind: 'report', query });
    await made(rob, { name: 'list' });
    await made(rob, { name: 'board', kind: 'board', group_by: 'status' });
    expect(await namesSeen(rob, '?kind=report')).toEqual(['r1', 'r2', 'r3']);
    expect(await namesSeen(rob, '?kind=board&object_type=deals')).toEqual(['board']);
    expect(await namesSeen(rob, '?kind=calendar')).toEqual([]);
    expect(await namesSeen(mia, '?kind=report')).toEqual([]);
    const first = await rob.get('/views?kind=report&limit=2');
    const { next_cursor: cursor } = first.body.pagination;
    expect(await namesSeen(rob, `?kind=report&limit=2&cursor=${cursor}`)).toEqual(['r3']);
    const foreign = await rob.get(`/views?kind=table&limit=2&cursor=${cursor}`);
    expect(refusalOf(foreign)).toEqual([400, 'invalid_cursor', 'cursor']);
    expect(refusalOf(await rob.get('/views?kind=chart'))).toEqual([
      ...[400, 'validation_failed', 'kind'],
    ]);
  });

  test('pages go through it', async () => {
    const ids = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await made(rob, { name })).id);
    await made(rob, { object_type: 'companies', name: 'z', query: {} });
    await rob.put('/views/order', { object_type: 'deals', view_ids: [ids[4], ids[2]] });
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await rob.get(`/views?limit=2&cursor=${cursor}`);
      seen.push(...body.data.map((view: { name: string }) => view.name));
      cursor = body.pagination.next_cursor ?? '';
    } while (cursor !== '');
    expect(seen).toEqual(['z', 'e', 'c', 'a', 'b', 'd']);
    const first = await rob.get('/views?limit=2');
    const foreign = await mia.get(`/views?limit=2&cursor=${first.body.pagination.next_cursor}`);
    expect(refusalOf(foreign)).toEqual([400, 'invalid_cursor', 'cursor']);
  });

  test.each<[object, readonly unknown[]]>([
    [{ view_ids: [ABSENT] }, [422, 'invalid_write', 'view_ids[0]']],
    [{ view_ids: ['x'] }, [422, 'invalid_write', 'view_ids[0]']],
    [{ view_ids: [], default_view_id: ABSENT }, [422, 'invalid_write', 'default_view_id']],
    [{ view_ids: [ABSENT, ABSENT] }, [400, 'validation_failed', 'view_ids']],
    [{ object_type: 'x', view_ids: [] }, [404, 'object_not_available', 'object_type']],
    [{}, [400, 'validation_failed', 'view_ids']],
  ])('%j is refused', async (body, expected) => {
    const before = await world.digest();
    const answer = await rob.put('/views/order', { object_type: 'deals', ...body });
    expect(refusalOf(answer)).toEqual(expected);
    expect(await world.digest()).toBe(before);
  });

  test('a person cannot order hidden views of others', async () => {
    const { id } = await made(sam);
    const answer = await rob.put('/views/order', { object_type: 'deals', view_ids: [id] });
    expect(refusalOf(answer)).toEqual([422, 'invalid_write', 'view_ids[0]']);
  });
});
