// Figures as reports print them: percentiles and milliseconds.

/** NaN without any. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The largest figure, also of more than a call takes arguments. */
export function mostOf(figures: readonly number[]): number {
  return figures.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
}

export function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}
