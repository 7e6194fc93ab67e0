// Reports without a browser: their address, the order and conditions of their groups, periods and time zones, stages of
// funnels, files, and the tiles of a dashboard.

import type { Dashboard, Field, ObjectDefinition, Workflow } from '@workspace-records/client';
import { describe, expect, test } from 'vitest';
import { movedTile, resizedTile, stepOf } from '../src/features/dashboard/tiles.ts';
import { fileName } from '../src/features/reports/csv-file.ts';
import { figureText, shortText, ticksOf } from '../src/features/reports/figure-text.ts';
import { conditionsOfValues, figureAt, figuresOf } from '../src/features/reports/figures.ts';
import { stagesOf } from '../src/features/reports/funnel-stages.ts';
import {
  conditionsOfPeriod,
  filledPeriods,
  nextPeriod,
  periodName,
} from '../src/features/reports/periods-of.ts';
import {
  parseReport,
  printReport,
  questionOf,
  type ReportState,
} from '../src/features/reports/report-state.ts';
import { type Tile, withoutReport } from '../src/lib/dashboards.ts';
import { formatsOf } from '../src/lib/format.ts';
import type { SearchParams } from '../src/lib/search-params.ts';
import { spreadsheetCsv } from '../src/lib/spreadsheet-csv.ts';
import { dayOf, momentOn, startOfDay } from '../src/lib/zoned-time.ts';

const field = (key: string, type: Field['type'], more: object = {}) =>
  ({ key, name: key, type, storage: 'physical', ...more }) as Field;
const FIELDS = [
  field('status', 'select', { options: [{ value: 'open' }, { value: 'won' }] }),
  field('owner_user_id', 'user'),
  field('closes_on', 'date'),
  field('created_at', 'datetime'),
  field('amount', 'currency', { constraints: { currency: 'USD' } }),
];
const DEALS = {
  fields: FIELDS,
  workflow: { id: 'deals' } as ObjectDefinition['workflow'],
};
const BASE: ReportState = {
  ...{ object: 'deals', q: '', where: [], chart: 'bars' },
  groups: [{ path: 'status' }],
  metrics: [{ op: 'count' }],
};

describe('the address of a report', () => {
  test('is what differs from the saved one, and gives the same state', () => {
    const state: ReportState = {
      ...BASE,
      where: [
        { field: 'status', op: 'eq', value: 'won' },
        { field: 'company_id.sector', op: 'in', value: ['a', 'b'] },
      ],
      groups: [{ path: 'created_at', by: 'month', timezone: 'Europe/Berlin' }, { path: 'status' }],
      metrics: [{ op: 'sum', path: 'amount' }, { op: 'count' }],
      chart: 'lines',
    };
    const search = printReport(state, BASE);
    expect(search).toMatchObject({
      group: 'created_at:month:Europe/Berlin,status',
      metrics: 'sum:amount,count',
      chart: 'lines',
      'filter[status][eq]': 'won',
    });
    const object = { ...DEALS, fields: [...FIELDS, field('company_id', 'reference')] };
    expect(parseReport(search, object, BASE)).toEqual(state);
    expect(printReport(BASE, BASE)).toEqual({});
    expect(parseReport({}, DEALS, state).groups).toEqual(state.groups);
    expect(parseReport({ group: '' }, DEALS, state).groups).toEqual([]);
  });

  test('without a meaning is dropped', () => {
    const search = { group: 'a,b,c', metrics: 'sum,median:amount', chart: 'pie' };
    expect(parseReport(search, DEALS, BASE)).toEqual({
      ...BASE,
      groups: [{ path: 'a' }, { path: 'b' }],
    });
  });

  test('has the chart that it is drawn as, also after its groups and metrics have changed', () => {
    const funnel = { ...BASE, chart: 'funnel' as const };
    const chartOf = (search: SearchParams, base: ReportState = funnel) =>
      parseReport(search, DEALS, base).chart;
    expect(chartOf({})).toBe('funnel');
    expect(chartOf({ metrics: 'sum:amount' })).toBe('funnel');
    expect(chartOf({ metrics: 'avg:amount' })).toBe('bars');
    expect(chartOf({ group: 'owner_user_id' })).toBe('bars');
    expect(chartOf({ group: 'status,owner_user_id' })).toBe('bars');
    expect(chartOf({ group: '' })).toBe('number');
    expect(chartOf({ group: '', chart: 'table' })).toBe('table');
    expect(chartOf({ chart: 'number' })).toBe('bars');
    expect(parseReport({}, { ...DEALS, workflow: null }, funnel).chart).toBe('bars');
    const number = { ...BASE, groups: [], chart: 'number' as const };
    expect(chartOf({ group: 'closes_on:month' }, number)).toBe('bars');
  });

  test('becomes a question; only moments have a time zone', () => {
    const groups = [{ path: 'closes_on', by: 'week' as const }];
    const asked = questionOf({ ...BASE, groups }, () => undefined);
    expect(asked).toEqual({
      group_by: [{ field: 'closes_on', by: 'week' }],
      metrics: [{ name: 'metric_1', op: 'count' }],
    });
  });
});

describe('figures', () => {
  const known = (key: string) => {
    const found = FIELDS.find((one) => one.key === key) as Field;
    return { path: key, field: found, label: key };
  };

  test('are ordered as people read them, with the periods between', () => {
    const state: ReportState = {
      ...BASE,
      groups: [{ path: 'closes_on', by: 'month' }, { path: 'status' }],
    };
    const groups = [
      { 'closes_on:month': '2027-03-01', status: 'won', metric_1: '2' },
      { 'closes_on:month': '2027-01-01', status: 'open', metric_1: 1 },
      { 'closes_on:month': null, status: 'won', metric_1: 4 },
    ];
    const fields = [known('closes_on'), known('status')];
    const figures = figuresOf({ state, fields, groups, isCut: false });
    const [months, statuses] = figures.dimensions;
    expect(months?.values).toEqual(['2027-01-01', '2027-02-01', '2027-03-01', null]);
    expect(statuses?.values).toEqual(['open', 'won']);
    expect(figureAt(figures, state, { at: ['2027-03-01', 'won'] })).toBe(2);
    expect(figureAt(figures, state, { at: ['2027-02-01', 'won'] })).toBe(0);
    const mean = { ...state, metrics: [{ op: 'avg' as const, path: 'amount' }] };
    expect(figureAt(figures, mean, { at: ['2027-02-01', 'won'] })).toBeNull();
  });

  test('people come by how much they have, nobody last', () => {
    const state = { ...BASE, groups: [{ path: 'owner_user_id' }] };
    const groups = [
      { owner_user_id: null, metric_1: 9 },
      { owner_user_id: 1, metric_1: 2 },
      { owner_user_id: 2, metric_1: 5 },
    ];
    const figures = figuresOf({ state, fields: [known('owner_user_id')], groups, isCut: false });
    expect(figures.dimensions[0]?.values).toEqual([2, 1, null]);
  });

  test('have the conditions of their records', () => {
    const dimensions = [
      { group: { path: 'created_at', by: 'day' as const }, known: known('created_at') },
      { group: { path: 'status' }, known: known('status') },
    ];
    // The clocks of Berlin are put forward on that day.
    expect(conditionsOfValues(dimensions, ['2027-03-28', null], 'Europe/Berlin')).toEqual([
      { field: 'created_at', op: 'gte', value: '2027-03-27T23:00:00.000Z' },
      { field: 'created_at', op: 'lt', value: '2027-03-28T22:00:00.000Z' },
      { field: 'status', op: 'is_null', value: true },
    ]);
  });

  test('are texts with their units', () => {
    const formats = formatsOf('en-US');
    const metric = { metric: { op: 'sum' as const, path: 'amount' }, field: FIELDS.at(-1) };
    expect(figureText(1234.5, metric, formats)).toBe('$1,234.50');
    expect(figureText(1234, metric, formats)).toBe('$1,234.00');
    expect(shortText(1_500_000, metric, formats)).toBe('$1.5M');
    expect(figureText(null, metric, formats)).toBe('–');
    expect(figureText(3, { metric: { op: 'count' }, field: undefined }, formats)).toBe('3');
  });

  test('have an axis of round numbers that begins at zero', () => {
    expect(ticksOf(0, 1_330_000)).toEqual([0, 500_000, 1_000_000, 1_500_000]);
    expect(ticksOf(0, 3)).toEqual([0, 1, 2, 3]);
    expect(ticksOf(-5, 10)).toEqual([-5, 0, 5, 10]);
    expect(ticksOf(0, 0)[0]).toBe(0);
  });
});

describe('periods', () => {
  test('follow one another, over the ends of years', () => {
    expect(nextPeriod('2027-12-01', 'month')).toBe('2028-01-01');
    expect(nextPeriod('2027-10-01', 'quarter')).toBe('2028-01-01');
    expect(nextPeriod('2028-02-28', 'day')).toBe('2028-02-29');
    expect(filledPeriods(['2027-01-18', '2027-01-04'], 'week')).toEqual([
      '2027-01-04',
      '2027-01-11',
      '2027-01-18',
    ]);
    const far = ['1900-01-01', '2027-01-01'];
    expect(filledPeriods(far, 'day')).toEqual(far);
  });

  test('of days are ranges of days', () => {
    const range = { unit: 'quarter', timezone: 'Europe/Berlin' } as const;
    expect(conditionsOfPeriod({ path: 'd', type: 'date' }, '2027-01-01', range)).toEqual([
      { field: 'd', op: 'between', value: ['2027-01-01', '2027-03-31'] },
    ]);
  });

  test('have names', () => {
    expect(periodName('2027-04-01', 'quarter', 'en-US')).toBe('Q2 2027');
    expect(periodName('2027-04-01', 'month', 'de')).toBe('Apr. 2027');
    expect(periodName('2027-01-01', 'year', 'en-US')).toBe('2027');
  });

  test('begin when the day begins in their time zone', () => {
    expect(startOfDay('2027-07-01', 'America/New_York')?.toISOString()).toBe(
      '2027-07-01T04:00:00.000Z',
    );
    expect(startOfDay('2027-10-31', 'Europe/Berlin')?.toISOString()).toBe(
      '2027-10-30T22:00:00.000Z',
    );
    // Midnight comes twice, not at all, or the whole day is missing.
    for (const [day, zone, start] of [
      ['2026-10-25', 'Atlantic/Azores', '2026-10-25T00:00:00.000Z'],
      ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
      ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z'],
      ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ] as const) {
      expect(startOfDay(day, zone)?.toISOString()).toBe(start);
    }
    expect(momentOn('2026-03-29', 2.5 * 3_600_000, 'Europe/Berlin')?.toISOString()).toBe(
      '2026-03-29T01:00:00.000Z',
    );
    expect(startOfDay('2027-11-01', 'Europe/Berlin')?.toISOString()).toBe(
      '2027-10-31T23:00:00.000Z',
    );
    expect(dayOf(new Date('2027-06-30T22:30:00Z'), 'Europe/Berlin')).toBe('2027-07-01');
  });
});

test('a stage of a funnel has been passed by the statuses that no way leads to without it', () => {
  const way = (id: string, ...to: string[]) => ({
    ...{ id, name: id, key: id },
    transitions: to.map((one) => ({ id: one, name: one })),
  });
  const statuses = [
    way('new', 'working', 'lost'),
    way('working', 'won', 'lost'),
    way('won'),
    way('lost', 'new'),
    way('old'),
  ];
  const stages = stagesOf({ statuses } as unknown as Pick<Workflow, 'statuses'>);
  expect(stages.map(({ id, reached }) => [id, reached.toSorted()])).toEqual([
    ['new', ['lost', 'new', 'won', 'working']],
    ['working', ['won', 'working']],
    ['won', ['won']],
    ['lost', ['lost']],
    ['old', ['old']],
  ]);
  expect(stages.filter(({ isEnd }) => isEnd).map(({ id }) => id)).toEqual(['won', 'lost', 'old']);
});

test('a file has guarded texts and plain numbers', () => {
  expect(
    spreadsheetCsv([
      ['Name', 'Sum'],
      ['=1+1', 1234.5],
      ['a "b", c', null],
    ]),
  ).toBe('\uFEFFName,Sum\r\n\'=1+1,1234.5\r\n"a ""b"", c",\r\n');
  expect(fileName('Won / by month!')).toBe('Won-by-month.csv');
  expect(fileName('…')).toBe('report.csv');
});

test('a report is offered to dashboards that may change, have room, and do not have it', () => {
  const board = (name: string, tiles: readonly string[], can_change = true) =>
    ({ name, can_change, tiles: tiles.map((view_id) => ({ view_id, width: 1 })) }) as Dashboard;
  const full = Array.from({ length: 12 }, (_, at) => `other ${at}`);
  const all = [board('has it', ['r']), board('full', full), board('of others', [], false)];
  const free = board('free', full.slice(1));
  expect(withoutReport([...all, free], 'r')).toEqual([free]);
});

test('tiles are moved and resized within their bounds', () => {
  const tiles: readonly Tile[] = ['a', 'b', 'c'].map((view_id) => ({ view_id, width: 2 }));
  const ids = (some: readonly Tile[]) => some.map(({ view_id }) => view_id).join('');
  expect(ids(movedTile(tiles, 'a', 2))).toBe('bca');
  expect(ids(movedTile(tiles, 'c', -1))).toBe('cab');
  expect(ids(movedTile(tiles, 'x', 0))).toBe('abc');
  expect(resizedTile(resizedTile(resizedTile(tiles, 'a', 1), 'a', 1), 'a', 1)[0]?.width).toBe(4);
  expect(stepOf('ArrowLeft', true)).toEqual({ kind: 'size', by: -1 });
  expect(stepOf('Tab', false)).toBeUndefined();
});
