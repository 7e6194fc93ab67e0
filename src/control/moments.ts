// Statements that read the present moment of a server, always with a crash epoch (docs/decisions.md, D170). After a
// crash the first caller begins an epoch, and repeats the query.

import { epochOf, isSetBack, momentAt, momentOfServer } from '../plan/snapshot-moment.ts';
import type { Queryable, Row, Shareable } from '../postgres/db.ts';
import { runOnce } from '../postgres/run-once.ts';
import { beginEpochSql, momentSql, transactionNumberSql } from '../sql/moment-sql.ts';
import { type Statement, toStatement } from '../sql/sql.ts';

export interface MomentRows {
  readonly moment: string;
  readonly rows: readonly Row[];
}

export interface Asked {
  /** Its first row has `MOMENT` as `moment`. */
  readonly statement: Statement;
  /** The workspace whose server is queried; undefined: the server of the control schema. */
  readonly schema?: string;
}

/**
 * The rows of the statement. A moment before `seen`, an earlier answer of the database, can only come from a restored
 * copy of its files: that begins an epoch too.
 */
export async function queryMoment(
  db: Queryable,
  { statement, schema }: Asked,
  seen = '',
): Promise<MomentRows> {
  for (;;) {
    const rows = await db.query(statement);
    const moment = rows[0]?.moment as string;
    const epoch = epochOf(moment);
    if (epoch !== '' && !isSetBack(moment, seen)) return { moment, rows };
    await db.query(toStatement(beginEpochSql(epoch, schema)));
  }
}

/**
 * The present moment of the server that has a workspace, at its place there; `seen` is an earlier moment. A workspace
 * that has been moved is in another epoch, for its rows have the numbers of several servers then.
 */
export async function loadMomentOf(db: Shareable, schema: string, seen = ''): Promise<string> {
  const statement = toStatement(momentSql(schema));
  const { moment, rows } = await queryMoment(
    db.near(schema),
    { statement, schema },
    momentOfServer(seen),
  );
  const [at] = rows;
  return momentAt(moment, {
    place: Number(at?.place),
    node_group: at?.node_group == null ? null : Number(at.node_group),
  });
}

/**
 * Number of this transaction on the server that has the tables of the workspace. It differs from the local number
 * where another server leads the transaction, and these numbers order the reported changes.
 */
export async function transactionNumber(tx: Queryable, schema: string): Promise<string> {
  const [row] = await runOnce(tx, transactionNumberSql(schema));
  return String(row?.number);
}
