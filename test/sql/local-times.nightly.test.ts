// Local times in every time zone that requests may name, around every change of the clocks from 1970 to 2037: the moment
// of a local time, the day of a moment, and the filter of a day. Clocks are read from PostgreSQL second by second.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { isTimeZone } from '../../src/plan/read/relative-time.ts';
import { runOnce } from '../../src/postgres/run-once.ts';
import { localSql, momentSql, periodSql } from '../../src/sql/read/relative-sql.ts';
import { type Sql, sql } from '../../src/sql/sql.ts';
import { createOwnDatabase, type OwnDatabase } from '../own-database.ts';

let own: OwnDatabase;
/** One name of each history of clocks: half of the zones are other names of one zone. */
let zones: readonly string[];

beforeAll(async () => {
  own = await createOwnDatabase();
  await own.rows('create table changes (zone text, at timestamptz, shown timestamp)');
  const names = await own.rows('select name from pg_timezone_names order by name');
  for (const zone of names.map(({ name }) => String(name)).filter(isTimeZone)) {
    await runOnce(own.db, changesSql(zone));
  }
  const distinct = await own.rows(`select max(zone) as zone from (
    select zone, array_agg((at, shown) order by at) as clocks from changes group by zone) c
    group by clocks order by 1`);
  zones = distinct.map(({ zone }) => String(zone));
}, 300_000);
afterAll(() => own?.drop());

/** Store the moments of changes, and the time that clocks without the change would show then. */
function changesSql(zone: string): Sql {
  const clock = (moment: Sql) => localSql(sql`(${moment})`, zone);
  const weeks = sql`generate_series(timestamptz '1969-12-25Z', timestamptz '2038-01-07Z', interval '7 days')`;
  const steps = [sql`interval '7 days'`, sql`interval '1 hour'`, sql`interval '1 minute'`];
  const second = sql`interval '1 second'`;
  const changing = (start: Sql, length: Sql) =>
    sql`${clock(sql`${start} + ${length}`)} - ${clock(start)} <> ${length}`;
  const [week, hour, minute] = steps as [Sql, Sql, Sql];
  return sql`with w as materialized (select t from ${weeks} t where ${changing(sql`t`, week)}),
      h as materialized (select h.t from w, generate_series(w.t, w.t + ${week} - ${hour}, ${hour}) h (t)
        where ${changing(sql`h.t`, hour)}),
      m as materialized (select m.t from h, generate_series(h.t, h.t + ${hour} - ${minute}, ${minute}) m (t)
        where ${changing(sql`m.t`, minute)})
    insert into changes select ${zone}::text, s.t + ${second}, ${clock(sql`s.t`)} + ${second}
      from m, generate_series(m.t, m.t + ${minute} - ${second}, ${second}) s (t)
      where ${changing(sql`s.t`, second)}`;
}

/** Minutes around a change: hours of the day before and after it, and what is close to it. */
const AROUND = sql`(select h * 60 from generate_series(-25, 25, 5) h union
  select h + m from unnest(array[-120, -60, -30, 0, 30, 60, 120]) h, generate_series(-1, 1) m) n (minutes)`;

/** The first failures of each zone. */
async function failures(statementOf: (zone: string) => Sql): Promise<readonly string[]> {
  const failing: string[] = [];
  for (const zone of zones) {
    const rows = await runOnce(own.db, statementOf(zone));
    failing.push(...rows.map((row) => `${zone} ${JSON.stringify(row)}`));
  }
  return failing;
}

test('zones differ', () => {
  expect(zones.length).toBeGreaterThan(200);
});

test('a local time is the first moment at which clocks show it or a later time', async () => {
  const wrong = await failures(
    (zone) => sql`with made as (
        select at, shown, local, ${momentSql(sql`local`, zone)} as moment
        from changes, ${AROUND}, lateral (select shown + minutes * interval '1 minute') l (local)
        where zone = ${zone}::text)
      select local::text, moment::text from made,
        lateral (select ${localSql(sql`moment`, zone)}) c (clock)
      where (case when moment < at then clock = local
        else shown <= local and (clock = local or (moment = at and clock >= local)) end) is not true
      order by 1 limit 2`,
  );
  expect(wrong).toEqual([]);
}, 300_000);

test('the group of a day has the records of the filter of that day', async () => {
  const wrong = await failures(
    (zone) => sql`with days as (
        select at, shown, t, ${periodSql(sql`t`, 'day', zone)} as day
        from changes, ${AROUND}, lateral (select at + minutes * interval '1 minute') m (t)
        where zone = ${zone}::text)
      select t::text, day::text from days
      where day <> greatest((${localSql(sql`t`, zone)})::date,
          case when t >= at then (shown - interval '1 microsecond')::date end)
        or t < ${momentSql(sql`day::timestamp`, zone)}
        or t >= ${momentSql(sql`(day + 1)::timestamp`, zone)}
      order by 1 limit 2`,
  );
  expect(wrong).toEqual([]);
}, 300_000);
