// Makes moments of the local times in a file, and days of its moments, many at a time. PostgreSQL knows the time zones, as for groups and
// filters: the runtime may have another edition of the time zone database (D690).

import { ask, type ReadContext } from '../../flow/records/read/read-statement.ts';
import type { Parsed } from '../../model/values/parsed.ts';
import { daysSql, momentsSql } from '../../sql/read/relative-sql.ts';
import { toStatement } from '../../sql/sql.ts';

export interface ZonedTimes {
  /** Moments by local time and days by moment, in the form of the wire. */
  find(timezone: string, times: readonly string[]): Promise<ReadonlyMap<string, Parsed>>;
}

export function openZonedTimes(context: ReadContext): ZonedTimes {
  return {
    async find(timezone, times) {
      const found = new Map<string, Parsed>();
      const locals = times.filter((time) => !time.endsWith('Z'));
      const moments = times.filter((time) => time.endsWith('Z'));
      if (locals.length > 0) {
        const rows = await ask(context, toStatement(momentsSql(locals, timezone)));
        for (const [index, { moment }] of rows.entries())
          found.set(locals[index] as string, { value: new Date(Number(moment)).toISOString() });
      }
      if (moments.length > 0) {
        const rows = await ask(context, toStatement(daysSql(moments, timezone)));
        for (const [index, { day }] of rows.entries())
          found.set(moments[index] as string, { value: String(day) });
      }
      return found;
    },
  };
}
