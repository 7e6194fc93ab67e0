// Statements that wait for other transactions, such as builds of indexes: for so long, and not for ever.

import { isOperatorError, operatorError } from '../../../errors.ts';
import type { Database } from '../../../postgres/db.ts';
import { runOnce } from '../../../postgres/run-once.ts';
import { type Sql, sql, toStatement } from '../../../sql/sql.ts';

/** The longest time that a build waits for the end of transactions that are older than itself. */
const PATIENCE_MS = 60_000;

export interface Patience {
  /** Milliseconds to wait for older transactions. */
  readonly patience?: number | undefined;
  /** Cancels the statement when aborted; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Run a statement that waits for other transactions, but not for ever: one that somebody forgot to end
 * would hold it up. A session's `lock_timeout` would do the same, but stay behind in a pooler.
 */
export async function runPatiently(
  db: Database,
  statement: Sql,
  { patience = PATIENCE_MS, signal }: Patience,
): Promise<void> {
  signal?.throwIfAborted();
  const { text } = toStatement(statement);
  const giveUp = new AbortController();
  const ending = AbortSignal.any([giveUp.signal, ...(signal === undefined ? [] : [signal])]);
  const watch = setInterval(
    () => {
      const look = isStuck(db, text, patience).then((stuck) => stuck && giveUp.abort());
      look.catch(() => undefined); // no connection for it: the next look may have one
    },
    Math.min(patience / 2, 2000),
  );
  try {
    await db.query({ text, values: [] }, { prepare: false, signal: ending });
  } catch (error) {
    signal?.throwIfAborted();
    if (!giveUp.signal.aborted || isOperatorError(error)) throw error;
    const message = `Open transactions block the change: ${text}; end them and try again`;
    throw operatorError(message, error);
  } finally {
    clearInterval(watch);
  }
}

async function isStuck(db: Database, text: string, patience: number): Promise<boolean> {
  const [waitRow] = await runOnce(
    db,
    sql`select exists (
      select from pg_catalog.pg_stat_activity a join pg_catalog.pg_locks l using (pid)
      where ${isWaiting(text, patience)}
    ) as stuck, to_regclass('pg_catalog.citus_locks') is not null as is_cluster`,
  );
  if (waitRow?.stuck === true || waitRow?.is_cluster !== true) return waitRow?.stuck === true;
  // The statement that waits is the one of its session on the server of the shard.
  const [there] = await runOnce(
    db,
    sql`select exists (
      select from pg_catalog.citus_stat_activity a join pg_catalog.citus_locks l using (global_pid)
      where ${isWaiting(text, patience)}
    ) as stuck`,
  );
  return there?.stuck === true;
}

function isWaiting(text: string, patience: number): Sql {
  return sql`a.query = ${text} and not l.granted
    and l.waitstart < clock_timestamp() - ${patience}::integer * interval '1 millisecond'`;
}
