// A database within one transaction: a nested transaction becomes a savepoint. Statements and savepoints take turns
// on the one connection.

import { sql } from '../sql/sql.ts';
import type { Copying } from './copy.ts';
import type { Database, Queryable, Transaction } from './db.ts';
import { runOnce } from './run-once.ts';

type CopyingTransaction = Transaction & Copying;

/** `copying` is a turn without a savepoint. */
export function nestedDatabase(db: Database, tx: CopyingTransaction): Database {
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }
  const nested: Database = {
    ...db,
    origin: { sharing: 'never' },
    // A transaction is of the server it has begun on.
    near: () => nested,
    query: (statement, options) => inTurn(() => tx.query(statement, options)),
    transaction: (work) =>
      inTurn(() => withSavepoint(tx, () => work({ ...tx, finish: tx.queryAll }))),
    copying: (work) => inTurn(() => work(tx)),
  };
  return nested;
}

/** Undo only the changes of `work` when it fails; the rest of the transaction stays. */
export async function withSavepoint<Result>(
  tx: Queryable,
  work: () => Promise<Result>,
): Promise<Result> {
  await runOnce(tx, sql`savepoint nested`);
  try {
    const result = await work();
    await runOnce(tx, sql`release savepoint nested`);
    return result;
  } catch (error) {
    await runOnce(tx, sql`rollback to savepoint nested`);
    await runOnce(tx, sql`release savepoint nested`);
    throw error;
  }
}
