// Bytes that are kept in memory for others, so many for all of them and so many for each. It knows neither
// what the bytes are nor whose.

export interface Shares {
  /** Whether so many bytes more may be kept for this holder; the first of its own always within the whole. */
  admits(holder: string, bytes: number): boolean;
  /** True while as much is kept for this holder as may be, whatever is kept for others. */
  isFull(holder: string): boolean;
  take(holder: string, bytes: number): void;
  give(holder: string, bytes: number): void;
  /** Kept for all. */
  total(): number;
}

export interface ShareLimits {
  readonly most: number;
  readonly each: number;
}

export function openShares({ most, each }: ShareLimits): Shares {
  const held = new Map<string, number>();
  let total = 0;
  return {
    admits(holder, bytes) {
      const own = held.get(holder) ?? 0;
      return total + bytes <= most && (own === 0 || own + bytes <= each);
    },
    isFull: (holder) => (held.get(holder) ?? 0) >= each,
    take(holder, bytes) {
      total += bytes;
      held.set(holder, (held.get(holder) ?? 0) + bytes);
    },
    give(holder, bytes) {
      total -= bytes;
      const own = (held.get(holder) ?? 0) - bytes;
      if (own > 0) held.set(holder, own);
      else held.delete(holder);
    },
    total: () => total,
  };
}
