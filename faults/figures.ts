// Figures as reports print them: percentiles and milliseconds.

/** NaN without any. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = [...figures].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}
