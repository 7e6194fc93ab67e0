// A database whose transactions are always rolled back. A dry run on it meets the same constraints as
// the real one.

import { type Database, type Transaction, wrapDatabase } from './db.ts';

const UNDO = new Error('rolled back on purpose');

/** Statements return their rows as usual; their transaction is rolled back afterwards. */
export function rollbackOnly(db: Database): Database {
  return wrapDatabase(db, (server) => ({
    // A write that is rolled back shares no transaction with one that is not.
    origin: { sharing: db.origin.sharing },
    query: (statement, options) => undo(server, (tx) => tx.query(statement, options)),
    transaction: (work) => undo(server, (tx) => work({ ...tx, finish: tx.queryAll })),
  }));
}

async function undo<Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const done: Result[] = [];
  await db
    .transaction(async (tx) => {
      done[0] = await work(tx);
      throw UNDO;
    })
    .catch((error: unknown) => {
      if (error !== UNDO) throw error;
    });
  return done[0] as Result;
}
