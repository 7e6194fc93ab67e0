// The days of a calendar: of months and weeks, and the values of records that are moved between them.

import type { Field } from '@workspace-records/client';
import { expect, test } from 'vitest';
import {
  dayOfValue,
  daysOf,
  parseShown,
  spanOf,
  stepped,
  valueOnDay,
} from '../src/features/calendar/days.ts';
import { valuesOfSpan } from '../src/features/calendar/new-span.ts';

test('a month has whole weeks from Monday, a week has seven days', () => {
  const days = daysOf('2027-02');
  expect([days[0], days.at(-1), days.length]).toEqual(['2027-02-01', '2027-02-28', 28]);
  const august = daysOf('2027-08');
  expect([august[0], august.at(-1), august.length]).toEqual(['2027-07-26', '2027-09-05', 42]);
  expect(daysOf('2027-01-03')).toEqual([
    ...['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31'],
    ...['2027-01-01', '2027-01-02', '2027-01-03'],
  ]);
});

test('the address has a month or a day, and nothing else', () => {
  expect(parseShown('2027-01')).toBe('2027-01');
  expect(parseShown('2027-01-31')).toBe('2027-01-31');
  for (const text of ['2027', '2027-13', '2027-01-32', 'today', '']) {
    expect(parseShown(text)).toBeUndefined();
  }
});

test('steps lead to the months and weeks around', () => {
  expect(stepped('2027-01', -1)).toBe('2026-12');
  expect(stepped('2027-01-28', 1)).toBe('2027-02-04');
  expect(spanOf('2027-01', 'week', '2027-01-20')).toBe('2027-01-20');
  expect(spanOf('2027-03', 'week', '2027-01-20')).toBe('2027-03-01');
  expect(spanOf('2027-03-09', 'month', '2027-01-20')).toBe('2027-03');
});

test('days that were dragged over are the values of the shown field and of its other end', () => {
  const field = (key: string, type = 'date') =>
    ({ key, name: key, type, storage: 'physical', editable: true }) as Field;
  const [starts, due, at] = [field('starts_on'), field('due_on'), field('until', 'datetime')];
  const fields = [starts, due, at];
  const span = { from: '2027-01-05', to: '2027-01-03' };
  const both = { starts_on: '2027-01-03', due_on: '2027-01-05' };
  expect(valuesOfSpan({ fields }, starts, span)).toEqual(both);
  expect(valuesOfSpan({ fields }, due, span)).toEqual(both);
  expect(valuesOfSpan({ fields }, starts, { from: '2027-01-05', to: '2027-01-05' })).toEqual({
    ...{ starts_on: '2027-01-05' },
  });
  expect(valuesOfSpan({ fields: [due] }, due, span)).toEqual({ due_on: '2027-01-05' });
});

test('a moment keeps its time of day, also over a change of clocks and on its day', () => {
  const moment = { type: 'datetime' } as const;
  const before = '2027-03-27T09:30:00.000Z';
  expect(dayOfValue(before, moment, 'Europe/Berlin')).toBe('2027-03-27');
  expect(valueOnDay('2027-03-29', before, moment, 'Europe/Berlin')).toBe(
    '2027-03-29T08:30:00.000Z',
  );
  const at15 = '2027-03-10T14:00:00.000Z';
  expect(valueOnDay('2027-03-28', at15, moment, 'Europe/Berlin')).toBe('2027-03-28T13:00:00.000Z');
  expect(valueOnDay('2027-10-31', at15, moment, 'Europe/Berlin')).toBe('2027-10-31T14:00:00.000Z');
  expect(valueOnDay('1965-01-05', at15, moment, 'UTC')).toBe('1965-01-05T14:00:00.000Z');
  expect(valueOnDay('2027-01-05', '1965-01-05T14:00:00.000Z', moment, 'UTC')).toBe(
    '2027-01-05T14:00:00.000Z',
  );
  expect(valueOnDay('2027-01-05', null, moment, 'Europe/Berlin')).toBe('2027-01-05T08:00:00.000Z');
  expect(valueOnDay('2027-01-05', '2026-01-01', { type: 'date' }, 'UTC')).toBe('2027-01-05');
  expect(dayOfValue(null, moment, 'UTC')).toBeUndefined();
});
