// What compiling patterns may cost (D391): so much for all patterns of a document together, and so much for one alone.

/** In the time of about 100 ns each. */
const MOST_WORK = 2_000_000;

/** What may still be spent. */
export interface PatternWork {
  left: number;
  /** The sets `\p{…}` that are paid for. */
  readonly sets: Set<string>;
}

export function patternWork(): PatternWork {
  return { left: MOST_WORK, sets: new Set() };
}
