// Spans of time as ranges of relative times, and read back from them.

import { expect, test } from 'vitest';
import { type Period, periodOf, rangeOf, WHOLE_UNITS } from '../src/lib/periods.ts';

const range = (start: string, end: string) => [{ relative: start }, { relative: end }];

test.each<[Period, string, string]>([
  [{ kind: 'this', unit: 'month' }, 'start_of_month', 'end_of_month'],
  [{ kind: 'previous', unit: 'day' }, 'start_of_day-1d', 'end_of_day-1d'],
  [{ kind: 'next', unit: 'week' }, 'start_of_week+1w', 'end_of_week+1w'],
  [{ kind: 'previous', unit: 'month' }, 'start_of_month-1m', 'end_of_month-1m'],
  [{ kind: 'next', unit: 'quarter' }, 'start_of_quarter+3m', 'end_of_quarter+3m'],
  [{ kind: 'previous', unit: 'year' }, 'start_of_year-1y', 'end_of_year-1y'],
  [{ kind: 'last', count: 30, unit: 'd' }, '-30d', 'now'],
  [{ kind: 'coming', count: 2, unit: 'w' }, 'now', '+2w'],
])('%j is from %s to %s', (period, start, end) => {
  expect(rangeOf(period)).toEqual(range(start, end));
});

const WHOLE = (['this', 'previous', 'next'] as const).flatMap((kind) =>
  WHOLE_UNITS.map((unit) => ({ kind, unit })),
);

test.each<Period>([
  ...WHOLE,
  { kind: 'last', count: 7, unit: 'd' },
  { kind: 'coming', count: 3, unit: 'y' },
])('%j is read back from its range', (period) => {
  expect(periodOf(rangeOf(period))).toEqual(period);
});

test.each([
  ['two periods', range('start_of_month', 'end_of_year')],
  ['two distances', range('start_of_quarter-1m', 'end_of_quarter-1m')],
  ['an unknown unit', range('start_of_decade', 'end_of_decade')],
  ['hours', range('-3h', 'now')],
  ['one end', [{ relative: 'now' }]],
  ['days of the calendar', ['2026-01-01', '2026-01-31']],
  ['no list', 'now'],
])('%s are not a period', (_, value) => {
  expect(periodOf(value)).toBeUndefined();
});
