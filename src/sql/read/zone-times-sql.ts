// The day and the last morning in time zones. Pure text.

import { joinSql, type Sql, sql } from '../sql.ts';
import { daySql, localSql, momentSql } from './relative-sql.ts';

/** The time of day at which daily digests are sent. */
const MORNING = sql`interval '8 hours'`;

/** Select `zone`, `day` and `morning` by the clock of the zone `read`; `now` in milliseconds since 1970. */
export function zoneTimesSql(
  zones: readonly { readonly zone: string; readonly read: string }[],
  now: number,
): Sql {
  const moment = sql`to_timestamp(${now / 1000}::double precision)`;
  const times = zones.map(({ zone, read }) => {
    const morning = sql`date_trunc('day', ${localSql(moment, read)} - ${MORNING}) + ${MORNING}`;
    return sql`select ${zone}::text as zone, ${daySql(moment, read)}::text as day,
      (extract(epoch from ${momentSql(morning, read)}) * 1000)::double precision as morning`;
  });
  return joinSql(times, ' union all ');
}
