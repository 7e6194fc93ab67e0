// Local times that come twice or never: the moments that imports and relative times make of them, and days that begin
// late or twice.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadZoneTimes } from '../../src/control/process/zone-times.ts';
import { parseRelativeTime, type RelativeTime } from '../../src/plan/read/relative-time.ts';
import { runOnce } from '../../src/postgres/run-once.ts';
import { momentsSql, periodSql, relativeSql } from '../../src/sql/read/relative-sql.ts';
import { sql } from '../../src/sql/sql.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
beforeAll(async () => {
  own = await createOwnDatabase();
});
afterAll(() => own?.drop());

test.each([
  ['Europe/Berlin', '2026-01-15T10:00:00', '2026-01-15T09:00:00.000Z'],
  ['Europe/Berlin', '2026-07-15 10:00:00.5', '2026-07-15T08:00:00.500Z'],
  ['Europe/Berlin', '2026-07-15', '2026-07-14T22:00:00.000Z'],
  // The clocks go back at 3: of 02:30 the first one is meant.
  ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
  // The clocks go from 2 to 3: all of that hour is the moment after it.
  ['Europe/Berlin', '2026-03-29T01:59:59.999', '2026-03-29T00:59:59.999Z'],
  ['Europe/Berlin', '2026-03-29T02:00:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T02:59:59.999', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
  ['CET', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
  ['America/Havana', '2026-03-08T00:00:00', '2026-03-08T05:00:00.000Z'],
  ['America/Havana', '2026-11-01T00:30:00', '2026-11-01T04:30:00.000Z'],
  ['Atlantic/Azores', '2026-10-25T00:00:00', '2026-10-25T00:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00.000Z'],
  // A day that Samoa has not had.
  ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T10:00:00.000Z'],
  // Clocks that changed at a half minute.
  ['Africa/Monrovia', '1972-01-07T00:10:00', '1972-01-07T00:44:30.000Z'],
  ['Asia/Tokyo', '0001-01-01T00:00:00', '0000-12-31T14:41:01.000Z'],
  ['America/New_York', '9999-12-31T23:00:00', '+010000-01-01T04:00:00.000Z'],
])('in %s, %s is %s', async (zone, local, expected) => {
  const rows = await runOnce(own.db, momentsSql([local], zone));
  expect(rows.map(({ moment }) => new Date(Number(moment)).toISOString())).toEqual([expected]);
});

test.each([
  ['Atlantic/Azores', '2026-10-25T12:00:00Z', 'start_of_day', '2026-10-25T00:00:00.000Z'],
  ['America/Havana', '2026-11-01T12:00:00Z', 'start_of_day', '2026-11-01T04:00:00.000Z'],
  ['America/Havana', '2026-11-15T12:00:00Z', 'start_of_month', '2026-11-01T04:00:00.000Z'],
  ['America/Havana', '2026-10-31T12:00:00Z', 'end_of_day', '2026-11-01T03:59:59.999Z'],
  ['America/Havana', '2026-03-08T12:00:00Z', 'start_of_day', '2026-03-08T05:00:00.000Z'],
  ['America/Havana', '2026-03-07T12:00:00Z', 'end_of_day', '2026-03-08T04:59:59.999Z'],
  // The last hour of the day comes twice.
  ['America/Santiago', '2026-04-04T12:00:00Z', 'end_of_day', '2026-04-05T03:59:59.999Z'],
  ['America/St_Johns', '2006-10-29T03:00:00Z', 'start_of_day', '2006-10-29T02:30:00.000Z'],
  ['Europe/Berlin', '2026-10-26T01:30:00Z', '-1d', '2026-10-25T00:30:00.000Z'],
  ['Europe/Berlin', '2026-03-30T00:30:00Z', '-1d', '2026-03-29T01:00:00.000Z'],
])('in %s at %s, %s is %s', async (zone, now, relative, expected) => {
  const parsed = parseRelativeTime(relative, zone);
  const time = { ...(parsed as { value: RelativeTime }).value, moment: Date.parse(now) / 1000 };
  const made = relativeSql({ type: 'datetime' }, time);
  const [row] = await runOnce(own.db, sql`select extract(epoch from ${made}) * 1000 as at`);
  expect(new Date(Number(row?.at)).toISOString()).toBe(expected);
});

test('a day that clocks return to belongs to the day that has begun', async () => {
  const minutes = ['02:29', '02:30', '02:31', '03:29', '03:30'].map((m) => `2006-10-29 ${m}Z`);
  const rows = await runOnce(
    own.db,
    sql`select ${periodSql(sql`t`, 'day', 'America/St_Johns')}::text as day
      from unnest(${minutes}::timestamptz[]) with ordinality as m (t, place) order by place`,
  );
  expect(rows.map(({ day }) => day)).toEqual([
    ...['2006-10-28', '2006-10-29', '2006-10-29', '2006-10-29', '2006-10-29'],
  ]);
});

test.each([
  // 8 in Berlin is 7 in winter and 6 in summer by UTC.
  ['Europe/Berlin', '2026-11-26T06:59:59Z', '2026-11-26', '2026-11-25T07:00:00.000Z'],
  ['Europe/Berlin', '2026-11-26T23:00:00Z', '2026-11-27', '2026-11-26T07:00:00.000Z'],
  ['Europe/Berlin', '2026-07-01T06:00:00Z', '2026-07-01', '2026-07-01T06:00:00.000Z'],
  // The day of a change of the clocks.
  ['Europe/Berlin', '2026-10-25T07:00:00Z', '2026-10-25', '2026-10-25T07:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-26T02:30:00Z', '2026-11-26', '2026-11-26T02:30:00.000Z'],
  ['Pacific/Auckland', '2026-11-25T18:59:59Z', '2026-11-26', '2026-11-24T19:00:00.000Z'],
  // Stored before such names were refused.
  ['BST', '2026-07-01T23:30:00Z', '2026-07-01', '2026-07-01T08:00:00.000Z'],
])('in %s at %s it is %s, and the last morning was %s', async (zone, now, day, morning) => {
  const [time, utc] = await loadZoneTimes(own.db, [zone, 'UTC'], Date.parse(now));
  expect(time).toMatchObject({ zone, day });
  expect(new Date(Number(time?.morning)).toISOString()).toBe(morning);
  expect(utc).toMatchObject({ zone: 'UTC', day: now.slice(0, 10) });
});
