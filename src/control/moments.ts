// Statements that tell the present moment of the database, always with a crash epoch
// (docs/decisions.md, D170). After a crash the first to ask begins one, and asks again.

import { epochOf, isSetBack } from '../plan/snapshot-moment.ts';
import type { Queryable, Row } from '../postgres/db.ts';
import { beginEpochSql } from '../sql/moment-sql.ts';
import { type Statement, toStatement } from '../sql/sql.ts';

export interface Told {
  readonly moment: string;
  readonly rows: readonly Row[];
}

/**
 * The rows of a statement whose first one has `MOMENT` as `moment`. That it lies before `seen`, which the
 * database told before, can only be of a copy of its files that was put back: that begins an epoch too.
 */
export async function queryMoment(db: Queryable, statement: Statement, seen = ''): Promise<Told> {
  for (;;) {
    const rows = await db.query(statement);
    const moment = rows[0]?.moment as string;
    const epoch = epochOf(moment);
    if (epoch !== '' && !isSetBack(moment, seen)) return { moment, rows };
    await db.query(toStatement(beginEpochSql(epoch)));
  }
}
