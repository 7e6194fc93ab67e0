// The edges of reading besides the query itself: cursors that belong elsewhere, the search over all
// objects, path values of every kind, and sums that no JSON number holds.

import { describe, expect, test } from 'vitest';
import { call } from '../http-client.ts';
import {
  AGGREGATE,
  COUNT,
  emoji,
  fine,
  LIST,
  SEARCH,
  shape,
  titled,
  useOutcomes,
} from './outcomes.ts';

const outcomes = useOutcomes();
const { opened, outcomeOf, listed, searched, aggregated } = outcomes;

describe('a cursor belongs to its request', () => {
  const foreign = [400, 'invalid_cursor', 'cursor'] as const;
  const cursorOf = async (path: string, body?: object): Promise<string> => {
    const { ada } = opened;
    const answer = body === undefined ? await ada.get(path) : await ada.post(path, body);
    return answer.body.pagination.next_cursor;
  };

  test('and to its endpoint', async () => {
    const fromList = await cursorOf(`${LIST}?limit=1&sort=label`);
    const fromSearch = await cursorOf(SEARCH, { limit: 1, sort: [{ field: 'label' }] });
    const fromGroups = await cursorOf(AGGREGATE, {
      metrics: [COUNT],
      group_by: ['label'],
      limit: 1,
    });
    expect(await listed(`sort=label&cursor=${fromList}`)).toEqual(fine);
    expect(await listed(`sort=label&cursor=${fromSearch}`)).toEqual(foreign);
    expect(await listed(`sort=label&cursor=${fromGroups}`)).toEqual(foreign);
    const sort = [{ field: 'label' }];
    expect(await searched({ sort, cursor: fromSearch, limit: 3 })).toEqual(fine);
    expect(await searched({ sort, cursor: fromList })).toEqual(foreign);
    expect(await aggregated({ group_by: ['label'], cursor: fromGroups, limit: 3 })).toEqual(fine);
    expect(await aggregated({ group_by: ['label'], cursor: fromList })).toEqual(foreign);
    const elsewhere = await opened.ada.get(`/objects/deals/records?sort=label&cursor=${fromList}`);
    expect(elsewhere.status).toBe(400);
  });

  test.each<readonly [string, object]>([
    ['filters', { filters: { label: { ne: 'x' } } }],
    ['query', { query: 'e' }],
    ['sort', { sort: [{ field: 'label', direction: 'desc' }] }],
    ['more sort', { sort: [{ field: 'label' }, { field: 'a_number' }] }],
    ['fields', { fields: ['label'] }],
  ])('of search: not with other %s', async (_, changes) => {
    const body = { sort: [{ field: 'label' }] };
    const cursor = await cursorOf(SEARCH, { ...body, limit: 1 });
    expect(await searched({ ...body, ...changes, cursor })).toEqual(foreign);
  });

  test.each<readonly [string, object]>([
    ['filters', { filters: { label: { ne: 'x' } } }],
    ['query', { query: 'e' }],
    ['groups', { group_by: ['label', 'a_number'] }],
    ['order of groups', { group_by: ['id', 'label'] }],
    ['metrics', { metrics: [{ ...COUNT, field: 'label' }] }],
    ['names', { metrics: [{ ...COUNT, name: 'm' }] }],
    ['order', { order_by: { name: 'n', direction: 'asc' } }],
  ])('of aggregate: not with other %s', async (_, changes) => {
    const body = { metrics: [COUNT], group_by: ['label'] };
    const cursor = await cursorOf(AGGREGATE, { ...body, limit: 1 });
    expect(await aggregated({ ...body, ...changes, cursor })).toEqual(foreign);
  });
});

describe('GET /search', () => {
  test.each(
    titled<string>([
      ['q=ab', fine],
      [`q=${emoji(2)}`, fine],
      [`q=${emoji(1)}`, shape('q')],
      ['q=%20%20a%20', shape('q')],
      [`q=${emoji(200)}`, fine],
      [`q=${emoji(201)}`, shape('q')],
      ['q=%00ab', shape('q')],
      ['q=ab%ed%a0%80', shape('q')],
      ['q=ab&limit=1', fine],
      ['q=ab&limit=30', fine],
      ['q=ab&limit=0', shape('limit')],
      ['q=ab&limit=31', shape('limit')],
      ['q=ab&filter[label]=1', shape('filter[label]')],
      ['limit=5', shape('q')],
    ]),
  )('?%s', async (_, query, expected) => {
    expect(await outcomeOf('GET', `/search?${query}`)).toEqual(expected);
  });
});

describe('path values', () => {
  const nothing = (code: string, param: string) => [404, code, param] as const;
  const noRecord = nothing('record_not_found', 'record_id');
  const noObject = nothing('object_not_available', 'object_type');
  const noFlow = nothing('workflow_not_found', 'workflow_id');
  const x = (count: number) => 'x'.repeat(count);

  test.each(
    titled<string>([
      ...['%2F', '%2e%2e', '%2e%2e%2f%2e%2e', '%5c', '1', "'%20or%201=1--", x(200), emoji(200)].map(
        (id) => [`${LIST}/${id}`, noRecord] as const,
      ),
      [`${LIST}/01900000-0000-7000-8000-00000000000a`, noRecord],
      [`${LIST}/%7B01900000-0000-7000-8000-00000000000a%7D`, noRecord],
      [`${LIST}/${x(201)}`, shape('record_id')],
      [`${LIST}/%00`, shape('record_id')],
      [`${LIST}/a%00b`, shape('record_id')],
      [`${LIST}/%zz`, shape('record_id')],
      [`${LIST}/%ff`, shape('record_id')],
      [`${LIST}/%ed%a0%80`, shape('record_id')],
      [`/objects/${x(100)}`, noObject],
      [`/objects/${x(101)}`, shape('object_type')],
      ...[
        'UPPER',
        '_audit',
        '-a',
        'a.b',
        '%00',
        'a%00',
        '%ff',
        '%2F',
        "a'b",
        '%F0%9F%98%80',
      ].flatMap((type) =>
        ['', '/records', '/records/1'].map(
          (rest) => [`/objects/${type}${rest}`, shape('object_type')] as const,
        ),
      ),
      ...['pg_class', 'audit', 'users', 'constructor', 'x'].flatMap((type) =>
        ['', '/records', '/records/1'].map(
          (rest) => [`/objects/${type}${rest}`, noObject] as const,
        ),
      ),
      ...['%00', '%ff', '%zz', '%2F', x(200), x(201), 'constructor', '__proto__'].map(
        (id) => [`/workflows/${id}`, noFlow] as const,
      ),
      [`/objects/work_items?work_item_type_id=${x(100)}`, shape('work_item_type_id')],
      [`/objects/work_items?work_item_type_id=${x(101)}`, shape('work_item_type_id')],
      ['/objects/work_items?work_item_type_id=%00', shape('work_item_type_id')],
      ['/objects/gauges?work_item_type_id=x', shape('work_item_type_id')],
      ['/objects?include_unreadable=1', shape('include_unreadable')],
      ['/objects?include_unreadable=TRUE', shape('include_unreadable')],
      ...['/objects/', '/objects//records', `${LIST}/`, '/workflows/', '/users/'].map(
        (path) => [path, [404, 'route_not_found', undefined]] as const,
      ),
    ]),
  )('%s', async (_, path, expected) => {
    outcomes.statements.length = 0;
    const { ada, world } = opened;
    const { status, json } = await call(world.port, `/v1${path}`, { key: ada.secret });
    expect([status, json.error.code, json.error.param]).toEqual(expected);
    if (!path.includes('01900000')) expect(outcomes.statements).toEqual([]);
  });
});

describe('numbers beyond numbers', () => {
  const measures = ['sum', 'avg', 'min', 'max'].map((op) => ({ name: op, op, field: 'amount' }));
  const path = '/objects/deals/records/aggregate';

  test('of no records: null, and the count 0', async () => {
    const body = { filters: { name: 'none' }, metrics: [COUNT, ...measures] };
    const { body: answer } = await opened.ada.post(path, body);
    expect(answer.data).toEqual([{ n: 0, sum: null, avg: null, min: null, max: null }]);
    const grouped = await opened.ada.post(path, { ...body, group_by: ['status'] });
    expect(grouped.body.data).toEqual([]);
  });

  test.each<readonly [number, number | string]>([
    [9, 8_999_999_999_999_991],
    [10, '9999999999999990'],
    [9300, '9299999999999990700'],
  ])('the sum of %i amounts of 999,999,999,999,999', async (count, sum) => {
    const { ada, world } = opened;
    await world.database.rows(
      `insert into ws_acme.deals (id, created_by_user_id, owner_user_id, name, amount, status)
       select gen_random_uuid(), $1, $1, 'Dear', 999999999999999, 'open'
       from generate_series(1, $2::integer)`,
      [world.users.ada, count],
    );
    const request = { query: 'dear', group_by: ['name'], metrics: [COUNT, ...measures] };
    const order_by = { name: 'sum', direction: 'desc' };
    const { body } = await ada.post(path, { ...request, order_by });
    const each = 999_999_999_999_999;
    expect(body.data).toEqual([{ name: 'Dear', n: count, sum, avg: each, min: each, max: each }]);
    await world.database.rows(`delete from ws_acme.deals where name = 'Dear'`);
  });
});
