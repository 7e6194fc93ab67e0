// The present moment of the database (plan/snapshot-moment.ts) as a part of other statements, and the beginning of
// a crash epoch. Pure text.

import { CONTROL_SCHEMA, identifier, type Sql, sql } from './sql.ts';

const NAME = 'crash_epoch';
const TABLE = identifier(CONTROL_SCHEMA, NAME);

/** The moment of the statement it is in; without an epoch when none has begun since a crash. */
export const MOMENT: Sql = sql`pg_current_snapshot()::text || ':' || coalesce(
    (select e.epoch::text from ${TABLE} e where e.home = e.tableoid), '')`;

/**
 * Begin an epoch where there is none, or replace `known`. Of concurrent statements one succeeds.
 */
export function beginEpochSql(known: string): Sql {
  return sql`insert into ${TABLE} as e (home, epoch)
    values (${`${CONTROL_SCHEMA}.${NAME}`}::regclass, gen_random_uuid())
    on conflict (home) do update set epoch = excluded.epoch where e.epoch::text = ${known}::text`;
}
