// The present moment of a server (plan/events/snapshot-moment.ts) and the beginning of a crash epoch there
// (migrations/control). Pure text.

import { placeOf } from '../read/place-sql.ts';
import { CONTROL_SCHEMA, EMPTY, identifier, type Sql, sql } from '../sql.ts';

/** The moment of the statement it is in; without an epoch when none has begun since a crash. */
export const MOMENT: Sql = sql`${identifier(CONTROL_SCHEMA, 'moment')}()`;

/** The moment of the server that has this workspace: in the numbers of its audit rows; and where that is. */
export function momentSql(schema: string): Sql {
  const group = identifier(CONTROL_SCHEMA, 'node_group');
  return sql`select ${MOMENT} as moment, p.place, ${group}() as node_group from ${placeOf(schema)}`;
}

/**
 * The moment, with the last transaction that it sees in the audit of the workspace: among those of this node, because
 * rows of other nodes have come along when the workspace was moved (D355).
 */
export function changesMomentSql(schema: string): Sql {
  const group = identifier(CONTROL_SCHEMA, 'node_group');
  return sql`select ${MOMENT} as moment, p.place, ${group}() as node_group,
      (select a.transaction::text from ${identifier(schema, '_audit')} a
        where ${group}() is null or a.id >> 48 = ${group}()
        order by a.transaction desc, a.id desc limit 1) as last
    from ${placeOf(schema)}`;
}

/** Whether positions of this epoch are valid on the server that has the workspace (D455). */
export function continuesSql(schema: string, epoch: string): Sql {
  const continues = identifier(CONTROL_SCHEMA, 'continues');
  return sql`select ${continues}(${epoch}::text) as continues from ${placeOf(schema)}`;
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
