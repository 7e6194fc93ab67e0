// The constraint or index that refused a statement, by the name that the service gave it, also where Citus passes it on.

import pg from 'pg';

/** The report of the server. */
export interface Violation {
  readonly constraint?: string | undefined;
  readonly message: string;
}

/** The messages of PostgreSQL for each `code`. */
const REFUSALS = [
  { code: '23505', says: /violates unique constraint/ },
  { code: '23503', says: /violates foreign key constraint/ },
  { code: '23514', says: /violates check constraint/ },
  { code: '23502', says: /violates not-null constraint/ },
];

/**
 * The failure of a statement with its SQLSTATE. Citus inserts the rows of a query into their shard by COPY, and
 * passes on the message of a refusal there under XX000; in another language than English the code stays XX000.
 */
export function withRefusalCode(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.routine !== 'ReportCopyError') return error;
  const refusal = REFUSALS.find(({ says }) => says.test(error.message));
  if (error.code === 'XX000' && refusal !== undefined) error.code = refusal.code;
  return error;
}

/**
 * Citus appends the number of a shard, 102008 or more, to the name, and a name that is then too long becomes a start
 * and a digest.
 */
const OF_SHARD = /^(.*)_\d{6,}$/;
const SHORTENED = /^(.{20,})_[0-9a-f]{8}$/;

/** Whether it was this one that was violated. */
export function isConstraint(violation: Violation, name: string): boolean {
  // Citus passes on only the code and the message of another server's failure.
  const [, quoted = ''] = /"([^"]+)"$/.exec(violation.message) ?? [];
  const told = violation.constraint ?? quoted;
  const [, whole] = OF_SHARD.exec(told) ?? [];
  if (told === name || whole === name) return true;
  if (whole === undefined) return false;
  const [, start] = SHORTENED.exec(whole) ?? [];
  return start !== undefined && name.startsWith(start);
}
