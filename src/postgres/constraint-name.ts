// The constraint or index that refused a statement, by the name that the service gave it, also where Citus passes it on.

import pg from 'pg';

/** What the server says of it. */
export interface Violation {
  readonly constraint?: string | undefined;
  readonly message: string;
}

/** What `code` stands for in messages of PostgreSQL. */
const REFUSALS = [
  { code: '23505', says: /violates unique constraint/ },
  { code: '23503', says: /violates foreign key constraint/ },
  { code: '23514', says: /violates check constraint/ },
  { code: '23502', says: /violates not-null constraint/ },
];

/**
 * The failure of a statement with its SQLSTATE. What Citus inserts from a query goes to its shard by COPY, and of a refusal
 * there it passes on the message, under XX000; of a server that speaks another language than English it stays that.
 */
export function withRefusalCode(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.routine !== 'ReportCopyError') return error;
  const refusal = REFUSALS.find(({ says }) => says.test(error.message));
  if (error.code === 'XX000' && refusal !== undefined) error.code = refusal.code;
  return error;
}

/**
 * Citus puts the number of a shard, 102008 or more, behind the name, and what is too long then becomes a start and a
 * digest.
 */
const OF_SHARD = /^(.*)_\d{6,}$/;
const SHORTENED = /^(.{20,})_[0-9a-f]{8}$/;

/** Whether it was this one that was violated. */
export function isConstraint(violation: Violation, name: string): boolean {
  // What Citus passes on of another server's failure is its code and its message.
  const [, quoted = ''] = /"([^"]+)"$/.exec(violation.message) ?? [];
  const told = violation.constraint ?? quoted;
  const [, whole] = OF_SHARD.exec(told) ?? [];
  if (told === name || whole === name) return true;
  if (whole === undefined) return false;
  const [, start] = SHORTENED.exec(whole) ?? [];
  return start !== undefined && name.startsWith(start);
}
