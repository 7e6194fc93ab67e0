// Every time zone that questions may name is the same to PostgreSQL as to the clocks of people: its offset at every
// moment of a year, summer time included.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTimeZone } from '../../src/plan/read/relative-time.ts';
import { runOnce } from '../../src/postgres/run-once.ts';
import { localSql, periodSql } from '../../src/sql/read/relative-sql.ts';
import { sql } from '../../src/sql/sql.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
beforeAll(async () => {
  own = await createOwnDatabase();
});
afterAll(() => own?.drop());

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A year that is settled: of later ones Node.js and PostgreSQL may have other releases of the time zone database. */
const START = Date.UTC(2020, 11, 31, 12);

/** Milliseconds that clocks of the zone are ahead of UTC. */
function clockOf(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  return (moment) => {
    const [month = 0, day, year = 0, ...time] = format.format(moment).split(/\D+/).map(Number);
    return Date.UTC(year, month - 1, day, ...(time as [number, number, number])) - moment;
  };
}

/** Noon of every day, and every hour of the days on which clocks change. */
function momentsOf(clock: (moment: number) => number): readonly number[] {
  const days = Array.from({ length: 367 }, (_, day) => START + day * DAY);
  return days.flatMap((day) => {
    if (clock(day) === clock(day + DAY)) return [day];
    return Array.from({ length: 24 }, (_, hour) => day + hour * HOUR);
  });
}

async function offsetsOf(zone: string, moments: readonly number[]): Promise<readonly number[]> {
  const rows = await runOnce(
    own.db,
    sql`select extract(epoch from ${localSql(sql`to_timestamp(m.at / 1000.0)`, zone)}) * 1000 - m.at as offset
      from unnest(${moments}::double precision[]) with ordinality as m(at, place) order by m.place`,
  );
  return rows.map(({ offset }) => Number(offset));
}

test('zones have the same offsets as for Intl', async () => {
  const known = await own.rows('select name from pg_timezone_names order by name');
  const zones = known.map(({ name }) => String(name)).filter(isTimeZone);
  expect(zones.length).toBeGreaterThan(400);
  for (const name of ['CET', 'EET', 'MET', 'WET', 'EST', 'Europe/Berlin'])
    expect(zones).toContain(name);
  const wrong: string[] = [];
  for (const zone of [...zones, 'cet', 'Cet']) {
    const clock = clockOf(zone);
    const moments = momentsOf(clock);
    const offsets = await offsetsOf(zone, moments);
    const place = offsets.findIndex((offset, index) => offset !== clock(moments[index] as number));
    if (place !== -1) wrong.push(`${zone} ${new Date(moments[place] as number).toISOString()}`);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['0001-01-01 00:00:00+00', 'America/New_York', 'day', '0001-01-01'],
  ['0001-01-01 00:00:00+00', 'America/New_York', 'week', '0001-01-01'],
  ['0001-01-01 00:00:00+00', 'America/New_York', 'year', '0001-01-01'],
  ['9999-12-31 23:59:59.999+00', 'Asia/Tokyo', 'day', '9999-12-31'],
  ['9999-12-31 23:59:59.999+00', 'Asia/Tokyo', 'month', '9999-12-01'],
  ['9999-12-31 23:59:59.999+00', 'Asia/Tokyo', 'year', '9999-01-01'],
  ['2026-12-31 23:30:00+00', 'Asia/Tokyo', 'year', '2027-01-01'],
  [null, 'Asia/Tokyo', 'year', null],
] as const)('%s in %s is of the %s %s', async (moment, zone, by, first) => {
  const [row] = await runOnce(
    own.db,
    sql`select ${periodSql(sql`${moment}::timestamptz`, by, zone)}::text as first`,
  );
  expect(row?.first).toBe(first);
});
