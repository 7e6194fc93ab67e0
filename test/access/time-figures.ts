// Compares two series of times: quantiles, means, and whether their difference is more than the noise, which is the
// distance between the halves of one series.

export interface TimeFigures {
  readonly count: number;
  readonly mean: number;
  readonly deviation: number;
  /** Quantiles 5 %, 25 %, 50 %, 75 %, 95 %, 99 %. */
  readonly quantiles: readonly number[];
}

const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const;

/** Milliseconds in, milliseconds out. */
export function figuresOf(times: readonly number[]): TimeFigures {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.trunc((sorted.length - 1) * part)] as number;
  const mean = meanOf(times);
  const variance = meanOf(times.map((time) => (time - mean) ** 2));
  return {
    count: times.length,
    mean,
    deviation: Math.sqrt(variance),
    quantiles: QUANTILES.map(at),
  };
}

/** The same figures without the slowest hundredth, which belongs to the machine. */
export function trimmed(times: readonly number[]): readonly number[] {
  return [...times].sort((a, b) => a - b).slice(0, Math.ceil(times.length * 0.99));
}

/** The difference of the means, and in how many of its standard errors: within 3 it is chance. */
export function differenceOf(first: readonly number[], second: readonly number[]) {
  const [a, b] = [figuresOf(first), figuresOf(second)];
  const error = Math.sqrt(a.deviation ** 2 / a.count + b.deviation ** 2 / b.count);
  const difference = a.mean - b.mean;
  return { difference, error, errors: difference / error };
}

/** The same of the halves of one series, taken in turns: what chance alone makes. */
export function noiseOf(times: readonly number[]) {
  const half = (rest: number) => times.filter((_, index) => Math.trunc(index / 8) % 2 === rest);
  return differenceOf(half(0), half(1));
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
