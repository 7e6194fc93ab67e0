// Days, weeks, months, quarters and years of a time zone as SQL: times that are relative to a moment, and the
// periods that aggregates group by. PostgreSQL knows the time zones. Pure text.

import { FIELD_TYPE_TRAITS } from '../model/field-types.ts';
import type { Field } from '../model/model.ts';
import type { OffsetUnit, RelativeTime, TimeUnit } from '../plan/relative-time.ts';
import { type Sql, sql } from './sql.ts';

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
    return isDay ? sql`(${localSql(then, timezone)})::date` : sql`${then}::timestamptz(3)`;
  }
  const local = shiftedSql(localSql(now, timezone), time);
  return isDay
    ? sql`(${local})::date`
    : sql`((${local}) at time zone ${zoneSql(timezone)})::timestamptz(3)`;
}

/** The first day of the period that a value is in; of a moment, in the time zone. */
export function periodSql(name: Sql, by: TimeUnit, timezone: string | undefined): Sql {
  const local = timezone === undefined ? sql`${name}::timestamp` : inCalendarSql(name, timezone);
  return sql`date_trunc(${UNITS[by]}, ${local})::date`;
}

/** In some time zones the first and the last moments of the calendar are of a day outside of it. */
function inCalendarSql(moment: Sql, timezone: string): Sql {
  const local = localSql(moment, timezone);
  // Of null `least` and `greatest` make the other one.
  return sql`case when ${moment} is not null then least(greatest(${local}, ${FIRST}), ${LAST}) end`;
}

const FIRST = sql`timestamp '0001-01-01'`;
const LAST = sql`timestamp '9999-12-31 23:59:59.999'`;

/** The time of clocks in the zone. */
export function localSql(moment: Sql, timezone: string): Sql {
  return sql`${moment} at time zone ${zoneSql(timezone)}`;
}

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

/** The edge first and then the offset: the end of a month is the end of the one before, a month earlier. */
function shiftedSql(local: Sql, { edge, offset }: RelativeTime): Sql {
  const by = offset === null ? sql`` : sql` + ${offsetSql(offset)}`;
  if (edge === null) return sql`(${local})${by}`;
  const start = sql`date_trunc(${UNITS[edge.of]}, ${local})`;
  if (edge.at === 'start') return sql`${start}${by}`;
  return sql`${start} + ${LENGTHS[edge.of]}${by} - interval '1 millisecond'`;
}

function offsetSql({ count, unit }: NonNullable<RelativeTime['offset']>): Sql {
  return sql`make_interval(${OFFSETS[unit]} => ${count}::integer)`;
}
