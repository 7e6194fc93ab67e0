// The present moment of a server (plan/snapshot-moment.ts) and the beginning of a crash epoch there
// (migrations/control). Pure text.

import { placeOf } from './place-sql.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, type Sql, sql } from './sql.ts';

/** The moment of the statement it is in; without an epoch when none has begun since a crash. */
export const MOMENT: Sql = sql`${identifier(CONTROL_SCHEMA, 'moment')}()`;

/** The moment of the server that has this workspace: in the numbers of its audit rows; and where that is. */
export function momentSql(schema: string): Sql {
  const group = identifier(CONTROL_SCHEMA, 'node_group');
  return sql`select ${MOMENT} as moment, p.place, ${group}() as node_group from ${placeOf(schema)}`;
}

/** The number of the transaction on the server that has this workspace. */
export function transactionNumberSql(schema: string): Sql {
  return sql`select pg_current_xact_id()::text as number from ${placeOf(schema)}`;
}

/**
 * Begin an epoch where there is none, or replace `known`: on the server that has this workspace, or that of the
 * control schema.
 */
export function beginEpochSql(known: string, schema?: string): Sql {
  const at = schema === undefined ? EMPTY : sql` from ${placeOf(schema)}`;
  return sql`select ${identifier(CONTROL_SCHEMA, 'begin_epoch')}(${known}::text) as begun${at}`;
}
