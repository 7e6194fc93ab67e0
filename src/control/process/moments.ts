// Statements that read the present moment of a server, always with a crash epoch (docs/decisions.md, D170). After a
// crash the first caller begins an epoch, and repeats the query.

import {
  epochOf,
  epochParts,
  isSetBack,
  momentAt,
  momentOfServer,
  trimmedTo,
} from '../../plan/events/snapshot-moment.ts';
import type { Queryable, Row, Shareable } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import {
  beginEpochSql,
  changesMomentSql,
  continuesSql,
  momentSql,
  transactionNumberSql,
} from '../../sql/events/moment-sql.ts';
import { type Sql, type Statement, toStatement } from '../../sql/sql.ts';

export interface MomentRows {
  readonly moment: string;
  readonly rows: readonly Row[];
}

export interface Asked {
  /** A statement whose first row has `MOMENT` as `moment`. */
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
  return (await loadMoment(db, { schema, statement: momentSql(schema) }, seen)).moment;
}

/** The present moment for readers of changes: a position that outlasts a crash of the server (D455). */
export async function loadChangesMoment(db: Shareable, schema: string, seen = ''): Promise<string> {
  const asked = { schema, statement: changesMomentSql(schema) };
  const { moment, at } = await loadMoment(db, asked, seen);
  return trimmedTo((at?.last ?? null) as string | null, moment);
}

/** The moment that a transaction sees the workspace at, when it sees one. */
export async function momentWithin(tx: Queryable, schema: string): Promise<string> {
  const [at] = await runOnce(tx, changesMomentSql(schema));
  return trimmedTo((at?.last ?? null) as string | null, placedMoment(String(at?.moment), at));
}

/** True when a moment is one of the same data at the same place as the present one (D455). */
export async function isContinued(
  db: Shareable,
  schema: string,
  { before, present }: { readonly before: string; readonly present: string },
): Promise<boolean> {
  const [one, other] = [epochParts(before), epochParts(present)];
  if (one.place !== other.place || one.epoch === '') return false;
  if (one.epoch === other.epoch) return true;
  const [found] = await db.near(schema).query(toStatement(continuesSql(schema, one.epoch)));
  return found?.continues === true;
}

async function loadMoment(
  db: Shareable,
  { schema, statement }: { readonly schema: string; readonly statement: Sql },
  seen: string,
): Promise<{ readonly moment: string; readonly at: Row | undefined }> {
  const asked = { statement: toStatement(statement), schema };
  const { moment, rows } = await queryMoment(db.near(schema), asked, momentOfServer(seen));
  const [at] = rows;
  return { moment: placedMoment(moment, at), at };
}

function placedMoment(moment: string, at: Row | undefined): string {
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
