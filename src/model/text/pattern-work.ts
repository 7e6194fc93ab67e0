// Limits the cost of compiling patterns (D391): one limit for all patterns of a document together, and one for each.

/** The most steps of work; each takes about 100 ns. */
const MOST_WORK = 2_000_000;

/** The work that remains. */
export interface PatternWork {
  left: number;
  /** The sets `\p{…}` that are paid for. */
  readonly sets: Set<string>;
}

export function patternWork(): PatternWork {
  return { left: MOST_WORK, sets: new Set() };
}
