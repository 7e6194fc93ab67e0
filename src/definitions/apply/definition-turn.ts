// The turn of a definition: one process at a time changes the definition of a workspace, and may build what the change
// needs by other connections meanwhile.

import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkspaceRow } from '../../control/workspace/workspaces.ts';
import { operatorError } from '../../errors.ts';
import type { Database, Transaction } from '../../postgres/db.ts';
import { runOnce } from '../../postgres/run-once.ts';
import { sql } from '../../sql/sql.ts';

/** The milliseconds to wait for another change of the same definition. */
const TURN_MS = 600_000;
const TURN_POLL_MS = 200;

type ChangedWorkspace = Pick<WorkspaceRow, 'slug' | 'schema'>;

interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to wait for the turn. */
  readonly patience?: number | undefined;
}

/**
 * Run `work` in a transaction while nobody else changes this workspace. It may build indexes by
 * other connections meanwhile. These wait for all older snapshots, so nobody may wait for his turn
 * inside a statement, nor in a transaction that may have one: each try is a transaction of its own.
 */
export async function inTurn<Result>(
  db: Database,
  { slug, schema }: ChangedWorkspace,
  work: (tx: Transaction) => Promise<Result>,
  { signal, patience = TURN_MS }: TurnOptions = {},
): Promise<Result> {
  const key = `workspace-records definition of ${schema}`;
  const deadline = Date.now() + patience;
  for (;;) {
    signal?.throwIfAborted();
    const turn = await db.transaction(async (tx) =>
      (await isTurnOf(tx, key)) ? { result: await work(tx) } : undefined,
    );
    if (turn !== undefined) return turn.result;
    if (Date.now() > deadline) {
      throw operatorError(
        `The definition of "${slug}" is being changed by someone else for too long; ` +
          'nothing was changed. Try again.',
      );
    }
    await sleep(TURN_POLL_MS);
  }
}

/** Holds the turn until the transaction ends, however long it waits. */
async function isTurnOf(tx: Transaction, key: string): Promise<boolean> {
  await runOnce(tx, sql`set transaction isolation level read committed`);
  const [tried] = await runOnce(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) as mine,
      set_config('idle_in_transaction_session_timeout', '0', true)`,
  );
  return tried?.mine === true;
}

/**
 * Before a build beside the transaction that has the turn. PostgreSQL keeps the snapshot of a query
 * until the next statement of its connection, and the build would wait for it; SET has none. Citus sends it on to the
 * servers that the transaction has asked; elsewhere its setting has no meaning.
 */
export async function releaseSnapshot(tx: Transaction): Promise<void> {
  await runOnce(tx, sql`set local citus.propagate_set_commands = 'local'`);
  await runOnce(tx, sql`set local statement_timeout = 0`);
}
