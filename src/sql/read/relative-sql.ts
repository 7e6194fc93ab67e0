// Days, weeks, months, quarters and years of a time zone as SQL: times that are relative to a moment, and the
// periods that aggregates group by. PostgreSQL knows the time zones. Pure text.

import type { Field } from '../../model/definition/model.ts';
import { FIELD_TYPE_TRAITS } from '../../model/values/field-types.ts';
import type { OffsetUnit, RelativeTime, TimeUnit } from '../../plan/read/relative-time.ts';
import { type Sql, sql } from '../sql.ts';

const UNITS: Readonly<Record<TimeUnit, Sql>> = {
  day: sql`'day'`,
  week: sql`'week'`,
  month: sql`'month'`,
  quarter: sql`'quarter'`,
  year: sql`'year'`,
};

const LENGTHS: Readonly<Record<TimeUnit, Sql>> = {
  day: sql`interval '1 day'`,
  week: sql`interval '7 days'`,
  month: sql`interval '1 month'`,
  quarter: sql`interval '3 months'`,
  year: sql`interval '1 year'`,
};

const OFFSETS: Readonly<Record<OffsetUnit, Sql>> = {
  h: sql`hours`,
  d: sql`days`,
  w: sql`weeks`,
  m: sql`months`,
  y: sql`years`,
};

/** The time as a value of the field: a moment, or the day that it is in the time zone. */
export function relativeSql({ type }: Pick<Field, 'type'>, time: RelativeTime): Sql {
  const { moment, timezone, edge, offset } = time;
  if (moment === undefined) throw new Error('a relative time without a moment');
  const now = sql`to_timestamp(${moment}::double precision)`;
  const isDay = FIELD_TYPE_TRAITS[type].time === 'day';
  // An hour has the same length on every day; days and longer periods are those of a calendar.
  if (edge === null && (offset === null || offset.unit === 'h')) {
    const then = offset === null ? now : sql`(${now} + ${offsetSql(offset)})`;
    return isDay ? daySql(then, timezone) : sql`${then}::timestamptz(3)`;
  }
  const isOfDays = isDay || edge !== null;
  const local = isOfDays ? sql`${daySql(now, timezone)}::timestamp` : localSql(now, timezone);
  const shifted = shiftedSql(local, time);
  // The last millisecond before the next period: its clock time may come twice.
  const isEnd = edge?.at === 'end';
  if (isDay) return isEnd ? sql`(${shifted} - ${MILLISECOND})::date` : sql`(${shifted})::date`;
  const first = momentSql(shifted, timezone);
  return isEnd ? sql`(${first} - ${MILLISECOND})::timestamptz(3)` : sql`${first}::timestamptz(3)`;
}

/** The first day of the period that a value is in; of a moment, in the time zone. */
export function periodSql(name: Sql, by: TimeUnit, timezone: string | undefined): Sql {
  const day = timezone === undefined ? name : inCalendarSql(name, timezone);
  return sql`date_trunc(${UNITS[by]}, ${day}::timestamp)::date`;
}

/**
 * The condition that a moment is in the calendar: in some time zones its first and last moments are of a day outside of
 * it.
 */
function inCalendarSql(moment: Sql, timezone: string): Sql {
  const day = daySql(moment, timezone);
  // `least` and `greatest` ignore null, so a null moment needs a case of its own.
  return sql`(case when ${moment} is not null then least(greatest(${day}, ${FIRST}), ${LAST}) end)`;
}

const FIRST = sql`date '0001-01-01'`;
const LAST = sql`date '9999-12-31'`;
const MILLISECOND = sql`interval '1 millisecond'`;
const DAY = sql`interval '24 hours'`;

/** The time that clocks in the zone show. */
export function localSql(moment: Sql, timezone: string): Sql {
  return sql`${moment} at time zone ${zoneSql(timezone)}`;
}

/**
 * The first moment at which clocks of the zone show the local time: of a time that comes twice the first, of one that
 * is skipped the moment after the gap (D690). All local times become moments by this expression.
 */
export function momentSql(local: Sql, timezone: string): Sql {
  const zone = zoneSql(timezone);
  const time = sql`(${local})`;
  // PostgreSQL takes the second of two, and of a skipped time the moment that clocks without the change would show.
  const last = sql`(${time} at time zone ${zone})`;
  const utc = sql`(${last} at time zone 'UTC')`;
  const shownBefore = sql`((${utc} - ${DAY}) at time zone 'UTC' at time zone ${zone})`;
  const first = sql`((${utc} + (${time} - ${DAY} - ${shownBefore})) at time zone 'UTC')`;
  return sql`(case when ${first} at time zone ${zone} = ${time} then ${first}
    when ${last} at time zone ${zone} = ${time} then ${last}
    else ${afterGapSql({ last, time, zone })} end)`;
}

/** Select the moments of local times in their order, as milliseconds since 1970. */
export function momentsSql(locals: readonly string[], timezone: string): Sql {
  return sql`select (extract(epoch from ${momentSql(sql`l.local`, timezone)}) * 1000)::double precision as moment
    from unnest(${locals}::timestamp[]) with ordinality as l (local, place) order by l.place`;
}

/** Select the days of moments in their order. */
export function daysSql(moments: readonly string[], timezone: string): Sql {
  return sql`select ${daySql(sql`m.moment`, timezone)}::text as day
    from unnest(${moments}::timestamptz[]) with ordinality as m (moment, place) order by m.place`;
}

/** Clocks change at whole seconds: halve the time in which they did until a second is left. */
function afterGapSql({ last, time, zone }: Readonly<Record<'last' | 'time' | 'zone', Sql>>): Sql {
  return sql`(with recursive gap (before, after) as (
      select ${last} - (${last} at time zone ${zone} - ${time}), ${last}
      union all select case when h.shown < ${time} then h.middle else h.before end,
        case when h.shown < ${time} then h.after else h.middle end
      from (select g.*, m.middle, m.middle at time zone ${zone} as shown
        from gap g, lateral (select g.before + (g.after - g.before) / 2) as m (middle)
        where g.after - g.before > interval '1 second') h)
    select date_trunc('second', min(after), 'UTC') from gap)`;
}

/** The day of a moment: the last one that has begun in the zone, by `momentSql`. */
export function daySql(moment: Sql, timezone: string): Sql {
  const local = localSql(moment, timezone);
  const day = sql`(${local})::date`;
  if (!BACK_OVER_MIDNIGHT.has(timezone.toLowerCase())) return day;
  const next = momentSql(sql`(${day} + 1)::timestamp`, timezone);
  return sql`(case when ${localSql(sql`(${moment} - ${DAY})`, timezone)} + ${DAY} > ${local}
    then ${day} + (${moment} >= ${next})::integer else ${day} end)`;
}

/**
 * Time zones whose clocks have gone back from the first minutes of a day to the day before, since 1970. The other zones
 * need no second conversion, which makes groups of a million records by day 1.6 times as expensive.
 */
const BACK_OVER_MIDNIGHT: ReadonlySet<string> = new Set([
  'america/goose_bay',
  'america/moncton',
  'america/st_johns',
  'antarctica/casey',
  'canada/newfoundland',
]);

/**
 * Names of time zones that PostgreSQL reads as abbreviations, so as offsets without summer time, and the zones that
 * replace them (time zone database 2024b).
 */
const ABBREVIATED: ReadonlyMap<string, string> = new Map([
  ['CET', 'Europe/Brussels'],
  ['EET', 'Europe/Athens'],
  ['MET', 'Europe/Brussels'],
  ['WET', 'Europe/Lisbon'],
]);

function zoneSql(timezone: string): Sql {
  return sql`${ABBREVIATED.get(timezone.toUpperCase()) ?? timezone}::text`;
}

/**
 * The edge first and then the offset: the end of a month is the end of the one before, a month earlier. An end is given
 * as the start of the next period.
 */
function shiftedSql(local: Sql, { edge, offset }: RelativeTime): Sql {
  const by = offset === null ? sql`` : sql` + ${offsetSql(offset)}`;
  if (edge === null) return sql`(${local})${by}`;
  const start = sql`date_trunc(${UNITS[edge.of]}, ${local})`;
  return edge.at === 'start' ? sql`${start}${by}` : sql`${start} + ${LENGTHS[edge.of]}${by}`;
}

function offsetSql({ count, unit }: NonNullable<RelativeTime['offset']>): Sql {
  return sql`make_interval(${OFFSETS[unit]} => ${count}::integer)`;
}
