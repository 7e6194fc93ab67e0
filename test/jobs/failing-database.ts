// A database that loses one statement of a job: it is not sent, or its answer is lost; the process may end with it.

import { type Database, type Transaction, wrapDatabase } from '../../src/postgres/db.ts';

export interface Fault {
  /** Its number, counted from 1. */
  readonly at: number;
  readonly isSent: boolean;
  readonly isLast: boolean;
}

/** The same database until the fault; `sent` counts. */
export function failing(db: Database, fault: Fault, end: AbortController) {
  const state = { sent: 0, struck: false };
  async function guarded<Result>(send: () => Promise<Result>): Promise<Result> {
    state.sent += 1;
    if (state.sent !== fault.at) return send();
    state.struck = true;
    if (fault.isSent) await send();
    if (fault.isLast) end.abort(new Error('killed', { cause: 'stopping' }));
    throw new Error('the connection is lost');
  }
  const within = (tx: Transaction): Transaction => ({
    query: (statement, options) => guarded(() => tx.query(statement, options)),
    queryAll: (statements) => guarded(() => tx.queryAll(statements)),
    finish: (statements) => guarded(() => tx.finish(statements)),
  });
  const wrapped = wrapDatabase(db, (server) => ({
    query: (statement, options) => guarded(() => server.query(statement, options)),
    transaction: (work, account) => server.transaction((tx) => work(within(tx)), account),
  }));
  return { state, db: wrapped };
}

/** How a statement fails, as the parts of titles of tests. */
export const FAULTS = [
  ['not sent, and the process ends', false, true],
  ['answered to nobody, and the process ends', true, true],
  ['not sent, and the work continues', false, false],
  ['answered in vain, and the work continues', true, false],
] as const;
