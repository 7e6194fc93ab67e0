// The constraint or index that refused a statement, by the name that the service gave it.

/** What the server says of it. */
export interface Violation {
  readonly constraint?: string | undefined;
  readonly message: string;
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
