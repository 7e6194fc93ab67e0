// Dashboards over HTTP: their readers and editors, their reports, and aggregates of any objects in one request.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/limits.ts';
import { type Client, refusalOf } from '../client.ts';
import { useRestoredWorld } from '../restored-world.ts';
import type { World } from '../world.ts';

let world: World;
let ada: Client;
let mia: Client;
let rob: Client;
let sam: Client;

useRestoredWorld(async (own) => {
  world = own;
  [ada, mia, rob, sam] = (await Promise.all(
    ['ada', 'mia', 'rob', 'sam'].map((person) => own.as(person)),
  )) as [Client, Client, Client, Client];
});

const ABSENT = '01900000-0000-7000-8000-000000000000';
const COUNT = { metrics: [{ name: 'deals', op: 'count' }] };

async function report(client: Client, change: object = {}) {
  const view = { object_type: 'deals', name: 'Deals', kind: 'report', query: COUNT, ...change };
  const answer = await client.post('/views', view);
  expect(answer.body.error).toBeUndefined();
  return answer.body.data;
}

async function made(client: Client, change: object = {}) {
  const answer = await client.post('/dashboards', { name: 'Sales', ...change });
  expect(answer.body.error).toBeUndefined();
  expect(answer.status).toBe(201);
  return answer.body.data;
}

describe('a chart', () => {
  test('belongs to a report, and a copy has it', async () => {
    const shown = await report(rob, { chart: 'bars', shared: 'workspace' });
    expect(shown.chart).toBe('bars');
    const changed = await rob.patch(`/views/${shown.id}`, { chart: null });
    expect(changed.body.data.chart).toBeNull();
    await rob.patch(`/views/${shown.id}`, { chart: 'funnel' });
    const copied = await mia.post(`/views/${shown.id}/copy`, {});
    expect(copied.body.data).toMatchObject({ kind: 'report', chart: 'funnel' });
    const table = { object_type: 'deals', name: 'Table', query: {}, chart: 'bars' };
    expect(refusalOf(await rob.post('/views', table))).toEqual([400, 'validation_failed', 'chart']);
    expect(refusalOf(await rob.patch(`/views/${shown.id}`, { kind: 'table', query: {} }))).toEqual([
      400,
      'validation_failed',
      'chart',
    ]);
  });
});

test('a calendar is a view of a field with days, and a copy has it', async () => {
  const calendar = { object_type: 'deals', name: 'Closing', kind: 'calendar', query: {} };
  const shown = { ...calendar, group_by: 'closes_on', shared: 'workspace' };
  const { body } = await rob.post('/views', shown);
  expect(body.data).toMatchObject({ kind: 'calendar', group_by: 'closes_on' });
  const copied = await mia.post(`/views/${body.data.id}/copy`, {});
  expect(copied.body.data).toMatchObject({ kind: 'calendar', group_by: 'closes_on' });
});

describe('a dashboard', () => {
  test('has the reports that its reader sees, in its order', async () => {
    const own = await report(rob);
    const all = await report(rob, { shared: 'workspace' });
    const tiles = [
      { view_id: all.id, width: 4 },
      { view_id: own.id, width: 1 },
    ];
    const board = await made(rob, { shared: 'workspace', tiles });
    expect(board).toMatchObject({ name: 'Sales', shared: 'workspace', tiles, can_change: true });
    expect(board.views.map(({ id }: { id: string }) => id)).toEqual([all.id, own.id]);
    expect((await rob.get(`/dashboards/${board.id}`)).body.data).toEqual(board);
    const seen = (await mia.get(`/dashboards/${board.id}`)).body.data;
    expect(seen).toMatchObject({ tiles, can_change: false });
    expect(seen.views.map(({ id }: { id: string }) => id)).toEqual([all.id]);
    await rob.delete(`/views/${all.id}`);
    expect((await mia.get(`/dashboards/${board.id}`)).body.data).toMatchObject({
      tiles,
      views: [],
    });
    // A report that is gone does not prevent changes of the others.
    const moved = await rob.patch(`/dashboards/${board.id}`, { tiles: tiles.toReversed() });
    expect(moved.body.data.tiles).toEqual(tiles.toReversed());
  });

  test('is seen by its owner and by those it is shared with', async () => {
    const shares = ['private', 'team', 'workspace'];
    for (const shared of shares) await made(rob, { name: shared, shared });
    const namesSeen = async (client: Client) =>
      (await client.get('/dashboards')).body.data.map(({ name }: { name: string }) => name);
    expect(await namesSeen(rob)).toEqual(shares.toReversed());
    const robs = await world.rows(
      `select t.team_id from _team_members t where t.user_id = ${world.users.rob}`,
    );
    expect(robs.length).toBeGreaterThan(0);
    expect(await namesSeen(sam)).toEqual(expect.arrayContaining(['workspace']));
    expect(await namesSeen(sam)).not.toContain('private');
    expect(await namesSeen(ada)).not.toContain('private');
    const first = (await rob.get('/dashboards?limit=2')).body;
    const { next_cursor } = first.pagination;
    const rest = (await rob.get(`/dashboards?limit=2&cursor=${next_cursor}`)).body;
    expect([...first.data, ...rest.data]).toHaveLength(3);
    expect(refusalOf(await mia.get(`/dashboards?cursor=${next_cursor}`))).toEqual([
      400,
      'invalid_cursor',
      'cursor',
    ]);
  });

  test('is changed by its owner, and as the version that they know', async () => {
    const board = await made(rob, { shared: 'workspace' });
    const path = `/dashboards/${board.id}`;
    expect(refusalOf(await mia.patch(path, { name: 'Mine' })).slice(0, 2)).toEqual([
      403,
      'permission_denied',
    ]);
    expect(refusalOf(await mia.delete(path)).slice(0, 2)).toEqual([403, 'permission_denied']);
    expect((await ada.patch(path, { name: 'All sales' })).body.data.name).toBe('All sales');
    const stale = { name: 'Old', expected_version: board.version };
    expect(refusalOf(await rob.patch(path, stale)).slice(0, 2)).toEqual([412, 'stale_record']);
    expect((await rob.delete(path)).body.data).toEqual({ id: board.id, deleted: true });
    const absent = [404, 'record_not_found', 'dashboard_id'];
    expect(refusalOf(await rob.get(path))).toEqual(absent);
    expect(refusalOf(await rob.get('/dashboards/x'))).toEqual(absent);
    const rows = await world.rows(
      "select action from _audit where subject_type = 'dashboard' order by transaction, id",
    );
    expect(rows.map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
  });

  test('takes reports that its owner sees, each once and at most twelve', async () => {
    const own = await report(rob);
    const table = await report(rob, { kind: 'table', query: {} });
    const hidden = await report(sam);
    for (const { id } of [table, hidden, { id: ABSENT }, { id: 'x' }]) {
      const tiles = [
        { view_id: own.id, width: 1 },
        { view_id: id, width: 1 },
      ];
      expect(refusalOf(await rob.post('/dashboards', { name: 'Sales', tiles }))).toEqual([
        422,
        'invalid_write',
        'tiles[1].view_id',
      ]);
    }
    const twice = [own.id, own.id.toUpperCase()].map((view_id) => ({ view_id, width: 2 }));
    expect(refusalOf(await rob.post('/dashboards', { name: 'Sales', tiles: twice }))).toEqual([
      400,
      'validation_failed',
      'tiles[1].view_id',
    ]);
    const many = Array.from({ length: LIMITS.tilesOfDashboard + 1 }, () => twice[0]);
    expect(refusalOf(await rob.post('/dashboards', { name: 'Sales', tiles: many }))).toEqual([
      400,
      'validation_failed',
      'tiles',
    ]);
  });
});

describe('aggregates of any objects', () => {
  test('are answered as each of them alone', async () => {
    await ada.post('/objects/companies/records', { fields: { name: 'Acme' } });
    for (const amount of [5, 7]) {
      await ada.post('/objects/deals/records', { fields: { name: 'Deal', amount } });
    }
    const grouped = {
      group_by: [{ field: 'created_at', by: 'year', timezone: 'Europe/Berlin' }],
      metrics: [{ name: 'total', op: 'sum', field: 'amount' }],
    };
    const answer = await ada.post('/aggregate', {
      queries: [
        { object_type: 'deals', ...grouped },
        { object_type: 'companies', ...COUNT },
      ],
    });
    expect(answer.status).toBe(200);
    const [deals, companies] = answer.body.data;
    expect(deals).toEqual((await ada.post('/objects/deals/records/aggregate/query', grouped)).body);
    expect(companies.data).toEqual([{ deals: expect.any(Number) }]);
  });

  test('are refused together, by the place of the refused one', async () => {
    const queries = [
      { object_type: 'deals', ...COUNT },
      { object_type: 'deals', group_by: ['none'], ...COUNT },
    ];
    expect(refusalOf(await ada.post('/aggregate', { queries }))).toEqual([
      400,
      'invalid_filter',
      'queries[1].group_by[0]',
    ]);
    const unknown = [{ object_type: 'none', ...COUNT }];
    expect(refusalOf(await ada.post('/aggregate', { queries: unknown })).slice(0, 2)).toEqual([
      404,
      'object_not_available',
    ]);
    const many = Array.from({ length: LIMITS.aggregates + 1 }, () => queries[0]);
    expect(refusalOf(await ada.post('/aggregate', { queries: many }))).toEqual([
      400,
      'validation_failed',
      'queries',
    ]);
  });
});
