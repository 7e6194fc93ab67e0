// Functions that send statements. Those whose text seldom comes again, such as DDL and commands of operators, are not
// prepared, so that they take no place among the statements of requests.

import { type Sql, type Statement, toStatement } from '../sql/sql.ts';
import type { Queryable, Row, Transaction } from './db.ts';

/** A statement that is prepared. */
export function run(db: Queryable, statement: Sql): Promise<readonly Row[]> {
  return db.query(toStatement(statement));
}

/** A statement whose text seldom comes again. */
export function runOnce(db: Queryable, statement: Sql): Promise<readonly Row[]> {
  return db.query(toStatement(statement), { prepare: false });
}

/** Several of them in one round trip; when one fails, none behind it runs. */
export async function runAllOnce(tx: Transaction, statements: readonly Statement[]): Promise<void> {
  await tx.queryAll(statements, { prepare: false });
}
