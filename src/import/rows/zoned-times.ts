// Makes moments of the local times in a file, many at a time. PostgreSQL knows the time zones, as for groups and
// filters: the runtime may have another edition of the time zone database (D690).

import { ask, type ReadContext } from '../../flow/records/read/read-statement.ts';
import type { Parsed } from '../../model/values/parsed.ts';
import { momentsSql } from '../../sql/read/relative-sql.ts';
import { toStatement } from '../../sql/sql.ts';

export interface ZonedTimes {
  /** Moments in the form of the wire, by local time. */
  find(timezone: string, locals: readonly string[]): Promise<ReadonlyMap<string, Parsed>>;
}

export function openZonedTimes(context: ReadContext): ZonedTimes {
  return {
    async find(timezone, locals) {
      const rows = await ask(context, toStatement(momentsSql(locals, timezone)));
      return new Map(
        rows.map(({ moment }, index) => {
          const value = new Date(Number(moment)).toISOString();
          return [locals[index] as string, { value }];
        }),
      );
    },
  };
}
